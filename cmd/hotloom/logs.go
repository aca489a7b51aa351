package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
)

func logsCommand() *cli.Command {
	return &cli.Command{
		Name:      "logs",
		Usage:     "show what the steps of a stack have written",
		ArgsUsage: "NAME [NODE]",
		Description: "NODE is a step, a host with all its steps, or a group, as status shows them. Secrets are masked.\n\n" +
			"Examples:\n" +
			"   hotloom logs shop\n" +
			"   hotloom logs shop web.site --tail 20",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "tail", Usage: "the last `N` lines of each"},
			stateFlag(),
		},
		Action: runLogs,
	}
}

func runLogs(c *cli.Context) error {
	args, err := command.Arguments(c)
	if err != nil {
		return err
	}
	if len(args) != 1 && len(args) != 2 {
		return command.Usagef("logs: want NAME and maybe NODE, not %d arguments (%s --help explains)", len(args), c.Command.HelpName)
	}
	root, err := stateFolder(c)
	if err != nil {
		return err
	}
	s, err := findStack(root, args[0])
	if err != nil {
		return err
	}
	node := ""
	if len(args) == 2 {
		if node = args[1]; s.Record(node) == nil {
			return command.Usagef("logs: stack %s has no node %s; hotloom status %s lists them", s.Info().Name, node, s.Info().Name)
		}
	}
	logs, err := s.Logs(node)
	if err != nil {
		return err
	}
	for i, l := range logs {
		lines := strings.SplitAfter(strings.TrimSuffix(l.Text, "\n"), "\n")
		if n := c.Int("tail"); n > 0 {
			lines = lines[max(0, len(lines)-n):]
		}
		if i > 0 {
			fmt.Fprintln(c.App.Writer)
		}
		fmt.Fprintf(c.App.Writer, "==> %s %s <==\n%s\n", l.Node, l.Action, strings.Join(lines, ""))
	}
	return nil
}
