package source

import (
	"math"
	"math/big"

	"github.com/hotloom/hotloom/compiler/diag"
)

// indexFrom is the number of entries from which a map gets an index of its string keys.
const indexFrom = 9

// setPairs sets the entries as Python's dict would have them: merged ones first; a repeated key keeps its first
// place and gets its last value. Repetitions among own are reported. It uses the space of own.
func (n *Node) setPairs(merged, own []Pair, report func(diag.Diagnostic)) {
	all := own
	if len(merged) > 0 {
		all = append(append(make([]Pair, 0, len(merged)+len(own)), merged...), own...)
	}
	seen := keyFinder{pairs: all[:0]}
	if len(all) >= indexFrom {
		seen.texts = make(map[string]int, len(all))
	}
	var fromMerge map[int]bool // places in pairs whose entry is a merged one
	for i, p := range all {
		at, found := seen.find(p.Key)
		switch {
		case !found:
			at = seen.add(p)
		case i >= len(merged) && !fromMerge[at]:
			report(duplicateKey(seen.pairs[at].Key, p.Key))
			fallthrough
		default:
			if first := seen.pairs[at].Key; first.Kind != p.Key.Kind {
				p.Key = first // 1 and true are one key, and it stays what it was first
			}
			seen.pairs[at] = p
		}
		if len(merged) > 0 {
			if fromMerge == nil {
				fromMerge = map[int]bool{}
			}
			fromMerge[at] = i < len(merged)
		}
	}
	n.Pairs, n.index = seen.pairs, seen.texts
}

// keyFinder finds entries by key: in small maps by looking through, in large ones by index.
type keyFinder struct {
	pairs  []Pair
	texts  map[string]int // nil in small maps
	others map[any]int
}

func (f *keyFinder) add(p Pair) int {
	at := len(f.pairs)
	f.pairs = append(f.pairs, p)
	switch {
	case f.texts == nil:
	case p.Key.Kind == String:
		f.texts[p.Key.Text] = at
	default:
		if f.others == nil {
			f.others = map[any]int{}
		}
		f.others[pythonKey(p.Key)] = at
	}
	return at
}

func (f *keyFinder) find(key *Node) (at int, found bool) {
	switch {
	case f.texts == nil:
		for i, p := range f.pairs {
			if sameKey(p.Key, key) {
				return i, true
			}
		}
		return 0, false
	case key.Kind == String:
		at, found = f.texts[key.Text]
	default:
		at, found = f.others[pythonKey(key)]
	}
	return at, found
}

func sameKey(a, b *Node) bool {
	if a.Kind == String || b.Kind == String {
		return a.Kind == b.Kind && a.Text == b.Text
	}
	return pythonKey(a) == pythonKey(b)
}

// pythonKey identifies a key that is no string as a Python dict does: 1, 1.0 and True are one key.
func pythonKey(n *Node) any {
	switch v := n.Scalar.(type) {
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case int64:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v)
		}
		return v
	case *big.Int:
		return v.String()
	}
	switch n.Kind {
	case List, Map, Set:
		return n // no key of a dict; reported already
	case Null:
		return typedKey{Null, nil}
	}
	return typedKey{n.Kind, n.Text}
}
