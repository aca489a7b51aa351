package weave

import (
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// hostTypes are the resource types that software can run on.
var hostTypes = map[string]HostKind{
	"OS::Nova::Server":         Server,
	"OS::Heat::DeployedServer": DeployedServer,
}

// groupTypes are the resource types that multiply a host, with the property that holds what they multiply.
var groupTypes = map[string]groupType{
	"OS::Heat::ResourceGroup":    {definition: "resource_def", count: "count", index: "index_var", indexDefault: "%index%"},
	"OS::Heat::AutoScalingGroup": {definition: "resource", count: "desired_capacity"},
}

type groupType struct{ definition, count, index, indexDefault string }

// hostTypeNames are for messages and suggestions.
var hostTypeNames = []string{"OS::Nova::Server", "OS::Heat::DeployedServer", "OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup"}

// gatherHosts makes a host of every resource that has components, whatever its type, so that the rest of the template
// can be understood.
func (w *weaver) gatherHosts() {
	for _, r := range w.t.Resources {
		if len(r.Components) == 0 || w.t.Resource(r.Name.Str()) != r {
			continue
		}
		h := &Host{Resource: r, components: make(map[string]*Component, len(r.Components))}
		w.p.Hosts = append(w.p.Hosts, h)
		w.p.hosts[h.Name()] = h
		w.hostKind(h)
		for _, decl := range r.Components {
			c := &Component{Host: h, Decl: decl}
			w.exists(c)
			h.Components = append(h.Components, c)
			h.components[c.Name()] = c
			w.component(c)
		}
	}
}

// exists joins the conditions of a component and its host, and keeps those that may be false.
func (w *weaver) exists(c *Component) {
	c.Exists = function.True
	join := func(condition *source.Node, truth function.Truth) {
		if truth == function.True {
			return
		}
		c.conditions = append(c.conditions, condition)
		if c.Exists == function.True || truth == function.False {
			c.Exists = truth
		}
	}
	if n := c.Host.Resource.Condition; n != nil {
		join(n, w.scope.Enabled(c.Host.Resource))
	}
	if n := c.Decl.Condition; n != nil {
		truth, err := w.scope.Truth(n)
		if err != nil {
			truth = function.Maybe // what is wrong, compiler/function says
		}
		join(n, truth)
	}
}

// hostKind finds out what a host is, and for a group what it multiplies.
func (w *weaver) hostKind(h *Host) {
	r := h.Resource
	if !r.Type.Is(source.String) {
		return // said by compiler/hot
	}
	name, nested := w.resolve(h.Name(), r.Type)
	if kind, ok := hostTypes[name]; ok && nested == nil {
		h.Kind = kind
		return
	}
	if g, ok := groupTypes[name]; ok && nested == nil {
		h.Kind = Group
		h.Member = w.member(h, g)
		return
	}
	w.add(w.suggest(notAHost(r.Type, r.Type.Text), name, hostTypeNames))
}

// resolve says what a type's name comes to.
func (w *weaver) resolve(resource string, typ *source.Node) (string, *hot.Template) {
	if w.opts.ResolveType == nil {
		return typ.Str(), nil
	}
	return w.opts.ResolveType(resource, typ)
}

// member is what a group multiplies, or nil where that is no host.
func (w *weaver) member(h *Host, g groupType) *Member {
	properties := h.Resource.Properties
	def := properties.Get(g.definition)
	typ := def.Get("type")
	if !typ.Is(source.String) {
		w.add(groupWithoutMember(h.Resource, g.definition))
		return nil
	}
	m := &Member{Def: def, Count: properties.Get(g.count)}
	if g.index != "" {
		m.IndexVar = g.indexDefault
		if v := properties.Get(g.index); v.Is(source.String) {
			m.IndexVar = v.Text
		}
	}
	name, nested := w.resolve(h.Name(), typ)
	if nested != nil {
		return w.nestedMember(m, typ, nested)
	}
	kind, ok := hostTypes[name]
	if !ok {
		w.add(w.suggest(memberNotAHost(typ, typ.Text), name, []string{"OS::Nova::Server", "OS::Heat::DeployedServer"}))
		return nil
	}
	m.Kind = kind
	return m
}

// nestedMember finds the one host inside a nested template.
func (w *weaver) nestedMember(m *Member, typ *source.Node, nested *hot.Template) *Member {
	var inside []*hot.Resource
	for _, r := range nested.Resources {
		if !r.Type.Is(source.String) {
			continue
		}
		name, deeper := w.resolve(r.Name.Str(), r.Type)
		if kind, ok := hostTypes[name]; ok && deeper == nil {
			inside = append(inside, r)
			m.Kind = kind
		}
	}
	if len(inside) != 1 {
		w.add(nestedHosts(typ, inside))
		return nil
	}
	for _, r := range nested.Resources {
		if r.ComponentsNode != nil || r.IsWorkflowHandle() || r.IsOwnWorkflow() {
			w.add(nestedComponents(typ, r))
			break
		}
	}
	m.Nested, m.Host, m.Def = nested, inside[0], inside[0].Node
	return m
}

// count is the number of a group's members as the graph shows it.
func (h *Host) count() string {
	if h.Kind != Group {
		return ""
	}
	if h.Member == nil {
		return "*"
	}
	if n := h.Member.Count; n.Is(source.Int) || n.Is(source.String) {
		return n.Text
	}
	if h.Member.Count == nil && h.Member.IndexVar != "" {
		return "1" // a ResourceGroup's default
	}
	return "*"
}
