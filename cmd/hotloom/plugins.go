package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/internal/bundled"
	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/plugins/host"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

func pluginsCommand() *cli.Command {
	return &cli.Command{
		Name:  "plugins",
		Usage: "the providers of resource types, tools and actions",
		Description: "Providers are executables named hotloom-provider-NAME in the folders that hotloom.yaml and $HOTLOOM_PLUGINS name,\n" +
			"in ~/.local/share/hotloom/providers, and those that are part of hotloom.",
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list the providers, and what they offer",
				Description: "Examples:\n" +
					"   hotloom plugins list\n" +
					"   hotloom plugins list --format json | jq -r '.providers[].types[]'",
				BashComplete: command.CompleteFlagValues("format", snapshotFormats),
				Flags:        []cli.Flag{pluginsFormat()}, Action: runPluginsList, OnUsageError: command.OnUsageError,
			},
			{
				Name: "info", Usage: "show a provider's types with their properties, its tools and actions", ArgsUsage: "NAME",
				Description:  "Examples:\n   hotloom plugins info notes\n   hotloom plugins info --format json notes | jq '.types | keys'",
				BashComplete: completeProviders,
				Flags:        []cli.Flag{pluginsFormat()}, Action: runPluginsInfo, OnUsageError: command.OnUsageError,
			},
			{
				Name: "verify", Usage: "start providers, check what they say of themselves, and print checksums to pin", ArgsUsage: "[NAME…]",
				Description: "Commands that only read (lint above all) start no provider: they know what verify has seen.\n" +
					"Exit code 1 is for a provider that does not start, is not the pinned one, or has a schema that Heat would refuse.\n\n" +
					"Examples:\n" +
					"   hotloom plugins verify\n" +
					"   hotloom plugins verify notes          then put the printed sha256 into hotloom.yaml",
				BashComplete: completeProviders,
				Flags:        []cli.Flag{pluginsFormat()}, Action: runPluginsVerify, OnUsageError: command.OnUsageError,
			},
		},
	}
}

// completeProviders completes the names of providers, and the values of --format.
func completeProviders(c *cli.Context) {
	if len(os.Args) > 2 && os.Args[len(os.Args)-2] == "--format" {
		command.CompleteFlagValues("format", snapshotFormats)(c)
		return
	}
	sources, _ := providerSources() // with a fault in the configuration there are those that it does not spoil
	for _, s := range sources {
		fmt.Fprintln(c.App.Writer, s.Name)
	}
}

func pluginsFormat() cli.Flag {
	return &cli.StringFlag{Name: "format", Usage: "text or json", Value: "text"}
}

// providerCommand is how hotloom starts the providers that are part of it: itself again. It is not for users.
func providerCommand() *cli.Command {
	return &cli.Command{
		Name: "provider", Usage: "serve a provider that is part of hotloom", ArgsUsage: "NAME", Hidden: true,
		Action: func(c *cli.Context) error {
			p, err := bundled.New(c.Args().First())
			if err != nil {
				return command.UsageError{Err: err}
			}
			plugins.Serve(p)
			return nil
		},
	}
}

// providerSources finds all providers of the project in the current folder.
func providerSources() ([]host.Source, error) {
	config, err := lint.FindConfig(".")
	if err != nil {
		return nil, command.UsageError{Err: err}
	}
	var own *discover.Config
	if config != nil {
		if own, err = discover.LoadConfig(config.Path); err != nil {
			return nil, command.UsageError{Err: err}
		}
	}
	parts, err := bundledSources()
	if err != nil {
		return nil, err
	}
	return discover.Find(own, parts)
}

// bundledSources are the providers that are part of hotloom: hotloom itself, started again.
func bundledSources() ([]host.Source, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	parts := make([]host.Source, len(bundled.Providers))
	for i, b := range bundled.Providers {
		parts[i] = host.Source{Name: b.Name, Path: self, Args: []string{"provider", b.Name}}
	}
	return parts, nil
}

// openHost makes a host of all providers; what does not start is told on stderr.
func openHost(c *cli.Context) (*host.Host, error) {
	sources, err := providerSources()
	if err != nil {
		return nil, err
	}
	return hostOf(c, sources)
}

