package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/engine"
)

func workflowDeleteCommand() *cli.Command {
	return &cli.Command{
		Name:      "delete",
		Usage:     "remove executions with all that is below them",
		ArgsUsage: "ID…",
		Description: "Only what is completed is removed, unless --force is given: then it is cancelled first.\n\n" +
			"Examples:\n" +
			"   hotloom workflow delete ID\n" +
			"   hotloom workflow delete --older-than 720h     all that ended 30 days ago or earlier",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "force", Usage: "what is not completed too"},
			&cli.DurationFlag{Name: "older-than", Usage: "all executions that are completed and did not change for this `TIME`"},
			stateFlag(),
		},
		Action: runWorkflowDelete,
	}
}

func runWorkflowDelete(c *cli.Context) (err error) {
	ids, err := command.Arguments(c)
	if err != nil {
		return err
	}
	if (len(ids) == 0) == !c.IsSet("older-than") {
		return command.Usagef("delete: want IDs, or --older-than (%s --help explains)", c.Command.HelpName)
	}
	if c.IsSet("older-than") {
		if ids, err = endedBefore(c, time.Now().Add(-c.Duration("older-than"))); err != nil || len(ids) == 0 {
			return err
		}
	}
	do := func(r engine.Request) error { return ask(c, r) }
	w, err := openWork(c)
	switch {
	case errors.Is(err, engine.ErrLocked):
	case err != nil:
		return err
	default:
		defer func() { err = errors.Join(err, w.close()) }()
		do = func(r engine.Request) error { return w.Do(c.Context, r) }
	}
	for _, id := range ids {
		if err := do(engine.Request{Do: "delete", ID: id, Force: c.Bool("force")}); err != nil {
			return err
		}
		fmt.Fprintln(c.App.Writer, id)
	}
	return nil
}

// endedBefore are the ids of the completed executions that did not change since a time.
func endedBefore(c *cli.Context, then time.Time) (ids []string, err error) {
	runs, err := listRuns(c)
	for _, r := range runs {
		if r.State.Completed() && r.Updated.Before(then) {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}
