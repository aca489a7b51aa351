package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/lint/report"
)

func environmentFlag() cli.Flag {
	return &cli.StringSliceFlag{
		Name: "environment", Aliases: []string{"e"}, Usage: "an environment `FILE`; may be repeated, later ones on top",
	}
}

// oneArgument is the only argument of a command.
func oneArgument(c *cli.Context, what string) (string, error) {
	switch c.NArg() {
	case 1:
		return c.Args().First(), nil
	case 0:
		return "", usagef("%s: no %s given (hotloom %s --help explains)", c.Command.Name, what, c.Command.Name)
	}
	return "", usagef("%s: one %s, not %d; flags stand before it", c.Command.Name, what, c.NArg())
}

// choice is the value of a flag that takes one of some words.
func choice(c *cli.Context, flag string, words []string) (string, error) {
	value := c.String(flag)
	if slices.Contains(words, value) {
		return value, nil
	}
	hint := ""
	if near := diag.Nearest(value, words); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return "", usagef("%s: --%s takes one of %s, not %q%s", c.Command.Name, flag, strings.Join(words, ", "), value, hint)
}

// completeFlagValues completes the values of one flag, and otherwise flags.
func completeFlagValues(flag string, words []string) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		if len(os.Args) > 2 && slices.Contains([]string{"--" + flag, "-" + flag}, os.Args[len(os.Args)-2]) {
			for _, w := range words {
				fmt.Fprintln(c.App.Writer, w)
			}
			return
		}
		cli.DefaultCompleteWithFlags(c.Command)(c)
	}
}

// load reads a template under the project's settings, hotloom.yaml.
func load(c *cli.Context, path string) (*compiler.Unit, error) {
	rules := lint.Options{Environments: c.StringSlice("environment")}
	config, err := lint.FindConfig(".")
	if err == nil {
		err = config.Apply(&rules)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return compiler.Load(compiler.NewFiles(), path, rules), nil
}

// printFindings shows findings on stderr, and gives errFindings where one is an error.
func printFindings(c *cli.Context, unit *compiler.Unit, found diag.List) error {
	if len(found) == 0 {
		return nil
	}
	r := &lint.Report{Diagnostics: found, Sources: map[string][]byte{}}
	for _, f := range unit.Files.All() {
		r.Sources[f.Path] = f.Text
	}
	if err := report.Write(c.App.ErrWriter, report.Names()[0], r, report.Options{Color: colored(c.App.ErrWriter)}); err != nil {
		return err
	}
	if found.HasErrors() {
		return errFindings
	}
	return nil
}

// colored reports whether w is a terminal that wants colour: https://no-color.org, and CLICOLOR_FORCE to the contrary.
func colored(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
