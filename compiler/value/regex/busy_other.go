//go:build !linux

package regex

import "time"

var start = time.Now()

// Busy is the time that has passed, as that of the thread is not to be had here.
func Busy() time.Duration { return time.Since(start) }
