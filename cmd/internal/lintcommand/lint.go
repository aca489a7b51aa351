// Package lintcommand is the command lint, which hotloom has among others and hotloom-lint alone.
package lintcommand

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/cmd/internal/providers"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/lint/report"
)

// New makes the command. Call is how a user calls it, as its examples show.
func New(call string) *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "find every mistake, at its line",
		ArgsUsage: "PATH…",
		Description: "Checks templates, environments and workflows. A folder is searched for them by content.\n" +
			"An error is what Heat would refuse; a warning is what Heat accepts and you would regret.\n" +
			"Settings come from flags, then from hotloom.yaml in the current folder or one above it.\n\n" +
			"Examples:\n" +
			"   " + call + " .\n" +
			"   " + call + " -e prod.yaml template.yaml\n" +
			"   " + call + " --explain property-type\n" +
			"   " + call + " --diff template.yaml          what --fix would change\n" +
			"   " + call + " --write-baseline base.json .  accept what is there; --baseline base.json hides it\n" +
			"   " + call + " --format json template.yaml | jq '.diagnostics[]'",
		Flags: append(settingFlags(),
			&cli.StringFlag{Name: "format", Usage: "one of " + strings.Join(report.Names(), ", "), Value: report.Names()[0]},
			&cli.StringFlag{Name: "explain", Usage: "print the page of a `RULE`, or of all with \"all\""},
			&cli.StringSliceFlag{Name: "exclude", Usage: "leave out paths that match a `PATTERN` when a folder is searched; may be repeated"},
			&cli.BoolFlag{Name: "fix", Usage: "make the safe changes"},
			&cli.BoolFlag{Name: "diff", Usage: "show the safe changes and make none"},
			&cli.StringFlag{Name: "baseline", Usage: "hide the findings in `FILE`"},
			&cli.StringFlag{Name: "write-baseline", Usage: "write all findings to `FILE` and succeed"},
			&cli.IntFlag{Name: "max-warnings", Usage: "fail when there are more than `N` warnings", Value: -1},
		),
		BashComplete: command.CompleteFlagValues("format", report.Names()),
		Action:       run,
	}
}

func run(c *cli.Context) error {
	command.CollectSeldom()
	paths, err := command.Arguments(c)
	if err != nil {
		return err
	}
	if c.IsSet("explain") {
		return explain(c)
	}
	format, err := command.Choice(c, "format", report.Names())
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return command.Usagef("lint: no PATH given (%s --help explains)", c.Command.HelpName)
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	opts, config, err := options(c)
	if err != nil {
		return err
	}
	r, err := check(c, paths, opts)
	if err != nil {
		return err
	}
	switch {
	case c.IsSet("write-baseline"):
		return lint.NewBaseline(r.Diagnostics).Save(c.String("write-baseline"))
	case c.Bool("diff"):
		return showFixes(c, r)
	case c.Bool("fix"):
		if r, err = makeFixes(c, r, paths, opts); err != nil {
			return err
		}
	}
	for _, path := range r.Skipped {
		fmt.Fprintf(c.App.ErrWriter, "hotloom: %s: info: skipped, its kind cannot be told\n", path)
	}
	if err := report.Write(c.App.Writer, format, r, report.Options{Color: command.Colored(c.App.Writer), Version: command.Version()}); err != nil {
		return err
	}
	return verdict(c, r, config)
}

// check reads the files anew, so that a second run sees what the first one changed.
func check(c *cli.Context, paths []string, opts lint.Options) (*lint.Report, error) {
	opts.Files = compiler.NewFiles()
	return lint.Run(c.Context, paths, opts)
}

// options joins flags and configuration; flags count more.
func options(c *cli.Context) (lint.Options, *lint.Config, error) {
	opts, err := flagged(c)
	if err != nil {
		return opts, nil, err
	}
	opts.Exclude = c.StringSlice("exclude")
	if c.IsSet("baseline") {
		b, err := lint.LoadBaseline(c.String("baseline"))
		if err != nil {
			return opts, nil, err
		}
		opts.Baseline = b
	}
	config, err := configuration(c, ".")
	if err == nil {
		err = Configure(c, &opts, config)
	}
	if err != nil {
		return opts, nil, command.UsageError{Err: err}
	}
	if c.IsSet("write-baseline") {
		opts.Baseline = nil
	}
	return opts, config, nil
}

