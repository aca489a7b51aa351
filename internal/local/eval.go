package local

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// value computes a value of a node with what exists now.
func (r *Runtime) value(n *target.Node, text *source.Node) (any, error) {
	if text == nil {
		return nil, nil
	}
	r.eval.Lock()
	defer r.eval.Unlock()
	r.reading = n
	defer func() { r.reading = nil }()
	return r.compute(n.Stack, text)
}

// compute computes a value in a stack; eval is held.
func (r *Runtime) compute(s *target.Stack, text *source.Node) (any, error) {
	scope, err := r.scope(s)
	if err != nil {
		return nil, err
	}
	v, err := scope.Eval(text)
	var f *function.Fault
	switch {
	case errors.As(err, &f):
		return nil, fault(f.Location, "%s", f.Message)
	case err != nil:
		return nil, fault(text.At(), "%v", err)
	}
	if u := unknown(v); u != nil {
		if u.Parameter {
			return nil, fault(text.At(), "it needs %s, which has no value", u.Why)
		}
		return nil, fault(text.At(), "it needs %s, which is not known here", u.Why)
	}
	return v, nil
}

func unknown(v any) *function.Unknown {
	switch v := v.(type) {
	case *function.Unknown:
		return v
	case []any:
		for _, x := range v {
			if u := unknown(x); u != nil {
				return u
			}
		}
	case *value.Map:
		for _, x := range v.All() {
			if u := unknown(x); u != nil {
				return u
			}
		}
	}
	return nil
}

// scope is what the functions of a stack are computed in. That of a nested stack has the parameters that its parent
// gives, which are known by the time that something in it is computed.
func (r *Runtime) scope(s *target.Stack) (*function.Scope, error) {
	if scope := r.scopes[s]; scope != nil {
		return scope, nil
	}
	var scope *function.Scope
	if s.Parent == nil {
		params := maps.Clone(r.project.Values)
		if params == nil {
			params = hot.Values{}
		}
		scope = function.ForStack(r.project.Stack, params, r.project.Catalog)
	} else {
		parent, err := r.scope(s.Parent)
		if err != nil {
			return nil, err
		}
		if s.Properties != nil {
			if _, err := r.compute(s.Parent, s.Properties); err != nil {
				return nil, err
			}
		}
		scope = parent.Child(s.Hot)
	}
	r.pseudo(s, scope.Params)
	for _, p := range s.Template.Parameters {
		if v, ok := scope.Params[p.Name.Text]; ok && p.Hidden && v != nil {
			r.redact.hide(value.Str(v))
		}
	}
	scope.Before = func(c function.Call) (function.Value, bool) { return r.call(s, scope, c) }
	r.scopes[s] = scope
	return scope, nil
}

// pseudo gives the parameters that every stack has.
func (r *Runtime) pseudo(s *target.Stack, params hot.Values) {
	info := r.state.Info()
	name, id := info.Name, info.ID
	if s.Path != "" {
		name += "-" + strings.ReplaceAll(strings.TrimSuffix(s.Path, "/"), "/", "-")
		id = r.state.digest(s.Path)
	}
	for _, p := range s.Template.VersionOf().PseudoParameters() {
		switch p {
		case "OS::stack_name", "AWS::StackName":
			params[p] = name
		case "OS::stack_id", "AWS::StackId":
			params[p] = id
		case "OS::project_id":
			params[p] = "local"
		}
	}
}

// call computes what only a stack that exists can say: attributes, references, and files.
func (r *Runtime) call(s *target.Stack, scope *function.Scope, c function.Call) (function.Value, bool) {
	if c.Function.Name == "get_file" {
		return r.file(c), true
	}
	if c.Function.Refs == nil {
		return nil, false
	}
	var out function.Value
	var handled bool
	c.Function.Refs(c, func(ref function.Reference) {
		switch ref.Kind {
		case function.Resource, function.Attribute, function.ParameterOrResource:
		default:
			return
		}
		name, err := scope.Eval(ref.Target)
		text, ok := name.(string)
		switch {
		case err != nil || !ok:
			out, handled = &function.Unknown{Why: "the name of a resource that " + c.Function.Name + " computes"}, true
			return
		case ref.Kind == function.ParameterOrResource && s.Template.Resource(text) == nil:
			return // a parameter
		}
		handled = true
		if ref.Kind != function.Attribute {
			out = r.reference(s, text)
			return
		}
		path := make([]any, 0, len(ref.Path))
		for _, n := range ref.Path {
			step, err := scope.Eval(n)
			if err != nil {
				out = &function.Unknown{Why: err.Error()}
				return
			}
			path = append(path, step)
		}
		out = r.attribute(s, text, path)
	})
	return out, handled
}

func (r *Runtime) file(c function.Call) function.Value {
	f, err := r.project.Named(c.Arg)
	if err != nil {
		return &function.Unknown{Why: "a file: " + err.Error()}
	}
	return string(f.Text)
}

// reference is what get_resource gives.
func (r *Runtime) reference(s *target.Stack, name string) function.Value {
	rec := r.state.Record(s.Key(name))
	switch {
	case !r.plan.Has(s.Key(name)):
		return nil // its condition does not hold
	case rec == nil:
		return &function.Unknown{Why: "resource " + s.Key(name)}
	case rec.Ref != "":
		return rec.Ref
	case rec.ID != "":
		return rec.ID
	}
	return name
}

// attribute is what get_attr gives: null for what is not there, as in Heat.
func (r *Runtime) attribute(s *target.Stack, name string, path []any) function.Value {
	n := r.plan.Node(s.Key(name))
	if n == nil {
		return nil
	}
	if len(path) >= 3 && path[0] == "components" && n.Stack.Program.Host(name) != nil {
		return r.componentOutput(n, value.Str(path[1]), value.Str(path[2]), path[3:])
	}
	return r.nodeAttribute(n, path)
}

