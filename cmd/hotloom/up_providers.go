package main

import (
	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/internal/local"
	"github.com/hotloom/hotloom/plugins/discover"
)

// localTypes are the resource types of this machine with those of the project's providers. Providers run only where a
// template needs one of their types; the function that it gives ends them.
func localTypes(c *cli.Context) (local.Types, func(), error) {
	types := local.StandardTypes()
	sources, err := providerSources()
	if err != nil {
		return nil, nil, err
	}
	own := false
	for _, s := range sources {
		own = own || s.Origin != discover.Bundled
	}
	if !own {
		return types, func() {}, nil
	}
	h, err := openHost(c)
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = h.Close() }
	for _, s := range sources {
		if s.Origin == discover.Bundled {
			continue // the plan has handles, workflows and components itself
		}
		p := h.Provider(s.Name)
		d, err := p.Described(c.Context)
		if err != nil {
			end()
			return nil, nil, err
		}
		for name, t := range local.ProviderTypes(p, d.Types) {
			if types[name] == nil {
				types[name] = t
			}
		}
	}
	return types, end, nil
}
