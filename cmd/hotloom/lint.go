package main

import (
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/lint/report"
)

func lintCommand() *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "find every mistake, at its line",
		ArgsUsage: "PATH…",
		Description: "Checks templates, environments and workflows. A folder is searched for them by content.\n" +
			"An error is what Heat would refuse; a warning is what Heat accepts and you would regret.\n\n" +
			"Examples:\n" +
			"   hotloom lint .\n" +
			"   hotloom lint -e prod.yaml template.yaml\n" +
			"   hotloom lint --format json template.yaml | jq '.diagnostics[]'",
		Flags: []cli.Flag{
			environmentFlag(),
			&cli.StringFlag{Name: "format", Usage: "one of " + strings.Join(report.Names(), ", "), Value: report.Names()[0]},
		},
		BashComplete: completeFlagValues("format", report.Names()),
		Action:       runLint,
	}
}

func runLint(c *cli.Context) error {
	format, err := choice(c, "format", report.Names())
	if err != nil {
		return err
	}
	if !c.Args().Present() {
		return usagef("lint: no PATH given (hotloom lint --help explains)")
	}
	for _, path := range c.Args().Slice() {
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	r, err := lint.Run(c.Context, c.Args().Slice(), lint.Options{Environments: c.StringSlice("environment")})
	if err != nil {
		return err
	}
	if err := report.Write(c.App.Writer, format, r, report.Options{Color: colored(c.App.Writer), Version: version()}); err != nil {
		return err
	}
	if r.Invalid() {
		return errFindings
	}
	return nil
}
