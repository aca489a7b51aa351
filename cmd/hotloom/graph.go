package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/graph"
)

func graphCommand() *cli.Command {
	var names []string
	for _, f := range graph.Formats {
		names = append(names, f.Name)
	}
	return &cli.Command{
		Name:      "graph",
		Usage:     "show what happens in which order, and why",
		ArgsUsage: "TEMPLATE",
		Description: "Prints the workflow graph: resources, the steps of the software on them, handles and workflows.\n\n" +
			"Examples:\n" +
			"   hotloom graph template.yaml\n" +
			"   hotloom graph --format svg template.yaml > template.svg\n" +
			"   hotloom graph --format json template.yaml | jq '.edges[]'",
		Flags: []cli.Flag{
			command.EnvironmentFlag(),
			&cli.StringFlag{Name: "format", Usage: "one of " + strings.Join(names, ", "), Value: names[0]},
		},
		BashComplete: command.CompleteFlagValues("format", names),
		Action: func(c *cli.Context) error {
			path, err := command.OneArgument(c, "TEMPLATE")
			if err != nil {
				return err
			}
			name, err := command.Choice(c, "format", names)
			if err != nil {
				return err
			}
			i := slices.Index(names, name)
			return runGraph(c, path, graph.Formats[i])
		},
	}
}

func runGraph(c *cli.Context, path string, format graph.Format) error {
	command.CollectSeldom()
	unit, err := load(c, path)
	if err != nil {
		return err
	}
	found := unit.Check()
	program, more := unit.Weave()
	found = append(found, more...)
	found.Sort()
	// A graph with mistakes in it is worth looking at, so it is drawn all the same; the exit code tells.
	failed := printFindings(c, unit, found)
	if err := format.Write(c.Context, c.App.Writer, program.Graph); err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	return failed
}
