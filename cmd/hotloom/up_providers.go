package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/providers"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/local"
	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/plugins/host"
	"github.com/hotloom/hotloom/resources"
)

// ownProviders are the project's providers for a run: those that are not part of hotloom, and that of software components. What they offer is asked of the
// cache, or of them; they run when they are needed.
type ownProviders struct {
	host  *host.Host // nil where there are none
	known map[string]*resources.Description
}

// openOwnProviders finds the project's providers and what they offer. The errors say which could not be asked.
func openOwnProviders(c *cli.Context) (*ownProviders, []error, error) {
	sources, err := ownSources()
	if err != nil {
		return nil, nil, err
	}
	o := &ownProviders{known: map[string]*resources.Description{}}
	if len(sources) == 0 {
		return o, nil, nil
	}
	if o.host, err = hostOf(c, sources); err != nil {
		return nil, nil, err
	}
	var faults []error
	for _, s := range sources {
		d, err := described(c, o.host, s)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		o.known[s.Name] = d
	}
	return o, faults, nil
}

// described says what a provider offers; for one that is part of hotloom nothing is started.
func described(c *cli.Context, h *host.Host, s host.Source) (*resources.Description, error) {
	if s.Origin == discover.Bundled && s.Name == providers.SoftwareName {
		return providers.Software()
	}
	return h.Provider(s.Name).Described(c.Context)
}

// close ends the providers that run.
func (o *ownProviders) close() {
	if o.host != nil {
		_ = o.host.Close()
	}
}

// actions are the workflow actions of all providers, but for those whose names are taken: that is told.
func (o *ownProviders) actions(taken *action.Registry, stderr io.Writer) []action.Definition {
	if o.host == nil {
		return nil
	}
	var out []action.Definition
	by := map[string]string{}
	for _, s := range o.host.Sources() {
		d := o.known[s.Name]
		if d == nil {
			continue
		}
		for _, a := range action.Provided(s.Name, o.host.Provider(s.Name), d.Actions) {
			switch {
			case taken.Find(a.Name) != nil:
				fmt.Fprintf(stderr, "hotloom: provider %s: its action %s is not there: hotloom has one of that name\n", s.Name, a.Name)
			case by[a.Name] != "":
				fmt.Fprintf(stderr, "hotloom: provider %s: its action %s is not there: provider %s has one of that name\n", s.Name, a.Name, by[a.Name])
			default:
				by[a.Name] = s.Name
				out = append(out, a)
			}
		}
	}
	return out
}

// types are the resource types of this machine with those of the providers.
func (o *ownProviders) types() local.Types {
	types := local.StandardTypes()
	if o.host == nil {
		return types
	}
	for _, s := range o.host.Sources() {
		d := o.known[s.Name]
		if d == nil {
			continue
		}
		for name, t := range local.ProviderTypes(o.host.Provider(s.Name), d.Types) {
			if types[name] == nil {
				types[name] = t
			}
		}
	}
	return types
}

// tools are the tools of this machine with those of the providers.
func (o *ownProviders) tools() local.Tools {
	tools := local.StandardTools()
	if o.host == nil {
		return tools
	}
	for _, s := range o.host.Sources() {
		d := o.known[s.Name]
		if d == nil {
			continue
		}
		for name, t := range local.ProviderTools(o.host.Provider(s.Name), d.Tools) {
			if tools[name] == nil {
				tools[name] = t
			}
		}
	}
	return tools
}

// ownSources are the sources of the project's providers and of software components; the plan of a stack has what else is part
// of hotloom itself.
func ownSources() ([]host.Source, error) {
	sources, err := providerSources()
	var own []host.Source
	for _, s := range sources {
		if s.Origin != discover.Bundled || s.Name == providers.SoftwareName {
			own = append(own, s)
		}
	}
	return own, err
}

// runActions are the actions that workflows may call in a run, and what ends the providers behind them. A provider that
// cannot be asked is told on stderr: workflows that call none of its actions run all the same.
func runActions(c *cli.Context) (*action.Registry, func(), error) {
	own, faults, err := openOwnProviders(c)
	if err != nil {
		return nil, nil, err
	}
	for _, fault := range faults {
		fmt.Fprintf(c.App.ErrWriter, "hotloom: %v; its actions are not there\n", fault)
	}
	registry, err := actionRegistry(c)
	if err == nil {
		registry, err = registry.With(own.actions(registry, c.App.ErrWriter))
	}
	if err != nil {
		own.close()
		return nil, nil, err
	}
	return registry, own.close, nil
}

// localProviders gives the options of a stack what the project's providers have, and what ends them.
func localProviders(c *cli.Context, o *local.Options) (func(), error) {
	own, faults, err := openOwnProviders(c)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 { // its resources might be there
		own.close()
		return nil, errors.Join(faults...)
	}
	standard, err := action.NewRegistry(action.Std(action.Config{}))
	if err != nil {
		own.close()
		return nil, err
	}
	o.Types, o.Tools, o.Actions = own.types(), own.tools(), own.actions(standard, c.App.ErrWriter)
	return own.close, nil
}
