package graph

import "strings"

// Fold gives the graph with every step drawn into its host: hosts wait for hosts, with the reasons that their steps
// have. Steps whose host is not in the graph stay. What is left may have cycles where the steps have none.
func (g *Graph) Fold() *Graph {
	out := &Graph{}
	place := make([]string, len(g.nodes))
	for i, n := range g.nodes {
		place[i] = n.ID
		if n.Kind == Step && g.Node(n.Host) != nil {
			place[i] = n.Host
			continue
		}
		out.Add(*n)
	}
	for i, e := range g.edges {
		from, to := g.ends[i][0], g.ends[i][1]
		if place[from] == place[to] {
			continue
		}
		if e.Reason == Reads && place[from] != e.From {
			e.Detail = g.nodes[from].label() + "." + e.Detail
		}
		e.From, e.To = place[from], place[to]
		out.Connect(e)
	}
	return out
}

// Reduce gives the graph without the edges that other edges imply: where b waits for a and c for b, c's waiting for
// a is left out unless it carries data (Reads). What has to happen before what is the same as before; a graph with
// cycles stays as it is. It takes O(nodes × edges), so fold large graphs first.
func (g *Graph) Reduce() *Graph {
	if first, _ := g.firstKnotted(make([]bool, len(g.edges))); first >= 0 {
		return g
	}
	rank := make([]int, len(g.nodes))
	for r, i := range g.order() {
		rank[i] = r
	}
	out := &Graph{}
	for _, n := range g.nodes {
		out.Add(*n)
	}
	implied := make([]map[int]bool, len(g.nodes))
	for i := range g.nodes {
		implied[i] = g.implied(i, rank)
	}
	for i, e := range g.edges {
		from, to := g.ends[i][0], g.ends[i][1]
		if e.Reason == Reads || !implied[from][to] {
			out.Connect(e)
		}
	}
	return out
}

// implied gives the direct successors of a node that it also reaches by way of another of them.
func (g *Graph) implied(node int, rank []int) map[int]bool {
	direct := map[int]bool{}
	furthest := 0
	for _, e := range g.out[node] {
		to := g.ends[e][1]
		direct[to] = true
		furthest = max(furthest, rank[to])
	}
	if len(direct) < 2 {
		return nil
	}
	seen, found := map[int]bool{}, map[int]bool{}
	var stack []int
	follow := func(i int) {
		for _, e := range g.out[i] {
			to := g.ends[e][1]
			if rank[to] > furthest {
				continue
			}
			if direct[to] {
				found[to] = true
			}
			if !seen[to] {
				seen[to] = true
				stack = append(stack, to)
			}
		}
	}
	for to := range direct {
		follow(to)
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		follow(i)
	}
	return found
}

// merge gives the graph with one node for all actions of a component on a host: people read it as one thing, and the
// other actions run in the order of CREATE or in its reverse. The node is that of the first action; Action lists all.
func (g *Graph) merge() *Graph {
	first := map[string]int{} // by name without action: the node that stands for all
	into := make([]int, len(g.nodes))
	nodes := make([]Node, len(g.nodes))
	for i, n := range g.nodes {
		nodes[i], into[i] = *n, i
		if n.Kind != Step {
			continue
		}
		name := strings.TrimSuffix(n.ID, ":"+n.Action)
		if at, ok := first[name]; ok {
			into[i] = at
			nodes[at].Action += " " + n.Action
		} else {
			first[name] = i
		}
	}
	out := &Graph{}
	for i, n := range nodes {
		if into[i] == i {
			out.Add(n)
		}
	}
	for i, e := range g.edges {
		if from, to := g.ends[i][0], g.ends[i][1]; into[from] == from && into[to] == to {
			out.Connect(e)
		}
	}
	return out
}
