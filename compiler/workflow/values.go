package workflow

import (
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// Value turns a node into the value that expressions and actions see. Dates stay the text they are written as, as
// they are in whatever passes through JSON.
func Value(n *source.Node) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case source.String:
		return n.Text
	case source.Bytes:
		return []byte(n.Text)
	case source.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = Value(item)
		}
		return out
	case source.Map, source.Set:
		return mapping(n)
	}
	return n.Scalar
}

func mapping(n *source.Node) *value.Map {
	m := value.NewMap(len(n.Pairs))
	for _, p := range n.Pairs {
		if err := m.Set(Value(p.Key), Value(p.Value)); err != nil {
			m.SetStr(p.Key.Text, Value(p.Value))
		}
	}
	return m
}

// optionalMapping is nil for an absent node and for what is no mapping.
func optionalMapping(n *source.Node) *value.Map {
	if !n.Is(source.Map) {
		return nil
	}
	return mapping(n)
}

// Merge merges right into left as Mistral does: mappings that meet are merged in turn, and of anything else right's
// stays. Values of right are shared, not copied; those of left are copied before they are changed.
func Merge(left, right *value.Map) *value.Map { return merge(left, right, true) }

// MergeUnder is Merge, but what left has already stays.
func MergeUnder(left, right *value.Map) *value.Map { return merge(left, right, false) }

func merge(left, right *value.Map, overwrite bool) *value.Map {
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	}
	out := left.Clone()
	for k, v := range right.All() {
		old, found := out.Get(k)
		switch {
		case !found:
		case isMap(old) && isMap(v):
			v = merge(old.(*value.Map), v.(*value.Map), overwrite)
		case !overwrite:
			v = old
		}
		_ = out.Set(k, v) // a key of a map is hashable
	}
	return out
}

func isMap(v any) bool {
	_, ok := v.(*value.Map)
	return ok
}
