package graph

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Cycle is a way that leads back to where it began: each edge starts where the one before it ends, no node comes
// twice. It begins at its first node in document order.
type Cycle []Edge

// maxCycles bounds the number of cycles reported for one graph. An author who has that many mends the first few and
// looks again.
const maxCycles = 20

// Cycles finds the graph's cycles: at least one in every knot of nodes that wait for each other, and no two with a
// step from node to node in common, so that one mistake gives one cycle rather than one for each rotation or detour.
// Of the cycles through a node the shortest is given. At most 20 are given.
func (g *Graph) Cycles() []Cycle {
	var out []Cycle
	cut := make([]bool, len(g.edges)) // the edges of cycles that are found
	for len(out) < maxCycles {
		start, knot := g.firstKnotted(cut)
		if start < 0 {
			break
		}
		var c Cycle
		for _, e := range g.shortestCycle(start, knot, cut) {
			c = append(c, g.edges[e])
			from, to := g.ends[e][0], g.ends[e][1]
			for _, parallel := range g.out[from] {
				cut[parallel] = cut[parallel] || g.ends[parallel][1] == to
			}
		}
		out = append(out, c)
	}
	return out
}

// firstKnotted is the first node in document order that reaches itself over edges that are not cut, or -1, and the
// knots without cut edges.
func (g *Graph) firstKnotted(cut []bool) (start int, knot []int) {
	knot = g.knots(cut)
	first := len(g.nodes)
	for e, ends := range g.ends {
		if !cut[e] && knot[ends[0]] == knot[ends[1]] {
			first = min(first, ends[0])
		}
	}
	if first == len(g.nodes) {
		return -1, knot
	}
	return first, knot
}

// shortestCycle gives the edges of a shortest way from start back to start inside its knot.
func (g *Graph) shortestCycle(start int, knot []int, cut []bool) []int {
	via := map[int]int{} // node to the edge that reached it
	queue := []int{start}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, e := range g.out[i] {
			to := g.ends[e][1]
			if cut[e] || knot[to] != knot[start] {
				continue
			}
			if _, seen := via[to]; seen {
				continue
			}
			via[to] = e
			if to == start {
				return trace(start, via, g.ends)
			}
			queue = append(queue, to)
		}
	}
	return nil
}

// trace walks back from start over the edges that reached each node.
func trace(start int, via map[int]int, ends [][2]int) []int {
	var back []int
	for i := start; ; {
		e := via[i]
		back = append(back, e)
		if i = ends[e][0]; i == start {
			break
		}
	}
	slices.Reverse(back)
	return back
}

// Diagnostic reports the cycle as a finding at the place that closes it, with a trail of one step for each edge.
func (c Cycle) Diagnostic() diag.Diagnostic {
	names := make([]string, 0, len(c)+1)
	for _, e := range c {
		names = append(names, e.From)
	}
	last := c[len(c)-1]
	names = append(names, last.To)
	d := diag.Errorf(last.Location, "circular-dependency", "circular dependency: %s", strings.Join(names, " → "))
	if len(c) == 1 {
		d = diag.Errorf(last.Location, "circular-dependency", "%s waits for itself (%s)", last.To, last.Why())
	}
	for _, e := range c {
		d = d.Via(e.Location, "%s waits for %s (%s)", e.To, e.From, e.Why())
	}
	return d.With("remove one of these dependencies")
}
