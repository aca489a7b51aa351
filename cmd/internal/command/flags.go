package command

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/compiler/diag"
)

func EnvironmentFlag() cli.Flag {
	return &cli.StringSliceFlag{
		Name: "environment", Aliases: []string{"e"}, Usage: "an environment `FILE`; may be repeated, later ones on top",
	}
}

// OneArgument is the only argument of a command, whose flags may stand after it too.
func OneArgument(c *cli.Context, what string) (string, error) {
	args, err := Arguments(c)
	switch {
	case err != nil:
		return "", err
	case len(args) == 1:
		return args[0], nil
	case len(args) == 0:
		return "", Usagef("%s: no %s given (hotloom %s --help explains)", c.Command.Name, what, c.Command.Name)
	}
	return "", Usagef("%s: one %s, not %d", c.Command.Name, what, len(args))
}

// Arguments are the arguments of a command whose flags may stand after them too. What follows "--" is no flag.
func Arguments(c *cli.Context) ([]string, error) {
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
			return nil, Usagef("--help stands before the arguments: %s --help", c.Command.HelpName)
		}
		i := slices.IndexFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
		if i < 0 {
			return nil, Usagef("flag provided but not defined: -%s (%s --help explains)", name, c.Command.HelpName)
		}
		if _, isBool := c.Command.Flags[i].(*cli.BoolFlag); isBool && !given {
			val, given = "true", true
		}
		if !given {
			if len(rest) == 0 {
				return nil, Usagef("flag needs an argument: -%s (%s --help explains)", name, c.Command.HelpName)
			}
			val, rest = rest[0], rest[1:]
		}
		if err := c.Set(c.Command.Flags[i].Names()[0], val); err != nil { // the aliases are copies made before
			return nil, Usagef("%s: --%s: %w", c.Command.Name, name, err)
		}
	}
	return out, nil
}

// Choice is the value of a flag that takes one of some words.
func Choice(c *cli.Context, flag string, words []string) (string, error) {
	value := c.String(flag)
	if slices.Contains(words, value) {
		return value, nil
	}
	hint := ""
	if near := diag.Nearest(value, words); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return "", Usagef("%s: --%s takes one of %s, not %q%s", c.Command.Name, flag, strings.Join(words, ", "), value, hint)
}

// CompleteFlagValues completes the values of one flag, and otherwise flags.
func CompleteFlagValues(flag string, words []string) cli.BashCompleteFunc {
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
