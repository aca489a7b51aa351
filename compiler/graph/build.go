package graph

import (
	"iter"
	"slices"
)

// Graph is a set of nodes and the edges between them, both in the order in which they were added, which for a woven
// template is that of the document. The zero Graph is empty and ready to use. It is not safe for concurrent changes.
type Graph struct {
	nodes []*Node
	edges []Edge
	index map[string]int
	ends  [][2]int // by edge: the indexes of its nodes, from and to
	in    [][]int  // by node: indexes into edges
	out   [][]int
	pairs map[[2]int]int // by ends: the last edge between them
	twin  []int          // by edge: the one before it with the same ends, or -1
}

// Grow makes room for so many more nodes and edges.
func (g *Graph) Grow(nodes, edges int) {
	if g.index == nil {
		g.index, g.pairs = make(map[string]int, nodes), make(map[[2]int]int, edges)
	}
	g.nodes, g.in, g.out = slices.Grow(g.nodes, nodes), slices.Grow(g.in, nodes), slices.Grow(g.out, nodes)
	g.edges, g.ends, g.twin = slices.Grow(g.edges, edges), slices.Grow(g.ends, edges), slices.Grow(g.twin, edges)
}

// Add adds a node and reports true, or reports false and changes nothing where the ID is empty or taken.
func (g *Graph) Add(n Node) bool {
	if _, taken := g.index[n.ID]; taken || n.ID == "" {
		return false
	}
	if g.index == nil {
		g.Grow(0, 0)
	}
	g.index[n.ID] = len(g.nodes)
	g.nodes = append(g.nodes, &n)
	g.in, g.out = append(g.in, nil), append(g.out, nil)
	return true
}

// Connect adds an edge and reports true, or reports false and changes nothing where an end is not in the graph or
// the same edge (ends, reason and detail) is there already.
func (g *Graph) Connect(e Edge) bool {
	from, ok := g.index[e.From]
	if !ok {
		return false
	}
	to, ok := g.index[e.To]
	if !ok {
		return false
	}
	ends := [2]int{from, to}
	last, ok := g.pairs[ends]
	if !ok {
		last = -1
	}
	for i := last; i >= 0; i = g.twin[i] {
		if g.edges[i].Reason == e.Reason && g.edges[i].Detail == e.Detail {
			return false // said twice; the first place counts
		}
	}
	i := len(g.edges)
	g.edges, g.ends, g.twin = append(g.edges, e), append(g.ends, ends), append(g.twin, last)
	g.pairs[ends] = i
	g.out[from] = append(g.out[from], i)
	g.in[to] = append(g.in[to], i)
	return true
}

// Len is the number of nodes.
func (g *Graph) Len() int { return len(g.nodes) }

// Node finds a node, or gives nil.
func (g *Graph) Node(id string) *Node {
	if i, ok := g.index[id]; ok {
		return g.nodes[i]
	}
	return nil
}

// Nodes gives all nodes in the order in which they were added.
func (g *Graph) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, n := range g.nodes {
			if !yield(n) {
				return
			}
		}
	}
}

// Edges gives all edges in the order in which they were added.
func (g *Graph) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, e := range g.edges {
			if !yield(e) {
				return
			}
		}
	}
}

// In gives the edges that end at the node, Out those that leave it; nothing for an unknown node.
func (g *Graph) In(id string) iter.Seq[Edge]  { return g.incident(g.in, id) }
func (g *Graph) Out(id string) iter.Seq[Edge] { return g.incident(g.out, id) }

func (g *Graph) incident(lists [][]int, id string) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		i, ok := g.index[id]
		if !ok {
			return
		}
		for _, e := range lists[i] {
			if !yield(g.edges[e]) {
				return
			}
		}
	}
}

// Predecessors gives the nodes that the node waits for directly, each once, in the order of its edges.
func (g *Graph) Predecessors(id string) []*Node {
	return g.neighbours(g.In(id), func(e Edge) string { return e.From })
}

// Successors gives the nodes that wait directly for the node, each once, in the order of its edges.
func (g *Graph) Successors(id string) []*Node {
	return g.neighbours(g.Out(id), func(e Edge) string { return e.To })
}

func (g *Graph) neighbours(edges iter.Seq[Edge], other func(Edge) string) []*Node {
	var out []*Node
	seen := map[string]bool{}
	for e := range edges {
		if id := other(e); !seen[id] {
			seen[id] = true
			out = append(out, g.Node(id))
		}
	}
	return out
}

// Reaches reports whether to happens, by way of any number of edges (at least one), only after from.
func (g *Graph) Reaches(from, to string) bool {
	start, ok := g.index[from]
	if !ok {
		return false
	}
	goal, ok := g.index[to]
	if !ok {
		return false
	}
	found := false
	g.visit(start, outward, func(i int) bool {
		found = i == goal
		return !found
	})
	return found
}

// Ancestors gives every node that has to be complete before the node begins, directly or not, in document order.
func (g *Graph) Ancestors(id string) []*Node { return g.closure(id, inward) }

// Descendants gives every node that begins only when the node is complete, directly or not, in document order.
func (g *Graph) Descendants(id string) []*Node { return g.closure(id, outward) }

func (g *Graph) closure(id string, way direction) []*Node {
	start, ok := g.index[id]
	if !ok {
		return nil
	}
	member := make([]bool, len(g.nodes))
	g.visit(start, way, func(i int) bool { member[i] = true; return true })
	var out []*Node
	for i, in := range member {
		if in {
			out = append(out, g.nodes[i])
		}
	}
	return out
}

// direction says which way to follow edges.
type direction int

const (
	inward  direction = iota // from a node to what it waits for
	outward                  // from a node to what waits for it
)

// visit calls fn for every node that edges lead to from start, each once, start itself only where a cycle leads
// back to it, until fn returns false.
func (g *Graph) visit(start int, way direction, fn func(int) bool) {
	lists := g.in
	if way == outward {
		lists = g.out
	}
	seen := make([]bool, len(g.nodes))
	stack := []int{start}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range lists[i] {
			next := g.ends[e][way]
			if seen[next] {
				continue
			}
			seen[next] = true
			if !fn(next) {
				return
			}
			stack = append(stack, next)
		}
	}
}
