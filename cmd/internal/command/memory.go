package command

import (
	"os"
	"runtime/debug"
)

// CollectSeldom trades memory for time in a command that reads files, writes and ends: most of what it makes lives
// until it ends, so that collecting garbage often finds little. Near the limit the collector works as usual. Who sets
// GOGC or GOMEMLIMIT decides instead.
func CollectSeldom() {
	const percent, limit = 400, 1 << 30
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}
