package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/cmd/internal/lintcommand"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/lint/report"
)

func workflowCommand() *cli.Command {
	group := &cli.Command{
		Name:            "workflow",
		Usage:           "check OpenStack Mistral workflows, and run them here or on Mistral",
		HideHelpCommand: true,
		Description: "Runs Mistral's workflow language, version 2, without Mistral. What runs is kept in a state folder: a run that\n" +
			"was interrupted, by Ctrl-C or by a loss of power, goes on where it was.\n\n" +
			"Examples:\n" +
			"   hotloom workflow validate backup.yaml\n" +
			"   hotloom workflow run backup.yaml --input '{\"host\": \"db1\"}'\n" +
			"   hotloom workflow list",
		Subcommands: []*cli.Command{
			workflowValidateCommand(),
			workflowRunCommand(),
			workflowPushCommand(),
			workflowWatchCommand(),
			workflowListCommand(),
			workflowShowCommand(),
			workflowPauseCommand(),
			workflowResumeCommand(),
			workflowCancelCommand(),
			workflowRerunCommand(),
			workflowDeleteCommand(),
			workflowCompleteCommand(),
			workflowActionsCommand(),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return command.Usagef("no command %q (hotloom workflow --help lists them)", c.Args().First())
			}
			return cli.ShowSubcommandHelp(c)
		},
	}
	for _, sub := range group.Subcommands {
		sub.OnUsageError = command.OnUsageError
	}
	return group
}

func workflowValidateCommand() *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "find what Mistral would refuse, and what will fail when it runs",
		ArgsUsage: "PATH…",
		Description: "An error is what Mistral's own validator refuses, or a slip in an action's name; a warning is what it accepts and\n" +
			"what then goes wrong. The rules, their settings in hotloom.yaml and comments that silence them are those of hotloom lint,\n" +
			"which takes a document for a workflow only if it looks like one. Of a folder, its workflows are checked.\n\n" +
			"Examples:\n" +
			"   hotloom workflow validate backup.yaml\n" +
			"   hotloom workflow validate --format json backup.yaml | jq '.diagnostics[]'",
		Flags:        []cli.Flag{formatFlag(report.Names())},
		BashComplete: command.CompleteFlagValues("format", report.Names()),
		Action:       runWorkflowValidate,
	}
}

func runWorkflowValidate(c *cli.Context) error {
	paths, err := command.Arguments(c)
	if err != nil {
		return err
	}
	format, err := command.Choice(c, "format", report.Names())
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return command.Usagef("validate: no PATH given (%s --help explains)", c.Command.HelpName)
	}
	config, err := lint.FindConfig(".")
	if err != nil {
		return command.UsageError{Err: err}
	}
	opts := lint.Options{Workflows: true, Files: compiler.NewFiles()}
	if err := lintcommand.Configure(c, &opts, config); err != nil {
		return command.UsageError{Err: err}
	}
	r, err := lint.Run(c.Context, paths, opts)
	if err != nil {
		return err
	}
	if err := report.Write(c.App.Writer, format, r, report.Options{Color: command.Colored(c.App.Writer), Version: command.Version()}); err != nil {
		return err
	}
	if r.Diagnostics.HasErrors() {
		return command.ErrFindings
	}
	return nil
}

// printDocumentFindings shows on stderr what is wrong in a file, and gives command.ErrFindings where one finding is an error.
func printDocumentFindings(c *cli.Context, path string, text []byte, found diag.List) error {
	if len(found) == 0 {
		return nil
	}
	files := []lint.File{{Path: path, Kind: lint.KindWorkflow, Valid: !found.HasErrors()}}
	r := &lint.Report{Files: files, Diagnostics: found, Sources: map[string][]byte{path: text}}
	if err := report.Write(c.App.ErrWriter, report.Names()[0], r, report.Options{Color: command.Colored(c.App.ErrWriter)}); err != nil {
		return err
	}
	if found.HasErrors() {
		return command.ErrFindings
	}
	return nil
}

func formatFlag(names []string) cli.Flag {
	return &cli.StringFlag{Name: "format", Usage: "one of " + strings.Join(names, ", "), Value: names[0]}
}

func stateFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "state", Aliases: []string{"state-dir"}, EnvVars: []string{"HOTLOOM_STATE"},
		Usage: "the `FOLDER` that keeps what runs; otherwise hotloom in $XDG_STATE_HOME or ~/.local/state",
	}
}

// stateFolder is where what runs is kept. The folder need not exist.
func stateFolder(c *cli.Context) (string, error) {
	if dir := c.String("state"); dir != "" {
		return dir, nil
	}
	// The XDG specification has relative paths ignored.
	if base := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "hotloom"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("state folder: %w; give one with --state", err)
	}
	return filepath.Join(home, ".local", "state", "hotloom"), nil
}
