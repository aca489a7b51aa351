package graph

import "container/heap"

// Order gives all nodes so that each comes after everything that it waits for, in document order where the edges
// leave a choice. Within a cycle, edges that run against document order do not count; everything before and after
// the cycle is ordered all the same. It takes O((nodes + edges) log nodes).
func (g *Graph) Order() []*Node {
	out := make([]*Node, 0, len(g.nodes))
	for _, i := range g.order() {
		out = append(out, g.nodes[i])
	}
	return out
}

func (g *Graph) order() []int {
	knot := g.knots(nil)
	ignored := func(e int) bool {
		from, to := g.ends[e][0], g.ends[e][1]
		return knot[from] == knot[to] && from >= to
	}
	waits := make([]int, len(g.nodes))
	for e, ends := range g.ends {
		if !ignored(e) {
			waits[ends[1]]++
		}
	}
	var ready intHeap
	for i, n := range waits {
		if n == 0 {
			ready = append(ready, i) // ascending, so a heap already
		}
	}
	out := make([]int, 0, len(g.nodes))
	for len(ready) > 0 {
		i := heap.Pop(&ready).(int)
		out = append(out, i)
		for _, e := range g.out[i] {
			if ignored(e) {
				continue
			}
			to := g.ends[e][1]
			if waits[to]--; waits[to] == 0 {
				heap.Push(&ready, to)
			}
		}
	}
	return out
}

// knots gives each node the number of its strongly connected component: two nodes have the same number exactly when
// each reaches the other over edges that are not cut (nil: over all). Tarjan's algorithm, with a stack of its own so that deep graphs do not exhaust the
// goroutine's.
func (g *Graph) knots(cut []bool) []int {
	const unseen = -1
	n := len(g.nodes)
	number, low, knot := make([]int, n), make([]int, n), make([]int, n)
	for i := range number {
		number[i], knot[i] = unseen, unseen
	}
	type frame struct{ node, next int }
	var (
		count, knots int
		path         []int // nodes that have no knot yet
		frames       []frame
	)
	enter := func(i int) {
		number[i], low[i] = count, count
		count++
		path = append(path, i)
		frames = append(frames, frame{node: i})
	}
	leave := func(i int) {
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			up := frames[len(frames)-1].node
			low[up] = min(low[up], low[i])
		}
		if low[i] != number[i] {
			return
		}
		for {
			last := path[len(path)-1]
			path = path[:len(path)-1]
			knot[last] = knots
			if last == i {
				break
			}
		}
		knots++
	}
	for root := range n {
		if number[root] != unseen {
			continue
		}
		enter(root)
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.next == len(g.out[f.node]) {
				leave(f.node)
				continue
			}
			e := g.out[f.node][f.next]
			to := g.ends[e][1]
			f.next++
			switch {
			case cut != nil && cut[e]:
			case number[to] == unseen:
				enter(to)
			case knot[to] == unseen:
				low[f.node] = min(low[f.node], number[to])
			}
		}
	}
	return knot
}

// intHeap is a heap.Interface of indexes, smallest first.
type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
