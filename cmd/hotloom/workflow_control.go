package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

func workflowListCommand() *cli.Command {
	return &cli.Command{
		Name:         "list",
		Usage:        "list what was run, the newest first",
		Description:  "Examples:\n   hotloom workflow list\n   hotloom workflow list --format json | jq -r '.[] | select(.state == \"PAUSED\") | .id'",
		Flags:        []cli.Flag{formatFlag(snapshotFormats), stateFlag()},
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action:       runWorkflowList,
	}
}

func runWorkflowList(c *cli.Context) error {
	args, err := command.Arguments(c)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return command.Usagef("list: takes no arguments (%s --help explains)", c.Command.HelpName)
	}
	format, err := command.Choice(c, "format", snapshotFormats)
	if err != nil {
		return err
	}
	runs, err := listRuns(c)
	if err != nil {
		return err
	}
	if format == "json" {
		return writeSummaries(c, runs)
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, r := range runs {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.ID, r.State, r.Created.Local().Format(time.DateTime), r.Workflow)
	}
	return table.Flush()
}

// listRuns lists what was run. Where there is no folder, nothing was.
func listRuns(c *cli.Context) (runs []engine.Summary, err error) {
	err = view(c, func(v *engine.Viewer) error {
		runs, err = v.List()
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return runs, err
}

func writeSummaries(c *cli.Context, runs []engine.Summary) error {
	list := make([]any, len(runs))
	for i, r := range runs {
		var info any // null where there is none, as in the snapshot of one execution
		if r.Info != "" {
			info = r.Info
		}
		list[i] = value.MapOf("id", r.ID, "workflow", r.Workflow, "state", string(r.State), "state_info", info,
			"created_at", r.Created.UTC().Format(time.RFC3339Nano), "updated_at", r.Updated.UTC().Format(time.RFC3339Nano))
	}
	text, err := value.JSON(list, value.JSONOptions{Indent: 2, Unicode: true})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, text)
	return err
}

func workflowShowCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "show an execution with its tasks, while it runs too",
		ArgsUsage: "ID",
		Description: "Examples:\n   hotloom workflow show ID\n   hotloom workflow show ID --format timeline     when what ran, and for how long\n" +
			"   hotloom workflow show ID --format json | jq '.tasks[] | {name, state}'",
		Flags:        []cli.Flag{formatFlag(showFormats), stateFlag()},
		BashComplete: command.CompleteFlagValues("format", showFormats),
		Action: func(c *cli.Context) error {
			id, err := executionIDWith(c, showFormats)
			if err != nil {
				return err
			}
			return view(c, func(v *engine.Viewer) error {
				now, err := v.Show(id)
				if err != nil {
					return err
				}
				if c.String("format") == "timeline" {
					return writeTimeline(c.App.Writer, now, time.Now())
				}
				return printSnapshot(c, now)
			})
		},
	}
}

func workflowPauseCommand() *cli.Command {
	return &cli.Command{
		Name:        "pause",
		Usage:       "let an execution start no further tasks",
		ArgsUsage:   "ID",
		Description: "Example:\n   hotloom workflow pause ID",
		Flags:       []cli.Flag{stateFlag()},
		Action:      request(func(id string) engine.Request { return engine.Request{Do: "pause", ID: id} }),
	}
}

func workflowCancelCommand() *cli.Command {
	return &cli.Command{
		Name:        "cancel",
		Usage:       "end an execution as CANCELLED",
		ArgsUsage:   "ID",
		Description: "Example:\n   hotloom workflow cancel ID",
		Flags:       []cli.Flag{stateFlag()},
		Action: request(func(id string) engine.Request {
			return engine.Request{Do: "stop", ID: id, State: string(flow.Cancelled)}
		}),
	}
}

// request makes the action of a command that changes an execution and does not wait for what follows.
func request(of func(id string) engine.Request) cli.ActionFunc {
	return func(c *cli.Context) error {
		id, err := executionID(c)
		if err != nil {
			return err
		}
		return doOrAsk(c, of(id))
	}
}

// doOrAsk changes something, or has the process do it that owns the state folder.
func doOrAsk(c *cli.Context, r engine.Request) (err error) {
	w, err := openWork(c)
	switch {
	case errors.Is(err, engine.ErrLocked):
		return ask(c, r)
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	return w.Do(c.Context, r)
}

func workflowResumeCommand() *cli.Command {
	return &cli.Command{
		Name:        "resume",
		Usage:       "go on with a paused or interrupted execution to its end",
		ArgsUsage:   "ID",
		Description: "Examples:\n   hotloom workflow resume ID\n   hotloom workflow resume ID --env '{\"region\": \"north\"}'",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "env", Usage: "merged into the environment, `JSON or @FILE`"}, formatFlag(snapshotFormats), progressFlag(), listenFlag(), stateFlag(),
		}, cloudFlags()...),
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action: func(c *cli.Context) error {
			id, err := executionID(c)
			if err != nil {
				return err
			}
			return again(c, id, func(now *engine.Snapshot) (engine.Request, error) {
				// What was interrupted without being paused went on when the folder was opened.
				if now.State == flow.Running {
					return engine.Request{}, nil
				}
				return engine.Request{Do: "resume", ID: id}, nil
			})
		},
	}
}