func hostOf(c *cli.Context, sources []host.Source) (*host.Host, error) {
	log := slog.New(slog.NewTextHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return host.New(sources, host.Options{Log: log})
}

// listed is one provider in the output of list and verify.
type listed struct {
	Name    string   `json:"name"`
	Version string   `json:"version,omitempty"`
	Path    string   `json:"path"`
	Origin  string   `json:"origin"`
	Pinned  bool     `json:"pinned"`
	SHA256  string   `json:"sha256,omitempty"`
	Types   []string `json:"types"`
	Tools   []string `json:"tools"`
	Actions []string `json:"actions"`
	Faults  []string `json:"faults"`
}

func describe(s host.Source, d *resources.Description, err error) listed {
	out := listed{
		Name: s.Name, Path: s.Path, Origin: s.Origin, Pinned: s.SHA256 != "",
		Types: []string{}, Tools: []string{}, Actions: []string{}, Faults: []string{},
	}
	if err != nil {
		out.Faults = append(out.Faults, err.Error())
		return out
	}
	out.Version = d.Version
	out.Types = append(out.Types, slices.Sorted(maps.Keys(d.Types))...)
	out.Tools = append(out.Tools, slices.Sorted(maps.Keys(d.Tools))...)
	out.Actions = append(out.Actions, slices.Sorted(maps.Keys(d.Actions))...)
	return out
}

func runPluginsList(c *cli.Context) error {
	return forProviders(c, nil, func(ctx context.Context, p *host.Provider, s host.Source) listed {
		d, err := p.Described(ctx)
		return describe(s, d, err)
	})
}

func runPluginsVerify(c *cli.Context) error {
	return forProviders(c, c.Args().Slice(), func(ctx context.Context, p *host.Provider, s host.Source) listed {
		d, err := p.Describe(ctx)
		out := describe(s, d, err)
		if err == nil {
			out.Faults = append(out.Faults, d.Faults()...)
		}
		if sum, err := s.Checksum(); err == nil {
			out.SHA256 = sum
		}
		return out
	})
}

// forProviders asks all providers at once, and prints the answers in order. The error is command.ErrFindings where one has faults.
func forProviders(c *cli.Context, names []string, ask func(context.Context, *host.Provider, host.Source) listed) error {
	format, err := command.Choice(c, "format", []string{"text", "json"})
	if err != nil {
		return err
	}
	h, err := openHost(c)
	if err != nil {
		return err
	}
	defer h.Close()
	var chosen []host.Source
	for _, s := range h.Sources() {
		if len(names) == 0 || slices.Contains(names, s.Name) {
			chosen = append(chosen, s)
		}
	}
	for _, name := range names {
		if h.Provider(name) == nil {
			return unknownProvider(h, name)
		}
	}
	all := make([]listed, len(chosen))
	var wg sync.WaitGroup
	for i, s := range chosen {
		wg.Go(func() { all[i] = ask(c.Context, h.Provider(s.Name), s) })
	}
	wg.Wait()
	if err := printProviders(c, format, all); err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(l listed) bool { return len(l.Faults) > 0 }) {
		return command.ErrFindings
	}
	return nil
}

func unknownProvider(h *host.Host, name string) error {
	var known []string
	for _, s := range h.Sources() {
		known = append(known, s.Name)
	}
	if near := diag.Nearest(name, known); near != "" {
		return command.Usagef("there is no provider %q; did you mean %q?", name, near)
	}
	return command.Usagef("there is no provider %q; there are %s", name, strings.Join(known, ", "))
}

func printProviders(c *cli.Context, format string, all []listed) error {
	if format == "json" {
		e := json.NewEncoder(c.App.Writer)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Version   int      `json:"version"`
			Providers []listed `json:"providers"`
		}{1, all})
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tVERSION\tFROM\tOFFERS")
	for _, l := range all {
		offers := strings.Join(slices.Concat(l.Types, l.Tools, l.Actions), ", ")
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", l.Name, l.Version, l.Origin, offers)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range all {
		if l.SHA256 != "" && l.Origin != discover.Bundled {
			fmt.Fprintf(c.App.Writer, "%s: sha256: %s\n", l.Name, l.SHA256)
		}
		for _, f := range l.Faults {
			fmt.Fprintf(c.App.Writer, "%s: error: %s\n", l.Name, f)
		}
	}
	return nil
}

func runPluginsInfo(c *cli.Context) error {
	format, err := command.Choice(c, "format", []string{"text", "json"})
	if err != nil {
		return err
	}
	if c.NArg() != 1 {
		return command.Usagef("plugins info: give one NAME (hotloom plugins list shows them)")
	}
	h, err := openHost(c)
	if err != nil {
		return err
	}
	defer h.Close()
	p := h.Provider(c.Args().First())
	if p == nil {
		return unknownProvider(h, c.Args().First())
	}
	d, err := p.Described(c.Context)
	if err != nil {
		return err
	}
	if format == "json" {
		e := json.NewEncoder(c.App.Writer)
		e.SetIndent("", "  ")
		return e.Encode(d)
	}
	printDescription(c, d)
	return nil
}

func printDescription(c *cli.Context, d *resources.Description) {
	w := c.App.Writer
	fmt.Fprintf(w, "%s %s\n", d.Name, d.Version)
	if d.Summary != "" {
		fmt.Fprintln(w, d.Summary)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Types)) {
		t := d.Types[name]
		fmt.Fprintf(w, "\n%s  (%s)\n", name, strings.Join(t.Handles, ", "))
		for _, p := range slices.Sorted(maps.Keys(t.Properties)) {
			fmt.Fprintf(w, "  %-22s %s\n", p, propertyLine(t.Properties[p]))
		}
		for _, a := range slices.Sorted(maps.Keys(t.Attributes)) {
			fmt.Fprintf(w, "  get_attr %-13s %s %s\n", a, t.Attributes[a].Type, t.Attributes[a].Description)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Tools)) {
		fmt.Fprintf(w, "\ntool %s  %s\n", name, d.Tools[name].Description)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Actions)) {
		fmt.Fprintf(w, "\naction %s  %s\n", name, d.Actions[name].Description)
	}
}

func propertyLine(p *catalog.Property) string {
	words := []string{string(p.Type)}
	for _, w := range []struct {
		is   bool
		word string
	}{{p.Required, "required"}, {p.Update, "update"}, {p.Immutable, "immutable"}, {p.Secret, "secret"}} {
		if w.is {
			words = append(words, w.word)
		}
	}
	line := strings.Join(words, " ")
	if p.Description != "" {
		line += ": " + p.Description
	}
	return line
}
