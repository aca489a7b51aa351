// Package command holds what the programs of hotloom have in common on the command line: exit codes, wrong calls, flags
// that stand among arguments, terminals.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"
)

// Exit codes, the same for every command.
const (
	ExitOK          = 0
	ExitInput       = 1 // the input has errors, or the run failed
	ExitUsage       = 2
	ExitEnvironment = 3 // network, authentication, a missing tool or file system trouble
)

// ErrFindings says that findings with errors were printed already; it carries no message of its own.
var ErrFindings = errors.New("the input has errors")

// UsageError is a wrong call of the command line.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// OnUsageError turns what the command-line library says into a UsageError.
func OnUsageError(c *cli.Context, err error, _ bool) error {
	name := c.App.Name
	if c.Command != nil && c.Command.HelpName != "" {
		name = c.Command.HelpName // with the commands that it belongs to
	}
	return Usagef("%w (%s --help explains)", err, name)
}

// App is a program with what all programs of hotloom have in common; its caller says what it does.
func App(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	return &cli.App{
		Version:              Version(),
		Reader:               stdin,
		Writer:               stdout,
		ErrWriter:            stderr,
		EnableBashCompletion: true,
		HideHelpCommand:      true,
		// A file's name may hold commas; what is given several times is repeated.
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              OnUsageError,
	}
}

// Run is a whole program with its streams given, so that tests can call it. It gives the exit code.
type Run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Main is the function main of a program: it runs it until it ends, or the user wants it to end, and exits.
func Main(run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it at once
	code := run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit says on stderr what a command ended with, and gives its exit code.
func Exit(err error, stderr io.Writer) int {
	var usage UsageError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrFindings):
		return ExitInput
	}
	fmt.Fprintf(stderr, "hotloom: %v\n", err)
	if errors.As(err, &usage) {
		return ExitUsage
	}
	return ExitEnvironment
}

// Version is that of the module, as `go install` records it.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