func (r *Runtime) nodeAttribute(n *target.Node, path []any) function.Value {
	switch n.Kind {
	case target.Group:
		return r.groupAttribute(n, path)
	case target.Nested:
		return r.nestedAttribute(n, path)
	}
	rec := r.state.Record(n.Key)
	if rec == nil {
		return &function.Unknown{Why: "resource " + n.Key}
	}
	if len(path) == 0 {
		return rec.Attributes.Map
	}
	attribute := value.Str(path[0])
	v := rec.Attributes.Get(attribute)
	if v == nil && attribute == "show" {
		v = value.MapOf("id", rec.ID)
	}
	return selected(v, path[1:])
}

// selected follows a path into a value, as Heat does: what leads nowhere is null, and text that is JSON is no map.
func selected(v any, path []any) any {
	for _, step := range path {
		switch x := v.(type) {
		case *value.Map:
			v, _ = x.Get(step)
			if v == nil {
				v, _ = x.GetStr(value.Str(step))
			}
		case []any:
			number, err := value.ToInt(step)
			i, ok := value.Int(number)
			if err != nil || !ok {
				return nil
			}
			if i < 0 {
				i += len(x)
			}
			if i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// componentOutput is an output of a component. Of one on a group it is a list with one value for each member; a step on
// the same group sees the value of its own member.
func (r *Runtime) componentOutput(host *target.Node, component, output string, path []any) function.Value {
	of := func(key string) any {
		rec := r.state.Record(key + "." + component)
		if rec == nil {
			return nil // its condition does not hold, or it has no CREATE
		}
		return selected(rec.Attributes.Get(output), path)
	}
	if host.Kind != target.Group {
		return of(host.Key)
	}
	if by := r.reading; by != nil && by.Kind == target.Step && by.Stack == host.Stack && by.Component.Host.Resource == host.Resource {
		return of(host.Key + "/" + strconv.Itoa(by.Member))
	}
	list := []any{}
	for _, m := range host.Members {
		list = append(list, of(m))
	}
	return list
}

// groupAttribute is an attribute of a group: refs, refs_map, resource.N.…, attributes, outputs, outputs_list,
// current_size, and of anything else a list of the members' own.
func (r *Runtime) groupAttribute(n *target.Node, path []any) function.Value {
	if len(path) == 0 {
		return nil
	}
	name := value.Str(path[0])
	each := func(of func(m *target.Node) any) []any {
		list := []any{}
		for _, key := range n.Members {
			list = append(list, of(r.plan.Node(key)))
		}
		return list
	}
	byName := func(list []any) *value.Map {
		m := value.NewMap(len(list))
		for i, v := range list {
			m.SetStr(strconv.Itoa(i), v)
		}
		return m
	}
	ref := func(m *target.Node) any { return r.reference(m.Stack, strings.TrimPrefix(m.Key, m.Stack.Path)) }
	rest := path[1:]
	switch name {
	case "refs":
		return selected(each(ref), rest)
	case "refs_map":
		return selected(byName(each(ref)), rest)
	case "current_size":
		return int64(len(n.Members))
	case "removed_rsrc_list":
		return []any{}
	case "attributes", "outputs", "outputs_list":
		if len(rest) == 0 {
			return nil
		}
		list := each(func(m *target.Node) any { return r.nodeAttribute(m, rest) })
		if name == "outputs_list" {
			return list
		}
		return byName(list)
	}
	if member, ok := strings.CutPrefix(name, "resource."); ok {
		index, attribute, deeper := strings.Cut(member, ".")
		m := r.plan.Node(n.Key + "/" + index)
		switch {
		case m == nil:
			return nil
		case !deeper && len(rest) == 0:
			return ref(m)
		case deeper:
			return r.nodeAttribute(m, append([]any{attribute}, rest...))
		}
		return r.nodeAttribute(m, rest)
	}
	return each(func(m *target.Node) any { return r.nodeAttribute(m, path) })
}

// nestedAttribute is an output of a nested template, or of a resource in it: resource.NAME.ATTRIBUTE.
func (r *Runtime) nestedAttribute(n *target.Node, path []any) function.Value {
	if len(path) == 0 {
		return nil
	}
	name := value.Str(path[0])
	if inner, ok := strings.CutPrefix(name, "resource."); ok {
		inner, attribute, deeper := strings.Cut(inner, ".")
		switch {
		case deeper:
			return r.attribute(n.Inner, inner, append([]any{attribute}, path[1:]...))
		case len(path) == 1:
			return r.reference(n.Inner, inner)
		}
		return r.attribute(n.Inner, inner, path[1:])
	}
	o := n.Inner.Template.Output(name)
	if name == "outputs" && o == nil {
		all := value.NewMap(0)
		for _, o := range n.Inner.Template.Outputs {
			all.SetStr(o.Name.Text, r.output(n.Inner, o))
		}
		return selected(all, path[1:])
	}
	if o == nil {
		return nil
	}
	v := r.output(n.Inner, o)
	if unknown(v) != nil {
		return v
	}
	return selected(v, path[1:])
}

// output computes an output of a stack; eval is held. Its own steps do not read it.
func (r *Runtime) output(s *target.Stack, o *hot.Output) any {
	reading := r.reading
	r.reading = nil
	defer func() { r.reading = reading }()
	scope, err := r.scope(s)
	if err != nil {
		return &function.Unknown{Why: err.Error()}
	}
	if scope.OutputEnabled(o) == function.False {
		return nil
	}
	v, err := r.compute(s, o.Value)
	if err != nil {
		return &function.Unknown{Why: fmt.Sprintf("output %s: %v", o.Name.Text, err)}
	}
	return v
}
