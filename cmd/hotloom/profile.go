package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/profile"
	"github.com/hotloom/hotloom/resources/catalog"
)

func profileCommand() *cli.Command {
	c := &cli.Command{
		Name:  "profile",
		Usage: "capture what a cloud has to offer, for checks without it",
		Description: "Examples:\n" +
			"   hotloom profile capture -o prod.json --names flavors,images,networks\n" +
			"   hotloom lint --profile prod.json templates/\n" +
			"   hotloom profile show prod.json",
		Subcommands: []*cli.Command{profileCaptureCommand(), profileShowCommand()},
	}
	for _, sub := range c.Subcommands[:1] {
		sub.Flags = append(sub.Flags, cloudFlags()...)
	}
	return c
}

func profileCaptureCommand() *cli.Command {
	return &cli.Command{
		Name:  "capture",
		Usage: "read a cloud's resource types, template versions, functions and limits into a file",
		Description: "`hotloom lint --profile FILE`, or `profile: FILE` in hotloom.yaml, then checks against that cloud: types that it\n" +
			"has or lacks, its own plug-ins, the properties as its release has them. With --names, names of flavors, images and\n" +
			"networks that it does not have are warned of. What may not be read is noted in the file and told.\n\n" +
			"Examples:\n" +
			"   hotloom profile capture --os-cloud prod -o prod.json\n" +
			"   hotloom profile capture --names flavors,images,networks -o prod.json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "the `FILE` to write; - is standard output", Value: "profile.json"},
			&cli.StringFlag{Name: "names", Usage: "also capture the names of `KINDS`: " + strings.Join(profile.Kinds, ", ") + ", separated by commas"},
			&cli.IntFlag{Name: "parallel", Usage: "how many calls are made at once", Value: 8},
		},
		BashComplete: command.CompleteFlagValues("names", append([]string{strings.Join(profile.Kinds, ",")}, profile.Kinds...)),
		Action:       runProfileCapture,
	}
}

func runProfileCapture(c *cli.Context) error {
	if args, err := command.Arguments(c); err != nil || len(args) > 0 {
		if err == nil {
			err = command.Usagef("capture: takes no arguments (%s --help explains)", c.Command.HelpName)
		}
		return err
	}
	names := strings.FieldsFunc(c.String("names"), func(r rune) bool { return r == ',' || r == ' ' })
	for _, n := range names {
		if !slices.Contains(profile.Kinds, n) {
			return command.Usagef("capture: --names takes some of %s, not %q", strings.Join(profile.Kinds, ", "), n)
		}
	}
	client, err := connect(c)
	if err != nil {
		return err
	}
	o := profile.Options{Names: names, Parallel: c.Int("parallel")}
	live := command.IsTerminal(c.App.ErrWriter)
	if live {
		o.Progress = func(done, of int) { fmt.Fprintf(c.App.ErrWriter, "\r%d of %d calls", done, of) }
	}
	p, err := profile.Capture(c.Context, client, o)
	if live {
		fmt.Fprint(c.App.ErrWriter, "\r\x1b[K")
	}
	if err != nil {
		return err
	}
	for _, note := range p.Incomplete {
		fmt.Fprintln(c.App.ErrWriter, "hotloom: warning: not captured: "+note)
	}
	text, err := p.Encode()
	if err != nil {
		return err
	}
	if out := c.String("output"); out == "-" {
		_, err = c.App.Writer.Write(text)
	} else if err = os.WriteFile(out, text, 0o600); err == nil {
		fmt.Fprintf(c.App.ErrWriter, "%d resource types, %d template versions in %s\n", len(p.Types), len(p.TemplateVersions), out)
	}
	return err
}

func profileShowCommand() *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "say what a captured profile holds",
		ArgsUsage:   "FILE",
		Description: "Example:\n   hotloom profile show prod.json",
		Flags:       []cli.Flag{formatFlag(stackFormats)},
		Action: func(c *cli.Context) error {
			args, err := stackArguments(c, "the profile's FILE", 1, 1)
			if err != nil {
				return err
			}
			types, err := catalog.LoadProfile(args[0])
			if err != nil {
				return err
			}
			if c.String("format") == "json" {
				return writeJSON(c, map[string]any{"cloud": types.Cloud(), "types": captured(types)})
			}
			return showProfile(c.App.Writer, types)
		},
	}
}

// captured are the types that the profile itself has.
func captured(types *catalog.Catalog) []string {
	var out []string
	for _, n := range types.Names() {
		if t := types.Type(n); t != nil && t.Captured {
			out = append(out, n)
		}
	}
	return out
}

func showProfile(out io.Writer, types *catalog.Catalog) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(what, format string, args ...any) { fmt.Fprintf(w, what+"\t"+format+"\n", args...) }
	cloud := types.Cloud()
	if !cloud.Captured.IsZero() {
		line("captured", "%s from %s", cloud.Captured.Format("2006-01-02 15:04 MST"), strings.TrimSpace(cloud.Endpoint+" "+cloud.Region))
	}
	if cloud.Build != "" {
		line("build", "%s", cloud.Build)
	}
	line("resource types", "%d", len(captured(types)))
	if len(cloud.Plugins) > 0 {
		line("its own", "%s", strings.Join(cloud.Plugins, ", "))
	}
	var missing []string
	for _, n := range catalog.Default().Names() {
		if t := types.Type(n); t == nil && catalog.Default().Type(n) != nil {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		line("lacks", "%s", strings.Join(missing, ", "))
	}
	if versions := cloud.VersionNames("heat_template_version"); len(versions) > 0 {
		line("template versions", "%s", strings.Join(versions, ", "))
	}
	if l := cloud.Limits; l != nil {
		for _, q := range []struct {
			name  string
			quota *catalog.Quota
		}{{"servers", l.Instances}, {"cores", l.Cores}, {"RAM in MiB", l.RAM}} {
			if q.quota != nil {
				line("limit of "+q.name, "%d, of which %d are used", q.quota.Max, q.quota.Used)
			}
		}
	}
	for _, kind := range []string{"flavor", "image", "network"} {
		if names := cloud.Names.All(kind); len(names) > 0 {
			line(kind+"s", "%s", strings.Join(names, ", "))
		}
	}
	for _, note := range cloud.Incomplete {
		line("not captured", "%s", note)
	}
	return w.Flush()
}
