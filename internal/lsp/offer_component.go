package lsp

import (
	"github.com/hotloom/hotloom/compiler/hot"
)

func (p *place) componentTypes() []offer {
	var out []offer
	for _, name := range p.m.componentTypeNames() {
		o := offer{name: name, kind: itemModule, detail: "component type"}
		if t := p.m.componentType(name); t != nil {
			o.detail, o.doc = t.Tool.Str(), describeComponentType(t)
		}
		out = append(out, o)
	}
	return out
}

func (p *place) components() []offer {
	var out []offer
	if r := p.m.Template.Resource(p.arg(0)); r != nil {
		for _, c := range r.Components {
			o := offer{name: c.Name.Str(), kind: itemModule, detail: c.Type.Str()}
			if t := p.m.componentType(c.Type.Str()); t != nil {
				o.doc = describeComponentType(t)
			}
			out = append(out, o)
		}
	}
	return out
}

// component is the component that a place within components is in.
func (p *place) component() *hot.Component {
	r := p.m.Template.Resource(p.arg(0))
	if r == nil {
		return nil
	}
	name := p.arg(1)
	for i, c := range r.Components {
		if c.Name.Str() == name || item(i) == name {
			return c
		}
	}
	return nil
}

func (p *place) componentParams() []offer {
	c := p.component()
	if c == nil {
		return nil
	}
	t := p.m.componentType(c.Type.Str())
	if t == nil {
		return nil
	}
	var out []offer
	for _, in := range t.Inputs {
		out = append(out, offer{
			name: in.Name.Str(), kind: itemProperty, detail: in.Type, doc: describeIO(in), required: in.Default == nil,
		})
	}
	return out
}

func (p *place) componentParam() []offer {
	name := p.arg(2)
	c := p.component()
	if c == nil {
		return nil
	}
	if t := p.m.componentType(c.Type.Str()); t != nil {
		for _, in := range t.Inputs {
			if in.Name.Str() == name && in.Type == "Boolean" {
				return truths(p)
			}
		}
	}
	return nil
}

// componentTargets are what a component's depends_on names: components of the same host, hosts, and components of
// others.
func (p *place) componentTargets() []offer {
	var out []offer
	for _, r := range p.m.Template.Resources {
		own := r.Name.Text == p.arg(0)
		if !own {
			out = append(out, offer{name: r.Name.Text, kind: itemVariable, detail: r.Type.Str(), doc: p.m.describeResource(r)})
		}
		for _, c := range r.Components {
			name := c.Name.Str()
			if own && (p.arg(1) == name) {
				continue
			}
			if !own {
				name = r.Name.Text + "." + name
			}
			out = append(out, offer{name: name, kind: itemModule, detail: c.Type.Str()})
		}
	}
	return out
}
