package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

var (
	snapshotFormats = []string{"text", "json"}
	showFormats     = []string{"text", "json", "timeline"}
	progressWays    = []string{"auto", "on", "off"}
)

// farewell is how long an interrupted run has to be paused.
const farewell = 5 * time.Second

func workflowRunCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run a workflow of a file to its end",
		ArgsUsage: "FILE [NAME]",
		Description: "NAME may be left out where the file has one workflow; in a workbook it is WORKBOOK.WORKFLOW.\n" +
			"Ctrl-C pauses the run; `hotloom workflow resume` goes on with it. Exit code 0 is for SUCCESS only.\n\n" +
			"Examples:\n" +
			"   hotloom workflow run backup.yaml\n" +
			"   hotloom workflow run ops.yaml ops.backup --input '{\"host\": \"db1\"}'\n" +
			"   hotloom workflow run backup.yaml --input @input.json --params '{\"env\": {\"region\": \"north\"}}'\n" +
			"   hotloom workflow run backup.yaml --ephemeral --format json | jq .output\n" +
			"   hotloom workflow run --on mistral --os-cloud prod backup.yaml\n" +
			"   hotloom workflow run hotloom.baremetal.v1.register --input @nodes.json     from the library",
		Flags: append([]cli.Flag{
			onFlag(),
			namespaceFlag(),
			&cli.StringFlag{Name: "input", Usage: "the workflow's input, `JSON or @FILE`"},
			&cli.StringFlag{Name: "params", Usage: "Mistral's parameters (env, task_name, …), `JSON or @FILE`"},
			&cli.StringSliceFlag{Name: "actions", Usage: "a `FILE` of ad-hoc actions; may be repeated"},
			formatFlag(snapshotFormats),
			stateFlag(),
			progressFlag(),
			listenFlag(),
			&cli.BoolFlag{Name: "ephemeral", Usage: "keep no state: an interrupted run is lost"},
		}, cloudFlags()...),
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action:       runWorkflowRun,
	}
}

