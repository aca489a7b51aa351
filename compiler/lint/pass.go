package lint

import (
	"maps"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Pass is one template under check, with what its rules share.
type Pass struct {
	Template *hot.Template
	Version  *hot.Version
	Stack    *hot.Stack // where the template stands, with its environment
	Catalog  *catalog.Catalog
	Unknown  catalog.UnknownTypes

	scope      *function.Scope
	parameters map[string]fact
	resolvers  map[string]resolver
	index      *index
	edges      map[*hot.Resource][]*hot.Resource
	types      map[*hot.Resource]*catalog.Type
	files      func(name *source.Node) *source.Node          // content of a file that get_file names, or nil
	nested     func(name *source.Node) (*hot.Template, bool) // the template that a type names
	// members checks the template of a group's members, and what is nested in it.
	members func(member *hot.Resource, name *source.Node, emit func(diag.Diagnostic))
	emit    func(diag.Diagnostic)
	near    *sync.Map // what nearestType has found
	fix     func(Fix) // takes a fix; nil where nobody wants one
	on      map[string]bool
	secret  map[string]bool // what isSecretName has found: resources have the same few properties
	spare   []*entries      // to be used again
	values  map[string]any  // of the properties of the resource that checkDemands is at
}

// report takes a finding.
func (p *Pass) report(d diag.Diagnostic) { p.emit(d) }

// typeOf is the definition of a resource's type: a nested template's parameters, or what the catalog knows under the
// name that the registry gives it. It is nil where the type is not known.
func (p *Pass) typeOf(r *hot.Resource) *catalog.Type {
	if t, ok := p.types[r]; ok {
		return t
	}
	t := p.findType(r)
	p.types[r] = t
	return t
}

func (p *Pass) findType(r *hot.Resource) *catalog.Type {
	if !r.Type.Is(source.String) {
		return nil
	}
	if child := p.Stack.Child(r.Name.Text); child != nil {
		return nestedType(r, child.Template, p.Stack.Environment)
	}
	t := p.scope.TypeOf(r)
	if t != nil && t.Name == "OS::Heat::Value" {
		return p.valueType(r, t)
	}
	return t
}

// valueKinds are the types that OS::Heat::Value can give its value.
var valueKinds = map[string]catalog.Kind{
	"string": catalog.String, "number": catalog.Number, "boolean": catalog.Boolean, "comma_delimited_list": catalog.List, "json": catalog.Map,
}

// valueType is the type of an OS::Heat::Value, whose property type says what its property value takes.
func (p *Pass) valueType(r *hot.Resource, t *catalog.Type) *catalog.Type {
	f := p.resolve(r.Properties.Get("type"), discard)
	kind, ok := valueKinds[f.node.Str()]
	if !ok {
		return t
	}
	special, property := *t, *t.Properties["value"]
	property.Type = kind
	special.Properties = maps.Clone(t.Properties)
	special.Properties["value"] = &property
	return &special
}

// resolved is what a resource's type stands for.
func (p *Pass) resolved(r *hot.Resource) hot.Resolved {
	return p.Stack.Environment.Registry.Resolve(r.Type, r.Name.Text, p.Catalog.Knows)
}

// nearestType is the type that a name probably misspells, or "". Templates of a project repeat the same unknown types, so
// it is remembered for the run.
func (p *Pass) nearestType(name string) string {
	if near, ok := p.near.Load(name); ok {
		return near.(string)
	}
	near := diag.Nearest(name, p.Catalog.Names())
	p.near.Store(name, near)
	return near
}

// discard takes findings that another place reports.
func discard(diag.Diagnostic) {}

func newPass(c *templateCheck, s *hot.Stack, scope *function.Scope, emit func(diag.Diagnostic)) *Pass {
	p := &Pass{
		Template: s.Template, Version: s.Template.VersionOf(), Stack: s, Catalog: c.types(), Unknown: c.opts.Unknown,
		scope: scope, parameters: map[string]fact{}, resolvers: buildResolvers(), types: map[*hot.Resource]*catalog.Type{},
		secret: map[string]bool{}, values: map[string]any{}, near: c.near,
		emit: emit, on: c.on, files: c.fileText, fix: func(f Fix) { c.fixes = append(c.fixes, f) },
	}
	p.nested = func(name *source.Node) (*hot.Template, bool) {
		t, _ := c.Nested(name)
		return t, t != nil
	}
	p.index = newIndex(s.Template)
	return p
}

// run runs the checks of all rules that are on, each check once.
func (p *Pass) run() {
	done := map[*Check]bool{}
	for _, r := range registry {
		if r.Check != nil && p.on[r.ID] && !done[r.Check] {
			done[r.Check] = true
			r.Check.run(p)
		}
	}
}

// release is the number of the oldest release that the template must work with.
func (p *Pass) release() int { return p.Catalog.Release().Number() }
