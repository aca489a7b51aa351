package deployment

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// host emits one host and the deployments on it.
func (t *emitter) host(h *weave.Host) {
	if !slices.ContainsFunc(h.Components, func(c *weave.Component) bool { return t.components[c] != nil }) {
		return
	}
	t.server(h)
	for _, c := range h.Components {
		if out := t.components[c]; out != nil {
			t.deployment(h, out)
		}
	}
}

// server makes a host listen for deployments.
func (t *emitter) server(h *weave.Host) {
	origin := h.Resource.Name
	kind, properties := h.Kind, h.Resource.Properties
	if kind == weave.Group {
		kind, properties = h.Member.Kind, h.Member.Def.Get("properties")
	}
	var set []source.Pair
	if format := properties.Get("user_data_format"); kind == weave.Server && format.Str() != "SOFTWARE_CONFIG" {
		if !format.IsNull() {
			t.Report(replacedFormat(format.At(), h.Name()))
		}
		set = append(set, source.P(origin, "user_data_format", plain.Text(origin, "SOFTWARE_CONFIG")))
	}
	if properties.Get("software_config_transport").IsNull() {
		set = append(set, source.P(origin, "software_config_transport", plain.Text(origin, t.Options.ConfigTransport)))
	}
	switch {
	case h.Kind != weave.Group:
		for _, p := range set {
			t.Resource(h.Name()).Set(p.Key.Text, p.Value)
		}
	case h.Member.Nested == nil:
		t.SetMember(h, "", set...)
	default:
		copied := t.Copy(h.Member.Nested)
		member := h.Member.Host.Name.Text
		for _, p := range set {
			copied.SetProperty(member, p.Key.Text, p.Value)
		}
		copied.Put("outputs", copied.Name(plain.ServerOutput), source.NewMap(origin,
			source.P(origin, "value", plain.Call(origin, "get_resource", plain.Text(origin, member)))))
		t.SetMember(h, copied.Write(h.Name()))
	}
}

// deployment emits one component.
func (t *emitter) deployment(h *weave.Host, c *component) {
	origin := c.Decl.Name
	typ, key, target := "OS::Heat::SoftwareDeployment", "server", plain.Call(origin, "get_resource", plain.Text(origin, h.Name()))
	if c.config.structured {
		typ = "OS::Heat::StructuredDeployment"
	}
	if h.Kind == weave.Group {
		typ, key, target = typ+"Group", "servers", plain.MemberMap(h, origin)
	}
	properties := []source.Pair{
		source.P(origin, "name", plain.Text(origin, c.ID())),
		source.P(origin, "config", plain.Call(origin, "get_resource", plain.Text(origin, c.config.name))),
		source.P(origin, key, target),
		source.P(origin, "signal_transport", plain.Text(origin, t.Options.SignalTransport)),
	}
	if c.config.actions != nil {
		properties = append(properties, source.P(origin, "actions", plain.Texts(origin, c.config.actions...)))
	}
	if values := t.inputs(c); len(values) > 0 {
		properties = append(properties, source.P(origin, "input_values", source.NewMap(origin, values...)))
	}
	r := t.Add(t.Resource(h.Name()), c.name, origin, typ, properties...)
	r.Section("condition", plain.Exists(c.Component))
	r.Section("metadata", t.Value(c.Decl.Metadata, nil))
	t.order(c, r)
	if c.outputs != "" {
		t.members(h, c)
	}
}

// order makes a deployment wait for what its steps wait for, as far as its values do not say so already.
func (t *emitter) order(c *component, r *plain.Resource) {
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
		for _, b := range s.Before {
			if !reads[b.Component] || plain.Exists(b.Component) != nil {
				r.After(t.done(b.Component)...)
			}
		}
		for _, needed := range s.Needs {
			if needed.Name.Text != c.Host.Name() {
				r.After(needed.Name.Text)
			}
		}
	}
}

// inputs gives the values of a component's inputs and, for the wrapper of a script, what it has to know.
func (t *emitter) inputs(c *component) []source.Pair {
	var out []source.Pair
	var secrets []string
	by := c.Step("CREATE")
	for _, in := range c.Inputs {
		if in.Secret {
			secrets = append(secrets, in.Name)
		}
		value := in.Value
		switch {
		case value == nil:
			value = plain.Text(c.Decl.Name, "")
		case isScript(c.Component):
			value = t.spelled(in, t.Value(value, by))
		default:
			value = t.Value(value, by)
		}
		out = append(out, source.P(value, in.Name, value))
	}
	if !isScript(c.Component) {
		return out
	}
	origin := c.Decl.Name
	add := func(name, value string) { out = append(out, source.P(origin, name, plain.Text(origin, value))) }
	add("hotloom_step", c.ID())
	if c.Decl.Timeout != hot.DefaultTimeout {
		add("hotloom_timeout", strconv.FormatInt(c.Decl.Timeout, 10))
	}
	if continues(c.Component) {
		add("hotloom_on_failure", "continue")
	}
	if len(secrets) > 0 {
		add("hotloom_secrets", strings.Join(secrets, " "))
	}
	return out
}

// spelled gives a value such that the script hook hands it over as hotloom spells values, whatever its type: numbers
// and booleans as text, which the agent makes only of inputs of type String, and collections as JSON, which it makes
// only of inputs of other types.
func (t *emitter) spelled(in *weave.Input, n *source.Node) *source.Node {
	text := in.Decl == nil || slices.Contains([]string{"", "String", "Number", "Boolean"}, in.Decl.Type)
	switch n.Kind {
	case source.List:
		if text {
			return t.asJSON(n)
		}
	case source.Map:
		if text && (!t.IsCall(n) || t.isCollection(n)) {
			return t.asJSON(n)
		}
	case source.Bool:
		if v, _ := n.Scalar.(bool); v {
			return plain.Text(n, "True")
		}
		return plain.Text(n, "False")
	case source.Null:
		return plain.Text(n, "None")
	case source.Int, source.Float:
		if !text {
			return plain.Text(n, n.Text)
		}
	}
	return n
}

// asJSON makes a text of a collection: list_join spells those among its items as JSON.
func (t *emitter) asJSON(n *source.Node) *source.Node {
	t.Needs("2015-10-15", "a collection as value of an input that is a text")
	return plain.Call(n, "list_join", source.NewList(n, plain.Text(n, ""), source.NewList(n, n)))
}

// isCollection reports whether a call is certain to give a list or map: {get_param: NAME} of such a parameter.
func (t *emitter) isCollection(n *source.Node) bool {
	name, ok := plain.Argument(n, "get_param")
	if !ok {
		return false
	}
	p := t.Program.Template.Parameter(name.Str())
	if p == nil {
		return false
	}
	declared := p.TypeNode.Str()
	return declared == "json" || declared == "comma_delimited_list"
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
