package source

import (
	"math/big"
)

// Equal reports whether a and b hold the same typed values: the same kinds and values, lists in the same order,
// maps and sets with the same entries in any order. Places, styles and spellings (010 and 8) do not count; NaN
// equals itself, and an integer never equals a float or a boolean. Nil equals nil only.
func Equal(a, b *Node) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Pairs) != len(b.Pairs) {
		return false
	}
	switch a.Kind {
	case String, Bytes:
		return a.Text == b.Text
	case Bool, Int, Float:
		return equalScalar(a.Scalar, b.Scalar)
	case List:
		for i := range a.Items {
			if !Equal(a.Items[i], b.Items[i]) {
				return false
			}
		}
	case Map, Set:
		return equalPairs(a.Pairs, b.Pairs)
	}
	return true
}

func equalScalar(a, b any) bool {
	switch x := a.(type) {
	case *big.Int:
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || x != x && y != y)
	}
	return a == b
}

// equalPairs compares entries in any order. The usual case, the same order, needs no index.
func equalPairs(a, b []Pair) bool {
	i := 0
	for i < len(a) && Equal(a[i].Key, b[i].Key) {
		if !Equal(a[i].Value, b[i].Value) {
			return false
		}
		i++
	}
	if i == len(a) {
		return true
	}
	rest := make(map[any]*Node, len(b)-i)
	for _, p := range b[i:] {
		rest[exactKey(p.Key)] = p.Value
	}
	for _, p := range a[i:] {
		if v, ok := rest[exactKey(p.Key)]; !ok || !Equal(p.Value, v) {
			return false
		}
	}
	return true
}

type typedKey struct {
	kind Kind
	text any
}

// exactKey identifies a scalar key by type and value.
func exactKey(n *Node) any {
	switch n.Kind {
	case Bool, Int, Float:
		if v, ok := n.Scalar.(*big.Int); ok {
			return typedKey{Int, v.String()}
		}
		if v, ok := n.Scalar.(float64); ok && v != v {
			return typedKey{Float, "nan"}
		}
		return typedKey{n.Kind, n.Scalar}
	case Null:
		return typedKey{Null, nil}
	}
	return typedKey{n.Kind, n.Text}
}
