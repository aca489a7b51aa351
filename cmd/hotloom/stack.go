package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/internal/stack/watch"
)

var stackFormats = []string{"text", "json"}

func stackCommand() *cli.Command {
	c := &cli.Command{
		Name:  "stack",
		Usage: "create stacks through Heat, watch and change them",
		Description: "A template that has components is checked and compiled on the way; plain HOT goes as it is. Files, nested\n" +
			"templates and environments are sent as OpenStack's own client sends them.\n\n" +
			"Examples:\n" +
			"   hotloom stack create shop template.yaml -e prod.yaml -P size=3\n" +
			"   hotloom stack update shop template.yaml -e prod.yaml -P size=4\n" +
			"   hotloom stack outputs shop\n" +
			"   hotloom stack delete shop",
		Subcommands: []*cli.Command{
			stackCreateCommand(),
			stackUpdateCommand(),
			stackPreviewCommand(),
			stackWatchCommand(),
			stackWhyCommand(),
			stackListCommand(),
			stackShowCommand(),
			stackEventsCommand(),
			stackOutputsCommand(),
			stackSignalCommand(),
			stackActionCommand("suspend", "SUSPEND", "suspend a stack's servers and other resources"),
			stackActionCommand("resume", "RESUME", "resume a suspended stack"),
			stackActionCommand("check", "CHECK", "compare a stack's resources with the cloud"),
			stackCancelCommand(),
			stackDeleteCommand(),
		},
	}
	for _, sub := range c.Subcommands {
		sub.Flags = append(sub.Flags, cloudFlags()...)
	}
	return c
}

// waitFlags are those of commands that wait for Heat.
func waitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "no-wait", Usage: "do not wait for the end"},
		formatFlag(stackFormats),
	}
}

// stackArguments are the arguments of a command, whose flags may stand anywhere.
func stackArguments(c *cli.Context, what string, least, most int) ([]string, error) {
	args, err := command.Arguments(c)
	if err != nil {
		return nil, err
	}
	if len(args) < least || len(args) > most {
		return nil, command.Usagef("%s: want %s, not %d arguments (%s --help explains)", c.Command.Name, what, len(args), c.Command.HelpName)
	}
	if c.String("format") != "" {
		if _, err := command.Choice(c, "format", stackFormats); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// one connects and finds the stack that the only argument names.
func one(c *cli.Context) (*stack.Client, stack.Ref, error) {
	args, err := stackArguments(c, "the stack's NAME", 1, 1)
	if err != nil {
		return nil, stack.Ref{}, err
	}
	client, err := heat(c)
	if err != nil {
		return nil, stack.Ref{}, err
	}
	ref, err := client.Find(c.Context, args[0])
	return client, ref, err
}

// printer shows progress in the format of the flags: a live tree on a terminal, otherwise lines.
func printer(c *cli.Context, p *stack.Prepared) watch.Printer {
	f := watch.Format{Labels: watch.Labels{Prepared: p}, Color: command.Colored(c.App.ErrWriter)}
	if c.String("format") == "json" {
		return watch.JSON(c.App.Writer, f.Labels)
	}
	file, isFile := c.App.ErrWriter.(*os.File)
	if !isFile || !command.IsTerminal(file) || os.Getenv("TERM") == "dumb" {
		return watch.Lines(c.App.ErrWriter, f)
	}
	return watch.Live(file, f, func() (columns, rows int) {
		columns, rows, err := term.GetSize(int(file.Fd()))
		if err != nil || columns < 1 || rows < 1 {
			return 80, 24
		}
		return columns, rows
	})
}

// followStack waits for the end of an action, showing what happens, and gives command.ErrFindings unless it succeeded.
func followStack(c *cli.Context, client *stack.Client, ref stack.Ref, p *stack.Prepared, o stack.FollowOptions) error {
	show := printer(c, p)
	o.Step, o.Tick = show.Step, show.Tick
	var tree *stack.Tree
	o.Step = func(s stack.Step) { tree = s.Tree; show.Step(s) }
	s, err := client.Follow(c.Context, ref, o)
	show.Close()
	if errors.Is(err, context.Canceled) && c.Context.Err() != nil {
		fmt.Fprintf(c.App.ErrWriter, "hotloom: Heat goes on with stack %s; come back with: hotloom stack watch %s\n", ref, ref)
		return command.ErrFindings
	}
	if err != nil {
		return err
	}
	if o.Action == "CREATE" || o.Action == "UPDATE" || o.Action == "" {
		o.Action = firstWord(o.Action, s.Action())
	}
	if failure := stack.Failure(s, o.Action); failure != nil {
		printStackFailure(c, p, tree, failure)
		return command.ErrFindings
	}
	fmt.Fprintf(c.App.ErrWriter, "stack %s is %s\n", s.Name, s.Status)
	return nil
}

func firstWord(a, b string) string {
	if a != "" || b == "ROLLBACK" {
		return a
	}
	return b
}

// printStackFailure names the causes, each at the author's line.
func printStackFailure(c *cli.Context, p *stack.Prepared, tree *stack.Tree, failure error) {
	fmt.Fprintf(c.App.ErrWriter, "hotloom: %v\n", failure)
	if tree == nil {
		return
	}
	labels := watch.Labels{Prepared: p}
	const most = 10
	for i, n := range tree.Failed() {
		if i == most {
			break
		}
		if at := labels.At(n); at.Start.Line > 0 {
			fmt.Fprintf(c.App.ErrWriter, "%s: %s: %s\n", at, labels.Title(n), n.Reason)
		} else {
			fmt.Fprintf(c.App.ErrWriter, "%s: %s\n", labels.Title(n), n.Reason)
		}
	}
}

// refused shows an error of Heat's at the line that it speaks of.
func refused(p *stack.Prepared, err error) error {
	if p == nil {
		return err
	}
	if at := p.Origin.Message(err.Error()); at != (diag.Location{}) && at.Start.Line > 0 {
		return fmt.Errorf("%s: %w", at, err)
	}
	return err
}
