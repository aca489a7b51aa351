package graph

import (
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
	edges    []Edge
}

// draw prepares the graph for the graphical forms.
func (g *Graph) draw() drawing {
	var d drawing
	g = g.merge()
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

// boxes gives the nodes that are not steps of another one, in order, each with its steps in the order in which
// they run.
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
	return out
}

// hosted reports whether the node is drawn inside another one.
func (g *Graph) hosted(n *Node) bool {
	host := g.Node(n.Host)
	return n.Kind == Step && host != nil && host.Kind != Step
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
		a.edges = append(a.edges, e)
		if telling(e.Reason) > telling(a.kind) {
			a.kind = e.Reason
		}
	}
	return out
}

// because says why, each reason once with all its details: "reads socket, port; depends_on".
func because(edges []Edge) string {
	var order []Reason
	details := map[Reason][]string{}
	for _, e := range edges {
		if _, known := details[e.Reason]; !known {
			order = append(order, e.Reason)
			details[e.Reason] = nil
		}
		if e.Detail != "" {
			details[e.Reason] = append(details[e.Reason], e.Detail)
		}
	}
	var words []string
	for _, r := range order {
		words = append(words, strings.TrimSuffix(string(r)+" "+strings.Join(details[r], ", "), " "))
	}
	return strings.Join(words, "; ")
}

// telling ranks the reasons: where several hold between two nodes the highest gives the arrow its look.
func telling(r Reason) int {
	return slices.Index([]Reason{HostedOn, ListOrder, Refers, DependsOn, Reads, Starts, Signals}, r)
}

// caption is what a node is, in words.
func (n *Node) caption() string {
	switch {
	case n.Kind == Workflow:
		return "workflow " + n.Type
	case n.Kind == Step && n.Action != "" && n.Action != "CREATE":
		return n.Type + " · " + n.Action
	}
	return n.Type
}

// label is the node's name as seen from inside its host.
func (n *Node) label() string {
	if n.Kind == Step {
		name, _, _ := strings.Cut(strings.TrimPrefix(n.ID, n.Host+"."), ":") // the actions stand beside it
		return name
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