func runWorkflowRun(c *cli.Context) (err error) {
	args, err := command.Arguments(c)
	if err != nil {
		return err
	}
	args = fromLibrary(args)
	if len(args) == 0 || len(args) > 2 {
		return command.Usagef("run: want FILE and maybe NAME, not %d arguments (%s --help explains)", len(args), c.Command.HelpName)
	}
	if _, err := command.Choice(c, "format", snapshotFormats); err != nil {
		return err
	}
	if _, err := command.Choice(c, "progress", progressWays); err != nil {
		return err
	}
	var start engine.StartOptions
	if start.Input, err = mapFlag(c, "input"); err != nil {
		return err
	}
	if start.Params, err = mapFlag(c, "params"); err != nil {
		return err
	}
	switch on, err := command.Choice(c, "on", engines); {
	case err != nil:
		return err
	case on == "mistral":
		for _, flag := range []string{"ephemeral", "listen"} {
			if c.IsSet(flag) {
				return command.Usagef("run: --%s goes with a run here, not with --on mistral", flag)
			}
		}
		return runOnMistral(c, args, start)
	case c.IsSet("namespace"):
		return command.Usagef("run: --namespace goes with --on mistral")
	}
	w, err := openWork(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for _, path := range c.StringSlice("actions") {
		if _, _, err := w.define(c, path, workflow.Actions); err != nil {
			return err
		}
	}
	doc, file, err := w.define(c, args[0], workflow.Auto)
	if err != nil {
		return err
	}
	for _, path := range libraryOf(doc) {
		if _, _, err := w.define(c, path, workflow.Workbook); err != nil {
			return err
		}
	}
	if start.Workflow, err = workflowName(doc, args); err != nil {
		return err
	}
	found := append(doc.Workflow(start.Workflow).CheckInput(start.Input), w.Lacking(doc)...)
	if err := printDocumentFindings(c, file.Path, file.Text, found); err != nil {
		return err
	}
	return w.follow(c, func(ctx context.Context) (string, error) { return w.Start(ctx, start) })
}

// workflowName is the name of the workflow to run: the one given, or that of the only one.
func workflowName(doc *workflow.Document, args []string) (string, error) {
	var names []string
	for _, w := range doc.Workflows {
		names = append(names, w.FullName())
	}
	switch {
	case len(names) == 0:
		return "", command.Usagef("run: %s has no workflow", args[0])
	case len(args) == 1 && len(names) == 1:
		return names[0], nil
	case len(args) == 1:
		return "", command.Usagef("run: %s has %d workflows; name one of %s", args[0], len(names), strings.Join(names, ", "))
	case slices.Contains(names, args[1]):
		return args[1], nil
	}
	hint := "it has " + strings.Join(names, ", ")
	if near := diag.Nearest(args[1], names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return "", command.Usagef("run: %s has no workflow %q; %s", args[0], args[1], hint)
}

// mapFlag is the value of a flag that takes a JSON object, or @ and a file with one; nil where it is not given.
func mapFlag(c *cli.Context, flag string) (*value.Map, error) {
	text := c.String(flag)
	if text == "" {
		return nil, nil
	}
	where := "--" + flag
	if path, ok := strings.CutPrefix(text, "@"); ok {
		file, err := compiler.NewFiles().Open(path)
		if err != nil {
			return nil, err
		}
		where, text = path, string(file.Text)
	}
	v, err := value.ParseJSON(text)
	if err != nil {
		return nil, command.Usagef("%s: %s: %w", c.Command.Name, where, err)
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, command.Usagef("%s: %s: want a JSON object", c.Command.Name, where)
	}
	return m, nil
}

// work is an open engine with its folder.
type work struct {
	*engine.Engine
	dir       string
	ephemeral bool
	callbacks *http.Server // nil without --listen
	serving   sync.WaitGroup
	providers func() // ends the providers behind actions
}

// openWork opens the state folder, or one that close removes. With --listen it serves callbacks.
func openWork(c *cli.Context) (*work, error) {
	var options engine.Options
	var err error
	var providers func()
	if options.Actions, providers, err = runActions(c); err != nil {
		return nil, err
	}
	listener, err := listen(c, &options)
	if err != nil {
		providers()
		return nil, err
	}
	w, err := openFolder(c, options)
	if err != nil {
		providers()
		if listener != nil {
			err = errors.Join(err, listener.Close())
		}
		return nil, err
	}
	w.providers = providers
	if listener != nil {
		w.serve(listener)
	}
	return w, nil
}

func openFolder(c *cli.Context, options engine.Options) (*work, error) {
	if c.Bool("ephemeral") {
		dir, err := os.MkdirTemp("", "hotloom-run-")
		if err != nil {
			return nil, err
		}
		options.ProcessOnly = true
		e, err := engine.Open(dir, options)
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		return &work{Engine: e, dir: dir, ephemeral: true}, nil
	}
	dir, err := stateFolder(c)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(dir, options)
	if errors.Is(err, engine.ErrLocked) && c.Command.Name == "run" {
		return nil, fmt.Errorf("%w; wait for its end, or run with another --state or with --ephemeral", err)
	}
	if err != nil {
		return nil, err
	}
	return &work{Engine: e, dir: dir}, nil
}

func (w *work) close() error {
	var err error
	if w.callbacks != nil {
		err = w.callbacks.Close()
		w.serving.Wait()
	}
	err = errors.Join(err, w.Close())
	w.providers()
	if w.ephemeral {
		err = errors.Join(err, os.RemoveAll(w.dir))
	}
	return err
}

func (w *work) define(c *cli.Context, path string, kind workflow.Kind) (*workflow.Document, *source.File, error) {
	file, err := compiler.NewFiles().Open(path)
	if err != nil {
		return nil, nil, err
	}
	doc, found, err := w.Define(file, kind, "")
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return doc, file, printDocumentFindings(c, file.Path, file.Text, found)
}

// follow begins something, waits until the execution is completed or paused, and prints it. The error is command.ErrFindings
// unless it succeeded. When the context ends the execution is paused.
func (w *work) follow(c *cli.Context, begin func(context.Context) (string, error)) error {
	stop := w.progress(c)
	defer stop()
	id, err := begin(c.Context)
	if err != nil {
		return err
	}
	now, err := w.Wait(c.Context, id)
	if c.Context.Err() != nil {
		if now, err = w.interrupt(c, id); now == nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	stop()
	if err := printSnapshot(c, now); err != nil {
		return err
	}
	switch now.State {
	case flow.Success:
		return nil
	case flow.Paused:
		w.sayHowToGoOn(c, id)
	}
	return command.ErrFindings
}

// interrupt pauses an execution whose command was told to end. The snapshot is nil where there is no more to print.
func (w *work) interrupt(c *cli.Context, id string) (*engine.Snapshot, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context), farewell)
	defer cancel()
	if w.ephemeral {
		fmt.Fprintln(c.App.ErrWriter, "hotloom: interrupted")
		return nil, command.ErrFindings
	}
	var refusal *engine.Refusal
	switch err := w.Do(ctx, engine.Request{Do: "pause", ID: id}); {
	case errors.As(err, &refusal): // it ended in the meantime
		return w.Show(id)
	case err != nil:
		return nil, err
	}
	w.sayHowToGoOn(c, id)
	return nil, command.ErrFindings
}

func (w *work) sayHowToGoOn(c *cli.Context, id string) {
	if w.ephemeral {
		return
	}
	folder := ""
	if c.String("state") != "" {
		folder = "--state " + w.dir + " "
	}
	fmt.Fprintf(c.App.ErrWriter, "hotloom: paused; go on with: hotloom workflow resume %s%s\n", folder, id)
}

func progressFlag() cli.Flag {
	return &cli.StringFlag{Name: "progress", Usage: "what changes, on stderr: on, off, or auto, which is on for a terminal", Value: "auto"}
}

// progress shows what changes, until the function that it gives is called.
func (w *work) progress(c *cli.Context) (stop func()) {
	if way := c.String("progress"); way == "off" || way != "on" && !command.IsTerminal(c.App.ErrWriter) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(c.Context)
	var wg sync.WaitGroup
	wg.Go(func() {
		// The only errors are the ends of the context and of the engine, which the caller sees too.
		_ = w.Events(ctx, "", func(ev engine.Event) bool {
			fmt.Fprintln(c.App.ErrWriter, progressLine(ev))
			return true
		})
	})
	return func() { cancel(); wg.Wait() }
}

func progressLine(ev engine.Event) string {
	what := ev.Workflow
	if ev.Task != "" {
		what += "/" + ev.Task
	}
	why, _, _ := strings.Cut(ev.Info, "\n")
	if why != "" {
		why = "  " + shorten(why)
	}
	return fmt.Sprintf("%s  %-9s %s%s", ev.Time.Local().Format(time.TimeOnly), ev.State, what, why)
}
