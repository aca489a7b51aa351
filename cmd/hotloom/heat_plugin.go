package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/bundled"
	"github.com/hotloom/hotloom/plugins/discover"
	bridge "github.com/hotloom/hotloom/plugins/heat"
	"github.com/hotloom/hotloom/plugins/host"
)

const heatState = "/var/lib/hotloom-heat"

func heatPluginCommand() *cli.Command {
	state := &cli.StringFlag{Name: "state", Usage: "folder with the socket and the providers' state, of heat-engine's user", Value: heatState}
	folders := &cli.StringSliceFlag{Name: "providers", Usage: "folder with providers (hotloom-provider-NAME); can be given several times"}
	config := &cli.StringFlag{Name: "config", Usage: "hotloom.yaml that names providers and pins their checksums"}
	local := &cli.BoolFlag{Name: "allow-local", Usage: "all users are trusted with this machine: Hotloom::SoftwareComponent may run on it, workflows may use its keys and its login to OpenStack Mistral"}
	return &cli.Command{
		Name:  "heat-plugin",
		Usage: "providers' resource types in a real heat-engine",
		Subcommands: []*cli.Command{
			{
				Name: "serve", Usage: "run the providers and answer heat-engine",
				Description: "Run it as the user of heat-engine. Nobody else can connect, but root.",
				Flags:       []cli.Flag{state, folders, config, local}, Action: runHeatServe, OnUsageError: command.OnUsageError,
			},
			{
				Name: "install", Usage: "write the plugin for heat-engine, and a systemd unit for serve",
				Description: "Start the unit, then restart heat-engine: it loads the types when it starts.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "dir", Usage: "folder of heat.conf's plugin_dirs to write " + bridge.PluginName + " to", Required: true},
					state, folders, config, local,
					&cli.StringFlag{Name: "user", Usage: "user of heat-engine", Value: "heat"},
					&cli.StringFlag{Name: "unit", Usage: "file of the systemd unit; \"\" for none", Value: "/etc/systemd/system/hotloom-heat.service"},
				},
				Action: runHeatInstall, OnUsageError: command.OnUsageError,
			},
		},
	}
}

func runHeatServe(c *cli.Context) error {
	if c.NArg() > 0 {
		return command.Usagef("heat-plugin serve takes no arguments")
	}
	state, err := filepath.Abs(c.String("state"))
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(c.App.ErrWriter, nil))
	sources, err := heatSources(c, state)
	if err != nil {
		return err
	}
	// A step of each resource in work holds a call for up to two seconds.
	h, err := host.New(sources, host.Options{Log: log, Parallel: 1024})
	if err != nil {
		return err
	}
	defer h.Close()
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return bridge.Serve(ctx, bridge.Options{
		State: state, Log: log,
		Offers: func(ctx context.Context) ([]bridge.Offer, []error) {
			ix, errs := h.Index(ctx)
			var out []bridge.Offer
			for _, name := range slices.Sorted(maps.Keys(ix.Descriptions)) {
				out = append(out, bridge.Offer{Provider: h.Provider(name), Description: ix.Descriptions[name]})
			}
			return out, errs
		},
		Ready: func() {
			log.Info("heat-engine is answered", "state", state)
			notifySystemd(log)
		},
	})
}

// heatSources finds the providers that a heat-engine gets. They keep what they keep in the state folder.
func heatSources(c *cli.Context, state string) ([]host.Source, error) {
	own := &discover.Config{}
	if path := c.String("config"); path != "" {
		var err error
		if own, err = discover.LoadConfig(path); err != nil {
			return nil, command.UsageError{Err: err}
		}
	}
	own.Folders = append(own.Folders, c.StringSlice("providers")...)
	env := []string{bundled.StateEnv + "=" + state}
	if !c.Bool("allow-local") {
		env = append(env, bundled.SharedEnv+"=1")
	}
	parts, err := bundledSources()
	if err != nil {
		return nil, err
	}
	sources, err := discover.Find(own, parts)
	for i := range sources {
		sources[i].Env = append(sources[i].Env, env...)
		sources[i].Cache = filepath.Join(state, "descriptions")
	}
	return sources, err
}

func runHeatInstall(c *cli.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	absolute := func(path string) string {
		if abs, err := filepath.Abs(path); err == nil && path != "" {
			return abs
		}
		return path
	}
	i := bridge.Installation{
		Dir: c.String("dir"), State: absolute(c.String("state")), Unit: c.String("unit"), User: c.String("user"),
	}
	i.Command = []string{self, "heat-plugin", "serve", "--state", i.State}
	for _, folder := range c.StringSlice("providers") {
		i.Command = append(i.Command, "--providers", absolute(folder))
	}
	if config := c.String("config"); config != "" {
		i.Command = append(i.Command, "--config", absolute(config))
	}
	if c.Bool("allow-local") {
		i.Command = append(i.Command, "--allow-local")
	}
	if err := bridge.Install(i); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s\n", filepath.Join(i.Dir, bridge.PluginName))
	if i.Unit != "" {
		fmt.Fprintf(c.App.Writer, "%s\n", i.Unit)
	}
	return nil
}

// notifySystemd says that the unit is ready, where systemd asks for it.
func notifySystemd(log *slog.Logger) {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err == nil {
		_, err = c.Write([]byte("READY=1"))
		_ = c.Close()
	}
	if err != nil {
		log.Warn("systemd is not told that we are ready", "error", err)
	}
}
