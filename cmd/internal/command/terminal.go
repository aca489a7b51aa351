package command

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Colored reports whether w is a terminal that wants colour: https://no-color.org, and CLICOLOR_FORCE to the contrary.
func Colored(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	return IsTerminal(f)
}

// IsTerminal reports whether a stream is a terminal. /dev/null is none.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