// settingFlags are the flags that say how files are checked, whoever asks.
func settingFlags() []cli.Flag {
	return []cli.Flag{
		command.EnvironmentFlag(),
		&cli.StringFlag{Name: "profile", Usage: "a Heat `RELEASE` (19.0.0, zed, newest, any) or the file of a captured profile"},
		&cli.StringSliceFlag{Name: "rule", Usage: "set a rule's `LEVEL`: ID=error|warning|info|off; may be repeated"},
		&cli.StringFlag{Name: "unknown-types", Usage: "what types mean that Heat does not have: `error|warn|ignore`"},
		&cli.StringFlag{Name: "config", Usage: "read `FILE` instead of looking for hotloom.yaml"},
	}
}

// flagged is what the setting flags say.
func flagged(c *cli.Context) (lint.Options, error) {
	opts := lint.Options{Environments: c.StringSlice("environment"), Rules: map[string]lint.Level{}}
	for _, setting := range c.StringSlice("rule") {
		id, level, ok := strings.Cut(setting, "=")
		if !ok {
			return opts, command.Usagef("%s: --rule takes ID=LEVEL, not %q", c.Command.Name, setting)
		}
		opts.Rules[id] = lint.Level(level)
	}
	opts.Unknown = opts.Unknown.WithDefault(c.String("unknown-types"))
	if c.IsSet("profile") {
		types, err := lint.LoadProfile(c.String("profile"))
		if err != nil {
			return opts, command.UsageError{Err: err}
		}
		opts.Catalog = types
	}
	return opts, nil
}

// configuration is the one that is given, or that of a folder.
func configuration(c *cli.Context, folder string) (*lint.Config, error) {
	if c.IsSet("config") {
		return lint.LoadConfig(c.String("config"))
	}
	return lint.FindConfig(folder)
}

// Configure sets what the flags leave open, and lets the check know what providers offer.
func Configure(c *cli.Context, opts *lint.Options, config *lint.Config) error {
	if err := config.Apply(opts); err != nil {
		return err
	}
	return providers.Add(opts, config, c.App.ErrWriter)
}

func verdict(c *cli.Context, r *lint.Report, config *lint.Config) error {
	limit := c.Int("max-warnings")
	if !c.IsSet("max-warnings") && config != nil {
		limit = config.MaxWarnings
	}
	_, warnings, _ := r.Count()
	if limit >= 0 && warnings > limit {
		fmt.Fprintf(c.App.ErrWriter, "hotloom: %d warnings, %d are allowed\n", warnings, limit)
		return command.ErrFindings
	}
	if r.Diagnostics.HasErrors() {
		return command.ErrFindings
	}
	return nil
}

func explain(c *cli.Context) error {
	id := c.String("explain")
	if id == "all" {
		for _, id := range lint.RuleIDs() {
			r := lint.RuleByID(id)
			fmt.Fprintf(c.App.Writer, "%-28s %-8s %s\n", id, r.Severity, r.Summary)
		}
		return nil
	}
	page, ok := lint.Explain(id)
	if !ok {
		if near := diag.Nearest(id, lint.RuleIDs()); near != "" {
			return command.Usagef("lint: no rule %q; did you mean %s?", id, near)
		}
		return command.Usagef("lint: no rule %q (%s --explain all lists them)", id, c.Command.HelpName)
	}
	fmt.Fprint(c.App.Writer, page)
	return nil
}

func showFixes(c *cli.Context, r *lint.Report) error {
	fixed, err := r.Fixed()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(fixed)) {
		fmt.Fprint(c.App.Writer, report.Diff(path, r.Sources[path], fixed[path]))
	}
	return nil
}

// makeFixes writes the changed files and gives the report of what is left.
func makeFixes(c *cli.Context, r *lint.Report, paths []string, opts lint.Options) (*lint.Report, error) {
	fixed, err := r.Fixed()
	if err != nil || len(fixed) == 0 {
		return r, err
	}
	for _, path := range slices.Sorted(maps.Keys(fixed)) {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, fixed[path], info.Mode().Perm()); err != nil {
			return nil, err
		}
		fmt.Fprintf(c.App.ErrWriter, "hotloom: fixed %s\n", path)
	}
	return check(c, paths, opts)
}
