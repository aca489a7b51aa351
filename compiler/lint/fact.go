package lint

import (
	"slices"
	"strconv"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// fact is what is known of a value before anything exists. Exactly one of node, choices and absent is set, or none:
// then the value is one of kinds.
type fact struct {
	node    *source.Node // the value
	data    bool         // no calls in node: it is a parameter's value or a function's result
	kinds   kinds        // what the value may be; 0 where it cannot be computed, which has been reported
	choices []choice     // one for each outcome of a condition that is not known
	absent  bool         // an if without a second value whose condition is false: as if nothing were given
	via     []diag.Step  // how the value got here
	why     string       // where the value is not known: the reason
	before  *source.Node // where it is not known: what Heat has in its place while it validates; nil where that is not known
}

// choice is the value under one outcome of a condition.
type choice struct {
	fact
	when string // "condition x is true"
}

func known(n *source.Node) fact { return fact{node: n} }

func unknown(k kinds, why string) fact { return fact{kinds: k, why: why} }

// failed is the fact of a value whose computation was reported as impossible.
func failed() fact { return fact{} }

func (f fact) failed() bool {
	return f.node == nil && f.kinds == 0 && len(f.choices) == 0 && !f.absent
}

// validated is the value that Heat converts when it validates.
func (f fact) validated() fact {
	if f.before != nil {
		f.node, f.data, f.kinds = f.before, true, 0
	}
	for i, c := range f.choices {
		if v := c.fact.validated(); v.before != nil {
			f.choices = slices.Clone(f.choices)
			f.choices[i].fact = v
		}
	}
	return f
}

// describe shows a value in a message, short and without what a message must not hold.
func describe(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return quote(n.Text)
	case source.Null, source.List, source.Map, source.Set, source.Bytes:
		return article(n.Kind)
	}
	return n.Text
}

// quote shows a text, cut where it is long.
func quote(s string) string {
	const limit = 60
	if r := []rune(s); len(r) > limit {
		return strconv.Quote(string(r[:limit])) + "…"
	}
	return strconv.Quote(s)
}

// step is one station of a trail.
func step(n *source.Node, message string) diag.Step {
	return diag.Step{Location: n.At(), Message: message}
}

// valueOf is the value of a tree without calls.
func valueOf(n *source.Node) any { return hot.ValueOf(n) }
