package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// resolver finds what is known of one function's result. Others are computed by compiler/function.
type resolver func(p *Pass, c function.Call, emit func(diag.Diagnostic)) fact

// The table is filled here because its entries lead back to resolve.
func buildResolvers() map[string]resolver {
	return map[string]resolver{
		"get_param":    resolveParam,
		"get_resource": resolveResource,
		"get_attr":     resolveAttribute,
		"Fn::GetAtt":   resolveAttribute,
		"Ref":          resolveRef,

		"resource_facade":    resolveFacade,
		"Fn::ResourceFacade": resolveFacade,
		"if":                 resolveIf,
		"Fn::If":             resolveIf,
	}
}

// resolve finds what is known of a value before the stack exists, as Heat has it when it validates: a reference to
// a resource is its name, an attribute is null. What Heat cannot compute at all is reported.
func (p *Pass) resolve(n *source.Node, emit func(diag.Diagnostic)) fact {
	call, ok := function.Find(p.Version, n)
	if !ok {
		return known(n)
	}
	if r := p.resolvers[call.Function.Name]; r != nil {
		return r(p, call, emit)
	}
	v, err := p.scope.Eval(n)
	if err != nil {
		emit(fault(n, err))
		return failed()
	}
	if u, open := v.(*function.Unknown); open {
		before, err := p.validated(n)
		if err != nil {
			emit(fault(n, err))
			return failed()
		}
		result, listed := resultKinds[call.Function.Name]
		if !listed {
			result = anyKind
		}
		return fact{kinds: result, why: u.Why, before: before}
	}
	return fact{node: hot.NodeOf(n, v), data: true}
}

// validated computes a value as Heat does when it validates a stack that does not exist; nil where it is not known.
// Templates that are nested are not computed then.
func (p *Pass) validated(n *source.Node) (*source.Node, error) {
	if p.Stack.Parent != nil {
		return nil, nil
	}
	scope := *p.scope
	scope.Before = func(c function.Call) (function.Value, bool) {
		switch c.Function.Name {
		case "get_resource", "get_attr", "Ref", "Fn::GetAtt":
			if f := p.resolve(c.Node, discard); f.node != nil {
				return valueOf(f.node), true
			}
		}
		return nil, false
	}
	v, err := scope.Eval(n)
	if err != nil || function.HasUnknown(v) {
		return nil, err
	}
	return hot.NodeOf(n, v), nil
}

// fault is the finding behind an error of the evaluation.
func fault(n *source.Node, err error) diag.Diagnostic {
	var f *function.Fault
	if errors.As(err, &f) {
		return f.Diagnostic
	}
	return diag.Errorf(n.At(), "function-value", "%v", err)
}

func resolveResource(p *Pass, c function.Call, emit func(diag.Diagnostic)) fact {
	if name, computed := p.computedName(c.Arg); computed {
		if !name.Is(source.String) || p.Template.Resource(name.Text) == nil {
			emit(noResource(c.Arg, name))
			return failed()
		}
		return p.reference(c, p.Template.Resource(name.Text))
	}
	if c.Arg.Is(source.String) {
		return p.reference(c, p.Template.Resource(c.Arg.Text))
	}
	return unknown(kindsOf(source.String), "refers to a resource")
}

// reference is what get_resource gives before the resource exists: of most types its name, of some nothing.
func (p *Pass) reference(c function.Call, r *hot.Resource) fact {
	if r == nil {
		return failed() // compiler/function reports it
	}
	via := []diag.Step{step(c.Node, fmt.Sprintf("refers to resource %q, known by its name until it exists", r.Name.Text))}
	kind := ""
	if t := p.scope.TypeOf(r); t != nil { // not typeOf, which may need this value itself
		kind = t.Ref
	}
	switch kind {
	case "", "name":
		return fact{node: hot.NodeOf(c.Node, r.Name.Text), data: true, via: via}
	case "id":
		return fact{node: source.NewNull(c.Node), data: true}
	}
	return unknown(kindsOf(source.String, source.Null), "refers to a resource")
}

// computedName is the value of a name that is a call, if it is known.
func (p *Pass) computedName(n *source.Node) (name *source.Node, ok bool) {
	if _, isCall := function.Find(p.Version, n); !isCall {
		return nil, false
	}
	f := p.resolve(n, discard)
	return f.node, f.node != nil
}

func noResource(at, name *source.Node) diag.Diagnostic {
	return diag.Errorf(at.At(), "unknown-resource", "the name comes to %s, and there is no such resource", describe(name))
}

