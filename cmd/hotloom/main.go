// Command hotloom checks HOT templates, weaves the software declared in them, emits plain stock HOT, and runs workflows.
//
// One file per command: flags, one call, render. What commands do lives in the packages below.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/stack"
)

// Exit codes, the same for every command.
const (
	exitOK          = 0
	exitInput       = 1 // the input has errors, or the run failed
	exitUsage       = 2
	exitEnvironment = 3 // network, authentication, a missing tool or file system trouble
)

// errFindings says that findings with errors were printed already; it carries no message of its own.
var errFindings = errors.New("the input has errors")

// usageError is a wrong call of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program with its streams given, so that tests can call it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := newApp(stdin, stdout, stderr)
	err := app.RunContext(ctx, args)
	var usage usageError
	var refusal *engine.Refusal
	var answer *cloud.Error
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitInput
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "hotloom: %v\n", err)
		return exitUsage
	case errors.As(err, &refusal), errors.Is(err, stack.ErrNotFound), errors.As(err, &answer) && answer.Status/100 == 4 && answer.Status != http.StatusUnauthorized:
		fmt.Fprintf(stderr, "hotloom: %v\n", err)
		return exitInput
	default:
		fmt.Fprintf(stderr, "hotloom: %v\n", err)
		return exitEnvironment
	}
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:  "hotloom",
		Usage: "check HOT templates, weave the software in them, emit plain stock HOT",
		Description: "Write one declarative template: the infrastructure and the software on it.\n" +
			"hotloom finds every mistake at its line, weaves the software into a graph of steps, and\n" +
			"emits templates that an unmodified Heat accepts.\n\n" +
			"Exit codes: 0 fine; 1 the input has errors; 2 wrong usage; 3 the environment (files, network, tools).\n" +
			"Colour only on a terminal, and never when NO_COLOR is set.",
		Version:              version(),
		Reader:               stdin,
		Writer:               stdout,
		ErrWriter:            stderr,
		EnableBashCompletion: true,
		Suggest:              true,
		HideHelpCommand:      true,
		// A file's name may hold commas; what is given several times is repeated.
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		CommandNotFound: func(c *cli.Context, name string) {
			fmt.Fprintf(stderr, "hotloom: no command %q (hotloom --help lists them)\n", name)
		},
		Commands: []*cli.Command{
			lintCommand(),
			compileCommand(),
			graphCommand(),
			evalCommand(),
			upCommand(),
			downCommand(),
			statusCommand(),
			logsCommand(),
			workflowCommand(),
			stackCommand(),
			bundleCommand(),
			profileCommand(),
			pluginsCommand(),
			heatPluginCommand(),
			providerCommand(),
			completionCommand(),
			manCommand(),
		},
	}
	app.Action = func(c *cli.Context) error {
		if c.Args().Present() {
			return usagef("no command %q (hotloom --help lists them)", c.Args().First())
		}
		return cli.ShowAppHelp(c)
	}
	for _, command := range app.Commands {
		command.OnUsageError = onUsageError
	}
	return app
}

func onUsageError(c *cli.Context, err error, _ bool) error {
	name := "hotloom"
	if c.Command != nil && c.Command.HelpName != "" {
		name = c.Command.HelpName // with the commands that it belongs to
	}
	return usagef("%w (%s --help explains)", err, name)
}

// version is that of the module, as `go install` records it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
