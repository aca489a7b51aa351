package local

import (
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/weave"
)

// Options of Build.
type Options struct {
	// Provides reports whether this machine has a resource type or a tool.
	Provides func(kind, name string) bool
	// Stub lets what it does not have pass as a resource that does nothing.
	Stub bool
}

// MaxMembers bounds a group on this machine.
const MaxMembers = 1000

// Build plans a project's template. The plan is never nil; where a finding is an error it is incomplete.
func Build(p *project.Project, program *weave.Program, o Options) (*Plan, diag.List) {
	b := &builder{project: p, o: o, plan: &Plan{byKey: map[string]*Node{}}}
	root := &Stack{Template: p.Template, Program: program, Hot: p.Stack, scope: p.Scope}
	b.plan.Root = root
	b.stack(root, weave.ForProject(p), nil)
	b.found.Sort()
	return b.plan, b.found
}

type builder struct {
	project *project.Project
	o       Options
	plan    *Plan
	found   diag.List
}

func (b *builder) add(d diag.Diagnostic) { b.found.Add(d) }

// level is the building of one stack.
type level struct {
	*builder
	s      *Stack
	opts   weave.Options
	before []string            // what the whole stack waits for
	done   map[string][]string // by graph node: the keys that are complete with it
	member map[string][]string // by graph node of a group or a step on one: the key of each member
	hosts  map[string][]string // by group: the keys of its members' hosts
}

// stack adds all nodes of a stack and gives the keys of those in it.
func (b *builder) stack(s *Stack, opts weave.Options, before []string) []string {
	l := &level{
		builder: b, s: s, opts: opts, before: before,
		done: map[string][]string{}, member: map[string][]string{}, hosts: map[string][]string{},
	}
	first := len(b.plan.Nodes)
	for _, n := range s.Program.Graph.Order() {
		if !isFirst(s.Program, n) {
			continue
		}
		if step := s.Program.Step(n.ID); step != nil {
			l.step(n, step)
			continue
		}
		if r := s.Template.Resource(n.ID); r != nil && s.scope.Enabled(r) != function.False {
			l.resource(n, r)
		}
	}
	var keys []string
	for _, n := range b.plan.Nodes[first:] {
		keys = append(keys, n.Key)
	}
	return keys
}

// after is what a graph's node waits for, by way of edges for which via gives the keys.
func (l *level) after(n *graph.Node, via func(graph.Edge) []string) []string {
	var keys []string
	for e := range l.s.Program.Graph.In(n.ID) {
		keys = append(keys, via(e)...)
	}
	if len(keys) == 0 {
		return l.before
	}
	return keys
}

func (l *level) all(e graph.Edge) []string { return l.done[e.From] }

// resource adds the nodes of one resource.
func (l *level) resource(n *graph.Node, r *hot.Resource) {
	key := l.s.Key(n.ID)
	node := &Node{
		Key: key, Kind: Resource, Type: n.Type, Stack: l.s, Resource: r, Properties: r.Properties, Metadata: r.Metadata,
		Member: -1, After: l.after(n, l.all), At: r.Name,
	}
	switch n.Kind {
	case graph.Wait:
		node.Kind = Wait
	case graph.Workflow:
		node.Kind = Workflow
	default:
		l.typed(node, r.Type, n.ID)
		l.done[n.ID] = []string{key}
		return
	}
	l.plan.add(node)
	l.done[n.ID] = []string{key}
}

// typed finds out what a resource's or member's type means here, and adds the node with all that is below it.
func (l *level) typed(node *Node, typ *source.Node, resource string) {
	name, nested := l.resolve(resource, typ)
	if nested != nil {
		l.nested(node, typ, nested, resource)
		return
	}
	node.Type = name
	g, isGroup := groupTypes[name]
	switch {
	case hostTypes[name]:
		node.Kind = Host
	case isGroup:
		l.group(node, g, resource)
		return
	case !l.o.Provides("resource", name) && !l.o.Stub:
		l.add(unknownHere(typ, name))
	}
	l.plan.add(node)
}

