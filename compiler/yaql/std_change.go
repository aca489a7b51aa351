package yaql

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

// Functions that give changed copies of lists and dicts.
var changeFunctions = []def{
	{"set", method | noKW, "dict:dict, key:any, value:any", func(c *call) (any, error) {
		if err := c.ev.quota(c.args...); err != nil {
			return nil, err
		}
		return c.merged(c.dict(0), func(m *value.Map) error { return m.Put(c.meter(), c.args[1], c.args[2]) })
	}},
	{"set", method | noKW, "dict:dict, replacements:dict", func(c *call) (any, error) {
		if err := c.ev.quota(c.args...); err != nil {
			return nil, err
		}
		return c.merged(c.dict(0), func(m *value.Map) error { return c.update(m, c.dict(1)) })
	}},
	{"set", method | noKW, "dict:dict, *args:ruleval", func(c *call) (any, error) {
		if err := c.ev.quota(append([]any{c.args[0]}, c.star...)...); err != nil {
			return nil, err
		}
		return c.merged(c.dict(0), func(m *value.Map) error {
			for _, a := range c.star {
				r := a.(*ruleValue)
				if err := m.Put(c.meter(), r.key, r.val); err != nil {
					return err
				}
			}
			return nil
		})
	}},
	{"#operator_+", fn, "left:dict, right:dict", func(c *call) (any, error) {
		if err := c.ev.quota(c.args...); err != nil {
			return nil, err
		}
		return c.merged(c.dict(0), func(m *value.Map) error { return c.update(m, c.dict(1)) })
	}},
	{"#operator_+", fn, "left:coll, right:coll", combine},
	{"#operator_*", fn, "left:list, right:int", func(c *call) (any, error) { return c.repeatList(c.args[0], 1) }},
	{"#operator_*", fn, "left:int, right:list", func(c *call) (any, error) { return c.repeatList(c.args[1], 0) }},
	{"delete", method, "collection:coll, position:int, count:int=1", func(c *call) (any, error) {
		at, n, i := c.int(1), c.int(2), -1
		return c.ev.lazy("generator", c.args[0], func(x any) (any, bool, bool, error) {
			i++
			return x, !within(i, at, n), false, nil
		}), nil
	}},
	{"delete", method, "dict:dict, *keys:any", func(c *call) (any, error) {
		if err := c.ev.alloc(64 * c.dict(0).Len()); err != nil {
			return nil, err
		}
		return c.dict(0).Without(c.meter(), c.star)
	}},
	{"deleteAll", method, "dict:dict, keys:coll", func(c *call) (any, error) {
		keys, err := c.ev.collect(c.args[1])
		if err != nil {
			return nil, err
		}
		if err := c.ev.alloc(64 * c.dict(0).Len()); err != nil {
			return nil, err
		}
		return c.dict(0).Without(c.meter(), keys)
	}},
	{"replace", method, "collection:coll, position:int, value:any, count:int=1", func(c *call) (any, error) {
		return c.replaceItems(value.Tuple{c.args[2]}), nil
	}},
	{"replaceMany", method, "collection:coll, position:int, values:coll, count:int=1", func(c *call) (any, error) {
		return c.replaceItems(c.args[2]), nil
	}},
	{"insert", method, "collection:noset, position:int, value:any", func(c *call) (any, error) {
		return c.insertItems(value.Tuple{c.args[2]}, false), nil
	}},
	{"insert", method, "collection:list, position:int, value:any", func(c *call) (any, error) {
		items, err := c.ev.collect(c.args[0])
		if err != nil {
			return nil, err
		}
		at, err := c.size(1)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			at += len(items)
		}
		return slices.Insert(items, max(0, min(at, len(items))), c.args[2]), nil
	}},
	{"insertMany", method, "collection:coll, position:int, values:coll", func(c *call) (any, error) {
		return c.insertItems(c.args[2], true), nil
	}},
}

// merged gives a frozen copy of a dict after a change.
func (c *call) merged(m *value.Map, change func(*value.Map) error) (any, error) {
	if err := c.ev.alloc(64 * m.Len()); err != nil {
		return nil, err
	}
	if err := c.ev.step(m.Len()); err != nil {
		return nil, err
	}
	out := m.Clone()
	if err := change(out); err != nil {
		return nil, err
	}
	return out.Freeze(), nil
}

