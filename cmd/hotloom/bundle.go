package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/stack/bundle"
)

func bundleCommand() *cli.Command {
	return &cli.Command{
		Name:      "bundle",
		Usage:     "write what goes to Heat to files",
		ArgsUsage: "TEMPLATE",
		Description: "A template with its files, nested templates and environments, compiled where it has components:\n" +
			"   heat        one file: the body of Heat's API, for curl and the like\n" +
			"   terraform   a folder: a module with a resource openstack_orchestration_stack_v1\n" +
			"   ansible     a folder: a playbook with a task openstack.cloud.stack\n" +
			"The values of --parameter, hidden ones too, are part of it.\n\n" +
			"Examples:\n" +
			"   hotloom bundle template.yaml -e prod.yaml -o body.json\n" +
			"   hotloom bundle template.yaml --format terraform -o shop",
		Flags: slices.Concat(templateFlags(), []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "the `FILE or FOLDER` to write (default: standard output)"},
			&cli.StringFlag{Name: "name", Usage: "the stack's `NAME` (default: that of the template's folder)"},
			formatFlag(bundle.Formats),
		}),
		BashComplete: command.CompleteFlagValues("format", bundle.Formats),
		Action: func(c *cli.Context) error {
			args, err := command.Arguments(c)
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return command.Usagef("bundle: want TEMPLATE, not %d arguments", len(args))
			}
			format, err := command.Choice(c, "format", bundle.Formats)
			if err != nil {
				return err
			}
			p, body, err := prepare(c, "", args[0])
			if err != nil {
				return err
			}
			name := c.String("name")
			if name == "" {
				folder, err := filepath.Abs(filepath.Dir(args[0]))
				if err != nil {
					return err
				}
				name = filepath.Base(folder)
			}
			return writeBundle(c, bundle.Write(format, name, p.Bundle, body.Get("parameters")))
		},
	}
}

// writeBundle writes one file to standard output or the file asked for, and several into a folder.
func writeBundle(c *cli.Context, files []bundle.File) error {
	where := c.String("output")
	switch {
	case where == "" && len(files) == 1:
		_, err := c.App.Writer.Write(files[0].Text)
		return err
	case where == "":
		return command.Usagef("bundle: --output FOLDER is needed: there are %d files", len(files))
	case len(files) == 1:
		return os.WriteFile(where, files[0].Text, 0o600)
	}
	if err := os.MkdirAll(filepath.Join(where, "files"), 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(where)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if err := root.WriteFile(f.Name, f.Text, 0o600); err != nil {
			return err
		}
		fmt.Fprintln(c.App.Writer, filepath.Join(where, f.Name))
	}
	return nil
}
