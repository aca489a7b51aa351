package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/internal/local"
)

func upCommand() *cli.Command {
	return &cli.Command{
		Name:      "up",
		Usage:     "make or update a stack on this machine: hosts are folders, steps really run",
		ArgsUsage: "TEMPLATE | NAME",
		Description: "Weaves the template and carries it out here. Each server is a folder with a HOME, TMPDIR and address of its own, or\n" +
			"what --host says: another folder, or a machine by SSH. The scripts of its components run there, as you, in the\n" +
			"order that the template asks for. Resources that ask no cloud are made; others are an error, or stubs.\n\n" +
			"A second up runs what has changed, and what reads that. Ctrl-C lets running steps end and pauses; up goes on,\n" +
			"after kill -9 too. With the NAME of a stack it goes on with the template as it was then.\n\n" +
			"Examples:\n" +
			"   hotloom up --yes examples/hello/template.yaml\n" +
			"   hotloom up -e prod.yaml --param size=3 --name shop template.yaml\n" +
			"   hotloom up --host db=ssh://root@192.0.2.7 --host web=/srv/web template.yaml\n" +
			"   hotloom up --yes --format json template.yaml | jq -r 'select(.state == \"CREATE_FAILED\") | .message'",
		Flags: []cli.Flag{
			command.EnvironmentFlag(),
			&cli.GenericFlag{Name: "param", Aliases: []string{"P", "parameter"}, Usage: "a parameter, `NAME=VALUE`; may be repeated, goes before environments", Value: &params{}},
			&cli.StringFlag{Name: "name", Usage: "the `NAME` of the stack; otherwise that of the template's folder or file"},
			&cli.StringSliceFlag{Name: "host", Usage: "where a server is, `NAME=DIR` or NAME=ssh://user@address; may be repeated, GROUP.0 is a member"},
			&cli.BoolFlag{Name: "stub-unknown", Usage: "let resources that this machine can not make pass as ones that do nothing"},
			&cli.DurationFlag{Name: "timeout", Usage: "end what runs after this `TIME`, and pause"},
			&cli.IntFlag{Name: "parallel", Usage: "how many steps run at once: `N`", Value: 8},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask whether steps may run on this machine"},
			formatFlag(snapshotFormats),
			stateFlag(),
		},
		BashComplete: command.CompleteFlagValues("format", snapshotFormats),
		Action:       runUp,
	}
}

func runUp(c *cli.Context) error {
	arg, err := stackArgument(c, "TEMPLATE or NAME")
	if err != nil {
		return err
	}
	root, err := stateFolder(c)
	if err != nil {
		return err
	}
	o := local.Options{Parallel: c.Int("parallel")}
	endProviders, err := localProviders(c, &o)
	if err != nil {
		return err
	}
	defer endProviders()
	name, unit, src, err := upSource(c, root, arg)
	if err != nil {
		return err
	}
	prepared, found := local.Prepare(unit, *src, o)
	if err := printFindings(c, unit, errorsOnly(found)); err != nil {
		return err
	}
	if host := prepared.UnknownBinding(); host != "" {
		hint := "it has none"
		if names := prepared.Hosts(); len(names) > 0 {
			hint = "it has " + strings.Join(names, ", ")
		}
		return command.Usagef("up: --host %s: the template has no such server; %s", host, hint)
	}
	if err := mayRun(c, root, name, prepared); err != nil {
		return err
	}
	return follow(c, root, name, prepared.Nodes(), o, func(ctx context.Context, o local.Options) (*local.Outcome, error) {
		return local.Up(ctx, root, name, prepared, o)
	})
}

// stackArgument is the only argument; flags may stand behind it.
func stackArgument(c *cli.Context, what string) (string, error) {
	args, err := command.Arguments(c)
	if err != nil {
		return "", err
	}
	if len(args) != 1 {
		return "", command.Usagef("%s: want one %s, not %d arguments (%s --help explains)", c.Command.Name, what, len(args), c.Command.HelpName)
	}
	_, err = command.Choice(c, "format", snapshotFormats)
	return args[0], err
}

// errorsOnly leaves out what is not in the way: lint and compile tell that.
func errorsOnly(found diag.List) diag.List {
	if !found.HasErrors() {
		return nil
	}
	return found
}

// upSource finds out which stack is meant, and loads its template: the file that was given, or as it was kept.
func upSource(c *cli.Context, root, arg string) (name string, unit *compiler.Unit, src *local.Source, err error) {
	bindings, err := hostFlags(c)
	if err != nil {
		return "", nil, nil, err
	}
	given := map[string]string{}
	if list, ok := c.Generic("param").(*params); ok {
		for _, p := range *list {
			given[p.Name] = p.Value
		}
	}
	_, notFile := os.Stat(arg)
	if notFile != nil && local.ValidName(arg) {
		s, err := local.OpenState(root, arg)
		var none *local.NotThere
		switch {
		case err == nil:
			return upKept(c, s, arg, given, bindings)
		case !errors.As(err, &none):
			return "", nil, nil, err
		case filepath.Ext(arg) == "":
			return "", nil, nil, command.Usagef("up: there is no file and no stack %s", arg)
		}
	}
	if name = c.String("name"); name == "" {
		name = stackName(arg)
	}
	if !local.ValidName(name) {
		return "", nil, nil, command.Usagef("up: %q can not be a stack's name: a letter, then letters, digits, _ . or -; give one with --name", name)
	}
	template, err := filepath.Abs(arg)
	if err != nil {
		return "", nil, nil, err
	}
	src = &local.Source{
		Template: template, Environments: c.StringSlice("environment"), Parameters: given, Bindings: bindings, Stub: c.Bool("stub-unknown"),
	}
	if err := sameStack(c, root, name, src); err != nil {
		return "", nil, nil, err
	}
	unit, err = loadFiles(compiler.NewFiles(), arg, lint.Options{Environments: src.Environments, Parameters: given})
	src.Path = arg
	return name, unit, src, err
}

