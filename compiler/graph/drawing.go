package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxDrawn is the number of nodes above which a drawing shows hosts without their steps: more is neither laid out
// quickly nor read by anybody. The text and JSON forms always have everything.
const maxDrawn = 200

// drawing is a graph prepared for the eye: steps inside their hosts, parallel edges merged, edges that others imply
// left out.
type drawing struct {
	boxes  []box
	arrows []arrow
	folded bool
}

// box is a node with the steps that run on it.
type box struct {
	*Node
	steps []*Node
}

// arrow is all edges between two nodes.
type arrow struct {
	from, to string
	kind     Reason // the most telling reason
	why      []string
}

// draw prepares the graph for the graphical forms.
func (g *Graph) draw() drawing {
	var d drawing
	if len(g.nodes) > maxDrawn {
		g, d.folded = g.Fold(), true
	}
	if len(g.nodes) <= maxDrawn {
		g = g.Reduce()
	}
	d.boxes = g.boxes()
	d.arrows = g.arrows()
	return d
}

// boxes gives the nodes that are not steps of another one, in order, each with its steps: those of CREATE first,
// then the other actions', in the order in which they run.
func (g *Graph) boxes() []box {
	var out []box
	index := map[string]int{}
	order := g.Order()
	for _, n := range order {
		if !g.hosted(n) {
			index[n.ID] = len(out)
			out = append(out, box{Node: n})
		}
	}
	for _, n := range order {
		if g.hosted(n) {
			b := &out[index[n.Host]]
			b.steps = append(b.steps, n)
		}
	}
	for _, b := range out {
		slices.SortStableFunc(b.steps, func(a, b *Node) int { return cmp.Compare(actionRank(a.Action), actionRank(b.Action)) })
	}
	return out
}

// hosted reports whether the node is drawn inside another one.
func (g *Graph) hosted(n *Node) bool {
	host := g.Node(n.Host)
	return n.Kind == Step && host != nil && host.Kind != Step
}

// actions in the order in which a stack meets them, as Heat names them.
var actions = []string{"CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME"}

func actionRank(action string) int {
	if i := slices.Index(actions, action); i >= 0 {
		return i
	}
	return len(actions)
}

// arrows merges the edges between the same two nodes and leaves out what drawing a step inside its host says.
func (g *Graph) arrows() []arrow {
	var out []arrow
	index := map[[2]int]int{}
	for i, e := range g.edges {
		if to := g.nodes[g.ends[i][1]]; e.Reason == HostedOn && g.hosted(to) && to.Host == e.From {
			continue
		}
		at, ok := index[g.ends[i]]
		if !ok {
			at = len(out)
			index[g.ends[i]] = at
			out = append(out, arrow{from: e.From, to: e.To, kind: e.Reason})
		}
		a := &out[at]
		a.why = append(a.why, e.Why())
		if telling(e.Reason) > telling(a.kind) {
			a.kind = e.Reason
		}
	}
	return out
}

// telling ranks the reasons: where several hold between two nodes the highest gives the arrow its look.
func telling(r Reason) int {
	return slices.Index([]Reason{HostedOn, ListOrder, Refers, DependsOn, Reads, Starts, Signals}, r)
}

// label is the node's name as seen from inside its host.
func (g *Graph) label(n *Node) string {
	if n.Kind == Step {
		return strings.TrimPrefix(n.ID, n.Host+".")
	}
	return n.ID
}

// title is the node's name with the number of its members.
func (n *Node) title(name string) string {
	if n.Count == "" {
		return printable(name)
	}
	return fmt.Sprintf("%s ×%s", printable(name), printable(n.Count))
}

// printable replaces control characters, which a terminal or a layout program would obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return '·'
		}
		return r
	}, s)
}
