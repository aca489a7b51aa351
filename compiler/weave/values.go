package weave

import (
	"cmp"
	"slices"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// builtinOutputs exist on every component, as on a software deployment.
var builtinOutputs = []string{"deploy_stdout", "deploy_stderr", "deploy_status_code"}

// reader is what a value belongs to: exactly one of component, resource and output is set.
type reader struct {
	component *Component
	input     *Input // of component; nil in its metadata
	resource  *hot.Resource
	output    *hot.Output
	guard     *guard // the conditions under which the value is used at all
}

// readValues walks every value that may hold function calls, and notes what it waits for and reads.
func (w *weaver) readValues() {
	for _, r := range w.t.Resources {
		own := guarded(nil, r.Condition)
		for _, n := range []*source.Node{r.Properties, r.Metadata} {
			w.value(reader{resource: r, guard: own}, n)
		}
		h := w.p.hosts[r.Name.Str()]
		if h == nil || h.Resource != r {
			continue
		}
		for _, c := range h.Components {
			given := guarded(own, c.Decl.Condition)
			for _, in := range c.Inputs {
				w.value(reader{component: c, input: in, guard: given}, in.Value)
			}
			w.value(reader{component: c, guard: given}, c.Decl.Metadata)
		}
	}
	for _, o := range w.t.Outputs {
		w.value(reader{output: o, guard: guarded(nil, o.Condition)}, o.Value)
	}
	slices.SortStableFunc(w.p.Reads, func(a, b *Read) int {
		x, y := a.Node.At(), b.Node.At()
		return cmp.Or(cmp.Compare(x.Start.Line, y.Start.Line), cmp.Compare(x.Start.Column, y.Start.Column))
	})
}

// value walks one value. The branches of an if are walked under its condition.
func (w *weaver) value(by reader, n *source.Node) {
	function.Walk(w.v, n, func(c function.Call) bool {
		if c.Function.Name == "if" && c.Arg.Is(source.List) && len(c.Arg.Items) > 1 {
			w.parameters(by, c.Arg.Items[0])
			for i, branch := range c.Arg.Items[1:] {
				inner := by
				inner.guard = &guard{condition: c.Arg.Items[0], negated: i > 0, outer: by.guard}
				w.value(inner, branch)
			}
			return false
		}
		if c.Function.Refs != nil {
			c.Function.Refs(c, func(ref function.Reference) { w.reference(by, ref) })
		}
		return true
	})
}

// parameters marks an input as secret when the condition that chooses its value reads a hidden parameter.
func (w *weaver) parameters(by reader, condition *source.Node) {
	for _, ref := range function.ConditionReferences(w.v, condition) {
		if ref.Kind == function.Parameter {
			w.reference(by, ref)
		}
	}
}

func (w *weaver) reference(by reader, ref function.Reference) {
	if !ref.Target.Is(source.String) {
		return // a computed name; nothing can be said before it is known
	}
	name := ref.Target.Text
	if p := w.t.Parameter(name); p != nil && (ref.Kind == function.Parameter || ref.Kind == function.ParameterOrResource) {
		if by.input != nil && p.Hidden {
			by.input.Secret = true
		}
		return
	}
	target := w.t.Resource(name)
	if target == nil {
		return // said by compiler/function
	}
	switch ref.Kind {
	case function.Resource, function.ParameterOrResource:
		if w.handles[target] != nil {
			w.handleReference(by, ref)
			return
		}
		w.wait(by, link{resource: target, reason: graph.Refers, at: ref.Call.Node})
	case function.Attribute:
		w.attribute(by, ref, target)
	}
}

// wait notes that the reader waits for something. Outputs wait for nothing: they are read afterwards.
func (w *weaver) wait(by reader, l link) {
	switch {
	case by.component != nil:
		w.links[by.component] = append(w.links[by.component], l)
	case by.resource != nil:
		w.needs[by.resource] = append(w.needs[by.resource], l)
	}
}

// attribute reads a get_attr: of a component's output, or of an attribute as Heat knows it.
func (w *weaver) attribute(by reader, ref function.Reference, target *hot.Resource) {
	var attribute string
	if len(ref.Path) > 0 {
		attribute = ref.Path[0].Str()
	}
	h := w.p.hosts[ref.Target.Text]
	switch {
	case h != nil && attribute == "components":
		w.read(by, ref, h)
		return
	case w.handles[target] != nil:
		w.add(handleAttribute(ref.Call.Node, ref.Target.Text))
		return
	case w.workflows[target] != nil && attribute != "output" && len(ref.Path) > 0 && ref.Path[0].Is(source.String):
		w.add(w.suggest(workflowAttribute(ref.Path[0], ref.Target.Text), attribute, workflowAttributes))
	}
	w.wait(by, link{resource: target, reason: graph.Reads, detail: attribute, at: ref.Call.Node})
}

// read reads {get_attr: [HOST, components, NAME, OUTPUT, path…]}.
func (w *weaver) read(by reader, ref function.Reference, h *Host) {
	call := ref.Call
	if len(ref.Path) < 3 || !ref.Path[1].Is(source.String) || !ref.Path[2].Is(source.String) {
		w.add(incompleteRead(call.Node, h, ref.Path))
		return
	}
	name, output := ref.Path[1], ref.Path[2]
	c := h.components[name.Text]
	if c == nil {
		w.add(w.suggest(unknownComponent(name, h), name.Text, h.componentNames()))
		return
	}
	decl := c.Output(output.Text)
	if decl == nil && c.Type != nil && !slices.Contains(builtinOutputs, output.Text) {
		w.add(w.suggest(unknownOutput(output, c), output.Text, append(c.outputNames(), builtinOutputs...)))
		return
	}
	if c.Type != nil && c.Exists != function.False && c.Step("CREATE") == nil {
		w.add(neverCreated(call.Node, c))
	}
	r := &Read{Node: call.Node, Component: c, Output: output.Text, Path: ref.Path[3:], Resource: by.resource, Out: by.output}
	if by.component != nil {
		r.By, r.Input = by.component.Step("CREATE"), by.input
		r.Whole = by.input != nil && by.input.Value == call.Node
	}
	if decl != nil && decl.Hidden && by.input != nil {
		by.input.Secret = true
	}
	w.p.Reads = append(w.p.Reads, r)
	w.guards[r] = by.guard
	w.wait(by, link{component: c, reason: graph.Reads, detail: output.Text, at: call.Node})
}

// outputNames are the names of the outputs that a component's type declares.
func (c *Component) outputNames() []string {
	var names []string
	if c.Type != nil {
		for _, o := range c.Type.Outputs {
			names = append(names, o.Name.Str())
		}
	}
	return names
}
