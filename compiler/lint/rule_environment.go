package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
)

var unusedDefault = &Rule{
	ID: "unused-parameter-default", Severity: diag.Info, Tag: Unnecessary, Check: &Check{"parameter-defaults", checkDefaults},
	Summary: "parameter_defaults of an environment names a parameter that neither the template nor one nested in it has.",
	Heat:    "Accepted: unknown names are ignored there, unlike in `parameters`.",
}

var suspiciousMapping = &Rule{
	ID: "registry-value", Severity: diag.Warning, Check: &Check{"registry", checkRegistry},
	Summary: "The resource_registry maps a type to something that Heat does not know.",
	Heat:    "Accepted: the type is not found when a resource uses it.",
}

func checkDefaults(p *Pass) {
	if p.Stack.Parent != nil {
		return
	}
	names := map[string]bool{}
	p.Stack.Walk(func(s *hot.Stack) {
		for _, def := range s.Template.Parameters {
			names[def.Name.Text] = true
		}
	})
	for _, pair := range p.Stack.Environment.Defaults {
		if !names[pair.Key.Text] {
			p.report(diag.Infof(pair.Key.At(), "unused-parameter-default", "no template has a parameter %q", pair.Key.Text))
		}
	}
}

func checkRegistry(p *Pass) {
	if p.Stack.Parent != nil || p.Stack.Environment.Registry == nil {
		return
	}
	for _, m := range p.Stack.Environment.Registry.Mappings() {
		to := m.Value.Text
		if strings.HasSuffix(m.Key.Text, "*") && hot.IsTemplateName(to) {
			p.report(diag.Warnf(m.Key.At(), "registry-value", "Heat takes no wildcard for a template: only a type with the name %q would be %s", m.Key.Text, to).
				With("write one entry for each type"))
			continue
		}
		if hot.IsTemplateName(to) || strings.HasSuffix(to, "*") || p.Catalog.Knows(to) || strings.Contains(to, "://") {
			continue
		}
		if hot.IsTemplateName(m.Key.Text) {
			continue
		}
		if other := p.Stack.Environment.Registry.Resolve(m.Value, "", p.Catalog.Knows); other.Found {
			continue
		}
		if severity, report := p.unknownType(to); !report || severity != diag.Error {
			continue
		}
		d := diag.Warnf(m.Value.At(), "registry-value", "%s is no resource type and no .yaml or .template file", quote(to))
		if near := diag.Nearest(to, p.Catalog.Names()); near != "" {
			d = d.With("did you mean %q?", near)
		}
		p.report(d)
	}
}
