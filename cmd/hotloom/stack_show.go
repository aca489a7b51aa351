package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/internal/stack/watch"
)

func stackListCommand() *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list stacks, newest first",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "tag", Usage: "only stacks that have the `TAG`; may be repeated"},
			&cli.StringFlag{Name: "status", Usage: "only stacks of a `STATUS`, such as FAILED"},
			&cli.BoolFlag{Name: "deleted", Usage: "deleted ones too"},
			&cli.BoolFlag{Name: "nested", Usage: "nested ones too"},
			formatFlag(stackFormats),
		},
		Action: func(c *cli.Context) error {
			if _, err := stackArguments(c, "no argument", 0, 0); err != nil {
				return err
			}
			client, err := heat(c)
			if err != nil {
				return err
			}
			stacks, err := client.List(c.Context, stack.ListOptions{
				Tags: c.StringSlice("tag"), Status: c.String("status"), Deleted: c.Bool("deleted"), Nested: c.Bool("nested"),
			})
			if err != nil {
				return err
			}
			if c.String("format") == "json" {
				if stacks == nil {
					stacks = []stack.Stack{}
				}
				return writeJSON(c, stacks)
			}
			return table(c.App.Writer, func(w io.Writer) {
				for _, s := range stacks {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Status, s.Created.Local().Format(time.DateTime), s.ID)
				}
			})
		},
	}
}

func stackShowCommand() *cli.Command {
	return &cli.Command{
		Name: "show", Usage: "show a stack with its resources", ArgsUsage: "NAME",
		Flags: []cli.Flag{formatFlag(stackFormats)}, BashComplete: completeStacks,
		Action: func(c *cli.Context) error {
			client, ref, err := one(c)
			if err != nil {
				return err
			}
			s, err := client.Show(c.Context, ref, true)
			if err != nil {
				return err
			}
			resources, err := client.Resources(c.Context, ref, stack.MaxDepth)
			if err != nil {
				return err
			}
			if c.String("format") == "json" {
				return writeJSON(c, map[string]any{"stack": s, "resources": resources})
			}
			return showStack(c.App.Writer, s, resources)
		},
	}
}

func showStack(w io.Writer, s *stack.Stack, resources []stack.Resource) error {
	fmt.Fprintf(w, "%s  %s  %s\n", s.Name, s.Status, s.ID)
	if why := stack.Reason(s.Reason); why != "" {
		fmt.Fprintf(w, "%s\n", why)
	}
	tree := stack.NewTree(s.Ref())
	tree.Load(resources)
	return table(w, func(w io.Writer) {
		var add func(nodes []*stack.Node, indent string)
		add = func(nodes []*stack.Node, indent string) {
			for _, n := range nodes {
				fmt.Fprintf(w, "  %s%s\t%s\t%s\t%s\n", indent, n.Name, n.Status, n.Type, n.PhysicalID)
				add(n.Children, indent+"  ")
			}
		}
		add(tree.Top, "")
		for _, o := range s.Outputs {
			fmt.Fprintf(w, "output %s\t%s\n", o.Key, outputText(&o))
		}
	})
}

func stackEventsCommand() *cli.Command {
	return &cli.Command{
		Name: "events", Usage: "show a stack's history, with that of nested stacks", ArgsUsage: "NAME",
		Flags: []cli.Flag{formatFlag(stackFormats)}, BashComplete: completeStacks,
		Action: func(c *cli.Context) error {
			client, ref, err := one(c)
			if err != nil {
				return err
			}
			s, err := client.Show(c.Context, ref, false)
			if err != nil {
				return err
			}
			events, err := client.Events(ref).Next(c.Context)
			if err != nil {
				return err
			}
			tree := stack.NewTree(ref)
			if resources, err := client.Resources(c.Context, ref, stack.MaxDepth); err == nil {
				tree.Load(resources)
			}
			for i := range events {
				tree.Apply(&events[i])
				tree.Guess(&events[i])
			}
			show := watch.Lines(c.App.Writer, watch.Format{Color: command.Colored(c.App.Writer)})
			if c.String("format") == "json" {
				show = watch.JSON(c.App.Writer, watch.Labels{})
			}
			show.Step(stack.Step{Stack: s, Tree: tree, Events: events})
			return nil
		},
	}
}

func stackOutputsCommand() *cli.Command {
	return &cli.Command{
		Name: "outputs", Usage: "show a stack's outputs, or the value of one", ArgsUsage: "NAME [OUTPUT]",
		Flags: []cli.Flag{formatFlag(stackFormats)}, BashComplete: completeWithin(outputNames),
		Action: func(c *cli.Context) error {
			args, err := stackArguments(c, "NAME and maybe OUTPUT", 1, 2)
			if err != nil {
				return err
			}
			client, err := heat(c)
			if err != nil {
				return err
			}
			ref, err := client.Find(c.Context, args[0])
			if err != nil {
				return err
			}
			if len(args) == 2 {
				return showOutput(c, client, ref, args[1])
			}
			s, err := client.Show(c.Context, ref, true)
			if err != nil {
				return err
			}
			if c.String("format") == "json" {
				values := map[string]stack.Value{}
				for _, o := range s.Outputs {
					values[o.Key] = o.Value
				}
				return writeJSON(c, values)
			}
			return table(c.App.Writer, func(w io.Writer) {
				for _, o := range s.Outputs {
					fmt.Fprintf(w, "%s\t%s\n", o.Key, outputText(&o))
				}
			})
		},
	}
}

func showOutput(c *cli.Context, client *stack.Client, ref stack.Ref, key string) error {
	o, err := client.Output(c.Context, ref, key)
	if err != nil {
		return err
	}
	if o.Error != "" {
		return fmt.Errorf("output %s of stack %s: %s", key, ref, o.Error)
	}
	if c.String("format") == "json" {
		return writeJSON(c, o.Value)
	}
	fmt.Fprintln(c.App.Writer, outputText(o))
	return nil
}

// outputText is a text as it is, and any other value as JSON.
func outputText(o *stack.Output) string {
	var text string
	switch {
	case o.Error != "":
		return "no value: " + o.Error
	case json.Unmarshal(o.Value, &text) == nil:
		return text
	}
	return string(o.Value)
}

func outputNames(ctx context.Context, client *stack.Client, ref stack.Ref) (names []string, err error) {
	outputs, err := client.Outputs(ctx, ref)
	for _, o := range outputs {
		names = append(names, o.Key)
	}
	return names, err
}

func resourceNames(ctx context.Context, client *stack.Client, ref stack.Ref) (names []string, err error) {
	resources, err := client.Resources(ctx, ref, 0)
	for _, r := range resources {
		names = append(names, r.Name)
	}
	return names, err
}

func table(out io.Writer, fill func(io.Writer)) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fill(w)
	return w.Flush()
}

func writeJSON(c *cli.Context, v any) error {
	encoder := json.NewEncoder(c.App.Writer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