// sameStack keeps two templates from being taken for the same stack by their folders' names, and hosts where they are.
func sameStack(c *cli.Context, root, name string, src *local.Source) error {
	s, err := local.OpenState(root, name)
	var none *local.NotThere
	if errors.As(err, &none) {
		return nil
	}
	if err != nil {
		return err
	}
	if was := s.Info().Template; was != "" && was != src.Template && c.String("name") == "" {
		return command.Usagef("up: stack %s was made from %s; give another --name, or the same to update it from this template", name, was)
	}
	kept, err := s.Source()
	if err != nil {
		return nil //nolint:nilerr // it was killed before it kept anything
	}
	for host, to := range kept.Bindings {
		if _, ok := src.Bindings[host]; !ok {
			src.Bindings[host] = to
		}
	}
	return nil
}

// upKept loads the template of a stack as it was kept.
func upKept(c *cli.Context, s *local.State, name string, given map[string]string, bindings local.Bindings) (string, *compiler.Unit, *local.Source, error) {
	if len(c.StringSlice("environment")) > 0 || c.String("name") != "" {
		return "", nil, nil, command.Usagef("up: -e and --name go with a TEMPLATE; %s is a stack, whose files are those of its last up", name)
	}
	src, err := s.Source()
	if err != nil {
		return "", nil, nil, fmt.Errorf("stack %s: %w", name, err)
	}
	if src.Parameters == nil {
		src.Parameters = map[string]string{}
	}
	for k, v := range given {
		src.Parameters[k] = v
	}
	if src.Bindings == nil {
		src.Bindings = local.Bindings{}
	}
	for k, v := range bindings {
		src.Bindings[k] = v
	}
	src.Stub = src.Stub || c.Bool("stub-unknown")
	unit, err := loadFiles(src.Open(), src.Path, lint.Options{Environments: src.Environments, Parameters: src.Parameters})
	return name, unit, src, err
}

func hostFlags(c *cli.Context) (local.Bindings, error) {
	out := local.Bindings{}
	for _, text := range c.StringSlice("host") {
		name, to, err := local.ParseBinding(text)
		if err != nil {
			return nil, command.Usagef("up: --host: %w", err)
		}
		out[name] = to
	}
	return out, nil
}

// stackName names a stack after its template's folder, or after the file where that has a name of its own.
func stackName(path string) string {
	base := filepath.Base(path)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if name == "template" || name == "stack" || name == "main" {
		if abs, err := filepath.Abs(path); err == nil {
			return filepath.Base(filepath.Dir(abs))
		}
	}
	return name
}

// mayRun says that steps run on this machine, and asks where that is new. Without a terminal --yes has to answer.
func mayRun(c *cli.Context, root, name string, p *local.Prepared) error {
	if c.Bool("yes") || !p.Local() {
		return nil
	}
	whom := ""
	if u, err := user.Current(); err == nil {
		whom = ", as " + u.Username
	}
	if !command.IsTerminal(c.App.Reader) || !command.IsTerminal(c.App.ErrWriter) {
		return command.Usagef("up: the steps of this template run on this machine%s; --yes says that they may", whom)
	}
	if _, err := local.OpenState(root, name); err == nil {
		return nil // it was asked when the stack was made
	}
	fmt.Fprintf(c.App.ErrWriter, "The steps of this template run on this machine%s. Go on? [y/N] ", whom)
	answer := make(chan string, 1)
	go func() { // ends with the answer, or with the process: reading from a terminal can not be interrupted
		var a string
		_, _ = fmt.Fscanln(c.App.Reader, &a) // no answer is none
		answer <- strings.ToLower(a)
	}()
	select {
	case a := <-answer:
		if a == "y" || a == "yes" {
			return nil
		}
	case <-c.Context.Done():
	}
	return command.Usagef("up: nothing was done")
}

// follow does something to a stack, shows its progress, and prints how it ended.
func follow(c *cli.Context, root, name string, nodes []local.Planned, o local.Options, do func(context.Context, local.Options) (*local.Outcome, error)) error {
	ctx, force, stop := interruptible(c)
	defer stop()
	show := newProgress(c, name, nodes)
	o.Events, o.Force = show.event, force
	out, err := do(ctx, o)
	show.close()
	if err != nil {
		return err
	}
	if err := printOutcome(c, root, name, out); err != nil {
		return err
	}
	if out.Paused || out.Reason != "" {
		return command.ErrFindings
	}
	return nil
}

// interruptible gives a context that ends with the first Ctrl-C or the timeout, and a channel that is closed with the
// second, or with the timeout.
func interruptible(c *cli.Context) (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancel(c.Context)
	force := make(chan struct{})
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var late <-chan time.Time
	if limit := c.Duration("timeout"); limit > 0 {
		timer := time.NewTimer(limit)
		late = timer.C
	}
	done := make(chan struct{})
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for n := 0; ; {
			select {
			case <-done:
				return
			case <-late:
				fmt.Fprintf(c.App.ErrWriter, "hotloom: no end within %v\n", c.Duration("timeout"))
				cancel()
				close(force)
				return
			case <-signals:
			}
			if n++; n == 1 {
				fmt.Fprintln(c.App.ErrWriter, "hotloom: pausing when the running steps have ended; once more to end them now")
				cancel()
				continue
			}
			close(force)
			return
		}
	}()
	return ctx, force, func() {
		signal.Stop(signals)
		close(done)
		<-finished
		cancel()
	}
}
