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

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/cmd/internal/lintcommand"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/stack"
)

func main() { command.Main(run) }

// run is the whole program with its streams given, so that tests can call it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := newApp(stdin, stdout, stderr)
	err := app.RunContext(ctx, args)
	var refusal *engine.Refusal
	var answer *cloud.Error
	switch {
	case errors.As(err, &refusal), errors.Is(err, stack.ErrNotFound), errors.As(err, &answer) && answer.Status/100 == 4 && answer.Status != http.StatusUnauthorized:
		fmt.Fprintf(stderr, "hotloom: %v\n", err)
		return command.ExitInput
	}
	return command.Exit(err, stderr)
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := command.App(stdin, stdout, stderr)
	app.Name = "hotloom"
	app.Usage = "check HOT templates, weave the software in them, emit plain stock HOT"
	app.Description = "Write one declarative template: the infrastructure and the software on it.\n" +
		"hotloom finds every mistake at its line, weaves the software into a graph of steps, and\n" +
		"emits templates that an unmodified Heat accepts.\n\n" +
		"Exit codes: 0 fine; 1 the input has errors; 2 wrong usage; 3 the environment (files, network, tools).\n" +
		"Colour only on a terminal, and never when NO_COLOR is set."
	app.Suggest = true
	app.CommandNotFound = func(_ *cli.Context, name string) {
		fmt.Fprintf(stderr, "hotloom: no command %q (hotloom --help lists them)\n", name)
	}
	app.Commands = []*cli.Command{
		lintcommand.New("hotloom lint"),
		lintcommand.NewServer("hotloom lsp"),
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
	}
	app.Action = func(c *cli.Context) error {
		if c.Args().Present() {
			return command.Usagef("no command %q (hotloom --help lists them)", c.Args().First())
		}
		return cli.ShowAppHelp(c)
	}
	settle(app.Commands)
	return app
}

// settle has all commands report a wrong call alike. A command without others gets no subcommand help either: completion
// would offer it in the place of files.
func settle(commands []*cli.Command) {
	for _, c := range commands {
		c.OnUsageError = command.OnUsageError
		c.HideHelpCommand = len(c.Subcommands) == 0
		settle(c.Subcommands)
	}
}
