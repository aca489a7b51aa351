// Package bundled has the providers that are part of hotloom: those of package resources, tied to the engines, and the
// tools. Each runs in a process of its own, which is hotloom itself started again, or right where it is needed.
package bundled

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/local"
	"github.com/hotloom/hotloom/internal/stack/agent"
	"github.com/hotloom/hotloom/plugins/standard"
	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/softwarecomponent"
	"github.com/hotloom/hotloom/resources/typed"
	"github.com/hotloom/hotloom/resources/workflow"
	"github.com/hotloom/hotloom/resources/workflowhandle"
)

// Bundled is one provider that is part of hotloom.
type Bundled struct {
	Name string
	New  func() (resources.Provider, error)
}

// Providers are all of them.
var Providers = []Bundled{
	{"workflow", newWorkflow},
	{"software", newSoftware},
	{"tools", newTools},
}

// tools are those of Providers that have tools, for components.
var tools = []func() (resources.Provider, error){newTools}

// New makes a provider by its name.
func New(name string) (resources.Provider, error) {
	for _, b := range Providers {
		if b.Name == name {
			return b.New()
		}
	}
	return nil, fmt.Errorf("no provider %q is part of hotloom", name)
}

// StateEnv names the folder where bundled providers keep what must survive them.
const StateEnv = "HOTLOOM_STATE"

// SharedEnv, where it is set, says that users who do not trust each other share the providers, as those of a heat-engine do.
// What they run is their own, so nothing of the machine's or of its owner's is lent to it: a software component needs a host
// with an address and a key, workflows run on the embedded engine, without keys of the machine, and each stack sees its own.
const SharedEnv = "HOTLOOM_SHARED"

func shared() bool { return os.Getenv(SharedEnv) != "" }

// stateFolder is a folder for one purpose.
func stateFolder(purpose string) (string, error) {
	base := os.Getenv(StateEnv)
	if base == "" {
		if base = os.Getenv("XDG_STATE_HOME"); base == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("no folder for the state (set %s): %w", StateEnv, err)
			}
			base = filepath.Join(home, ".local", "state")
		}
		base = filepath.Join(base, "hotloom")
	}
	return filepath.Join(base, "providers", purpose), nil
}

func newWorkflow() (resources.Provider, error) {
	handles, err := stateFolder("handles")
	if err != nil {
		return nil, err
	}
	store := workflowhandle.NewStore(handles)
	engine := &lazyEngine{}
	p, err := typed.New(typed.Provider{
		Name: "workflow", Version: version(), Summary: "workflows and what they wait for, on the embedded engine or OpenStack Mistral",
		Types: typed.Types{
			workflowhandle.Type: workflowhandle.New(store),
			workflow.Type:       workflow.New(engine, store),
		},
	})
	if err != nil {
		return nil, err
	}
	return &closing{Provider: p, close: engine.Close}, nil
}

func newSoftware() (resources.Provider, error) {
	var open []resources.Provider
	for _, make := range tools {
		p, err := make()
		if err != nil {
			return nil, err
		}
		open = append(open, p)
	}
	find := func(ctx context.Context, tool string) (resources.Provider, error) {
		for _, p := range open {
			if d, err := p.Describe(ctx); err == nil && d.Tools[tool] != nil {
				return p, nil
			}
		}
		return nil, resources.InvalidAt([]string{"tool"}, "there is no tool %q", tool)
	}
	return typed.New(typed.Provider{
		Name: "software", Version: version(), Summary: "software components on hosts",
		Types: typed.Types{softwarecomponent.Type: softwarecomponent.New(find, agent.New(login), shared())},
	})
}

// login logs in to the cloud that OS_* and clouds.yaml name.
func login(ctx context.Context) (*cloud.Client, error) {
	return cloud.Connect(ctx, cloud.Options{UserAgent: "hotloom/" + version()})
}

// newTools makes the provider of the tools that are part of hotloom.
func newTools() (resources.Provider, error) {
	dir, err := stateFolder("tools")
	if err != nil {
		return nil, err
	}
	all := typed.Tools{}
	for name, t := range standard.Tools {
		all[name] = typed.Tool{
			Tool: t.Tool, Repeatable: t.Repeatable,
			Run: func(ctx context.Context, c *typed.Call, run *resources.ToolRun) (resources.Values, error) {
				if err := os.MkdirAll(dir, 0o700); err != nil {
					return nil, err
				}
				return local.RunTool(ctx, t, tool.Task{ToolRun: run, Action: c.Action}, dir, c.Key)
			},
		}
	}
	return typed.New(typed.Provider{Name: "tools", Version: version(), Summary: "tools that configure software on hosts", Tools: all})
}

// closing is a provider with something to close behind it.
type closing struct {
	resources.Provider
	close func() error
}

// Close implements io.Closer.
func (c *closing) Close() error {
	if inner, ok := c.Provider.(interface{ Close() error }); ok {
		if err := inner.Close(); err != nil {
			return err
		}
	}
	return c.close()
}

// version is that of hotloom: bundled providers are a part of it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
