package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/stack"
)

// cloudFlags say which cloud to use and how, for commands that use one.
func cloudFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "os-cloud", Usage: "the cloud's `NAME` in clouds.yaml (default: OS_CLOUD, or what OS_* say)"},
		&cli.StringFlag{Name: "os-region-name", Usage: "the `REGION` (default: OS_REGION_NAME, or the file's)"},
		&cli.StringFlag{Name: "os-interface", Usage: "public, internal or admin endpoints (default: OS_INTERFACE, or the file's, or public)"},
		&cli.StringFlag{Name: "os-cacert", Usage: "a `FILE` of certificates to trust (default: OS_CACERT, or the file's)"},
		&cli.BoolFlag{Name: "insecure", Usage: "do not verify TLS certificates"},
		&cli.BoolFlag{Name: "debug", Usage: "show every call on stderr, without secrets"},
	}
}

// connect logs in to the cloud that the flags name.
func connect(c *cli.Context) (*cloud.Client, error) {
	return cloud.Connect(c.Context, cloudOptions(c))
}

func cloudOptions(c *cli.Context) cloud.Options {
	o := cloud.Options{
		Cloud: c.String("os-cloud"), Region: c.String("os-region-name"), Interface: c.String("os-interface"),
		CACert: c.String("os-cacert"), Insecure: c.Bool("insecure"), UserAgent: "hotloom/" + command.Version(),
		Warn: func(s string) { fmt.Fprintln(c.App.ErrWriter, "hotloom: warning: "+s) },
	}
	if c.Bool("debug") {
		o.Debug = c.App.ErrWriter
	}
	return o
}

// heat connects to the cloud's Orchestration service.
func heat(c *cli.Context) (*stack.Client, error) {
	client, err := connect(c)
	if err != nil {
		return nil, err
	}
	return stack.New(client)
}

// completeStacks completes the names of the cloud's stacks, and of flags. After the stack's name come files, which the
// shell completes. A cloud that cannot be reached has none.
func completeStacks(c *cli.Context) { completeSomeStacks(c, 1) }

// completeManyStacks is for commands that take any number of stacks.
func completeManyStacks(c *cli.Context) { completeSomeStacks(c, math.MaxInt) }

func completeSomeStacks(c *cli.Context, most int) {
	complete(c, most, func(client *stack.Client) (names []string, err error) {
		stacks, err := client.List(c.Context, stack.ListOptions{})
		for _, s := range stacks {
			names = append(names, s.Name)
		}
		return names, err
	})
}

// completeWithin completes names of stacks, and after one what is in it.
func completeWithin(list func(context.Context, *stack.Client, stack.Ref) ([]string, error)) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		if c.NArg() == 0 {
			completeStacks(c)
			return
		}
		complete(c, 2, func(client *stack.Client) ([]string, error) {
			ref, err := client.Find(c.Context, c.Args().First())
			if err != nil {
				return nil, err
			}
			return list(c.Context, client, ref)
		})
	}
}

// complete prints names for the arguments before the one of the number.
func complete(c *cli.Context, before int, list func(*stack.Client) ([]string, error)) {
	// the word before --generate-bash-completion; without a flag the library offers the command help, in the way of names
	if n := len(os.Args); n > 2 && strings.HasPrefix(os.Args[n-2], "-") {
		cli.DefaultCompleteWithFlags(c.Command)(c)
	}
	if c.NArg() >= before {
		return
	}
	c.App.ErrWriter = io.Discard
	client, err := heat(c)
	if err != nil {
		return
	}
	names, err := list(client)
	if err != nil {
		return
	}
	for _, n := range names {
		fmt.Fprintln(c.App.Writer, n)
	}
}
