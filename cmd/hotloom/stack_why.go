package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/mistral"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/internal/stack/why"
)

func stackWhyCommand() *cli.Command {
	return &cli.Command{
		Name:      "why",
		Usage:     "find out why a stack failed, or what it waits for",
		ArgsUsage: "NAME",
		Description: "The root cause comes first, through nested stacks, in plain words and with what to do. Where something waits for a\n" +
			"server, the way is followed: server active, console shows the boot, agent or user data began, step ran, signal\n" +
			"sent, signal accepted. Reads the console (Nova), deployments, metadata, events and, for workflows, Mistral; what\n" +
			"you may not see is said, and the rest still told. With --template, causes are shown at its lines.\n\n" +
			"Exit code 0 where nothing is wrong, 1 where a cause was found.\n\n" +
			"Examples:\n" +
			"   hotloom stack why shop\n" +
			"   hotloom stack why shop --template template.yaml -e prod.yaml\n" +
			"   hotloom stack why shop --format json | jq -r '.causes[0].kind'",
		Flags:        slices.Concat(templateFlags(), []cli.Flag{&cli.StringFlag{Name: "template", Aliases: []string{"t"}, Usage: "the `FILE` that the stack was made of"}, formatFlag(stackFormats)}),
		BashComplete: completeStacks,
		Action:       runStackWhy,
	}
}

func runStackWhy(c *cli.Context) error {
	args, err := stackArguments(c, "the stack's NAME", 1, 1)
	if err != nil {
		return err
	}
	connection, err := connect(c)
	if err != nil {
		return err
	}
	from := why.Sources{Missing: map[string]error{}}
	if from.Heat, err = stack.New(connection); err != nil {
		return err
	}
	if from.Compute, err = why.NewCompute(connection); err != nil {
		from.Compute, from.Missing["compute"] = nil, err
	}
	if from.Mistral, err = mistral.New(connection); err != nil {
		from.Mistral, from.Missing["workflow"] = nil, err
	}
	ref, err := from.Heat.Find(c.Context, args[0])
	if err != nil {
		return err
	}
	var p *stack.Prepared
	if t := c.String("template"); t != "" {
		if p, _, err = prepare(c, ref.Name, t); err != nil {
			return err
		}
	}
	report, err := why.Stack(c.Context, from, ref)
	if err != nil {
		return err
	}
	report.Locate(ref, p)
	if c.String("format") == "json" {
		err = writeJSON(c, report)
	} else {
		err = report.Text(c.App.Writer)
	}
	if err == nil && len(report.Causes) > 0 {
		return command.ErrFindings
	}
	return err
}
