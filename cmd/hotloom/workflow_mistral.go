package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/mistral"
)

// engines are where a workflow can run; the first is the default.
var engines = []string{"here", "mistral"}

func onFlag() cli.Flag {
	return &cli.StringFlag{Name: "on", Usage: "run it here, or on the cloud's OpenStack mistral", Value: engines[0]}
}

func namespaceFlag() cli.Flag {
	return &cli.StringFlag{Name: "namespace", Usage: "Mistral's `NAMESPACE` for definitions (default: the unnamed one)"}
}

func workflowPushCommand() *cli.Command {
	return &cli.Command{
		Name:      "push",
		Usage:     "store workflows, workbooks or ad-hoc actions in OpenStack Mistral",
		ArgsUsage: "FILE…",
		Description: "Definitions of the same name are replaced; what runs already goes on as it was. What a file needs of hotloom's own\n" +
			"library (hotloom.baremetal.v1, …) is stored too. A file that Mistral would refuse is\n" +
			"told with its lines, and nothing of any file is stored then.\n\n" +
			"Examples:\n" +
			"   hotloom workflow push out/workflows/*.yaml\n" +
			"   hotloom workflow push --os-cloud prod backup.yaml",
		Flags:  append([]cli.Flag{namespaceFlag()}, cloudFlags()...),
		Action: runWorkflowPush,
	}
}

func runWorkflowPush(c *cli.Context) error {
	paths, err := command.Arguments(c)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return command.Usagef("push: no FILE given (%s --help explains)", c.Command.HelpName)
	}
	docs := make([]*definition, len(paths))
	for i, path := range paths {
		if docs[i], err = readDefinition(c, fromLibrary([]string{path})[0], workflow.Auto); err != nil {
			return err
		}
	}
	client, err := connectMistral(c)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if err := push(c, client, d); err != nil {
			return err
		}
	}
	return nil
}

// definition is a file of definitions that Mistral accepts.
type definition struct {
	doc  *workflow.Document
	text []byte
}

// readDefinition reads a file and shows what is wrong in it.
func readDefinition(c *cli.Context, path string, kind workflow.Kind) (*definition, error) {
	file, err := compiler.NewFiles().Open(path)
	if err != nil {
		return nil, err
	}
	doc, found := workflow.Parse(file, kind)
	if err := printDocumentFindings(c, file.Path, file.Text, found); err != nil {
		return nil, err
	}
	return &definition{doc, file.Text}, nil
}

// readWithLibrary reads a file, and before it what its workflows need of the library.
func readWithLibrary(c *cli.Context, path string) ([]*definition, error) {
	d, err := readDefinition(c, path, workflow.Auto)
	if err != nil {
		return nil, err
	}
	var out []*definition
	for _, file := range libraryOf(d.doc) {
		one, err := readDefinition(c, file, workflow.Workbook)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return append(out, d), nil
}

func push(c *cli.Context, client *mistral.Client, d *definition) error {
	stored, err := client.Push(c.Context, d.doc, d.text, c.String("namespace"))
	for _, s := range stored {
		what := "replaced"
		if s.Created {
			what = "created"
		}
		fmt.Fprintf(c.App.ErrWriter, "%s %s %s\n", what, s.Kind, s.Name)
	}
	return err
}

func connectMistral(c *cli.Context) (*mistral.Client, error) {
	cloud, err := connect(c)
	if err != nil {
		return nil, err
	}
	return mistral.New(cloud)
}

// runOnMistral stores the definitions and runs the workflow there.
func runOnMistral(c *cli.Context, args []string, start engine.StartOptions) error {
	var defs []*definition
	for _, path := range c.StringSlice("actions") {
		d, err := readDefinition(c, path, workflow.Actions)
		if err != nil {
			return err
		}
		defs = append(defs, d)
	}
	read, err := readWithLibrary(c, args[0])
	if err != nil {
		return err
	}
	d := read[len(read)-1]
	if start.Workflow, err = workflowName(d.doc, args); err != nil {
		return err
	}
	if err := printDocumentFindings(c, args[0], d.text, d.doc.Workflow(start.Workflow).CheckInput(start.Input)); err != nil {
		return err
	}
	client, err := connectMistral(c)
	if err != nil {
		return err
	}
	for _, one := range append(defs, read...) {
		if err := push(c, client, one); err != nil {
			return err
		}
	}
	start.Namespace, start.Description = c.String("namespace"), "started by hotloom"
	id, err := client.Start(c.Context, start)
	if err != nil {
		return err
	}
	return watchOnMistral(c, client, id)
}

// watchOnMistral shows what an execution does until it ends or pauses. Ctrl-C leaves it running.
func watchOnMistral(c *cli.Context, client *mistral.Client, id string) error {
	show := func(engine.Event) {}
	if way := c.String("progress"); way == "on" || way != "off" && command.IsTerminal(c.App.ErrWriter) {
		show = func(ev engine.Event) { fmt.Fprintln(c.App.ErrWriter, progressLine(ev)) }
	}
	now, err := client.Wait(c.Context, id, show)
	if context.Cause(c.Context) != nil {
		fmt.Fprintf(c.App.ErrWriter, "hotloom: it runs on; watch it with: hotloom workflow watch %s\n", id)
		return command.ErrFindings
	}
	if err != nil {
		return err
	}
	if err := printSnapshot(c, now); err != nil {
		return err
	}
	if now.State != flow.Success {
		return command.ErrFindings
	}
	return nil
}

func workflowWatchCommand() *cli.Command {
	return &cli.Command{
		Name:      "watch",
		Usage:     "follow an execution on OpenStack Mistral to its end",
		ArgsUsage: "ID",
		Description: "Exit code 0 is for SUCCESS only. Ctrl-C leaves the execution running.\n\n" +
			"Example:\n" +
			"   hotloom workflow watch 1f1b3d0e-6c4d-4d6f-9f0a-0d7a6c1a8a57",
		Flags:        append([]cli.Flag{formatFlag(snapshotFormats), progressFlag()}, cloudFlags()...),
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action: func(c *cli.Context) error {
			args, err := command.Arguments(c)
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return command.Usagef("watch: want one ID, not %d arguments (%s --help explains)", len(args), c.Command.HelpName)
			}
			if _, err := command.Choice(c, "format", snapshotFormats); err != nil {
				return err
			}
			if !mistral.IsID(args[0]) {
				return command.Usagef("watch: %q is no execution's ID, which is a UUID; `openstack workflow execution list` shows them", args[0])
			}
			client, err := connectMistral(c)
			if err != nil {
				return err
			}
			return watchOnMistral(c, client, args[0])
		},
	}
}
