package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/stack"
)

// templateFlags say what goes to Heat.
func templateFlags() []cli.Flag {
	return []cli.Flag{
		command.EnvironmentFlag(),
		&cli.StringSliceFlag{Name: "parameter", Aliases: []string{"P", "param"}, Usage: "a parameter's value, `NAME=VALUE`; may be repeated, and wins over environments"},
		&cli.StringSliceFlag{Name: "parameter-file", Usage: "a parameter whose value is a file's text, `NAME=FILE`; may be repeated"},
		&cli.StringFlag{Name: "target", Usage: "what components are compiled to: " + strings.Join(targetNames(), ", "), Value: targetNames()[0]},
		&cli.BoolFlag{Name: "no-lint", Usage: "let Heat find what is wrong with the template"},
	}
}

// stackFlags are settings of the stack.
func stackFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "timeout", Usage: "after so many `MINUTES` Heat gives up (default: Heat's, 60)"},
		&cli.BoolFlag{Name: "rollback", Usage: "have Heat undo everything on a failure"},
		&cli.StringFlag{Name: "tags", Usage: "`TAGS` of the stack, separated by commas"},
	}
}

func targetNames() []string {
	var names []string
	for _, t := range emit.Targets {
		names = append(names, t.Name())
	}
	return names
}

func stackCreateCommand() *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create a stack and wait for it",
		ArgsUsage: "NAME TEMPLATE",
		Description: "Ctrl-C leaves the stack to Heat; `hotloom stack watch NAME` comes back to it. Exit code 0 is for\n" +
			"CREATE_COMPLETE only.",
		Flags:        slices.Concat(templateFlags(), stackFlags(), waitFlags()),
		BashComplete: command.CompleteFlagValues("target", targetNames()),
		Action: func(c *cli.Context) error {
			args, err := stackArguments(c, "NAME TEMPLATE", 2, 2)
			if err != nil {
				return err
			}
			p, body, err := prepare(c, args[0], args[1])
			if err != nil {
				return err
			}
			client, err := heat(c)
			if err != nil {
				return err
			}
			client.Secrets().Add(p.Secrets...)
			settings(c, body)
			body.Set("disable_rollback", source.NewBool(nil, !c.Bool("rollback")))
			if err := pushWorkflows(c, p); err != nil {
				return err
			}
			ref, err := client.Create(c.Context, args[0], body)
			if err != nil {
				return refused(p, err)
			}
			fmt.Fprintf(c.App.ErrWriter, "stack %s has the id %s\n", ref, ref.ID)
			if c.Bool("no-wait") {
				return nil
			}
			return followStack(c, client, ref, p, stack.FollowOptions{Action: "CREATE"})
		},
	}
}

func stackUpdateCommand() *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "update a stack and wait for it",
		ArgsUsage: "NAME [TEMPLATE]",
		Description: "Without TEMPLATE, or with --existing, everything that is not given stays as it is. Otherwise parameters that\n" +
			"are not given go back to their defaults. Tags stay unless --tags is given.",
		Flags: slices.Concat(templateFlags(), stackFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "existing", Usage: "keep what is not given: parameters, environment, files"},
			&cli.StringSliceFlag{Name: "clear-parameter", Usage: "with --existing: have `NAME` go back to its default; may be repeated"},
			&cli.BoolFlag{Name: "converge", Usage: "compare resources with the cloud before"},
		}, waitFlags()),
		BashComplete: completeStacks,
		Action:       runStackUpdate,
	}
}

func runStackUpdate(c *cli.Context) error {
	args, err := stackArguments(c, "NAME and maybe TEMPLATE", 1, 2)
	if err != nil {
		return err
	}
	p, body, patch, err := prepareUpdate(c, args)
	if err != nil {
		return err
	}
	client, err := heat(c)
	if err != nil {
		return err
	}
	if p != nil {
		client.Secrets().Add(p.Secrets...)
	}
	ref, err := client.Find(c.Context, args[0])
	if err != nil {
		return err
	}
	o, err := client.Before(c.Context, ref, "UPDATE")
	if err != nil {
		return err
	}
	settings(c, body)
	if !patch && !c.IsSet("tags") && len(o.Before.Tags) > 0 {
		body.Set("tags", source.NewString(nil, stack.KeepTags(o.Before)))
	}
	if c.IsSet("rollback") {
		body.Set("disable_rollback", source.NewBool(nil, !c.Bool("rollback")))
	}
	if c.Bool("converge") {
		body.Set("converge", source.NewBool(nil, true))
	}
	if err := pushWorkflows(c, p); err != nil {
		return err
	}
	if err := client.Update(c.Context, ref, body.Encode(), patch); err != nil {
		return refused(p, err)
	}
	if c.Bool("no-wait") {
		return nil
	}
	return followStack(c, client, ref, p, o)
}