func (l *level) resolve(resource string, typ *source.Node) (string, *hot.Template) {
	if l.opts.ResolveType == nil {
		return typ.Str(), nil
	}
	return l.opts.ResolveType(resource, typ)
}

// nested adds what is in a nested template, and the node that is complete when all of it is.
func (l *level) nested(node *Node, typ *source.Node, t *hot.Template, resource string) {
	opts := l.opts
	if opts.Below != nil {
		opts = opts.Below(resource)
	}
	program, _ := weave.Weave(t, opts) // what is wrong in it was found with the whole
	env := l.s.Hot.Environment
	stack := &hot.Stack{
		Template: t, Parent: l.s.Hot, Depth: l.s.Hot.Depth + 1,
		Resource:    &hot.Resource{Name: node.Resource.Name, Node: node.Resource.Node, Type: typ, Properties: node.Properties, Metadata: node.Metadata},
		Environment: &hot.Environment{Registry: env.Registry.Below(resource), Defaults: env.Defaults},
	}
	node.Kind = Nested
	node.Inner = &Stack{
		Path: node.Key + "/", Template: t, Program: program, Parent: l.s, Properties: node.Properties, Hot: stack,
		scope: l.s.scope.Child(stack),
	}
	node.After = append(l.builder.stack(node.Inner, opts, node.After), node.After...)
	l.plan.add(node)
}

// hostTypes are the types that steps run on.
var hostTypes = map[string]bool{"OS::Nova::Server": true, "OS::Heat::DeployedServer": true}

// groupType says where a type that multiplies another has its properties.
type groupType struct {
	definition, count, index string
	standard                 int64 // members where the template does not say
}

var groupTypes = map[string]groupType{
	"OS::Heat::ResourceGroup":    {definition: "resource_def", count: "count", index: "index_var", standard: 1},
	"OS::Heat::AutoScalingGroup": {definition: "resource", count: "desired_capacity"},
	"OS::Heat::ResourceChain":    {},
}

// group adds the members of a group, and the node that is complete when they are.
func (l *level) group(node *Node, g groupType, resource string) {
	node.Kind = Group
	before := node.After
	for i, def := range l.members(node, g) {
		if def.typ == nil {
			continue
		}
		m := &Node{
			Key: node.Key + "/" + strconv.Itoa(i), Kind: Resource, Type: def.typ.Str(), Stack: l.s, Resource: node.Resource,
			Properties: def.properties, Metadata: def.metadata, Member: i, After: before, At: node.At,
		}
		if def.chained && i > 0 {
			m.After = []string{node.Members[i-1]}
		}
		l.typed(m, def.typ, resource)
		node.Members = append(node.Members, m.Key)
		l.hosts[resource] = append(l.hosts[resource], l.hostOf(m, resource))
	}
	node.After = append(append([]string{}, node.Members...), before...)
	l.plan.add(node)
}

// hostOf is the key of the host that a group's member is, or that is in it.
func (l *level) hostOf(m *Node, group string) string {
	if h := l.s.Program.Host(group); m.Inner != nil && h != nil && h.Member != nil && h.Member.Host != nil {
		return m.Inner.Key(h.Member.Host.Name.Str())
	}
	return m.Key
}

// definition is what one member of a group is.
type definition struct {
	typ, properties, metadata *source.Node
	chained                   bool // waits for the member before it
}

func (l *level) members(node *Node, g groupType) []definition {
	if g.definition == "" {
		return l.chain(node)
	}
	def := node.Properties.Get(g.definition)
	count, ok := l.count(node, g)
	if !ok {
		return nil
	}
	index := ""
	if g.index != "" {
		index = "%index%"
		if v := node.Properties.Get(g.index); v.Is(source.String) {
			index = v.Text
		}
	}
	var out []definition
	for i := range count {
		one := indexed(def, index, strconv.FormatInt(i, 10))
		out = append(out, definition{typ: one.Get("type"), properties: one.Get("properties"), metadata: one.Get("metadata")})
	}
	return out
}

