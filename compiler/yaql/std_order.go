package yaql

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

var orderFunctions = []def{
	{"orderBy", method, "collection:coll, selector:lambda", func(c *call) (any, error) { return newOrdering(c, true), nil }},
	{"orderByDescending", method, "collection:coll, selector:lambda", func(c *call) (any, error) { return newOrdering(c, false), nil }},
	{"thenBy", method, "collection:ordered, selector:lambda", func(c *call) (any, error) { return c.thenBy(true), nil }},
	{"thenByDescending", method, "collection:ordered, selector:lambda", func(c *call) (any, error) { return c.thenBy(false), nil }},
	{"reverse", method, "collection:coll", func(c *call) (any, error) {
		t, err := c.toTuple(c.args[0])
		if err != nil {
			return nil, err
		}
		items := slices.Clone(t)
		slices.Reverse(items)
		return sliceIterator(items), c.ev.alloc(16 * len(items))
	}},
}

// ordering is a collection that is sorted when it is first walked; until then further keys can be added.
type ordering struct {
	ev     *evaluation
	scope  *scope
	src    any
	keys   []sortKey
	sorted []any
	done   bool
}

type sortKey struct {
	selector  *lambda
	ascending bool
}

// TypeName is the name in the original.
func (*ordering) TypeName() string { return "OrderingIterable" }

// Repr shows the collection without its items.
func (*ordering) Repr() string { return "<OrderingIterable object>" }

func newOrdering(c *call, ascending bool) *ordering {
	return &ordering{ev: c.ev, scope: c.scope, src: c.args[0], keys: []sortKey{{c.fn(1), ascending}}}
}

func (c *call) thenBy(ascending bool) any {
	o := c.args[0].(*ordering)
	o.keys = append(o.keys, sortKey{c.fn(1), ascending})
	return o
}

func (o *ordering) items() ([]any, error) {
	if o.done {
		return o.sorted, nil
	}
	items, err := o.ev.collect(o.src)
	if err != nil {
		return nil, err
	}
	if err := o.sort(items); err != nil {
		return nil, err
	}
	o.sorted, o.done = items, true
	return items, nil
}

// less says whether a comes before b: by the first key that tells them apart, with YAQL's own < and >.
func (o *ordering) less(a, b any) (bool, error) {
	for _, k := range o.keys {
		x, err := k.selector.call(a)
		if err != nil {
			return false, err
		}
		y, err := k.selector.call(b)
		if err != nil {
			return false, err
		}
		for _, op := range []struct {
			name string
			up   bool
		}{{"#operator_<", true}, {"#operator_>", false}} {
			v, err := o.ev.call(op.name, o.scope, receiver{}, []argument{{val: x}, {val: y}}, nil)
			if err != nil {
				return false, err
			}
			if truth(v) {
				return op.up == k.ascending, nil
			}
		}
	}
	return false, nil
}

// sort is a stable sort that compares as Python's does for short lists: the run at the start is kept (reversed if it
// falls), then each item is inserted by binary search. Long lists are cut into such runs and merged.
func (o *ordering) sort(items []any) error {
	const run = 64
	for from := 0; from < len(items); from += run {
		if err := o.insertion(items[from:min(from+run, len(items))]); err != nil {
			return err
		}
	}
	buf := make([]any, len(items))
	for width := run; width < len(items); width *= 2 {
		for from := 0; from+width < len(items); from += 2 * width {
			if err := o.merge(items[from:min(from+2*width, len(items))], width, buf); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *ordering) insertion(items []any) error {
	if len(items) < 2 {
		return nil
	}
	n := 2
	falls, err := o.less(items[1], items[0])
	if err != nil {
		return err
	}
	for ; n < len(items); n++ {
		down, err := o.less(items[n], items[n-1])
		if err != nil {
			return err
		}
		if down != falls {
			break
		}
	}
	if falls {
		slices.Reverse(items[:n])
	}
	for ; n < len(items); n++ {
		x := items[n]
		lo, hi := 0, n
		for lo < hi {
			mid := (lo + hi) / 2
			before, err := o.less(x, items[mid])
			if err != nil {
				return err
			}
			if before {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		copy(items[lo+1:n+1], items[lo:n])
		items[lo] = x
	}
	return nil
}

func (o *ordering) merge(items []any, mid int, buf []any) error {
	left := append(buf[:0], items[:mid]...)
	i, j, k := 0, mid, 0
	for i < len(left) && j < len(items) {
		right, err := o.less(items[j], left[i])
		if err != nil {
			return err
		}
		if right {
			items[k] = items[j]
			j++
		} else {
			items[k] = left[i]
			i++
		}
		k++
	}
	copy(items[k:], left[i:])
	return nil
}

var _ value.Typer = (*ordering)(nil)
