package source

import (
	"fmt"
	"testing"
)

func TestLargeMapsAreFoundByKey(t *testing.T) {
	t.Parallel()
	var pairs []Pair
	for i := range 50 {
		pairs = append(pairs, P(nil, fmt.Sprint("k", i), NewInt(nil, int64(i))))
	}
	pairs = append(pairs, Pair{Key: NewInt(nil, 7), Value: NewNull(nil)}, P(nil, "k3", NewBool(nil, true)))
	m := NewMap(nil, pairs...)
	changed := m.Rewrite(func(n *Node) *Node {
		if v, ok := n.Int64(); ok && v == 7 {
			return NewString(n, "seven")
		}
		return n
	})
	if v, _ := m.Get("k3").Int64(); v != 3 || m.Get("k7").Str() != "" || m.Get("7") != nil || m.Get("none") != nil {
		t.Error("the map itself")
	}
	if changed.Get("k7").Str() != "seven" || changed.Get("k8") != m.Get("k8") || changed.Get("none") != nil {
		t.Error("the changed map")
	}
	if m.Rewrite(func(n *Node) *Node { return n }) != m {
		t.Error("nothing was changed, but copied")
	}
}

func TestNilNodesAreHarmless(t *testing.T) {
	t.Parallel()
	var n *Node
	if n.Get("a") != nil || n.Single() != nil || n.Str() != "" || !n.IsNull() || n.Is(Null) || n.Rewrite(nil) != nil || n.At().Path != "" || !Equal(n, nil) || Equal(n, NewNull(nil)) {
		t.Error("a nil node is nothing")
	}
	if _, ok := n.Int64(); ok {
		t.Error("a nil node is no number")
	}
	n.Walk(func(*Node) bool { t.Error("visited"); return true })
}

func TestEqualComparesTypedValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"010", "8", true},
		{"1", "1.0", false},
		{"1", "yes", false},
		{"1", "'1'", false},
		{".nan", ".NaN", true},
		{"{a: 1, b: 2}", "{b: 2, a: 1}", true},
		{"[a, b]", "[b, a]", false},
		{"{a: 1}", "{a: 1, b: 2}", false},
		{"{1: a}", "{'1': a}", false},
		{"{a: 1, b: 2}", "{a: 1, c: 2}", false},
		{"!!set {a, b}", "!!set {b, a}", true},
		{"!!binary YQ==", "a", false},
		{"0x10000000000000000", "18446744073709551616", true},
		{"~", "''", false},
		{"{1.5: a, ~: b}", "{~: b, 1.5: a}", true},
	} {
		a, _ := ParseFile(&File{Text: []byte(c.a)}, Options{Reader: Value})
		b, _ := ParseFile(&File{Text: []byte(c.b)}, Options{Reader: Value})
		if Equal(a, b) != c.want || Equal(b, a) != c.want {
			t.Errorf("%s and %s", c.a, c.b)
		}
	}
}
