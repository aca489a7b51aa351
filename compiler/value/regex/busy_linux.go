package regex

import (
	"syscall"
	"time"
)

// Busy is the time that the calling thread has spent on a processor. Differences mean something only while the
// goroutine is locked to its thread.
func Busy() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if syscall.Getrusage(thisThread, &u) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