func resolveAttribute(p *Pass, c function.Call, emit func(diag.Diagnostic)) fact {
	if c.Arg.Is(source.List) && len(c.Arg.Items) > 1 {
		if name, computed := p.computedName(c.Arg.Items[0]); computed && (!name.Is(source.String) || p.Template.Resource(name.Text) == nil) {
			emit(noResource(c.Arg.Items[0], name))
			return failed()
		}
		if attribute := c.Arg.Items[1]; attribute.Is(source.List) || attribute.Is(source.Map) && !p.isCall(attribute) {
			emit(diag.Errorf(attribute.At(), "function-argument", "the attribute must be a name, not %s", article(attribute.Kind)))
			return failed()
		}
	}
	return fact{node: source.NewNull(c.Node), data: true}
}

func resolveRef(p *Pass, c function.Call, emit func(diag.Diagnostic)) fact {
	if name := c.Arg.Str(); name != "" && p.Template.Parameter(name) == nil && p.Template.Resource(name) != nil {
		return resolveResource(p, c, emit)
	}
	return resolveParam(p, c, emit)
}

func resolveIf(p *Pass, c function.Call, emit func(diag.Diagnostic)) fact {
	if !c.Arg.Is(source.List) || len(c.Arg.Items) < 2 || len(c.Arg.Items) > 3 {
		return failed() // compiler/function reports the shape
	}
	branch := func(i int) fact {
		if i < len(c.Arg.Items) {
			return p.resolve(c.Arg.Items[i], emit)
		}
		return fact{absent: true}
	}
	switch truth, err := p.scope.Truth(c.Arg.Items[0]); {
	case err != nil:
		emit(fault(c.Node, err))
		return failed()
	case truth == function.True:
		return branch(1)
	case truth == function.False:
		return branch(2)
	}
	name := "the condition"
	if c.Arg.Items[0].Is(source.String) {
		name = "condition " + c.Arg.Items[0].Text
	}
	quiet := emit
	emit = func(d diag.Diagnostic) {
		if d.Severity == diag.Error {
			d.Severity = diag.Warning
			d.Message += ", where " + name + " chooses it"
		}
		quiet(d)
	}
	return fact{choices: []choice{
		{fact: branch(1), when: name + " is true"},
		{fact: branch(2), when: name + " is false"},
	}}
}

// resolveParam follows a parameter to its value, and a path into it.
func resolveParam(p *Pass, c function.Call, emit func(diag.Diagnostic)) fact {
	if _, err := p.scope.Eval(c.Node); err != nil {
		emit(fault(c.Node, err))
		return failed()
	}
	name, path := c.Arg, []*source.Node(nil)
	if c.Arg.Is(source.List) && len(c.Arg.Items) > 0 {
		name, path = c.Arg.Items[0], c.Arg.Items[1:]
	}
	if !name.Is(source.String) {
		f := p.resolve(name, discard)
		switch {
		case f.node == nil:
			return unknown(anyKind, "the parameter's name is computed")
		case !f.node.Is(source.String):
			emit(diag.Errorf(name.At(), "function-argument", "the name of a parameter must be text, and this comes to %s", describe(f.node)))
			return failed()
		}
		name = f.node
	}
	f, ok := p.parameter(name.Text)
	if !ok {
		emit(diag.Errorf(c.Arg.At(), "unknown-parameter", "there is no parameter %q", name.Text))
		return failed()
	}
	if len(path) == 0 || f.failed() {
		return f
	}
	if f.node == nil {
		if p.leadsNowhere(f.kinds, path[0]) {
			return fact{node: source.NewString(c.Node, ""), data: true, via: f.via}
		}
		return unknown(anyKind, f.why)
	}
	n := f.node
	for _, s := range path {
		key := p.resolve(s, discard)
		if key.node == nil {
			return unknown(anyKind, "the path is computed")
		}
		n = walk(n, key.node)
		if n == nil { // Heat gives empty text, and says nothing
			return fact{node: source.NewString(c.Node, ""), data: true, via: f.via}
		}
	}
	return fact{node: n, data: true, via: f.via}
}

// leadsNowhere reports whether a path's first step finds nothing in whatever value of the kinds: numbers and booleans
// have no parts, those of texts and lists have a number.
func (p *Pass) leadsNowhere(k kinds, first *source.Node) bool {
	if k == 0 || k&^kindsOf(source.Int, source.Float, source.Bool, source.String, source.List) != 0 {
		return false
	}
	if k&kindsOf(source.String, source.List) == 0 {
		return true
	}
	key := p.resolve(first, discard)
	if key.node == nil {
		return false
	}
	_, isNumber := toInteger(valueOf(key.node))
	return !isNumber
}

