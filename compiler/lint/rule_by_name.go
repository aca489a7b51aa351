package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/resources/catalog"
)

var resourceByName = &Rule{
	ID: "resource-by-name", Severity: diag.Warning, Check: &Check{"resource-by-name", checkByName},
	Summary: "A property names, by its text, a thing that a resource of the same template makes.",
	Heat:    "Accepted: Heat sees no dependency, so it may use the thing before it exists, or find another one of that name.",
}

var hardCodedID = &Rule{
	ID: "hard-coded-id", Severity: diag.Info, Check: &Check{"hard-coded-id", checkIDs},
	Summary: "A property holds the id of a thing in one cloud.",
	Heat:    "Accepted; the template works in that cloud only.",
}

// makers says which types make what a constraint asks for.
var makers = map[string]string{
	"neutron.network": "OS::Neutron::Net", "neutron.subnet": "OS::Neutron::Subnet", "neutron.router": "OS::Neutron::Router",
	"neutron.port": "OS::Neutron::Port", "neutron.security_group": "OS::Neutron::SecurityGroup", "nova.keypair": "OS::Nova::KeyPair",
	"nova.flavor": "OS::Nova::Flavor", "nova.server": "OS::Nova::Server", "cinder.volume": "OS::Cinder::Volume",
	"cinder.vtype": "OS::Cinder::VolumeType", "keystone.project": "OS::Keystone::Project", "neutron.qos_policy": "OS::Neutron::QoSPolicy",
	"designate.zone": "OS::Designate::Zone", "octavia.loadbalancer": "OS::Octavia::LoadBalancer",
}

// madeNames are the literal names of the things that the template makes, by type.
func (p *Pass) madeNames() map[string]map[string]*hot.Resource {
	out := map[string]map[string]*hot.Resource{}
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || r.Properties == nil {
			continue
		}
		if name := p.text(r.Properties.Get("name")); name != "" {
			if out[t.Name] == nil {
				out[t.Name] = map[string]*hot.Resource{}
			}
			out[t.Name][name] = r
		}
	}
	return out
}

func checkByName(p *Pass) {
	made := p.madeNames()
	if len(made) == 0 {
		return
	}
	p.constrained(func(r *hot.Resource, n *source.Node, custom string) {
		maker := made[makers[custom]][p.text(n)]
		if maker == nil || maker == r || p.dependsOn(r, func(d *hot.Resource) bool { return d == maker }) {
			return
		}
		p.report(diag.Warnf(n.At(), "resource-by-name", "%s is what resource %q makes, but nothing says that it is needed first",
			quote(p.text(n)), maker.Name.Text).With("write {get_resource: %s}", maker.Name.Text))
	})
}

// constrained visits the texts of properties that have a custom constraint.
func (p *Pass) constrained(visit func(r *hot.Resource, n *source.Node, custom string)) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || r.Properties == nil || t.Loose {
			continue
		}
		p.constrainedIn(r, r.Properties, t.Properties, visit)
	}
}

func (p *Pass) constrainedIn(r *hot.Resource, n *source.Node, schema map[string]*catalog.Property, visit func(*hot.Resource, *source.Node, string)) {
	if !n.Is(source.Map) {
		return
	}
	for _, pair := range n.Pairs {
		if prop := schema[hot.KeyText(pair.Key)]; prop != nil {
			p.constrainedValue(r, pair.Value, prop, visit)
		}
	}
}

func (p *Pass) constrainedValue(r *hot.Resource, n *source.Node, prop *catalog.Property, visit func(*hot.Resource, *source.Node, string)) {
	switch {
	case n.Is(source.Map) && prop.Schema != nil:
		p.constrainedIn(r, n, prop.Schema, visit)
	case n.Is(source.List) && prop.Items != nil:
		for _, item := range n.Items {
			p.constrainedValue(r, item, prop.Items, visit)
		}
	default:
		for _, c := range prop.Constraints {
			if c.Custom != "" {
				visit(r, n, c.Custom)
			}
		}
	}
}

var uuid = lazyregexp.New(`^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`)

func checkIDs(p *Pass) {
	p.constrained(func(_ *hot.Resource, n *source.Node, custom string) {
		if !n.Is(source.String) || !uuid().MatchString(n.Text) {
			return
		}
		_, what, _ := strings.Cut(custom, ".")
		p.report(diag.Infof(n.At(), "hard-coded-id", "the id of a %s of one cloud", what).With("make it a parameter"))
	})
}
