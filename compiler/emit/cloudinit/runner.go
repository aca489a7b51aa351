package cloudinit

import _ "embed"

// runner is the program that runs a host's steps. It is POSIX sh and awk, ASCII, and readable where it lands. It
// holds the number plain.ValueBytes.
//
//go:embed runner.sh
var runner string

// placeholder stands in the runner for the host's program, a JSON text.
const placeholder = "@hotloom-program@"

// The nested templates that make values of signals: of a server's, and of those of a group's members.
var (
	//go:embed outputs.yaml
	outputsTemplate string
	//go:embed members.yaml
	membersTemplate string
)