func (c *call) update(m, from *value.Map) error {
	for k, v := range from.All() {
		if err := c.put(m, k, v); err != nil {
			return err
		}
	}
	return c.ev.step(from.Len())
}

// combine is coll + coll: of two tuples a tuple, of two sets their union, else an iterator over both.
func combine(c *call) (any, error) {
	if a, ok := c.args[0].(value.Tuple); ok {
		if b, ok := c.args[1].(value.Tuple); ok {
			if err := c.ev.quota(a, b); err != nil {
				return nil, err
			}
			if err := c.ev.alloc(16 * (len(a) + len(b))); err != nil {
				return nil, err
			}
			return slices.Concat(a, b), c.ev.step((len(a) + len(b)) >> 3)
		}
	}
	if a, ok := c.args[0].(*value.Set); ok {
		if b, ok := c.args[1].(*value.Set); ok {
			if err := c.ev.quota(a, b); err != nil {
				return nil, err
			}
			return c.union(a, b)
		}
	}
	return c.ev.chain("itertools.chain", []any{c.args[0], c.args[1]}), nil
}

// repeatList is list * n, n being argument i.
func (c *call) repeatList(list any, i int) (any, error) {
	n, err := c.times(i)
	if err != nil {
		return nil, err
	}
	empty := value.SizeOf([]any{})
	if err := c.ev.quotaSize((1 - n) * empty); err != nil {
		return nil, err
	}
	if err := c.ev.quotaSize((1-n)*empty + n*value.SizeOf(list)); err != nil {
		return nil, err
	}
	items, _ := elements(list)
	if err := c.ev.alloc(16 * len(items) * max(n, 0)); err != nil {
		return nil, err
	}
	if err := c.ev.step(len(items) * max(n, 0) >> 3); err != nil {
		return nil, err
	}
	out := slices.Repeat(items, max(n, 0))
	if _, ok := list.(value.Tuple); ok {
		return value.Tuple(out), nil
	}
	return out, nil
}

// within says whether index i is one of n from at; a negative n means all from there.
func within(i, at, n int) bool {
	if n < 0 {
		return i >= at
	}
	return i >= at && i < at+n
}

// replaceItems puts others in place of the items that the arguments position and count choose.
func (c *call) replaceItems(others any) any {
	at, n := c.int(1), c.int(3)
	var src, other iterator
	i, done := -1, false
	return &gen{what: "generator", fn: func() (any, bool, error) {
		var err error
		if src == nil {
			if src, err = c.ev.iterate(c.args[0]); err != nil {
				return nil, false, err
			}
		}
		for {
			if err := c.ev.step(1); err != nil {
				return nil, false, err
			}
			if other != nil {
				x, ok, err := other.next()
				if err != nil || ok {
					return x, ok, err
				}
				other = nil
			}
			x, ok, err := src.next()
			if err != nil || !ok {
				return nil, false, err
			}
			i++
			if !within(i, at, n) {
				return x, true, nil
			}
			if !done {
				done = true
				if other, err = c.ev.iterate(others); err != nil {
					return nil, false, err
				}
			}
		}
	}}
}

// insertItems puts others before the item at the position, or at the end if that is beyond it; a negative position
// is the start if front is set, and nowhere if not.
func (c *call) insertItems(others any, front bool) any {
	at := c.int(1)
	parts := []any{}
	i := -1
	head := &pausing{ev: c.ev, src: c.args[0], stop: func() bool { i++; return i == at }}
	if at < 0 && front {
		parts = append(parts, others)
	}
	parts = append(parts, head)
	if at >= 0 {
		parts = append(parts, others)
	}
	parts = append(parts, head)
	return c.ev.chain("generator", parts)
}

// pausing is an iterator that pretends to end before one item and goes on when walked again.
type pausing struct {
	ev   *evaluation
	src  any
	it   iterator
	held any
	full bool
	stop func() bool
}

func (p *pausing) next() (any, bool, error) {
	if p.full {
		p.full = false
		return p.held, true, nil
	}
	if p.it == nil {
		var err error
		if p.it, err = p.ev.iterate(p.src); err != nil {
			return nil, false, err
		}
	}
	x, ok, err := p.it.next()
	if err != nil || !ok {
		return nil, false, err
	}
	if p.stop() {
		p.held, p.full = x, true
		return nil, false, nil
	}
	return x, true, nil
}
