package lint

import (
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

var support = &Check{"support", checkSupport}

var deprecatedType = &Rule{
	ID: "deprecated-type", Severity: diag.Warning, Tag: Deprecated, Check: support,
	Summary: "A resource type is deprecated, hidden or unsupported.",
	Heat:    "Accepted. Hidden types are left out of lists; a later release removes them or makes them placeholders.",
}

var placeholderType = &Rule{
	ID: "placeholder-type", Severity: diag.Warning, Check: support,
	Summary: "A resource type is a placeholder: it accepts everything and creates nothing.",
	Heat:    "Accepted. The stack completes, and the thing is not there.",
}

var deprecatedProperty = &Rule{
	ID: "deprecated-property", Severity: diag.Warning, Tag: Deprecated, Check: support,
	Summary: "A property is deprecated or hidden.",
	Heat:    "Accepted. Old names are rewritten to the new ones before anything is checked.",
}

var releaseDifference = &Rule{
	ID: "release-difference", Severity: diag.Info, Check: support,
	Summary: "A property or type exists in some of the known Heat releases only.",
	Heat:    "Refused by the releases that lack it. Name your release with the setting profile to have an error where it does.",
}

func checkSupport(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil {
			continue
		}
		p.typeSupport(r, t)
		if r.Properties == nil {
			continue
		}
		for _, pair := range r.Properties.Pairs {
			if prop := t.Properties[hot.KeyText(pair.Key)]; prop != nil {
				p.propertySupport(r.Properties, pair, prop, []string{hot.KeyText(pair.Key)}, t)
			}
		}
	}
}

func (p *Pass) typeSupport(r *hot.Resource, t *catalog.Type) {
	name := r.Type.Str()
	switch {
	case t.Placeholder && t.Name != "OS::Heat::None":
		p.report(replacement(diag.Warnf(r.Type.At(), "placeholder-type", "%s creates nothing any more: it is only a placeholder", name), t.Support))
		return
	case t.PlaceholderSince != "":
		p.report(replacement(diag.Warnf(r.Type.At(), "placeholder-type", "%s creates nothing from %s on: it is only a placeholder there",
			name, sinceRelease(t)), t.Support))
		return
	case t.Name != name && strings.HasPrefix(name, "OS::"):
		p.reportFix(diag.Warnf(r.Type.At(), "deprecated-type", "%s is an old name", name).With("write %s", t.Name), rewrite(r.Type, t.Name))
		return
	}
	switch t.Support.Status {
	case catalog.Deprecated, catalog.Hidden:
		d := diag.Warnf(r.Type.At(), "deprecated-type", "%s is %s%s", name, statusWord(t.Support.Status), since(t.Support.Version))
		p.report(replacement(d, t.Support))
	case catalog.Unsupported:
		p.report(diag.Infof(r.Type.At(), "deprecated-type", "%s is unsupported: Heat has it, but nobody promises that it works", name))
	}
}

func (p *Pass) propertySupport(siblings *source.Node, pair source.Pair, prop *catalog.Property, path []string, t *catalog.Type) {
	name := path[len(path)-1]
	switch {
	case prop.Only != "":
		p.report(diag.Infof(pair.Key.At(), "release-difference", "property %q of %s is only in Heat %s%s", strings.Join(path, "."), t.Name, prop.Only,
			map[bool]string{true: " and later", false: ""}[prop.Since != ""]))
	case prop.Support.Old():
		d := diag.Warnf(pair.Key.At(), "deprecated-property", "property %q of %s is %s%s", name, t.Name,
			statusWord(prop.Support.Status), since(prop.Support.Version))
		to := newName(t, path)
		if to == "" {
			p.report(d)
			break
		}
		d = d.With("write %s", to)
		if siblings.Pair(to) != nil {
			p.report(d) // which of the two is meant, the author must say
			break
		}
		p.reportFix(d, rewrite(pair.Key, to))
	}
	switch {
	case prop.Schema != nil && pair.Value.Is(source.Map):
		p.mapSupport(pair.Value, prop.Schema, path, t)
	case prop.Items != nil && prop.Items.Schema != nil && pair.Value.Is(source.List):
		for _, item := range pair.Value.Items {
			p.mapSupport(item, prop.Items.Schema, path, t)
		}
	}
}

func (p *Pass) mapSupport(n *source.Node, schema map[string]*catalog.Property, path []string, t *catalog.Type) {
	if !n.Is(source.Map) {
		return
	}
	for _, pair := range n.Pairs {
		name := hot.KeyText(pair.Key)
		if prop := schema[name]; prop != nil {
			p.propertySupport(n, pair, prop, append(path[:len(path):len(path)], name), t)
		}
	}
}

// newName is the name that replaces an old one, from the type's rewrites.
func newName(t *catalog.Type, path []string) string {
	full := strings.Join(path, ".")
	for _, tr := range t.Translations {
		if tr.Rule == "Replace" && len(tr.Custom) == 0 && strings.Join(tr.Source(), ".") == full && len(tr.Path) == len(path) {
			return tr.Path[len(tr.Path)-1]
		}
	}
	return ""
}

func replacement(d diag.Diagnostic, s catalog.Support) diag.Diagnostic {
	if len(s.Replacement) == 0 {
		return d
	}
	return d.With("use %s", strings.Join(s.Replacement, " or "))
}

func statusWord(s catalog.Status) string {
	if s == catalog.Hidden {
		return "obsolete"
	}
	return strings.ToLower(string(s))
}

func since(version string) string {
	if version == "" {
		return ""
	}
	return fmt.Sprintf(" since %s", version)
}

// sinceRelease names the release that made a type a placeholder.
func sinceRelease(t *catalog.Type) string {
	if t.PlaceholderSince[0] >= '0' && t.PlaceholderSince[0] <= '9' {
		return "Heat " + t.PlaceholderSince
	}
	return t.PlaceholderSince
}
