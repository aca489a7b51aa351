package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// cloudFacts compares with what a captured profile tells of one cloud.
var cloudFacts = &Check{"cloud", checkCloud}

var unknownName = &Rule{
	ID: "unknown-name", Severity: diag.Warning, Check: cloudFacts,
	Summary: "The cloud of the profile has no flavor, image or network of the name.",
	Heat:    "Refuses the property when the stack is created, after it has asked the cloud.",
}

var versionNotInCloud = &Rule{
	ID: "version-not-in-cloud", Severity: diag.Warning, Check: cloudFacts,
	Summary: "The cloud of the profile does not know the template's version.",
	Heat:    "Refuses the template.",
}

var overQuota = &Rule{
	ID: "over-quota", Severity: diag.Warning, Check: cloudFacts,
	Summary: "The template's servers need more than the project may have in the cloud of the profile.",
	Heat:    "Accepted; Nova refuses the server that is one too many.",
}

// named are the kinds of names that profiles have, by the custom constraint that asks the cloud for them.
var named = map[string]string{"nova.flavor": "flavor", "glance.image": "image", "neutron.network": "network"}

func checkCloud(p *Pass) {
	cloud := p.Catalog.Cloud()
	if cloud == nil {
		return
	}
	if v := p.Template.VersionNode; v != nil {
		if takes, known := cloud.Takes(p.Version.Key, hot.KeyText(v)); known && !takes && p.Template.Version != nil {
			p.report(diag.Warnf(v.At(), "version-not-in-cloud", "the cloud of the profile does not know version %s; it has %s",
				hot.KeyText(v), some(cloud.VersionNames(p.Version.Key))))
		}
	}
	if cloud.Names != nil {
		for _, r := range p.Template.Resources {
			if t := p.typeOf(r); t != nil && r.Properties.Is(source.Map) && p.scope.Enabled(r) != function.False {
				p.names(r.Properties, t.Properties)
			}
		}
	}
	if p.Stack.Parent == nil && cloud.Limits != nil {
		p.quotas(cloud)
	}
}

// names looks at the values of properties, and below them.
func (p *Pass) names(n *source.Node, schema map[string]*catalog.Property) {
	for _, pair := range n.Pairs {
		if prop := schema[hot.KeyText(pair.Key)]; prop != nil {
			p.nameIn(pair.Value, prop)
		}
	}
}

func (p *Pass) nameIn(n *source.Node, prop *catalog.Property) {
	f := p.resolve(n, discard)
	if f.node == nil || f.absent {
		return
	}
	for _, c := range prop.Constraints {
		kind := named[c.Custom]
		name := f.node.Str()
		if kind == "" || name == "" {
			continue
		}
		names := p.Catalog.Cloud().Names
		if has, known := names.Has(kind, name); known && !has {
			d := diag.Warnf(n.At(), "unknown-name", "the cloud of the profile has no %s %q", kind, name)
			if near := diag.Nearest(name, names.All(kind)); near != "" {
				d = d.With("did you mean %q?", near)
			} else {
				d = d.With("it has %s", some(names.All(kind)))
			}
			d.Trail = append(d.Trail, f.via...)
			p.report(d)
		}
	}
	switch {
	case prop.Schema != nil && f.node.Is(source.Map):
		p.names(f.node, prop.Schema)
	case prop.Items != nil && f.node.Is(source.List):
		for _, item := range f.node.Items {
			p.nameIn(item, prop.Items)
		}
	}
}

// quotas adds up what the servers of the template and of those nested in it need, as far as that is known. Members of groups
// are not counted: how many there are the cloud decides.
func (p *Pass) quotas(cloud *catalog.Cloud) {
	var need struct{ servers, cores, ram int64 }
	var at *source.Node
	count := func(scope *function.Scope, t *hot.Template) {
		for _, r := range t.Resources {
			if kind := scope.TypeOf(r); kind == nil || kind.Name != "OS::Nova::Server" || scope.Enabled(r) != function.True {
				continue
			}
			need.servers++
			at = r.Type
			if v, err := scope.Eval(r.Properties.Get("flavor")); err == nil {
				if name, ok := v.(string); ok {
					if f := cloud.Names.Flavor(name); f != nil {
						need.cores += f.Cores
						need.ram += f.RAM
					}
				}
			}
		}
	}
	var below func(*function.Scope, *hot.Stack)
	below = func(scope *function.Scope, s *hot.Stack) {
		count(scope, s.Template)
		for _, c := range s.Children {
			if scope.Enabled(c.Resource) == function.True {
				below(scope.Child(c), c)
			}
		}
	}
	below(p.scope, p.Stack)
	for _, q := range []struct {
		what  string
		need  int64
		quota *catalog.Quota
	}{{"servers", need.servers, cloud.Limits.Instances}, {"cores", need.cores, cloud.Limits.Cores}, {"MiB of memory", need.ram, cloud.Limits.RAM}} {
		if q.quota != nil && q.need > q.quota.Max {
			p.report(diag.Warnf(p.Template.Root.At(), "over-quota", "the template's servers need %d %s, and the project may have %d", q.need, q.what, q.quota.Max).
				Via(at.At(), "the last of the servers"))
		}
	}
}

// some are the first of a list of names.
func some(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}
