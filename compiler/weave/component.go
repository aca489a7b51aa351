package weave

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// component finds a component's type, binds its params to the type's inputs and makes its steps.
func (w *weaver) component(c *Component) {
	if n := c.Decl.Type; n.Is(source.String) {
		if c.Type = w.findType(n.Text); c.Type == nil {
			w.add(w.suggest(unknownType(n), n.Text, w.typeNames()))
		}
	}
	w.bind(c)
	w.steps(c)
	w.previous(c)
}

// bind gives each input its value. A param whose name is near that of an input without a value is reported and then
// read as that input, so that one mistake is one finding.
func (w *weaver) bind(c *Component) {
	given := map[string]source.Pair{}
	var others []source.Pair
	if c.Decl.Params != nil {
		for _, p := range c.Decl.Params.Pairs {
			name := hot.KeyText(p.Key)
			if c.Type == nil || w.input(c.Type, name) == nil {
				others = append(others, p)
				continue
			}
			given[name] = p
		}
	}
	if c.Type == nil {
		for _, p := range others {
			c.Inputs = append(c.Inputs, &Input{Name: hot.KeyText(p.Key), Value: p.Value})
		}
		return
	}
	var open, all []string
	for _, in := range c.Type.Inputs {
		all = append(all, in.Name.Str())
		if _, ok := given[in.Name.Str()]; !ok {
			open = append(open, in.Name.Str())
		}
	}
	var unknown []*Input
	for _, p := range others {
		name := hot.KeyText(p.Key)
		near := w.nearest(name, open)
		w.add(unknownParam(p.Key, name, c, near, w.nearest(name, all)))
		if near != "" {
			given[near] = p
			open = slices.DeleteFunc(open, func(s string) bool { return s == near })
			continue
		}
		unknown = append(unknown, &Input{Name: name, Value: p.Value})
	}
	for _, decl := range c.Type.Inputs {
		in := &Input{Name: decl.Name.Str(), Decl: decl, Value: decl.Default, Secret: decl.Hidden}
		p, ok := given[in.Name]
		switch {
		case ok:
			in.Value = p.Value
			w.literal(c, in)
		case decl.Default == nil:
			w.add(missingParam(c, in.Name))
		}
		c.Inputs = append(c.Inputs, in)
	}
	c.Inputs = append(c.Inputs, unknown...)
}

func (w *weaver) input(t *hot.ComponentType, name string) *hot.IO {
	for _, in := range t.Inputs {
		if in.Name.Str() == name {
			return in
		}
	}
	return nil
}

// literal checks a param that has no function calls against its input's type.
func (w *weaver) literal(c *Component, in *Input) {
	calls := false
	function.Walk(w.v, in.Value, func(function.Call) bool { calls = true; return false })
	if calls {
		return
	}
	if why := mismatch(in.Decl.Type, in.Value); why != "" {
		w.add(paramMismatch(c, in, why))
	}
}

// steps makes one step for each action that the type has a config for and the component does not exclude.
func (w *weaver) steps(c *Component) {
	if c.Type == nil {
		if c.Exists != function.False {
			w.step(c, "CREATE", nil) // keeps the place in the order
		}
		return
	}
	configs := map[string]*hot.Config{}
	for _, cfg := range c.Type.Configs {
		for _, action := range cfg.Actions {
			configs[action] = cfg
		}
	}
	wanted := map[string]bool{}
	for _, a := range c.Decl.Actions {
		wanted[a.Str()] = true
		if configs[a.Str()] == nil && slices.Contains(hot.Actions, a.Str()) {
			w.add(actionWithoutConfig(a, c))
		}
	}
	if len(configs) == 0 && len(c.Decl.Actions) == 0 {
		w.add(nothingToRun(c))
	}
	if c.Exists == function.False {
		return
	}
	for _, action := range hot.Actions {
		if configs[action] != nil && (c.Decl.Actions == nil || wanted[action]) {
			w.step(c, action, configs[action])
		}
	}
}

func (w *weaver) step(c *Component, action string, cfg *hot.Config) {
	s := &Step{ID: c.ID(), Component: c, Action: action, Config: cfg}
	if action != "CREATE" {
		s.ID += ":" + action
	}
	if w.t.Resource(s.ID) != nil && w.p.steps[s.ID] == nil {
		w.add(nameClash(c, s.ID))
	}
	c.Steps = append(c.Steps, s)
	w.p.steps[s.ID] = s
}

// previous notes the order of a list of components.
func (w *weaver) previous(c *Component) {
	n := len(c.Host.Components)
	if n < 2 || !c.Host.Resource.ComponentsNode.Is(source.List) {
		return
	}
	before := c.Host.Components[n-2]
	w.links[c] = append(w.links[c], link{component: before, reason: graph.ListOrder, at: c.Decl.Name})
}
