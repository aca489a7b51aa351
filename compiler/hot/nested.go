package hot

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Stack is a template with what is nested in it: each resource whose type is a template, or stands for one in the
// environment's registry, has a stack of its own.
type Stack struct {
	Template    *Template
	Environment *Environment // parameters are those of this level; registry and defaults go down
	Resource    *Resource    // of the parent, whose properties are the parameters; nil at the root
	Parent      *Stack
	Depth       int // 0 at the root
	Children    []*Stack
}

// Child finds the stack behind a resource, or nil.
func (s *Stack) Child(resource string) *Stack {
	for _, c := range s.Children {
		if c.Resource.Name.Text == resource {
			return c
		}
	}
	return nil
}

// Walk calls fn for s and every stack below it, parents first.
func (s *Stack) Walk(fn func(*Stack)) {
	fn(s)
	for _, c := range s.Children {
		c.Walk(fn)
	}
}

// Nesting reads the templates that templates name. Each file is read once.
type Nesting struct {
	// Open reads the document that name names, relative to the file that name stands in. It returns nil after it has
	// found that it cannot.
	Open func(name *source.Node) (*source.Node, diag.List)
	// Known says whether Heat has a resource type of its own by that name.
	Known func(string) bool

	files map[*source.File]*Template
}

// Load builds the tree under a root template. env may be nil. The stack is never nil; what cannot be read is left out
// and reported, and so are circles, trees deeper than Heat allows and trees with too many resources.
func (n *Nesting) Load(t *Template, env *Environment) (*Stack, diag.List) {
	if env == nil {
		env = &Environment{Registry: &Registry{}}
	}
	if n.files == nil {
		n.files = map[*source.File]*Template{}
	}
	root := &Stack{Template: t, Environment: env}
	w := &nestWalk{nesting: n, resources: len(t.Resources)}
	w.below(root)
	w.found.Sort()
	return root, w.found
}

// Template reads the template that name names. The finding list holds its faults the first time only.
func (n *Nesting) Template(name *source.Node) (*Template, diag.List) {
	if n.files == nil {
		n.files = map[*source.File]*Template{}
	}
	root, found := n.Open(name)
	if root == nil {
		return nil, found
	}
	if t := n.files[root.File]; t != nil && root.File != nil {
		return t, found
	}
	t, faults := LoadTemplate(root)
	n.files[root.File] = t
	return t, append(found, faults...)
}

// Member builds the stack of one member of a group: below s, where the group is a resource, Heat makes a stack that has
// the members as its resources. The stack is nil where name leads to no template, or back to one that contains s.
func (n *Nesting) Member(s *Stack, member *Resource, name *source.Node) (*Stack, diag.List) {
	t, found := n.Template(name)
	if t == nil {
		return nil, found
	}
	if above := s.above(t); above != nil {
		return nil, append(found, nestedCircle(member, s, above))
	}
	child := &Stack{
		Template: t, Resource: member, Parent: s, Depth: s.Depth + 2,
		Environment: &Environment{Registry: s.Environment.Registry.Below(member.Name.Text), Defaults: s.Environment.Defaults},
	}
	if child.Depth > MaxNestedDepth {
		return nil, append(found, nestedTooDeep(member))
	}
	w := &nestWalk{nesting: n, resources: len(t.Resources), found: found}
	w.below(child)
	w.found.Sort()
	return child, w.found
}

type nestWalk struct {
	nesting   *Nesting
	resources int
	full      bool // too many resources: reported, and no deeper
	found     diag.List
}

func (w *nestWalk) below(s *Stack) {
	for _, r := range s.Template.Resources {
		if !r.Type.Is(source.String) || w.full {
			continue
		}
		res := s.Environment.Registry.Resolve(r.Type, r.Name.Text, w.nesting.Known)
		if res.Loop {
			w.found.Add(registryLoop(r))
		}
		if res.Template == nil {
			continue
		}
		t, faults := w.nesting.Template(res.Template)
		w.found.Add(faults...)
		if t == nil {
			continue
		}
		if above := s.above(t); above != nil {
			w.found.Add(nestedCircle(r, s, above))
			continue
		}
		child := &Stack{
			Template: t, Resource: r, Parent: s, Depth: s.Depth + 1,
			Environment: &Environment{Registry: s.Environment.Registry.Below(r.Name.Text), Defaults: s.Environment.Defaults},
		}
		if child.Depth > MaxNestedDepth {
			w.found.Add(nestedTooDeep(r))
			continue
		}
		if w.resources += len(t.Resources); w.resources > MaxResources {
			w.found.Add(nestedTooManyResources(r))
			w.full = true
			continue
		}
		s.Children = append(s.Children, child)
		w.below(child)
	}
}

// above finds the stack at or above s that has the template, or nil.
func (s *Stack) above(t *Template) *Stack {
	for ; s != nil; s = s.Parent {
		if s.Template == t || s.Template.Root.File == t.Root.File && t.Root.File != nil {
			return s
		}
	}
	return nil
}
