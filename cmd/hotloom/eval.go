package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/evaluate"
	"github.com/hotloom/hotloom/compiler/yaql"
)

var dialects = []string{"heat", "mistral"}

func evalCommand() *cli.Command {
	return &cli.Command{
		Name:      "eval",
		Usage:     "compute an expression as Heat or OpenStack Mistral does",
		ArgsUsage: "EXPRESSION|@FILE|-",
		Description: "Computes a HOT value (EXPRESSION is YAML or JSON) and prints it as JSON. With --template, in the\n" +
			"context of that template's parameters, conditions and files. What is known only when a stack exists\n" +
			"is {\"__unknown__\": what it waits for}. --yaql and --jinja compute those languages over --data.\n" +
			"@FILE reads the expression from a file, - from standard input. Without an expression, on a terminal,\n" +
			"it asks for expressions one after the other.\n\n" +
			"Examples:\n" +
			"   hotloom eval '{list_join: [\"-\", [web, \"1\"]]}'\n" +
			"   hotloom eval --template stack.yaml -e prod.yaml --param size=3 '{get_param: [hosts, 0]}'\n" +
			"   hotloom eval --template stack.yaml --condition '{equals: [{get_param: env}, prod]}'\n" +
			"   hotloom eval --yaql --data '{\"n\": [1, 2, 3]}' '$.data.n.where($ > 1)'\n" +
			"   hotloom eval --yaql --dialect mistral --data @context.json '<% $.hosts.len() %> hosts'\n" +
			"   hotloom eval --jinja --data '{\"a\": 1}' '{{ _.a + 1 }}'",
		SkipFlagParsing: true, // an expression may begin with a minus: see evalArguments
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "template", Aliases: []string{"t"}, Usage: "a template `FILE` whose parameters, conditions and files count"},
			&cli.StringFlag{Name: "version", Usage: "the template `VERSION`, by date or name (default: the template's, or the newest)"},
			command.EnvironmentFlag(),
			&cli.GenericFlag{Name: "param", Aliases: []string{"P", "parameter"}, Value: &params{}, Usage: "a parameter's value, `NAME=VALUE`; may be repeated, and goes before environments"},
			&cli.BoolFlag{Name: "condition", Usage: "the expression is the definition of a condition"},
			&cli.BoolFlag{Name: "yaql", Usage: "the expression is YAQL"},
			&cli.BoolFlag{Name: "jinja", Usage: "the expression is Jinja, as in Mistral's workflows"},
			&cli.StringFlag{Name: "dialect", Usage: "whose YAQL: " + strings.Join(dialects, ", ") + " (default: heat; of --jinja, mistral)"},
			&cli.StringFlag{Name: "data", Usage: "what YAQL or Jinja computes over: `JSON` or @FILE ($.data to Heat, $ or _ to Mistral)"},
		},
		BashComplete: command.CompleteFlagValues("dialect", dialects),
		Action:       runEval,
	}
}

func runEval(c *cli.Context) error {
	args, help, err := evalArguments(c)
	switch {
	case err != nil:
		return err
	case help:
		return cli.ShowSubcommandHelp(c)
	case len(args) > 1:
		return command.Usagef("eval: one EXPRESSION, not %d; quote it", len(args))
	}
	compute, err := evaluator(c)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		if !command.IsTerminal(os.Stdin) || c.App.Reader != io.Reader(os.Stdin) {
			return command.Usagef("eval: no EXPRESSION given (%s --help explains)", c.Command.HelpName)
		}
		return converse(c, compute)
	}
	name, text, err := evalText(c, args[0])
	if err != nil {
		return err
	}
	return showValue(c, compute, name, text)
}

// computation computes one expression; name is what its text is called in messages.
type computation func(ctx context.Context, name, text string) (any, *evaluate.Failure)

// showValue computes and prints. What is wrong is one line, and on a terminal the place in the expression too.
func showValue(c *cli.Context, compute computation, name, text string) error {
	v, fault := compute(c.Context, name, text)
	if fault != nil {
		return printFailure(c, fault)
	}
	indent := 0
	if command.IsTerminal(c.App.Writer) {
		indent = 2
	}
	out, err := evaluate.JSON(v, indent)
	if err != nil {
		fmt.Fprintf(c.App.ErrWriter, "hotloom: eval: the value cannot be shown as JSON: %v\n", err)
		return command.ErrFindings
	}
	_, err = fmt.Fprintln(c.App.Writer, out)
	return err
}

func printFailure(c *cli.Context, fault *evaluate.Failure) error {
	fmt.Fprintf(c.App.ErrWriter, "hotloom: eval: %v\n", fault)
	if excerpt := fault.Excerpt(); excerpt != "" && command.IsTerminal(c.App.ErrWriter) {
		fmt.Fprintln(c.App.ErrWriter, excerpt)
	}
	return command.ErrFindings
}

