package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/local"
)

func logsCommand() *cli.Command {
	return &cli.Command{
		Name:      "logs",
		Usage:     "show what the steps of a stack have written",
		ArgsUsage: "NAME [NODE]",
		Description: "NODE is a step, a host with all its steps, or a group, as status shows them. Secrets are masked.\n\n" +
			"Examples:\n" +
			"   hotloom logs shop\n" +
			"   hotloom logs shop web.site --tail 20\n" +
			"   hotloom logs shop --follow                              while hotloom up runs elsewhere, until it has ended",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "show what is written until nothing runs any more"},
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
	p := &logPrinter{w: c.App.Writer, tail: c.Int("tail")}
	if c.Bool("follow") {
		return local.FollowLogs(c.Context, root, s.Info().Name, node, p.print)
	}
	logs, err := s.Logs(node)
	if err != nil {
		return err
	}
	for _, l := range logs {
		if err := p.print(l); err != nil {
			return err
		}
	}
	return nil
}

// logPrinter prints parts of logs, each log's under its name.
type logPrinter struct {
	w    io.Writer
	tail int             // the last lines of what a log has at first; 0: all
	last string          // whose part was printed last
	seen map[string]bool // logs of which a part was printed
}

func (p *logPrinter) print(l local.Log) error {
	name := l.Node + " " + l.Action
	lines := strings.SplitAfter(strings.TrimSuffix(l.Text, "\n"), "\n")
	if p.tail > 0 && !p.seen[name] {
		lines = lines[max(0, len(lines)-p.tail):]
	}
	head := ""
	if name != p.last {
		head = "==> " + name + " <==\n"
		if p.last != "" {
			head = "\n" + head
		}
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.last, p.seen[name] = name, true
	_, err := fmt.Fprintf(p.w, "%s%s\n", head, strings.Join(lines, ""))
	return err
}