// walk takes one step into a parameter's value; nil where it leads nowhere.
func walk(n, key *source.Node) *source.Node {
	switch n.Kind {
	case source.Map:
		return n.Get(hot.KeyText(key))
	case source.List:
		i, ok := toInteger(valueOf(key))
		at, isInt := i.(int64)
		if !ok || !isInt {
			return nil
		}
		if at < 0 {
			at += int64(len(n.Items))
		}
		if at >= 0 && at < int64(len(n.Items)) {
			return n.Items[at]
		}
	}
	return nil
}

// parameter is what is known of a parameter; ok is false where there is none of that name.
func (p *Pass) parameter(name string) (f fact, ok bool) {
	if f, ok := p.parameters[name]; ok {
		return f, true
	}
	def := p.Template.Parameter(name)
	if def == nil {
		return p.pseudoParameter(name)
	}
	f = p.parameterFact(def)
	p.parameters[name] = f
	return f, true
}

func (p *Pass) pseudoParameter(name string) (fact, bool) {
	if slices.Contains(p.Version.PseudoParameters(), name) {
		return unknown(kindsOf(source.String), name+" is known when the stack is"), true
	}
	return fact{}, false
}

var parameterKinds = map[hot.ParameterType]kinds{
	hot.String: kindsOf(source.String), hot.Number: kindsOf(source.Int, source.Float), hot.Boolean: kindsOf(source.Bool),
	hot.CommaDelimitedList: kindsOf(source.List), hot.JSON: kindsOf(source.Map, source.List),
}

func (p *Pass) parameterFact(def *hot.Parameter) fact {
	name := def.Name.Text
	given := p.given(def)
	if given.IsNull() || def.Type == "" {
		k, ok := parameterKinds[def.Type]
		if !ok {
			k = anyKind
		}
		f := unknown(k, fmt.Sprintf("parameter %q has no value yet", name))
		f.via = []diag.Step{step(def.Name, fmt.Sprintf("parameter %q is of type %s", name, def.Type))}
		return f
	}
	v, ok := p.scope.Params[name]
	if !ok && p.Stack.Parent != nil {
		return unknown(parameterKinds[def.Type], fmt.Sprintf("parameter %q gets its value from the parent", name))
	}
	if !ok {
		return failed() // its value was reported
	}
	f := fact{node: given, data: true, via: []diag.Step{step(given, fmt.Sprintf("parameter %q (%s) has this value", name, def.Type))}}
	if def.Type != hot.JSON || given.Kind == source.String || p.Stack.Parent != nil {
		f.node = hot.NodeOf(given, v)
	}
	return f
}

// given is the node of a parameter's value: a parent's property, an environment's, or the default; nil where it has
// none.
func (p *Pass) given(def *hot.Parameter) *source.Node {
	name := def.Name.Text
	env := p.Stack.Environment
	if r := p.Stack.Resource; r != nil {
		if n := r.Properties.Get(name); !n.IsNull() {
			return n
		}
	}
	if n := env.Parameter(name); !n.IsNull() {
		return n
	}
	if n := env.Default(name); !n.IsNull() {
		return n
	}
	return def.Default
}

// refersToResource reports whether a value depends on a resource, in a branch that may be chosen.
func (p *Pass) refersToResource(n *source.Node) bool {
	found := false
	function.Walk(p.Version, n, func(c function.Call) bool {
		switch c.Function.Name {
		case "get_resource", "get_attr", "Fn::GetAtt":
			found = true
		case "Ref":
			found = found || p.Template.Resource(c.Arg.Str()) != nil
		case "if", "Fn::If":
			for _, branch := range p.branches(c) {
				found = found || p.refersToResource(branch)
			}
			return false
		}
		return !found
	})
	return found
}

// branches lists the values that an if may choose.
func (p *Pass) branches(c function.Call) []*source.Node {
	if !c.Arg.Is(source.List) || len(c.Arg.Items) < 2 {
		return nil
	}
	items := c.Arg.Items
	switch truth, _ := p.scope.Truth(items[0]); truth {
	case function.True:
		return items[1:2]
	case function.False:
		return items[2:]
	}
	return items[1:]
}

// hasCalls reports whether a value has calls in it.
func (p *Pass) hasCalls(n *source.Node, data bool) bool {
	found := false
	if !data {
		function.Walk(p.Version, n, func(function.Call) bool { found = true; return false })
	}
	return found
}
