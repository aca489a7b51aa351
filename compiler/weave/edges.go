package weave

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
)

// maxEdges bounds the graph. A program with thousands of components that all wait for thousands of others has more.
const maxEdges = 1 << 19

// backward are the actions that take software away: they run against the order of CREATE.
var backward = map[string]bool{"DELETE": true, "SUSPEND": true}

// Backward says whether the step's action runs against the order of CREATE.
func (s *Step) Backward() bool { return backward[s.Action] }

// builder makes the graph from what the weaver noted.
type builder struct {
	*weaver
	edges int
	full  bool
}

// buildGraph makes nodes and edges, each host's order, and finds cycles.
func (w *weaver) buildGraph() {
	b := &builder{weaver: w}
	w.p.Graph.Grow(b.size())
	for _, r := range w.t.Resources {
		b.nodes(r)
	}
	for _, r := range w.t.Resources {
		b.resourceEdges(r)
		if h := w.p.hosts[r.Name.Str()]; h != nil && h.Resource == r {
			for _, c := range h.Components {
				for _, s := range c.Steps {
					b.stepEdges(s)
				}
			}
		}
	}
	for _, r := range w.p.Reads {
		if s := r.Component.Step("CREATE"); s != nil && r.Out != nil {
			s.Waited = true
		}
	}
	b.workflowEdges()
	b.cycles()
	for _, n := range w.p.Graph.Order() {
		if s := w.p.steps[n.ID]; s != nil && s.Action == "CREATE" {
			s.Component.Host.Order = append(s.Component.Host.Order, s)
		}
	}
}

// size guesses how many nodes and edges there will be: right where no step is absent and nothing waits for whole hosts.
func (b *builder) size() (nodes, edges int) {
	nodes = len(b.t.Resources) + len(b.p.steps)
	for c, links := range b.links {
		edges += len(links) * len(c.Steps)
	}
	for _, links := range b.needs {
		edges += len(links)
	}
	return nodes, min(edges+len(b.p.steps), maxEdges)
}

func (b *builder) nodes(r *hot.Resource) {
	n := graph.Node{ID: r.Name.Str(), Kind: graph.Resource, Type: r.Type.Str(), Location: r.Name.At()}
	switch f := b.workflows[r]; {
	case f != nil:
		n.Kind, n.Type = graph.Workflow, f.Reference.Str()
	case b.handles[r] != nil:
		n.Kind = graph.Wait
	}
	h := b.p.hosts[n.ID]
	if h != nil && h.Resource == r {
		n.Count = h.count()
	}
	if !b.p.Graph.Add(n) || h == nil {
		return
	}
	for _, c := range h.Components {
		for _, s := range c.Steps {
			b.p.Graph.Add(graph.Node{
				ID: s.ID, Kind: graph.Step, Type: c.Decl.Type.Str(), Host: n.ID, Action: s.Action, Location: c.Decl.Name.At(),
			})
		}
	}
}

func (b *builder) connect(from, to string, l link) {
	if b.full {
		return
	}
	if b.edges == maxEdges {
		b.full = true
		b.add(tooManyEdges(l.at))
		return
	}
	if b.p.Graph.Connect(graph.Edge{From: from, To: to, Reason: l.reason, Detail: l.detail, Location: l.at.At()}) {
		b.edges++
	}
}

// resourceEdges are what a resource waits for.
func (b *builder) resourceEdges(r *hot.Resource) {
	for _, l := range b.needs[r] {
		if l.resource != nil {
			b.connect(l.resource.Name.Str(), r.Name.Str(), l)
		}
	}
	b.predecessors(nil, b.needs[r], guarded(nil, r.Condition), "CREATE", func(s *Step, l link) {
		s.Waited = true
		b.connect(s.ID, r.Name.Str(), l)
	})
}

