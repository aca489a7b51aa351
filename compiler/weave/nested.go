package weave

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Uses reports whether a template, or one nested in it, has something to weave.
func Uses(t *hot.Template, opts Options) bool {
	found := addition(t) != nil
	eachNested(t, opts, func(n nested) { found = found || addition(n.template) != nil })
	return found
}

// weaveNested weaves the templates nested in the program's that have something to weave. Each is a stack of its own:
// what is in it can be read and waited for by way of the resource that stands for it alone.
func (p *Program) weaveNested(opts Options) diag.List {
	var found diag.List
	eachNested(p.Template, opts, func(n nested) {
		at := addition(n.template)
		if at == nil {
			return
		}
		path := n.template.Root.File.Path
		if n.name != n.typ.Text {
			found.Add(nestedByRegistry(at, path, n.typ))
		}
		if p.Nested[path] != nil {
			return
		}
		_, faults := hot.LoadTemplate(n.template.Root) // nobody else tells those of a group's member
		found.Add(faults...)
		program, more := weave(n.template, n.opts)
		if p.Nested == nil {
			p.Nested = map[string]*Program{}
		}
		p.Nested[path] = program
		found.Add(more...)
	})
	return found
}

// addition is the first thing in a template that Heat does not know and that is woven, or nil: its key or name.
func addition(t *hot.Template) *source.Node {
	if p := t.Root.Pair("component_types"); p != nil {
		return p.Key
	}
	for _, r := range t.Resources {
		switch {
		case r.ComponentsNode != nil:
			return r.Node.Pair("components").Key
		case r.IsWorkflowHandle() || r.IsOwnWorkflow():
			return r.Name
		}
	}
	return nil
}

// nested is one place where a template is nested in another.
type nested struct {
	template *hot.Template
	opts     Options      // that hold in it
	typ      *source.Node // of the resource or of the group's member
	name     string       // what the type comes to: another text than typ's where the registry says so
}

// eachNested calls fn for every place at or below a template where another one is nested. What is nested in a template
// is looked at once, however often that is nested.
func eachNested(t *hot.Template, opts Options, fn func(nested)) {
	if opts.ResolveType == nil {
		return
	}
	seen := map[string]bool{}
	var below func(*hot.Template, Options)
	below = func(t *hot.Template, opts Options) {
		if t.Root == nil || t.Root.File == nil || seen[t.Root.File.Path] {
			return
		}
		seen[t.Root.File.Path] = true
		for _, r := range t.Resources {
			resource := r.Name.Str()
			visit := func(typ *source.Node) string {
				if !typ.Is(source.String) {
					return ""
				}
				name, inner := opts.ResolveType(resource, typ)
				if inner != nil && inner.Root != nil && inner.Root.File != nil {
					in := opts
					if opts.Below != nil {
						in = opts.Below(resource)
					}
					fn(nested{template: inner, opts: in, typ: typ, name: name})
					below(inner, in)
				}
				return name
			}
			if g, ok := groupTypes[visit(r.Type)]; ok {
				visit(r.Properties.Get(g.definition).Get("type"))
			}
		}
	}
	below(t, opts)
}
