package cloudinit

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/weave"
)

// checkOrder reports what the order of the program asks for that hosts which run all their steps in one go can not
// give: it draws the graph in which a host waits for everything that one of its steps waits for, and finds cycles.
func (t *emitter) checkOrder() {
	folded := &graph.Graph{}
	steps := map[string]*weave.Step{}
	for _, h := range t.Program.Hosts {
		for _, s := range h.Order {
			steps[s.ID] = s
		}
	}
	for n := range t.Program.Graph.Nodes() {
		if n.Kind == graph.Resource || steps[n.ID] != nil {
			folded.Add(*n)
		}
	}
	for e := range t.Program.Graph.Edges() {
		from, to := steps[e.From], steps[e.To]
		if to == nil {
			folded.Connect(e)
			continue
		}
		host := to.Component.Host
		switch {
		case from != nil && from.Component.Host == host:
			continue
		case e.Reason == graph.HostedOn:
			folded.Connect(e)
		case e.From == host.Name():
			t.Report(ownAttribute(e.Location, to.Component.ID(), host.Name(), e.Why()))
		default:
			e.To = host.Name()
			folded.Connect(e)
		}
	}
	for _, c := range folded.Cycles() {
		t.reportCycle(c)
	}
}

// reportCycle tells of a cycle that begins with its first host.
func (t *emitter) reportCycle(c graph.Cycle) {
	var nodes []string
	for _, e := range slices.Backward(c) {
		nodes = append(nodes, e.To)
	}
	nodes = append(nodes, c[len(c)-1].To)
	d := interleaved(c[len(c)-1].Location, nodes)
	for _, e := range slices.Backward(c) {
		if e.Reason == graph.HostedOn {
			d = d.Via(e.Location, "%s runs on %s", e.To, e.From)
		} else {
			d = d.Via(e.Location, "%s waits for %s (%s)", e.To, e.From, e.Why())
		}
	}
	t.Report(d)
}