// stepEdges are what a step waits for: its host, the resources that it needs, and steps of the same action.
func (b *builder) stepEdges(s *Step) {
	c := s.Component
	b.connect(c.Host.Name(), s.ID, link{reason: graph.HostedOn, at: c.Decl.Name})
	needed := map[*hot.Resource]bool{c.Host.Resource: true}
	for _, l := range b.links[c] {
		if l.resource == nil || s.Action != "CREATE" {
			continue
		}
		b.connect(l.resource.Name.Str(), s.ID, l)
		if !needed[l.resource] {
			needed[l.resource] = true
			s.Needs = append(s.Needs, l.resource)
		}
	}
	var given *guard
	for _, n := range c.conditions {
		given = guarded(given, n)
	}
	before := map[*Step]bool{}
	b.predecessors(c, b.links[c], given, s.Action, func(other *Step, l link) {
		first, then := other, s
		if s.Backward() {
			first, then = s, other
		}
		b.connect(first.ID, then.ID, l)
		if before[other] {
			return
		}
		before[other] = true
		then.Before = append(then.Before, first)
		if s.Action == "CREATE" && other.Component.Host != c.Host {
			other.Waited = true
		}
	})
}

// predecessors visits the steps of an action that links lead to. Where a component has no step of that action, or may
// not exist where the waiting one does, the way goes on to what it waits for itself: order does not get lost when a
// step in the middle is absent.
func (b *builder) predecessors(c *Component, links []link, given *guard, action string, visit func(*Step, link)) {
	type passage struct {
		through *Component
		first   link // as the author wrote it
	}
	var passages []passage
	var seen map[*Component]bool // those that passages lead through
	pass := func(p *Component, s *Step, first link) {
		if p == c || s != nil && b.entailed(given, p) || seen[p] {
			return
		}
		if seen == nil {
			seen = map[*Component]bool{}
		}
		seen[p] = true
		passages = append(passages, passage{p, first})
	}
	for _, l := range links {
		for _, p := range l.components() {
			if b.full {
				return
			}
			s := p.Step(action)
			if s != nil {
				visit(s, l)
			}
			pass(p, s, l)
		}
	}
	for i := 0; i < len(passages) && !b.full; i++ {
		through, first := passages[i].through, passages[i].first
		for _, l := range b.links[through] {
			for _, p := range l.components() {
				s := p.Step(action)
				if s != nil && p != c {
					visit(s, link{reason: first.reason, detail: "by way of " + through.ID(), at: first.at})
				}
				pass(p, s, first)
			}
		}
	}
}

// workflowEdges let participants signal handles, and handles start workflows.
func (b *builder) workflowEdges() {
	for _, h := range b.p.Handles {
		for _, c := range h.Participants {
			s := c.Step("CREATE")
			if s == nil {
				continue
			}
			s.Waited = true
			b.connect(s.ID, h.Resource.Name.Str(), link{reason: graph.Signals, at: c.handleNode()})
		}
	}
	for _, f := range b.p.Workflows {
		if f.Handle != nil {
			at := f.Resource.Properties.Get("handle")
			b.connect(f.Handle.Resource.Name.Str(), f.Resource.Name.Str(), link{reason: graph.Starts, at: at})
		}
	}
}

// cycles reports those in which software takes part; compiler/function reports those of resources alone. What DELETE
// or another action repeats of a cycle of CREATE is not reported again.
func (b *builder) cycles() {
	if b.full {
		return // not all edges are there; what has to be said first has been
	}
	var cycles []graph.Cycle
	for _, c := range b.p.Graph.Cycles() {
		if slices.ContainsFunc(c, func(e graph.Edge) bool { return b.p.steps[e.From] != nil }) {
			cycles = append(cycles, c)
		}
	}
	creating := func(c graph.Cycle) bool {
		return !slices.ContainsFunc(c, func(e graph.Edge) bool {
			s := b.p.steps[e.From]
			return s != nil && s.Action != "CREATE"
		})
	}
	slices.SortStableFunc(cycles, func(x, y graph.Cycle) int { return truthRank(creating(y)) - truthRank(creating(x)) })
	told := map[diag.Location]bool{}
	for _, c := range cycles {
		if !slices.ContainsFunc(c, func(e graph.Edge) bool { return !told[e.Location] }) {
			continue
		}
		for _, e := range c {
			told[e.Location] = true
		}
		b.add(c.Diagnostic())
	}
}

func truthRank(b bool) int {
	if b {
		return 1
	}
	return 0
}
