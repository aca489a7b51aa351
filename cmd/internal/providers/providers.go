// Package providers tells checks what the project's own providers offer.
package providers

import (
	"context"
	"fmt"
	"io"
	"maps"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
	"github.com/hotloom/hotloom/resources/softwarecomponent"
	"github.com/hotloom/hotloom/resources/typed"
)

// Known is what the project's own providers offer, by their names, as far as they were ever described, and the provider of
// software components; on stderr it says which were not. Nothing is started for it: a project that was only downloaded must
// not run its programs because somebody checks its templates.
func Known(config *lint.Config, stderr io.Writer) (map[string]*resources.Description, error) {
	var own *discover.Config
	var err error
	if config != nil {
		if own, err = discover.LoadConfig(config.Path); err != nil {
			return nil, err
		}
	}
	sources, err := discover.Find(own, nil)
	out := map[string]*resources.Description{}
	for _, s := range sources {
		d, known := s.Recall()
		if !known {
			fmt.Fprintf(stderr, "hotloom: provider %s is not known yet, so what it offers is not checked: hotloom plugins verify %s\n", s.Name, s.Name)
			continue
		}
		out[s.Name] = d
	}
	if out[SoftwareName] == nil && err == nil {
		out[SoftwareName], err = Software()
	}
	return out, err
}

// SoftwareName is the provider that is part of hotloom and whose types templates name as those of any other. The types of the
// provider workflow are part of the language, and its tools are known without a provider.
const SoftwareName = "software"

// Software says what that provider offers, without what it needs to do it: that starts nothing.
func Software() (*resources.Description, error) {
	p, err := typed.New(typed.Provider{Name: SoftwareName, Version: "bundled", Types: typed.Types{
		softwarecomponent.Type: softwarecomponent.New(nil, nil, false),
	}})
	if err != nil {
		return nil, err
	}
	return p.Describe(context.Background())
}

// Add lets a check know the resource types and actions of the project's own providers.
func Add(o *lint.Options, config *lint.Config, stderr io.Writer) error {
	known, err := Known(config, stderr)
	types := map[string]*catalog.Type{}
	for _, d := range known {
		maps.Copy(types, d.Types)
	}
	o.Actions = Signatures(known)
	if err != nil || len(types) == 0 {
		return err
	}
	if o.Catalog == nil {
		o.Catalog = catalog.Default()
	}
	o.Catalog = o.Catalog.With(types)
	return nil
}

// Signatures are the workflow actions of providers, as checks of workflows want them.
func Signatures(known map[string]*resources.Description) map[string]*workflow.Signature {
	out := map[string]*workflow.Signature{}
	for _, d := range known {
		for name, a := range d.Actions {
			sig := &workflow.Signature{Name: name, Open: a.Open}
			for _, in := range a.Arguments() {
				sig.Inputs = append(sig.Inputs, workflow.Param{Name: in.Name, HasDefault: !in.Required, Default: value.From(in.Default)})
			}
			out[name] = sig
		}
	}
	return out
}
