package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hotloom/hotloom/compiler/graph"
)

// letters makes a graph of one-letter nodes in the order of their first mention; "ab" is the edge from a to b.
func letters(edges string) *graph.Graph {
	g := &graph.Graph{}
	for i, word := range strings.Fields(edges) {
		for _, r := range word {
			g.Add(graph.Node{ID: string(r), Kind: graph.Step})
		}
		if len(word) == 2 {
			g.Connect(graph.Edge{From: word[:1], To: word[1:], Reason: graph.DependsOn, Location: at(i + 1)})
		}
	}
	return g
}

func ids(nodes []*graph.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.ID)
	}
	return b.String()
}

func TestOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ edges, want string }{
		{"", ""},
		{"a b c", "abc"},
		{"a b c ca", "bca"},
		{"a b c d da cb", "cbda"},
		{"ab bc ca d", "abcd"},       // a cycle keeps document order
		{"a ba bc cb da", "bcda"},    // and comes before what waits for it
		{"aa b ba", "ba"},            // a node that waits for itself
		{"x xa ab ba by yx", "xaby"}, // cycles in one another
	} {
		if got := ids(letters(c.edges).Order()); got != c.want {
			t.Errorf("Order(%q) = %s, want %s", c.edges, got, c.want)
		}
	}
}

func TestCycles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, edges, want string }{
		{"none", "ab bc ac", ""},
		{"itself", "aa ab", "aa"},
		{"two", "ab ba", "aba"},
		{"rotation is not another cycle", "ca ab bc", "cabc"},
		{"two with a node in common", "ab ba bc cb", "aba bcb"},
		{"two apart", "ab ba cd dc", "aba cdc"},
		{"shortest first", "ab bc cd da ca", "abca"},
		{"a detour beside it is not another", "ab bc cd db ba", "aba bcdb"},
		{"what leads in and out is no part", "xa ab ba by", "aba"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, cycle := range letters(c.edges).Cycles() {
				path := cycle[0].From
				for _, e := range cycle {
					path += e.To
				}
				got = append(got, path)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCycleDiagnosticShowsThePathWithPositions(t *testing.T) {
	t.Parallel()
	g := letters("ab bc ca")
	d := g.Cycles()[0].Diagnostic()
	if want := "stack.yaml:3:3: error: circular dependency: a → b → c → a [circular-dependency] (remove one of these dependencies)"; d.String() != want {
		t.Errorf("got  %s\nwant %s", d, want)
	}
	var trail []string
	for _, s := range d.Trail {
		trail = append(trail, fmt.Sprintf("%s %s", s.Location, s.Message))
	}
	want := []string{
		"stack.yaml:1:3 b waits for a (depends_on)", "stack.yaml:2:3 c waits for b (depends_on)", "stack.yaml:3:3 a waits for c (depends_on)",
	}
	if diff := cmp.Diff(want, trail); diff != "" {
		t.Error(diff)
	}
}

func TestManyCyclesAreFoundOnceEachUpToALimit(t *testing.T) {
	t.Parallel()
	g := &graph.Graph{}
	for i := range 5000 {
		g.Add(graph.Node{ID: fmt.Sprint(i)})
	}
	for i := range 4999 {
		g.Connect(graph.Edge{From: fmt.Sprint(i), To: fmt.Sprint(i + 1), Reason: graph.ListOrder})
		g.Connect(graph.Edge{From: fmt.Sprint(i + 1), To: fmt.Sprint(i), Reason: graph.DependsOn})
	}
	if got := len(g.Cycles()); got != 20 {
		t.Errorf("%d cycles, want the first 20", got)
	}
}

// anyGraph draws a graph; where acyclic, edges run from a node to a later one of a hidden order.
func anyGraph(t *rapid.T, acyclic bool) *graph.Graph {
	n := rapid.IntRange(1, 30).Draw(t, "nodes")
	hidden := rapid.Permutation(sequence(n)).Draw(t, "hidden order")
	g := &graph.Graph{}
	for i := range n {
		g.Add(graph.Node{ID: fmt.Sprint(i), Kind: graph.Step})
	}
	reasons := []graph.Reason{graph.Reads, graph.DependsOn, graph.ListOrder}
	for range rapid.IntRange(0, 90).Draw(t, "edges") {
		a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
		if acyclic && a == b {
			continue
		}
		if acyclic && a > b {
			a, b = b, a
		}
		g.Connect(graph.Edge{
			From: fmt.Sprint(hidden[a]), To: fmt.Sprint(hidden[b]), Reason: rapid.SampledFrom(reasons).Draw(t, "reason"),
		})
	}
	return g
}

func sequence(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func positions(g *graph.Graph) map[string]int {
	out := map[string]int{}
	for i, n := range g.Order() {
		out[n.ID] = i
	}
	return out
}

func TestOrderRespectsEveryEdgeOutsideCycles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "acyclic"))
		place := positions(g)
		if len(place) != g.Len() {
			t.Fatalf("%d of %d nodes are ordered", len(place), g.Len())
		}
		for e := range g.Edges() {
			if place[e.From] >= place[e.To] && !g.Reaches(e.To, e.From) {
				t.Fatalf("%s comes after %s, which waits for it", e.From, e.To)
			}
		}
	})
}

