// Package heatconfig is what the targets for images with heat-config's agent share: hosts that listen for deployments,
// definitions of component types as software configs, and inputs spelled as the agent's hooks take them.
package heatconfig

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// Agent is a stack in the making whose hosts run heat-config's agent.
type Agent struct {
	*plain.Stack
	Target  string // its name, for findings
	configs map[configKey]*Config
}

// New begins a stack for a target.
func New(target string, s *plain.Stack) *Agent {
	return &Agent{Stack: s, Target: target, configs: map[configKey]*Config{}}
}

// Listen makes a host listen for deployments.
func (t *Agent) Listen(h *weave.Host) {
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

// Inputs gives the values of a component's inputs and, for the wrapper of a script, what it has to know.
func (t *Agent) Inputs(c *weave.Component) []source.Pair {
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
		case IsScript(c):
			value = t.spelled(in, t.Value(value, by))
		default:
			value = t.Value(value, by)
		}
		out = append(out, source.P(value, in.Name, value))
	}
	if !IsScript(c) {
		return out
	}
	origin := c.Decl.Name
	add := func(name, value string) { out = append(out, source.P(origin, name, plain.Text(origin, value))) }
	add("hotloom_step", c.ID())
	if c.Decl.Timeout != hot.DefaultTimeout {
		add("hotloom_timeout", strconv.FormatInt(c.Decl.Timeout, 10))
	}
	if Continues(c) {
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
func (t *Agent) spelled(in *weave.Input, n *source.Node) *source.Node {
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
func (t *Agent) asJSON(n *source.Node) *source.Node {
	t.Needs("2015-10-15", "a collection as value of an input that is a text")
	return plain.Call(n, "list_join", source.NewList(n, plain.Text(n, ""), source.NewList(n, n)))
}

// isCollection reports whether a call is certain to give a list or map: {get_param: NAME} of such a parameter.
func (t *Agent) isCollection(n *source.Node) bool {
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
