package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/cmd/internal/providers"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/lint/report"
	"github.com/hotloom/hotloom/compiler/source"
)

// load reads a template under the project's settings, hotloom.yaml.
func load(c *cli.Context, path string) (*compiler.Unit, error) {
	return loadFiles(compiler.NewFiles(), path, lint.Options{Environments: c.StringSlice("environment")})
}

func loadFiles(files *source.Files, path string, rules lint.Options) (*compiler.Unit, error) {
	config, err := lint.FindConfig(".")
	if err == nil {
		err = config.Apply(&rules)
	}
	if err == nil {
		err = providers.Add(&rules, config, os.Stderr)
	}
	if err != nil {
		return nil, command.UsageError{Err: err}
	}
	return compiler.Load(files, path, rules), nil
}

// printFindings shows findings on stderr, and gives command.ErrFindings where one is an error.
func printFindings(c *cli.Context, unit *compiler.Unit, found diag.List) error {
	if len(found) == 0 {
		return nil
	}
	r := &lint.Report{Diagnostics: found, Sources: map[string][]byte{}}
	for _, f := range unit.Files.All() {
		r.Sources[f.Path] = f.Text
	}
	if err := report.Write(c.App.ErrWriter, report.Names()[0], r, report.Options{Color: command.Colored(c.App.ErrWriter)}); err != nil {
		return err
	}
	if found.HasErrors() {
		return command.ErrFindings
	}
	return nil
}