// evaluator reads what the flags say into something that computes.
func evaluator(c *cli.Context) (computation, error) {
	isYAQL, isJinja := c.Bool("yaql"), c.Bool("jinja")
	if isYAQL && isJinja {
		return nil, command.Usagef("eval: --yaql or --jinja, not both")
	}
	if !isYAQL && !isJinja {
		for _, flag := range []string{"dialect", "data"} {
			if c.IsSet(flag) {
				return nil, command.Usagef("eval: --%s goes with --yaql or --jinja", flag)
			}
		}
		return hotEvaluator(c)
	}
	for _, flag := range []string{"template", "version", "environment", "param", "condition"} {
		if c.IsSet(flag) {
			return nil, command.Usagef("eval: --%s is for HOT expressions, without --yaql and --jinja", flag)
		}
	}
	l := evaluate.Language{Jinja: isJinja}
	if c.IsSet("dialect") || isJinja {
		dialect := "mistral"
		if c.IsSet("dialect") {
			var err error
			if dialect, err = command.Choice(c, "dialect", dialects); err != nil {
				return nil, err
			}
		}
		if isJinja && dialect == "heat" {
			return nil, command.Usagef("eval: Heat has no Jinja; --jinja takes the dialect mistral")
		}
		if dialect == "mistral" {
			l.Dialect = yaql.Mistral
		}
	}
	if c.IsSet("data") {
		name, text := "--data", c.String("data")
		if path, isFile := strings.CutPrefix(text, "@"); isFile {
			var err error
			if name, text, err = readText(path); err != nil {
				return nil, err
			}
		}
		data, fault := evaluate.ParseData(name, text)
		if fault != nil {
			return nil, printFailure(c, fault)
		}
		l.Data = data
	}
	return l.Eval, nil
}

func hotEvaluator(c *cli.Context) (computation, error) {
	hot := &evaluate.Context{
		Template: c.String("template"), Version: c.String("version"), Environments: c.StringSlice("environment"), Condition: c.Bool("condition"),
	}
	if given, ok := c.Generic("param").(*params); ok {
		hot.Params = *given
	}
	err := hot.Load(compiler.NewFiles())
	var version *evaluate.UnknownVersion
	var fault *evaluate.Failure
	switch {
	case errors.As(err, &version):
		hint := ""
		if near := diag.Nearest(version.Name, version.Known); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return nil, command.Usagef("eval: --version takes one of %s, not %q%s", strings.Join(version.Known, ", "), version.Name, hint)
	case errors.As(err, &fault):
		return nil, printFailure(c, fault)
	case err != nil:
		return nil, err
	}
	return func(_ context.Context, name, text string) (any, *evaluate.Failure) { return hot.Eval(name, text) }, nil
}

// params are the values of --param, each as it is written: commas and blanks belong to it.
type params []evaluate.Param

func (p *params) String() string { return "" }

func (p *params) Set(text string) error {
	name, val, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("want NAME=VALUE, not %q", text)
	}
	*p = append(*p, evaluate.Param{Name: name, Value: val})
	return nil
}

// evalText is the expression that an argument names, and what its text is called.
func evalText(c *cli.Context, arg string) (name, text string, err error) {
	if path, isFile := strings.CutPrefix(arg, "@"); isFile && path != "" {
		return readText(path)
	}
	if arg == "-" {
		b, err := io.ReadAll(io.LimitReader(c.App.Reader, maxExpression+1))
		if err != nil {
			return "", "", fmt.Errorf("eval: standard input: %w", err)
		}
		if len(b) > maxExpression {
			return "", "", command.Usagef("eval: the expression is longer than %d bytes", maxExpression)
		}
		return "", trimEnd(string(b)), nil
	}
	return "", arg, nil
}

// maxExpression bounds what is read, in bytes.
const maxExpression = 4 << 20

func readText(path string) (name, text string, err error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxExpression {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxExpression)
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	if err != nil {
		return "", "", fmt.Errorf("eval: %w", err)
	}
	return path, trimEnd(string(b)), nil
}

// trimEnd drops the line end that an editor leaves: it belongs to the file, not to the expression.
func trimEnd(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }

// evalArguments takes flags and expression apart. Only what names a flag is one, so that -1 and - a are expressions.
// What follows -- is none.
func evalArguments(c *cli.Context) (args []string, help bool, err error) {
	rest := c.Args().Slice()
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			return append(args, rest...), false, nil
		}
		name, val, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		i := slices.IndexFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
		switch {
		case !strings.HasPrefix(arg, "-") || i < 0 && !looksLikeFlag(arg):
			args = append(args, arg)
			continue
		case slices.Contains(cli.HelpFlag.Names(), name):
			return nil, true, nil
		case i < 0:
			return nil, false, command.Usagef("flag provided but not defined: %s (%s --help explains)", arg, c.Command.HelpName)
		}
		if _, isBool := c.Command.Flags[i].(*cli.BoolFlag); isBool && !given {
			val, given = "true", true
		}
		if !given {
			if len(rest) == 0 {
				return nil, false, command.Usagef("flag needs an argument: %s (%s --help explains)", arg, c.Command.HelpName)
			}
			val, rest = rest[0], rest[1:]
		}
		if err := c.Set(name, val); err != nil {
			return nil, false, command.Usagef("%s: --%s: %w", c.Command.Name, name, err)
		}
	}
	return args, false, nil
}

// looksLikeFlag reports whether an argument is --word: no expression that means anything begins so.
func looksLikeFlag(arg string) bool {
	word, long := strings.CutPrefix(arg, "--")
	return long && len(word) > 1 && word[0] >= 'a' && word[0] <= 'z' && !strings.ContainsAny(word, " .()$[]{}<>")
}