// indexed replaces a group's index in all texts of a definition.
func indexed(def *source.Node, variable, index string) *source.Node {
	if variable == "" {
		return def
	}
	return def.Rewrite(func(n *source.Node) *source.Node {
		if n.Is(source.String) && strings.Contains(n.Text, variable) {
			return source.NewString(n, strings.ReplaceAll(n.Text, variable, index))
		}
		return n
	})
}

// count is the number of a group's members, which has to be known beforehand.
func (l *level) count(node *Node, g groupType) (int64, bool) {
	n := node.Properties.Get(g.count)
	if n.IsNull() && g.count == "desired_capacity" {
		n = node.Properties.Get("min_size")
	}
	if n.IsNull() {
		return g.standard, true
	}
	v, err := l.s.scope.Eval(n)
	switch {
	case err != nil:
		return 0, false // said where functions are checked
	case function.HasUnknown(v):
		l.add(unknownCount(n, node))
		return 0, false
	}
	number, err := value.ToInt(v)
	i, ok := value.Int(number)
	if err != nil || !ok || i < 0 || i > MaxMembers {
		l.add(badCount(n, node))
		return 0, false
	}
	return int64(i), true
}

// chain gives the members of a ResourceChain: a list of types with the same properties, one after the other unless they
// are concurrent.
func (l *level) chain(node *Node) []definition {
	list := node.Properties.Get("resources")
	v, err := l.s.scope.Eval(list)
	types, isList := v.([]any)
	if err != nil || !isList || function.HasUnknown(v) {
		l.add(unknownCount(list, node))
		return nil
	}
	concurrent, _ := l.s.scope.Eval(node.Properties.Get("concurrent"))
	var out []definition
	for i, t := range types {
		at := list
		if list.Is(source.List) && i < len(list.Items) && list.Items[i].Is(source.String) {
			at = list.Items[i]
		}
		out = append(out, definition{
			typ: source.NewString(at, value.Str(t)), properties: node.Properties.Get("resource_properties"), chained: !value.Truth(concurrent),
		})
	}
	return out
}

// step adds a component's node, on a group one for each member.
func (l *level) step(n *graph.Node, s *weave.Step) {
	c := s.Component
	host := c.Host.Name()
	if len(l.done[host]) == 0 {
		return // the host's condition does not hold
	}
	if c.Decl.Condition != nil {
		if truth, err := l.s.scope.Truth(c.Decl.Condition); err == nil && truth == function.False {
			return
		}
	}
	if tool := c.Type.Tool; !c.Reports() && !l.o.Provides("tool", tool.Str()) {
		l.add(unknownTool(tool, c))
	}
	if c.Host.Kind != weave.Group {
		node := l.stepNode(c, l.s.Key(host)+"."+c.Name(), l.s.Key(host), -1)
		node.After = l.after(n, l.all)
		l.plan.add(node)
		l.done[n.ID] = []string{node.Key}
		return
	}
	for i, key := range l.hosts[host] {
		member := l.s.Key(host) + "/" + strconv.Itoa(i)
		node := l.stepNode(c, member+"."+c.Name(), key, i)
		node.After = append(l.after(n, func(e graph.Edge) []string { return l.seen(e, c, i, member) }), member)
		l.plan.add(node)
		l.done[n.ID] = append(l.done[n.ID], node.Key)
		l.member[n.ID] = append(l.member[n.ID], node.Key)
	}
}

// seen is what an edge means to a step on one member: of its own group that member alone.
func (l *level) seen(e graph.Edge, c *weave.Component, i int, member string) []string {
	if e.From == c.Host.Name() {
		return []string{member}
	}
	if s := l.s.Program.Step(e.From); s != nil && s.Component.Host == c.Host && i < len(l.member[e.From]) {
		return []string{l.member[e.From][i]}
	}
	return l.done[e.From]
}

func (l *level) stepNode(c *weave.Component, key, host string, member int) *Node {
	return &Node{
		Key: key, Kind: Step, Type: c.Decl.Type.Str(), Stack: l.s, Component: c, Host: host, Member: member, At: c.Decl.Name,
	}
}
