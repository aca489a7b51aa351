package main

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/cmd/internal/providers"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/action/openstack"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/resources"
)

// actionRegistry has what workflows may call here: Mistral's own actions, and those of OpenStack services, which log in to
// the cloud of the flags when the first of them runs.
func actionRegistry(c *cli.Context) (*action.Registry, error) {
	login := func(ctx context.Context, region string) (*cloud.Client, error) {
		o := cloudOptions(c)
		if region != "" {
			o.Region = region
		}
		return cloud.Connect(ctx, o)
	}
	return action.NewRegistry(action.Std(action.Config{}), openstack.Actions(login))
}

func workflowActionsCommand() *cli.Command {
	return &cli.Command{
		Name:      "actions",
		Usage:     "list the actions that workflows can call, with their inputs",
		ArgsUsage: "[PATTERN]",
		Description: "PATTERN is a part of a name, or a glob. An input with a default may be left out; … takes inputs of any name.\n" +
			"An action marked `mistral` runs on an OpenStack Mistral with mistral-extra only, not in the engine here;\n" +
			"those of the project's providers are known once `hotloom plugins verify` has asked these.\n\n" +
			"Examples:\n" +
			"   hotloom workflow actions ironic.node\n" +
			"   hotloom workflow actions 'heat.stacks_*'\n" +
			"   hotloom workflow actions --format json std. | jq '.[].name'",
		Flags:        []cli.Flag{formatFlag(snapshotFormats)},
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action:       runWorkflowActions,
	}
}

// listedAction is one line of the list.
type listedAction struct {
	name   string
	inputs []action.Input
	open   bool
	here   bool
	from   string // a provider; "" for hotloom and Mistral
}

func runWorkflowActions(c *cli.Context) error {
	args, err := command.Arguments(c)
	if err != nil {
		return err
	}
	if len(args) > 1 {
		return command.Usagef("actions: one PATTERN, not %d", len(args))
	}
	if _, err := command.Choice(c, "format", snapshotFormats); err != nil {
		return err
	}
	pattern := ""
	if len(args) == 1 {
		pattern = args[0]
	}
	registry, err := actionRegistry(c)
	if err != nil {
		return err
	}
	config, err := lint.FindConfig(".")
	if err != nil {
		return command.UsageError{Err: err}
	}
	known, err := providers.Known(config, c.App.ErrWriter)
	if err != nil {
		return command.UsageError{Err: err}
	}
	list, err := matching(listActions(registry, known), pattern)
	if err != nil {
		return err
	}
	if c.String("format") == "json" {
		return writeActionsJSON(c, list)
	}
	for _, a := range list {
		where := ""
		switch {
		case !a.here:
			where = "  (mistral)"
		case a.from != "":
			where = "  (provider " + a.from + ")"
		}
		fmt.Fprintln(c.App.Writer, strings.Join(append([]string{a.name}, a.shown()...), " ")+where)
	}
	return nil
}

// listActions are all that is known, whether it runs here or not.
func listActions(registry *action.Registry, known map[string]*resources.Description) []listedAction {
	var out []listedAction
	for _, name := range registry.Names() {
		d := registry.Find(name)
		out = append(out, listedAction{name: name, inputs: d.Inputs, open: d.Open, here: true})
	}
	for provider, d := range known {
		for _, a := range action.Provided(provider, nil, d.Actions) {
			out = append(out, listedAction{name: a.Name, inputs: a.Inputs, open: a.Open, here: true, from: provider})
		}
	}
	for _, name := range workflow.OpenStackActions() {
		if registry.Find(name) != nil {
			continue
		}
		sig := workflow.OpenStackAction(name)
		a := listedAction{name: name, open: sig.Open}
		for _, p := range sig.Inputs {
			a.inputs = append(a.inputs, action.Input{Name: p.Name, Required: !p.HasDefault, Default: p.Default})
		}
		out = append(out, a)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

func matching(list []listedAction, pattern string) ([]listedAction, error) {
	var out []listedAction
	var names []string
	for _, a := range list {
		names = append(names, a.name)
		fits := strings.Contains(a.name, pattern)
		if strings.ContainsAny(pattern, "*?[") {
			var err error
			if fits, err = path.Match(pattern, a.name); err != nil {
				return nil, command.Usagef("actions: %q is no pattern: %w", pattern, err)
			}
		}
		if fits {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		hint := ""
		if near := diag.Nearest(pattern, names); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return nil, command.Usagef("actions: none has %q in its name%s", pattern, hint)
	}
	return out, nil
}

// shown are the inputs as people read them.
func (a listedAction) shown() []string {
	var out []string
	for _, in := range a.inputs {
		text := in.Name
		if !in.Required {
			standard, err := value.JSON(in.Default, value.JSONOptions{Compact: true, Unicode: true})
			if err != nil {
				standard = "?"
			}
			text += "=" + standard
		}
		out = append(out, text)
	}
	if a.open {
		out = append(out, "…")
	}
	return out
}

func writeActionsJSON(c *cli.Context, list []listedAction) error {
	out := make([]any, len(list))
	for i, a := range list {
		inputs := make([]any, len(a.inputs))
		for k, in := range a.inputs {
			m := value.MapOf("name", in.Name, "required", in.Required)
			if !in.Required {
				m.SetStr("default", in.Default)
			}
			inputs[k] = m
		}
		out[i] = value.MapOf("name", a.name, "inputs", inputs, "more_inputs", a.open, "runs_here", a.here)
		if a.from != "" {
			m := out[i].(*value.Map)
			m.SetStr("provider", a.from)
		}
	}
	text, err := value.JSON(out, value.JSONOptions{Indent: 2, Unicode: true})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, text)
	return err
}