func TestCyclesAreFoundExactlyWhereThereAreAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "acyclic"))
		var cyclic bool
		for n := range g.Nodes() {
			cyclic = cyclic || g.Reaches(n.ID, n.ID)
		}
		cycles := g.Cycles()
		if cyclic != (len(cycles) > 0) {
			t.Fatalf("cyclic %v, %d cycles", cyclic, len(cycles))
		}
		taken := map[string]bool{}
		for _, c := range cycles {
			seen := map[string]bool{}
			for i, e := range c {
				if next := c[(i+1)%len(c)]; e.To != next.From {
					t.Fatalf("%v is not closed", c)
				}
				if seen[e.From] || taken[e.From+" "+e.To] {
					t.Fatalf("%v repeats a node or another cycle's step", c)
				}
				seen[e.From], taken[e.From+" "+e.To] = true, true
			}
		}
	})
}

func TestReduceKeepsReachabilityAndData(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "acyclic"))
		r := g.Reduce()
		for a := range g.Nodes() {
			for b := range g.Nodes() {
				if g.Reaches(a.ID, b.ID) != r.Reaches(a.ID, b.ID) {
					t.Fatalf("%s before %s: %v in the graph, %v reduced", a.ID, b.ID, g.Reaches(a.ID, b.ID), r.Reaches(a.ID, b.ID))
				}
			}
		}
		for e := range g.Edges() {
			if e.Reason == graph.Reads && r.Connect(e) {
				t.Fatalf("%v is lost", e)
			}
		}
	})
}

func TestReduceDropsWhatIsImplied(t *testing.T) {
	t.Parallel()
	var got []string
	for e := range letters("ab bc cd ac ad bd").Reduce().Edges() {
		got = append(got, e.From+e.To)
	}
	if diff := cmp.Diff([]string{"ab", "bc", "cd"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLookUps(t *testing.T) {
	t.Parallel()
	g := letters("ab bc ad db ee")
	for _, c := range []struct{ what, got, want string }{
		{"predecessors of b", ids(g.Predecessors("b")), "ad"},
		{"successors of a", ids(g.Successors("a")), "bd"},
		{"ancestors of c", ids(g.Ancestors("c")), "abd"},
		{"descendants of a", ids(g.Descendants("a")), "bcd"},
		{"descendants of e, in a cycle with itself", ids(g.Descendants("e")), "e"},
		{"of an unknown node", ids(g.Ancestors("x")) + ids(g.Successors("x")), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if g.Reaches("c", "a") || !g.Reaches("a", "c") || g.Reaches("a", "a") || !g.Reaches("e", "e") || g.Reaches("x", "a") {
		t.Error("Reaches is wrong")
	}
	if g.Add(graph.Node{ID: "a"}) || g.Add(graph.Node{}) || g.Connect(graph.Edge{From: "a", To: "x"}) {
		t.Error("a repeated node, a node without name or an edge to nowhere is accepted")
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, hosts := range []int{20, 200, 2000} {
		g := fleet(hosts, 5)
		b.Run(fmt.Sprintf("steps=%d", hosts*5), func(b *testing.B) {
			for b.Loop() {
				g.Order()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Len()), "ns/node")
		})
	}
}
