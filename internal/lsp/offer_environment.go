package lsp

import (
	"maps"
	"slices"
	"sync"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/lint"
)

// environmentRules says what may stand where in an environment.
var environmentRules = sync.OnceValue(func() []rule {
	return []rule{
		{at: pattern{}, keys: fixedKeys("section", hot.EnvironmentSections...)},
		{at: path("parameters"), keys: (*place).openParameters},
		{at: path("parameter_defaults"), keys: (*place).openParameters},
		{at: path("parameter_merge_strategies"), keys: (*place).openParameters},
		{at: path("parameter_merge_strategies/*k"), vals: fixedValues("strategy", "overwrite", "merge", "deep_merge")},
		{at: path("resource_registry"), keys: (*place).registryTypes},
		{at: path("resource_registry/resources/*k/*k"), vals: (*place).resourceTypes},
		{at: path("resource_registry/resources/*k"), keys: (*place).registryTypes},
		{at: path("resource_registry/*k"), vals: (*place).resourceTypes},
	}
})

// openParameters are those of the templates that are open: which of them the environment is for, it does not say.
func (p *place) openParameters() []offer {
	var out []offer
	seen := map[string]bool{}
	for _, at := range slices.Sorted(maps.Keys(p.snap.docs)) {
		if p.snap.docs[at].Kind() != lint.KindTemplate {
			continue
		}
		for _, def := range p.snap.view(at).Meaning().Template.Parameters {
			if !seen[def.Name.Text] {
				seen[def.Name.Text] = true
				out = append(out, offer{name: def.Name.Text, kind: itemVariable, detail: string(def.Type), doc: describeParameter(def)})
			}
		}
	}
	return out
}

func (p *place) registryTypes() []offer {
	var out []offer
	for _, name := range p.m.Catalog.Names() {
		out = append(out, offer{name: name, kind: itemClass, resource: name})
	}
	return out
}
