package heat

import (
	"testing"
	"time"
)

func TestStepsOfLongWorkWaitLonger(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for age, want := range map[time.Duration]time.Duration{
		-time.Hour: 2 * time.Second, 0: 2 * time.Second, 30 * time.Second: 5 * time.Second, time.Hour: 10 * time.Second,
	} {
		if got := (&work{Begun: now.Add(-age)}).wait(now); got != want {
			t.Errorf("work that began %s ago: %s, want %s", age, got, want)
		}
	}
}
