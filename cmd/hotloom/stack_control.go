package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/stack"
)

func stackWatchCommand() *cli.Command {
	return &cli.Command{
		Name:         "watch",
		Usage:        "show what Heat is doing with a stack until it is done",
		ArgsUsage:    "NAME",
		Description:  "With --template and the environments of the stack, failures are shown at the lines of their sources.",
		Flags:        slices.Concat(templateFlags(), []cli.Flag{&cli.StringFlag{Name: "template", Aliases: []string{"t"}, Usage: "the `FILE` that the stack was made of"}, formatFlag(stackFormats)}),
		BashComplete: completeStacks,
		Action: func(c *cli.Context) error {
			client, ref, err := one(c)
			if err != nil {
				return err
			}
			var p *stack.Prepared
			if t := c.String("template"); t != "" {
				if p, _, err = prepare(c, ref.Name, t); err != nil {
					return err
				}
			}
			history := client.Events(ref)
			backlog, err := history.Current(c.Context)
			if err != nil {
				return err
			}
			return followStack(c, client, ref, p, stack.FollowOptions{History: history, Backlog: backlog})
		},
	}
}

func stackSignalCommand() *cli.Command {
	return &cli.Command{
		Name:      "signal",
		Usage:     "send a resource a signal",
		ArgsUsage: "NAME RESOURCE",
		Description: "Heat acts on the signal later; how that went shows in `hotloom stack events NAME`. A resource whose creation\n" +
			"has not begun gets none, since Heat would lose it.\n\n" +
			"Examples:\n" +
			"   hotloom stack signal shop web_ready --data '{\"status\": \"SUCCESS\", \"id\": \"web\"}'\n" +
			"   hotloom stack signal shop db --data '{\"unset_hook\": \"pre-update\"}'",
		Flags:        []cli.Flag{&cli.StringFlag{Name: "data", Usage: "what to send, `JSON or @FILE`"}},
		BashComplete: completeWithin(resourceNames),
		Action: func(c *cli.Context) error {
			args, err := stackArguments(c, "NAME RESOURCE", 2, 2)
			if err != nil {
				return err
			}
			data := []byte(c.String("data"))
			if path, ok := strings.CutPrefix(string(data), "@"); ok {
				if data, err = os.ReadFile(path); err != nil {
					return err
				}
			}
			if len(data) > 0 && !json.Valid(data) {
				return command.Usagef("signal: --data is no JSON")
			}
			client, err := heat(c)
			if err != nil {
				return err
			}
			ref, err := client.Find(c.Context, args[0])
			if err != nil {
				return err
			}
			return client.Signal(c.Context, ref, args[1], data)
		},
	}
}

// stackActionCommand is a command that has Heat do something with a whole stack.
func stackActionCommand(name, action, usage string) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, ArgsUsage: "NAME", Flags: waitFlags(), BashComplete: completeStacks,
		Action: func(c *cli.Context) error {
			client, ref, err := one(c)
			if err != nil {
				return err
			}
			return act(c, client, ref, name, action)
		},
	}
}

func stackCancelCommand() *cli.Command {
	return &cli.Command{
		Name: "cancel", Usage: "stop an update, going back to the state before it", ArgsUsage: "NAME",
		Description: "With --no-rollback resources stay as far as they have come, and a creation can be stopped too.",
		Flags:       append(waitFlags(), &cli.BoolFlag{Name: "no-rollback", Usage: "do not go back"}), BashComplete: completeStacks,
		Action: func(c *cli.Context) error {
			client, ref, err := one(c)
			if err != nil {
				return err
			}
			if !c.Bool("no-rollback") {
				return act(c, client, ref, "cancel_update", "ROLLBACK")
			}
			before, err := client.Show(c.Context, ref, false)
			if err != nil {
				return err
			}
			if err := client.Action(c.Context, ref, "cancel_without_rollback"); err != nil || c.Bool("no-wait") {
				return err
			}
			// the action ends as FAILED, which is what was asked for
			s, err := client.Follow(c.Context, ref, stack.FollowOptions{})
			if err != nil {
				return err
			}
			if s.Action() != before.Action() || s.State() == "IN_PROGRESS" {
				return stack.Failure(s, before.Action())
			}
			fmt.Fprintf(c.App.ErrWriter, "stack %s is %s\n", s.Name, s.Status)
			return nil
		},
	}
}

// act begins an action and waits for it.
func act(c *cli.Context, client *stack.Client, ref stack.Ref, name, action string) error {
	o, err := client.Before(c.Context, ref, action)
	if err != nil {
		return err
	}
	if err := client.Action(c.Context, ref, name); err != nil || c.Bool("no-wait") {
		return err
	}
	return followStack(c, client, ref, nil, o)
}

func stackDeleteCommand() *cli.Command {
	return &cli.Command{
		Name:         "delete",
		Usage:        "delete stacks with all that is in them",
		ArgsUsage:    "NAME…",
		Flags:        append([]cli.Flag{&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"}}, waitFlags()...),
		BashComplete: completeManyStacks,
		Action: func(c *cli.Context) error {
			args, err := stackArguments(c, "NAME", 1, 1000)
			if err != nil {
				return err
			}
			client, err := heat(c)
			if err != nil {
				return err
			}
			var failures []error
			for _, name := range args {
				failures = append(failures, deleteStack(c, client, name))
			}
			return errors.Join(failures...)
		},
	}
}

func deleteStack(c *cli.Context, client *stack.Client, name string) error {
	ref, err := client.Find(c.Context, name)
	if err != nil {
		return err
	}
	before, err := client.Show(c.Context, ref, false)
	if err != nil {
		return err
	}
	if before.Status == "DELETE_COMPLETE" {
		return fmt.Errorf("stack %s is deleted already: %w", ref, stack.ErrNotFound)
	}
	if !c.Bool("yes") {
		if !command.IsTerminal(c.App.Reader) {
			return command.Usagef("delete: without a terminal to ask on, --yes is needed")
		}
		fmt.Fprintf(c.App.ErrWriter, "Delete stack %s (%s, created %s) with everything in it? [y/N] ", ref, before.Status, before.Created.Local().Format("2006-01-02 15:04"))
		answer, _ := bufio.NewReader(c.App.Reader).ReadString('\n')
		if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
			fmt.Fprintln(c.App.ErrWriter, "hotloom: nothing is deleted")
			return command.ErrFindings
		}
	}
	o, err := client.Before(c.Context, ref, "DELETE")
	if err != nil {
		return err
	}
	if err := client.Delete(c.Context, ref); err != nil || c.Bool("no-wait") {
		return err
	}
	return followStack(c, client, ref, nil, o)
}
