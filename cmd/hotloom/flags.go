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
	"github.com/hotloom/hotloom/compiler/source"
)

func environmentFlag() cli.Flag {
	return &cli.StringSliceFlag{
		Name: "environment", Aliases: []string{"e"}, Usage: "an environment `FILE`; may be repeated, later ones on top",
	}
}

// oneArgument is the only argument of a command, whose flags may stand after it too.
func oneArgument(c *cli.Context, what string) (string, error) {
	args, err := arguments(c)
	switch {
	case err != nil:
		return "", err
	case len(args) == 1:
		return args[0], nil
	case len(args) == 0:
		return "", usagef("%s: no %s given (hotloom %s --help explains)", c.Command.Name, what, c.Command.Name)
	}
	return "", usagef("%s: one %s, not %d", c.Command.Name, what, len(args))
}

// arguments are the arguments of a command whose flags may stand after them too. What follows "--" is no flag.
func arguments(c *cli.Context) ([]string, error) {
	var out []string
	rest := c.Args().Slice()
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			return append(out, rest...), nil
		case len(arg) < 2 || arg[0] != '-':
			out = append(out, arg)
			continue
		}
		name, val, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if slices.Contains(cli.HelpFlag.Names(), name) {
			return nil, usagef("--help stands before the arguments: %s --help", c.Command.HelpName)
		}
		i := slices.IndexFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
		if i < 0 {
			return nil, usagef("flag provided but not defined: -%s (%s --help explains)", name, c.Command.HelpName)
		}
		if _, isBool := c.Command.Flags[i].(*cli.BoolFlag); isBool && !given {
			val, given = "true", true
		}
		if !given {
			if len(rest) == 0 {
				return nil, usagef("flag needs an argument: -%s (%s --help explains)", name, c.Command.HelpName)
			}
			val, rest = rest[0], rest[1:]
		}
		if err := c.Set(c.Command.Flags[i].Names()[0], val); err != nil { // the aliases are copies made before
			return nil, usagef("%s: --%s: %w", c.Command.Name, name, err)
		}
	}
	return out, nil
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
	return loadFiles(compiler.NewFiles(), path, lint.Options{Environments: c.StringSlice("environment")})
}

func loadFiles(files *source.Files, path string, rules lint.Options) (*compiler.Unit, error) {
	config, err := lint.FindConfig(".")
	if err == nil {
		err = config.Apply(&rules)
	}
	if err == nil {
		err = addProviders(&rules, config, os.Stderr)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return compiler.Load(files, path, rules), nil
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
	return isTerminal(f)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
