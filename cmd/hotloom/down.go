package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/local"
)

func downCommand() *cli.Command {
	return &cli.Command{
		Name:      "down",
		Usage:     "remove a stack from this machine",
		ArgsUsage: "NAME | TEMPLATE",
		Description: "Runs the DELETE steps, in the opposite order of making, and removes what is kept of the stack. What stands in folders\n" +
			"that --host named stays. A DELETE step that fails ends it; down goes on from there.\n\n" +
			"Examples:\n" +
			"   hotloom down shop\n" +
			"   hotloom down --abandon shop        without running anything",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "abandon", Usage: "run no DELETE step"},
			&cli.DurationFlag{Name: "timeout", Usage: "end what runs after this `TIME`, and pause"},
			&cli.IntFlag{Name: "parallel", Usage: "how many steps run at once: `N`", Value: 8},
			formatFlag(snapshotFormats),
			stateFlag(),
		},
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action: func(c *cli.Context) error {
			root, s, err := openStack(c)
			if err != nil {
				return err
			}
			name := s.Info().Name
			o := local.Options{Parallel: c.Int("parallel"), Abandon: c.Bool("abandon")}
			endProviders, err := localProviders(c, &o)
			if err != nil {
				return err
			}
			defer endProviders()
			var nodes []local.Planned
			for _, r := range s.Records() {
				nodes = append(nodes, local.Planned{Key: r.Key, Kind: r.Kind, Host: r.Host})
			}
			return follow(c, root, name, nodes, o, func(ctx context.Context, o local.Options) (*local.Outcome, error) {
				return local.Down(ctx, root, name, o)
			})
		},
	}
}

// openStack opens the stack that the argument names, or whose template it is.
func openStack(c *cli.Context) (root string, s *local.State, err error) {
	arg, err := stackArgument(c, "NAME")
	if err != nil {
		return "", nil, err
	}
	if root, err = stateFolder(c); err != nil {
		return "", nil, err
	}
	s, err = findStack(root, arg)
	return root, s, err
}

func findStack(root, arg string) (*local.State, error) {
	s, err := local.OpenState(root, arg)
	var none *local.NotThere
	if errors.As(err, &none) {
		if named, second := local.OpenState(root, stackName(arg)); second == nil {
			return named, nil
		}
		names, listing := local.Names(root)
		if listing != nil {
			return nil, listing
		}
		return nil, noStack(none, arg, names)
	}
	return s, err
}
