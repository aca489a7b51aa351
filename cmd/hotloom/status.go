package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/local"
)

// noStack says that there is no such stack, and what there is.
func noStack(none *local.NotThere, arg string, names []string) error {
	hint := "there are none"
	if near := diag.Nearest(arg, names); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(names) > 0 {
		hint = "there are " + strings.Join(names, ", ")
	}
	return command.Usagef("%w; %s", none, hint)
}

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show the stacks of this machine, or one with its nodes and outputs",
		ArgsUsage: "[NAME | TEMPLATE]",
		Description: "Examples:\n" +
			"   hotloom status\n" +
			"   hotloom status shop\n" +
			"   hotloom status --format json shop | jq -r '.nodes[] | select(.kind == \"host\") | .address'",
		Flags:        []cli.Flag{formatFlag(snapshotFormats), stateFlag()},
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action:       runStatus,
	}
}

func runStatus(c *cli.Context) error {
	args, err := command.Arguments(c)
	if err != nil {
		return err
	}
	format, err := command.Choice(c, "format", snapshotFormats)
	if err != nil {
		return err
	}
	root, err := stateFolder(c)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return listStacks(c, root, format)
	}
	if len(args) > 1 {
		return command.Usagef("status: want one NAME, not %d arguments (%s --help explains)", len(args), c.Command.HelpName)
	}
	s, err := findStack(root, args[0])
	if err != nil {
		return err
	}
	if format == "json" {
		return printJSON(c, s.Report())
	}
	info := s.Info()
	fmt.Fprintf(c.App.Writer, "%s  %s\n", info.Name, info.Status)
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, r := range s.Records() {
		took := ""
		if r.Ended.After(r.Started) {
			took = seconds(r.Ended.Sub(r.Started))
		}
		where := r.Address
		if r.Reason != "" {
			where = firstLine(r.Reason)
		} else if folder := s.HostFolder(r); folder != "" {
			where += "  " + folder
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", r.Key, r.Status, took, where)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return printOutputs(c, info.Outputs)
}

func listStacks(c *cli.Context, root, format string) error {
	names, err := local.Names(root)
	if err != nil {
		return err
	}
	var infos []local.Info
	for _, name := range names {
		s, err := local.OpenState(root, name)
		var none *local.NotThere
		if errors.As(err, &none) {
			continue // removed meanwhile
		}
		if err != nil {
			return err
		}
		infos = append(infos, s.Info())
	}
	if format == "json" {
		list := make([]any, len(infos))
		for i, info := range infos {
			list[i] = value.MapOf("name", info.Name, "id", info.ID, "state", info.Status, "template", info.Template,
				"updated", info.Updated.Format(time.RFC3339))
		}
		return printJSON(c, list)
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, info := range infos {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", info.Name, info.Status, info.Updated.Local().Format(time.DateTime), info.Template)
	}
	return table.Flush()
}

func printJSON(c *cli.Context, v any) error {
	text, err := value.JSON(v, value.JSONOptions{Indent: 2, Unicode: true})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, text)
	return err
}
