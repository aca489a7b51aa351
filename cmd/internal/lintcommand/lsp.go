package lintcommand

import (
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/internal/lsp"
)

// NewServer makes the command lsp, which finds in editors what lint finds. Call is how an editor calls it.
func NewServer(call string) *cli.Command {
	return &cli.Command{
		Name:  "lsp",
		Usage: "serve an editor: findings, completion, hover, definitions",
		Description: "A language server on stdin and stdout (LSP 3.17) for templates, environments and workflows. It finds\n" +
			"what lint finds, of what the editor shows, saved or not, and stays silent on other YAML.\n" +
			"Settings come from flags, then from the hotloom.yaml of each document's project. docs/editors.md\n" +
			"has set-ups for VS Code, Neovim, Helix, Emacs and Kate.\n\n" +
			"Examples:\n" +
			"   " + call + "\n" +
			"   " + call + " -e prod.yaml --profile zed   check every template with this environment, for this Heat\n" +
			"   " + call + " --rule open-ingress=error",
		Flags:  append(settingFlags(), StdioFlag()),
		Action: Serve,
	}
}

// StdioFlag is what some editors call a server with that speaks on stdin and stdout. It changes nothing.
func StdioFlag() cli.Flag {
	return &cli.BoolFlag{Name: "stdio", Usage: "as without it: for editors that say so"}
}

// Serve is the action of a command that serves an editor under its setting flags.
func Serve(c *cli.Context) error {
	args, err := command.Arguments(c)
	switch {
	case err != nil:
		return err
	case len(args) > 0:
		return command.Usagef("%s takes no arguments: the editor says what to check (%s --help explains)", c.Command.Name, c.Command.HelpName)
	}
	own, err := flagged(c)
	if err != nil {
		return err
	}
	for i, e := range own.Environments {
		if own.Environments[i], err = filepath.Abs(e); err != nil {
			return err
		}
	}
	settings := func(folder string) (lint.Options, error) {
		opts := own
		config, err := configuration(c, folder)
		if err == nil {
			if config != nil {
				config.Baseline = "" // an editor shows what is there
			}
			err = Configure(c, &opts, config)
		}
		return opts, err
	}
	if _, err := settings("."); err != nil {
		return command.UsageError{Err: err}
	}
	if lsp.Serve(c.Context, c.App.Reader, c.App.Writer, lsp.Options{Settings: settings, Log: c.App.ErrWriter, Version: command.Version()}) != command.ExitOK {
		return command.ErrFindings // the protocol's exit code is 1
	}
	return nil
}
