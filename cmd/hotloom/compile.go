package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
)

func compileCommand() *cli.Command {
	var names, lines []string
	for _, t := range emit.Targets {
		names = append(names, t.Name())
		lines = append(lines, fmt.Sprintf("   %-20s %s", t.Name(), t.Summary()))
	}
	return &cli.Command{
		Name:      "compile",
		Usage:     "write plain stock HOT",
		ArgsUsage: "TEMPLATE",
		Description: "Writes stack.yaml, the files that it names, and sourcemap.json (which emitted place comes from which\n" +
			"source line), and prints their paths. Nothing is written where the template has errors.\n" +
			"Target mistral also writes workflows/, to be stored with `hotloom workflow push` before the stack is created.\n\n" +
			"Targets:\n" + strings.Join(lines, "\n") + "\n\n" +
			"Examples:\n" +
			"   hotloom compile -o out template.yaml\n" +
			"   hotloom compile -e prod.yaml --target software-deployment -o out template.yaml",
		Flags: []cli.Flag{
			command.EnvironmentFlag(),
			&cli.StringFlag{Name: "target", Usage: "what to emit: " + strings.Join(names, ", "), Value: names[0]},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "the `FOLDER` to write to", Value: "out"},
			&cli.StringFlag{Name: "name", Usage: "mistral: the `NAME` that the workflows' names begin with (default: the template's)"},
			&cli.BoolFlag{Name: "workflows-in-stack", Usage: "mistral: make the template's workflows resources of the stack, so that they need not be stored before"},
			&cli.Int64Flag{Name: "boot-allowance", Usage: "cloud-init and mistral: `SECONDS` from ACTIVE to a server's first step (default: 900)"},
			&cli.StringFlag{Name: "signal-transport", Usage: "software-deployment: how deployments report (default: HEAT_SIGNAL)"},
			&cli.StringFlag{Name: "config-transport", Usage: "software-deployment and mistral: how servers learn of deployments (default: POLL_SERVER_HEAT)"},
		},
		BashComplete: command.CompleteFlagValues("target", names),
		Action: func(c *cli.Context) error {
			path, err := command.OneArgument(c, "TEMPLATE")
			if err != nil {
				return err
			}
			target, err := command.Choice(c, "target", names)
			if err != nil {
				return err
			}
			return runCompile(c, path, emit.Find(target))
		},
	}
}

func runCompile(c *cli.Context, path string, target emit.Target) error {
	command.CollectSeldom()
	unit, err := load(c, path)
	if err != nil {
		return err
	}
	out, found := unit.Compile(target, plain.Options{
		Name:             c.String("name"),
		WorkflowsInStack: c.Bool("workflows-in-stack"),
		BootAllowance:    c.Int64("boot-allowance"),
		SignalTransport:  c.String("signal-transport"),
		ConfigTransport:  c.String("config-transport"),
	})
	if err := printFindings(c, unit, found); err != nil {
		return err
	}
	written, err := out.Write(c.String("output"))
	if err != nil {
		return err
	}
	for _, name := range written {
		fmt.Fprintln(c.App.Writer, name)
	}
	return nil
}