func workflowRerunCommand() *cli.Command {
	return &cli.Command{
		Name:      "rerun",
		Usage:     "run the failed task of an execution again, and on to the end",
		ArgsUsage: "ID",
		Description: "ID is that of the execution, as `list` shows it.\n\n" +
			"Examples:\n" +
			"   hotloom workflow rerun ID\n" +
			"   hotloom workflow rerun ID --task copy        where several failed\n" +
			"   hotloom workflow rerun ID --keep             of a with-items task only the items that failed",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "the `NAME` of the task"},
			&cli.BoolFlag{Name: "keep", Usage: "keep the items of a with-items task that succeeded"},
			&cli.StringFlag{Name: "env", Usage: "merged into the environment, `JSON or @FILE`"}, formatFlag(snapshotFormats), progressFlag(), listenFlag(), stateFlag(),
		}, cloudFlags()...),
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action: func(c *cli.Context) error {
			id, err := executionID(c)
			if err != nil {
				return err
			}
			return again(c, id, func(now *engine.Snapshot) (engine.Request, error) {
				task, err := taskToRerun(now, c.String("task"))
				return engine.Request{Do: "rerun", ID: task, Keep: c.Bool("keep")}, err
			})
		},
	}
}

// taskToRerun is the id of the task with a name, or else of the only one that failed.
func taskToRerun(now *engine.Snapshot, name string) (string, error) {
	var ids, names []string
	for _, t := range now.Tasks {
		if name == "" && t.State == flow.Failed || name != "" && t.Name == name {
			ids, names = append(ids, t.ID), append(names, t.Name)
		}
	}
	switch {
	case name != "" && len(ids) == 0:
		return "", &engine.Refusal{Message: fmt.Sprintf("execution %s has no task %q", now.ID, name)}
	case len(ids) == 0:
		return "", &engine.Refusal{Message: fmt.Sprintf("execution %s is %s and has no failed task", now.ID, now.State)}
	case name == "" && len(ids) > 1:
		return "", command.Usagef("rerun: %d tasks failed; choose with --task one of %s", len(ids), strings.Join(names, ", "))
	}
	return ids[len(ids)-1], nil // of a task that was passed several times the last
}

// again sets an execution going and follows it; the request is made from what it is now. Where another process has the
// folder, that one is asked, and the execution goes on there. The zero request changes nothing.
func again(c *cli.Context, id string, of func(*engine.Snapshot) (engine.Request, error)) (err error) {
	env, err := mapFlag(c, "env")
	if err != nil {
		return err
	}
	requested := func(now *engine.Snapshot) (engine.Request, error) {
		r, err := of(now)
		if env != nil {
			r.Env = env
		}
		return r, err
	}
	w, err := openWork(c)
	switch {
	case errors.Is(err, engine.ErrLocked):
		return askAgain(c, id, requested)
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	now, err := w.Show(id)
	if err != nil {
		return err
	}
	r, err := requested(now)
	if err != nil {
		return err
	}
	return w.follow(c, func(ctx context.Context) (string, error) {
		if r.Do == "" {
			return id, nil
		}
		return id, w.Do(ctx, r)
	})
}

func askAgain(c *cli.Context, id string, of func(*engine.Snapshot) (engine.Request, error)) error {
	return view(c, func(v *engine.Viewer) error {
		now, err := v.Show(id)
		if err != nil {
			return err
		}
		r, err := of(now)
		if err != nil || r.Do == "" {
			return err
		}
		return ask(c, r)
	})
}

// ask has the process that owns the state folder do something.
func ask(c *cli.Context, r engine.Request) error {
	dir, err := stateFolder(c)
	if err != nil {
		return err
	}
	if err := engine.Ask(c.Context, dir, r); err != nil {
		return fmt.Errorf("the hotloom process that has %s: %w", dir, err)
	}
	fmt.Fprintf(c.App.ErrWriter, "hotloom: the process that has %s did it\n", dir)
	return nil
}

// view reads the state folder, whoever works in it.
func view(c *cli.Context, read func(*engine.Viewer) error) (err error) {
	dir, err := stateFolder(c)
	if err != nil {
		return err
	}
	v, err := engine.View(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	return read(v)
}

// executionID is the only argument. The format, where the command has one, is checked too.
func executionID(c *cli.Context) (string, error) {
	return executionIDWith(c, snapshotFormats)
}

func executionIDWith(c *cli.Context, formats []string) (string, error) {
	args, err := command.Arguments(c)
	if err != nil {
		return "", err
	}
	if len(args) != 1 {
		return "", command.Usagef("%s: want one ID, not %d arguments (%s --help explains)", c.Command.Name, len(args), c.Command.HelpName)
	}
	if c.String("format") != "" {
		if _, err := command.Choice(c, "format", formats); err != nil {
			return "", err
		}
	}
	return args[0], nil
}
