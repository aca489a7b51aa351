package deployment

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// host emits one host and the deployments on it.
func (t *emitter) host(h *weave.Host) {
	if !slices.ContainsFunc(h.Components, func(c *weave.Component) bool { return t.components[c] != nil }) {
		return
	}
	t.Listen(h)
	for _, c := range h.Components {
		if out := t.components[c]; out != nil {
			t.deployment(h, out)
		}
	}
}

// deployment emits one component.
func (t *emitter) deployment(h *weave.Host, c *component) {
	origin := c.Decl.Name
	typ, key, target := "OS::Heat::SoftwareDeployment", "server", plain.Call(origin, "get_resource", plain.Text(origin, h.Name()))
	if c.config.Structured {
		typ = "OS::Heat::StructuredDeployment"
	}
	if h.Kind == weave.Group {
		typ, key, target = typ+"Group", "servers", plain.MemberMap(h, origin)
	}
	properties := []source.Pair{
		source.P(origin, "name", plain.Text(origin, c.ID())),
		source.P(origin, "config", plain.Call(origin, "get_resource", plain.Text(origin, c.config.Name))),
		source.P(origin, key, target),
		source.P(origin, "signal_transport", plain.Text(origin, t.Options.SignalTransport)),
	}
	if c.config.Actions != nil {
		properties = append(properties, source.P(origin, "actions", plain.Texts(origin, c.config.Actions...)))
	}
	if values := t.Inputs(c.Component); len(values) > 0 {
		properties = append(properties, source.P(origin, "input_values", source.NewMap(origin, values...)))
	}
	r := t.Add(t.Resource(h.Name()), c.name, origin, typ, properties...)
	c.resource = r
	r.Section("condition", plain.Exists(c.Component))
	r.Section("metadata", t.Value(c.Decl.Metadata, nil))
	t.order(c)
	if c.outputs != "" {
		t.members(h, c)
	}
}

// order makes a deployment wait for what its steps wait for, as far as its values do not say so already.
func (t *emitter) order(c *component) {
	reads := map[*weave.Component]bool{}
	for _, in := range c.Inputs {
		in.Value.Walk(func(n *source.Node) bool {
			for _, read := range t.ReadsAt(n) {
				reads[read.Component] = true
			}
			return true
		})
	}
	for _, s := range c.Steps {
		if s.Backward() {
			continue // Heat itself turns the order round
		}
		for _, b := range s.Before {
			if !reads[b.Component] || plain.Exists(b.Component) != nil {
				c.resource.After(t.done(b.Component)...)
			}
		}
		for _, needed := range s.Needs {
			if needed.Name.Text != c.Host.Name() {
				c.resource.After(needed.Name.Text)
			}
		}
	}
}

// backward makes deployments wait for those before which they only take their software away: for Heat, which turns the
// order round, they come behind them.
func (t *emitter) backward(c *component) {
	for _, s := range c.Steps {
		if !s.Backward() {
			continue
		}
		for _, b := range s.Before {
			if first := t.components[b.Component]; first != nil && first.resource != nil && !ordered(c.Component, b.Component) {
				first.resource.After(c.name)
			}
		}
	}
}

// ordered says whether two components have steps of one action that is not a backward one, whose order then is known.
func ordered(a, b *weave.Component) bool {
	return slices.ContainsFunc(a.Steps, func(s *weave.Step) bool { return !s.Backward() && b.Step(s.Action) != nil })
}

// members adds the nested stack that makes lists of a group's outputs.
func (t *emitter) members(h *weave.Host, c *component) {
	origin := c.Decl.Name
	var values []source.Pair
	for _, output := range t.wanted[c.Component] {
		values = append(values, source.P(origin, output,
			plain.Call(origin, "get_attr", plain.Texts(origin, c.name, groupAttribute(output)))))
	}
	t.Add(t.Resource(h.Name()), c.outputs, origin, t.AddFile("hotloom/members.yaml", membersTemplate),
		source.P(origin, "values", source.NewMap(origin, values...)),
		source.P(origin, "servers", plain.MemberMap(h, origin)),
		source.P(origin, "members", plain.MemberIDs(h, origin)),
		source.P(origin, "names", plain.Texts(origin, t.wanted[c.Component]...))).
		Section("condition", plain.Exists(c.Component))
}
