package stack

import "time"

// HurryUp shortens the pauses of Create.
func HurryUp() {
	resetPatience, timeoutPatience, findPause = 300*time.Millisecond, time.Second, 20*time.Millisecond
}
