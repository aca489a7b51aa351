package main

import (
	"fmt"
	"io"

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

// completeStacks completes the names of the cloud's stacks, and of flags. A cloud that cannot be reached has none.
func completeStacks(c *cli.Context) {
	cli.DefaultCompleteWithFlags(c.Command)(c)
	c.App.ErrWriter = io.Discard
	client, err := heat(c)
	if err != nil {
		return
	}
	stacks, err := client.List(c.Context, stack.ListOptions{})
	if err != nil {
		return
	}
	for _, s := range stacks {
		fmt.Fprintln(c.App.Writer, s.Name)
	}
}
