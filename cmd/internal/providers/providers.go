// Package providers tells checks what the project's own providers offer.
package providers

import (
	"fmt"
	"io"
	"maps"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Known is what the project's own providers offer, by their names, as far as they were ever described; on stderr
// it says which were not. Nothing is started for it: a project that was only downloaded must not run its programs because
// somebody checks its templates.
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
	return out, err
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
