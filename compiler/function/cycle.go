package function

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// edge says that from needs to.
type edge struct {
	from, to *hot.Resource
	at       *source.Node // the author's text that says so
	why      string
	certain  bool // not only under other values of parameters
}

// dependencies is the graph of what the resources of a template need.
type dependencies struct {
	resources []*hot.Resource
	number    map[*hot.Resource]int
	edges     [][]edge

	reads     map[[2]string]bool // resource and attribute that Heat computes; "" stands for all attributes
	lostReads []attributeRead    // those that do not make Heat compute the attribute
}

// attributeRead is one place that reads an attribute.
type attributeRead struct {
	resource, attribute string
	at                  Call
	failure             diag.Diagnostic // why Heat does not know the attribute at a lost read
	anyway              bool            // worth a warning also where another read makes Heat know it
}

// unreadAttributes finds attributes that only lost reads read.
func (g *dependencies) unreadAttributes() diag.List {
	var found diag.List
	for _, r := range g.lostReads {
		switch known := g.reads[[2]string{r.resource, r.attribute}] || g.reads[[2]string{r.resource, ""}]; {
		case !known:
			found.Add(r.failure)
		case r.anyway:
			r.failure.Severity = diag.Warning
			found.Add(r.failure)
		}
	}
	return found
}

func newDependencies(t *hot.Template) *dependencies {
	g := &dependencies{resources: t.Resources, number: make(map[*hot.Resource]int, len(t.Resources)), edges: make([][]edge, len(t.Resources)), reads: map[[2]string]bool{}}
	for i, r := range t.Resources {
		g.number[r] = i
	}
	return g
}

func (g *dependencies) add(e edge) {
	i := g.number[e.from]
	g.edges[i] = append(g.edges[i], e)
}

// cycles reports one cycle of each group of resources that need each other.
func (g *dependencies) cycles() diag.List {
	var found diag.List
	for _, group := range g.components() {
		cycle := g.shortest(group)
		if cycle == nil {
			continue
		}
		names := []string{cycle[0].from.Name.Text}
		certain := true
		for _, e := range cycle {
			names = append(names, e.to.Name.Text)
			certain = certain && e.certain
		}
		d := circularDependency(cycle, names)
		if !certain {
			d = possible(d)
		}
		found.Add(d)
	}
	return found
}

func circularDependency(cycle []edge, names []string) diag.Diagnostic {
	d := diag.Errorf(cycle[0].at.At(), "circular-dependency", "resources that need each other: %s", strings.Join(names, " → "))
	if len(cycle) == 1 {
		d.Message = "resource \"" + names[0] + "\" needs itself"
		return d
	}
	for _, e := range cycle {
		d = d.Via(e.at.At(), "%s needs %s: %s", e.from.Name.Text, e.to.Name.Text, e.why)
	}
	return d
}

// components are the strongly connected components, by Tarjan's algorithm without recursion.
func (g *dependencies) components() [][]int {
	n := len(g.resources)
	index, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	type frame struct{ node, next int }
	var stack []int
	var frames []frame
	var out [][]int
	counter := 0
	visit := func(v int) {
		counter++
		index[v], low[v] = counter, counter
		stack = append(stack, v)
		onStack[v] = true
		frames = append(frames, frame{node: v})
	}
	for root := range n {
		if index[root] != 0 {
			continue
		}
		visit(root)
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.next < len(g.edges[f.node]) {
				w := g.number[g.edges[f.node][f.next].to]
				f.next++
				if index[w] == 0 {
					visit(w)
				} else if onStack[w] {
					low[f.node] = min(low[f.node], index[w])
				}
				continue
			}
			v := f.node
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].node
				low[p] = min(low[p], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			var group []int
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[w] = false
				group = append(group, w)
				if w == v {
					break
				}
			}
			out = append(out, group)
		}
	}
	return out
}

// shortest is the shortest cycle through the group's first resource, edges that are certain preferred; nil if there is
// none, because the group is one resource that does not need itself.
func (g *dependencies) shortest(group []int) []edge {
	start := slices.Min(group)
	in := make(map[int]bool, len(group))
	for _, v := range group {
		in[v] = true
	}
	via := map[int]edge{}
	queue := []int{start}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		out := slices.Clone(g.edges[v])
		slices.SortStableFunc(out, func(a, b edge) int { return cmp.Compare(btoi(b.certain), btoi(a.certain)) })
		for _, e := range out {
			w := g.number[e.to]
			if w == start {
				cycle := []edge{e}
				for u := v; u != start; u = g.number[cycle[len(cycle)-1].from] {
					cycle = append(cycle, via[u])
				}
				slices.Reverse(cycle)
				return cycle
			}
			if _, seen := via[w]; !seen && in[w] {
				via[w] = e
				queue = append(queue, w)
			}
		}
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
