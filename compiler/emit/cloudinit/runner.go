package cloudinit

import _ "embed"

// runner is the program that runs a host's steps. It is POSIX sh and awk, ASCII, and readable where it lands.
//
//go:embed runner.sh
var runner string

// placeholder stands in the runner for the host's program, a JSON text.
const placeholder = "@hotloom-program@"

// limitBytes is the most that one input or output may have; the runner holds the same number.
const limitBytes = 8192
