package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/cmd/internal/providers"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/preview"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/resources/catalog"
)

func stackPreviewCommand() *cli.Command {
	return &cli.Command{
		Name:      "preview",
		Usage:     "say what an update would create, change in place, replace and delete, and why",
		ArgsUsage: "NAME [TEMPLATE] | --from OLD.yaml TEMPLATE",
		Description: "Only what Heat would really do: a resource that reads the id of one that stays is not told. Replacements come\n" +
			"with the property, the parameter, file or resource that led to it, and the way to avoid it. Without a stack of\n" +
			"the NAME, the creation is shown. With --from, two templates are compared and no cloud is asked.\n\n" +
			"Exit code 0 whatever would be done; 1 where Heat would refuse it.\n\n" +
			"Examples:\n" +
			"   hotloom stack preview shop template.yaml -e prod.yaml\n" +
			"   hotloom stack preview shop -P flavor=m1.large                       # the same template, one parameter changed\n" +
			"   hotloom stack preview --from v1/template.yaml -e prod.yaml v2/template.yaml\n" +
			"   git show HEAD:template.yaml > /tmp/old.yaml && hotloom stack preview --from /tmp/old.yaml template.yaml",
		Flags: slices.Concat(templateFlags(), []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "compare with `TEMPLATE` instead of a stack"},
			&cli.StringSliceFlag{Name: "from-environment", Usage: "with --from: the environment `FILE` of that template; may be repeated (default: --environment's)"},
			&cli.StringSliceFlag{Name: "from-parameter", Usage: "with --from: a parameter's value before, `NAME=VALUE`; may be repeated"},
			&cli.BoolFlag{Name: "existing", Usage: "keep what is not given: parameters, environment, files"},
			&cli.StringSliceFlag{Name: "clear-parameter", Usage: "with --existing: have `NAME` go back to its default; may be repeated"},
			formatFlag(stackFormats),
		}),
		BashComplete: completeStacks,
		Action: func(c *cli.Context) error {
			args, err := stackArguments(c, "NAME and maybe TEMPLATE, or --from OLD TEMPLATE", 1, 2)
			if err != nil {
				return err
			}
			if c.String("from") != "" {
				if len(args) != 1 {
					return command.Usagef("preview: with --from there is one argument, the TEMPLATE as it shall be")
				}
				return previewFiles(c, args[0])
			}
			return previewStack(c, args)
		},
	}
}

// previewName is the name of the stack where there is none: workflows begin with it.
const previewName = "stack"

// previewFiles compares two templates.
func previewFiles(c *cli.Context, template string) error {
	types, err := projectTypes()
	if err != nil {
		return err
	}
	after, body, err := prepare(c, previewName, template)
	if err != nil {
		return err
	}
	environments := c.StringSlice("from-environment")
	if !c.IsSet("from-environment") {
		environments = c.StringSlice("environment")
	}
	before, given, err := prepareWith(c, previewName, c.String("from"), environments, "from-parameter")
	if err != nil {
		return err
	}
	was, now, found := stack.Sides(before.Input(given.Get("parameters")), after.Input(body.Get("parameters")), types)
	if len(found) > 0 {
		return fmt.Errorf("%v", found[0])
	}
	plan := preview.Compare(was, now, preview.Options{Catalog: types})
	return printPlan(c, plan, func(at preview.Place) diag.Location {
		if at.Before {
			return before.Place(at)
		}
		return after.Place(at)
	})
}

// projectTypes are the resource types under the project's settings.
func projectTypes() (*catalog.Catalog, error) {
	var rules lint.Options
	config, err := lint.FindConfig(".")
	if err == nil {
		err = config.Apply(&rules)
	}
	if err == nil {
		err = providers.Add(&rules, config, io.Discard)
	}
	if err != nil {
		return nil, command.UsageError{Err: err}
	}
	return rules.Catalog, nil
}

// previewStack compares a stack with what is given.
func previewStack(c *cli.Context, args []string) error {
	p, body, patch, err := prepareUpdate(c, args)
	if err != nil {
		return err
	}
	types, err := projectTypes()
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
	if errors.Is(err, stack.ErrNotFound) && p != nil {
		return previewCreate(c, client, p, body, args[0])
	}
	if err != nil {
		return err
	}
	// Heat first: it validates strictly, and knows what it does not tell
	changes, err := client.PreviewUpdate(c.Context, ref, body.Encode(), patch, true)
	if cloud.IsStatus(err, 400) {
		return refused(p, err)
	}
	if err != nil && c.Context.Err() == nil {
		fmt.Fprintf(c.App.ErrWriter, "hotloom: warning: Heat's own preview is not to be had: %v\n", err)
	} else if err != nil {
		return err
	}
	plan, err := planUpdate(c.Context, client, ref, p, body, patch, types)
	if err != nil {
		return err
	}
	if changes != nil {
		stack.Settle(plan, changes)
	}
	return printPlan(c, plan, func(at preview.Place) diag.Location {
		if at.Before {
			return diag.Location{}
		}
		return p.Place(at)
	})
}

func planUpdate(ctx context.Context, client *stack.Client, ref stack.Ref, p *stack.Prepared, body *stack.Body, patch bool, types *catalog.Catalog) (*preview.Plan, error) {
	before, err := client.Input(ctx, ref)
	if err != nil {
		return nil, err
	}
	after := preview.Input{}
	if p != nil {
		after = p.Input(body.Get("parameters"))
	} else if given := body.Get("parameters"); given.Is(source.Map) {
		after.Parameters = given.Pairs
	}
	if patch {
		var cleared []string
		for _, n := range itemsOf(body.Get("clear_parameters")) {
			cleared = append(cleared, n.Text)
		}
		after = stack.Patched(before, after, cleared)
	}
	states, err := client.States(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("resources of stack %s: %w", ref, err)
	}
	was, now, found := stack.Sides(before, after, types)
	if found.HasErrors() {
		return nil, fmt.Errorf("%v", found[0])
	}
	return preview.Compare(was, now, preview.Options{Catalog: types, States: states}), nil
}

func itemsOf(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// previewCreate shows what Heat says of a creation.
func previewCreate(c *cli.Context, client *stack.Client, p *stack.Prepared, body *stack.Body, name string) error {
	body.Set("stack_name", source.NewString(nil, name))
	answer, err := client.Preview(c.Context, body.Encode())
	if err != nil {
		return refused(p, err)
	}
	added, err := stack.Previewed(answer)
	if err != nil {
		return err
	}
	plan := &preview.Plan{}
	for _, r := range added {
		at := preview.Place{Path: "resources." + r.Name}
		path := r.Name
		if r.Parent != "" {
			at, path = preview.Place{Path: "resources." + r.Parent}, r.Parent+"."+r.Name
		}
		plan.Changes = append(plan.Changes, preview.Change{Path: path, Name: r.Name, Type: r.Type, Action: preview.Create, Place: at})
	}
	return printPlan(c, plan, p.Place)
}

func printPlan(c *cli.Context, plan *preview.Plan, labels preview.Labels) error {
	if c.String("format") == "json" {
		text, err := plan.JSON(labels)
		if err == nil {
			_, err = fmt.Fprintf(c.App.Writer, "%s\n", text)
		}
		if err != nil {
			return err
		}
	} else if err := plan.Text(c.App.Writer, labels); err != nil {
		return err
	}
	if len(plan.Refusals) > 0 {
		return command.ErrFindings
	}
	return nil
}