// prepareUpdate makes the body of an update: of a template, or of what is there.
func prepareUpdate(c *cli.Context, args []string) (p *stack.Prepared, body *stack.Body, patch bool, err error) {
	patch = c.Bool("existing") || len(args) == 1
	if len(args) == 2 {
		p, body, err = prepare(c, args[0], args[1])
	} else {
		if len(c.StringSlice("environment")) > 0 {
			return nil, nil, false, command.Usagef("update: --environment needs TEMPLATE")
		}
		body = stack.NewBody(nil)
		_, err = setParameters(c, body, "parameter", "parameter-file")
	}
	if names := c.StringSlice("clear-parameter"); len(names) > 0 && err == nil {
		if !patch {
			return nil, nil, false, command.Usagef("update: --clear-parameter goes with --existing")
		}
		list := source.NewList(nil)
		for _, n := range names {
			list.Items = append(list.Items, source.NewString(nil, n))
		}
		body.Set("clear_parameters", list)
	}
	return p, body, patch, err
}

// prepare reads, checks and bundles a template, and shows what is wrong with it. The stack's workflows, if it has any, get
// its name, so that stacks of one template do not disturb each other.
func prepare(c *cli.Context, name, template string) (*stack.Prepared, *stack.Body, error) {
	return prepareWith(c, name, template, c.StringSlice("environment"), "parameter", "parameter-file")
}

// prepareWith is prepare with environments, and parameters from the named flags.
func prepareWith(c *cli.Context, name, template string, environments []string, parameters ...string) (*stack.Prepared, *stack.Body, error) {
	command.CollectSeldom()
	target, err := command.Choice(c, "target", targetNames())
	if err != nil {
		return nil, nil, err
	}
	unit, err := loadFiles(compiler.NewFiles(), template, lint.Options{Environments: environments})
	if err != nil {
		return nil, nil, err
	}
	p, found := stack.Prepare(unit, stack.PrepareOptions{
		Target: emit.Find(target), Environments: environments, NoLint: c.Bool("no-lint"), Fetch: stack.Fetch,
		Options: plain.Options{Name: name},
	})
	if err := printFindings(c, unit, found); err != nil {
		return nil, nil, err
	}
	given := stack.NewBody(nil)
	names, err := setParameters(c, given, parameters...)
	if err != nil {
		return nil, nil, err
	}
	if !p.Bundle.Override(names) {
		fmt.Fprintln(c.App.ErrWriter, "hotloom: warning: an environment has parameter_merge_strategies, so Heat lets environments win over --parameter")
	}
	body := stack.NewBody(p.Bundle.Fields())
	if parameters := given.Get("parameters"); parameters != nil {
		body.Set("parameters", parameters)
		p.HideParameters(parameters)
	}
	return p, body, nil
}

// pushWorkflows stores the workflows that a stack starts.
func pushWorkflows(c *cli.Context, p *stack.Prepared) error {
	if p == nil || len(p.Workflows) == 0 {
		return nil
	}
	client, err := connectMistral(c)
	if err != nil {
		return err
	}
	for _, f := range p.Workflows {
		doc, found := workflow.Parse(&source.File{Path: f.Name, Text: f.Text}, workflow.Auto)
		if err := printDocumentFindings(c, f.Name, f.Text, found); err != nil {
			return err
		}
		if err := push(c, client, &definition{doc, f.Text}); err != nil {
			return err
		}
	}
	return nil
}

// setParameters puts the parameters of the flags into a body and gives their names.
func setParameters(c *cli.Context, body *stack.Body, flags ...string) ([]string, error) {
	values := map[string]string{}
	for _, flag := range flags {
		for _, text := range c.StringSlice(flag) {
			name, value, ok := strings.Cut(text, "=")
			if _, twice := values[name]; !ok || name == "" || twice {
				return nil, command.Usagef("%s: --%s: want NAME=VALUE, each name once, not %q", c.Command.Name, flag, name)
			}
			if flag == "parameter-file" {
				content, err := os.ReadFile(value)
				if err != nil {
					return nil, fmt.Errorf("--parameter-file %s: %w", name, err)
				}
				value = string(content)
			}
			values[name] = value
		}
	}
	names := slices.Sorted(maps.Keys(values))
	if len(names) == 0 {
		return nil, nil
	}
	var pairs []source.Pair
	for _, n := range names {
		pairs = append(pairs, source.P(nil, n, source.NewString(nil, values[n])))
	}
	body.Set("parameters", source.NewMap(nil, pairs...))
	return names, nil
}

// settings puts the stack's settings into a body.
func settings(c *cli.Context, body *stack.Body) {
	if c.Int("timeout") > 0 {
		body.Set("timeout_mins", source.NewInt(nil, int64(c.Int("timeout"))))
	}
	if c.IsSet("tags") {
		body.Set("tags", source.NewString(nil, c.String("tags")))
	}
}
