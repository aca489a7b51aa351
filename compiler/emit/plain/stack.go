package plain

import (
	"path"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// Stack is a stock template in the making.
type Stack struct {
	Program *weave.Program
	Options Options

	// Read gives what stands in the output for the read of a component's output, in step by or, where by is nil,
	// outside of all steps. Set it before anything is rewritten.
	Read func(r *weave.Read, by *weave.Step) *source.Node
	// Attribute, where it is set, gives what stands for a get_attr of anything else, or the call itself.
	Attribute func(call *source.Node, path []*source.Node) *source.Node
	// Done gives the resources that are complete when the component's CREATE step is.
	Done func(c *weave.Component) []string
	// Nested makes the output of a template nested in this one: the target's own Emit.
	Nested func(*weave.Program, Options) (*Output, diag.List)

	resources  []*Resource
	parameters []source.Pair // added to the author's
	byName     map[string]*Resource
	components map[string]*weave.Component // by HOST.COMPONENT
	reads      map[*source.Node][]*weave.Read
	taken      map[string]bool
	files      *fileSet
	instead    map[string][]string // of dropped resources: what else to wait for
	name       string              // of the output file
	found      diag.List
}

// New begins a stack with the author's resources as they are.
func New(p *weave.Program, o Options) *Stack {
	o.Limits = o.Limits.withDefaults()
	s := &Stack{
		Program:    p,
		Options:    o,
		byName:     make(map[string]*Resource, len(p.Template.Resources)),
		components: map[string]*weave.Component{},
		reads:      make(map[*source.Node][]*weave.Read, len(p.Reads)),
		taken:      map[string]bool{},
		instead:    map[string][]string{},
	}
	s.files, s.name = o.within, o.as
	if s.files == nil {
		s.files, s.name = newFileSet(s), StackFile
	}
	for _, param := range p.Template.Parameters {
		s.taken[param.Name.Text] = true
	}
	for _, r := range p.Template.Resources {
		s.taken[r.Name.Text] = true
		out := &Resource{Name: r.Name.Text, stack: s, key: r.Name, source: r}
		s.resources = append(s.resources, out)
		s.byName[out.Name] = out
	}
	for _, h := range p.Hosts {
		for _, c := range h.Components {
			s.components[h.Resource.Name.Text+"."+c.Decl.Name.Text] = c
		}
	}
	for _, r := range p.Reads {
		s.reads[r.Node] = append(s.reads[r.Node], r)
	}
	return s
}

// Refuse reports what no target of Heat's own types can do. It is the first thing that such a target calls.
func (s *Stack) Refuse(target string) {
	for _, h := range s.Program.Handles {
		s.Report(needsMistral(h.Resource.Name.At(), target, "the workflow handle "+h.Resource.Name.Text))
	}
	for _, w := range s.Program.Workflows {
		s.Report(needsMistral(w.Resource.Name.At(), target, "the workflow "+w.Resource.Name.Text))
	}
}

// Name makes a resource name from parts joined by "_": free of the author's and of those made before, and the same
// on every compilation of the same source.
func (s *Stack) Name(parts ...string) string {
	base := strings.ReplaceAll(strings.Join(parts, "_"), "/", "_")
	name := base
	for i := 2; s.taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	s.taken[name] = true
	return name
}

// File is the path of the author's template, "" where it has none.
func (s *Stack) File() string {
	if root := s.Program.Template.Root; root != nil && root.File != nil {
		return slash(root.File.Path)
	}
	return ""
}

// Resource finds a resource of the output by name, or nil.
func (s *Stack) Resource(name string) *Resource { return s.byName[name] }

// Add makes a resource that stands behind the author's resource host and everything added for it before. The
// properties are final: nothing in them is rewritten.
func (s *Stack) Add(host *Resource, name string, origin *source.Node, typ string, properties ...source.Pair) *Resource {
	r := &Resource{Name: name, stack: s, key: source.NewString(origin, name), typ: typ, properties: properties}
	host.companions = append(host.companions, r)
	s.byName[name] = r
	return r
}

// AddParameter adds a parameter of hotloom's own behind the author's, and gives its name: base, or a like one that is free.
func (s *Stack) AddParameter(base string, origin *source.Node, schema ...source.Pair) string {
	name := s.Name(base)
	s.parameters = append(s.parameters, source.P(origin, name, source.NewMap(origin, schema...)))
	return name
}

// ReadsAt gives the reads that a node stands for.
func (s *Stack) ReadsAt(n *source.Node) []*weave.Read { return s.reads[n] }

// Value gives a value of the author's as it stands in the output, for step by or for no step.
func (s *Stack) Value(n *source.Node, by *weave.Step) *source.Node {
	return n.Rewrite(func(n *source.Node) *source.Node { return s.replace(n, by) })
}

// replace gives what stands for one node of the author's, or the node.
func (s *Stack) replace(n *source.Node, by *weave.Step) *source.Node {
	if n.Kind != source.Map {
		return n
	}
	if reads := s.reads[n]; reads != nil {
		return s.Read(pick(reads, by), by)
	}
	if s.Attribute != nil {
		if arg, ok := Argument(n, "get_attr"); ok && arg.Is(source.List) {
			if m := s.Attribute(n, arg.Items); m != n {
				return m
			}
		}
	}
	if named := s.named(n); named != n {
		return named
	}
	return n
}

// named is fileSet.replace for what stands in this stack.
func (s *Stack) named(n *source.Node) *source.Node { return s.files.replace(n, path.Dir(s.name)) }

// pick chooses among the reads that one node stands for; an alias makes a node stand in several places.
func pick(reads []*weave.Read, by *weave.Step) *weave.Read {
	for _, r := range reads {
		if r.By == by {
			return r
		}
	}
	return reads[0]
}

// Argument gives the value of a map whose only key is the given one.
func Argument(n *source.Node, name string) (*source.Node, bool) {
	if p := n.Single(); p != nil && p.Key.Str() == name {
		return p.Value, true
	}
	return nil, false
}

// With gives a map with one entry replaced, or added at its end. A nil map is an empty one at the value's place.
func With(m *source.Node, key string, value *source.Node) *source.Node {
	if !m.Is(source.Map) {
		return source.NewMap(value, source.P(value, key, value))
	}
	pairs := make([]source.Pair, 0, len(m.Pairs)+1)
	found := false
	for _, p := range m.Pairs {
		if p.Key.Str() == key {
			p.Value, found = value, true
		}
		pairs = append(pairs, p)
	}
	if !found {
		pairs = append(pairs, source.P(value, key, value))
	}
	return source.NewMap(m, pairs...)
}

// Call makes a function call at origin's place.
func Call(origin *source.Node, function string, arg *source.Node) *source.Node {
	return source.NewMap(origin, source.P(origin, function, arg))
}

// Text makes a string at origin's place.
func Text(origin *source.Node, s string) *source.Node { return source.NewString(origin, s) }

// Texts makes a list of strings at origin's place.
func Texts(origin *source.Node, items ...string) *source.Node {
	nodes := make([]*source.Node, len(items))
	for i, s := range items {
		nodes[i] = source.NewString(origin, s)
	}
	return Flow(source.NewList(origin, nodes...))
}

// Flow makes a collection of the compiler's stand on one line.
func Flow(n *source.Node) *source.Node {
	n.Style = source.Flow
	return n
}
