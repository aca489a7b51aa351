package yaql

import (
	"github.com/hotloom/hotloom/compiler/value"
)

// Functions that make and look into lists and dicts.
var collectionFunctions = []def{
	{"list", fn, "*args:any", func(c *call) (any, error) { return c.toTuple(c.spliced()) }},
	{"#list", fn, "*args:any", func(c *call) (any, error) {
		if err := c.ev.alloc(16 * len(c.star)); err != nil {
			return nil, err
		}
		return append(value.Tuple{}, c.star...), c.ev.quota(c.star...)
	}},
	{"toList", method, "collection:coll", func(c *call) (any, error) {
		if t, ok := c.args[0].(value.Tuple); ok {
			return t, nil
		}
		items, err := c.ev.collect(c.args[0])
		return value.Tuple(items), err
	}},
	{"flatten", method, "collection:coll", func(c *call) (any, error) { return c.ev.flatten(c.args[0]), nil }},
	{"dict", fn | noKW, "*args:ruleval", dictOfRules},
	{"#map", fn | noKW, "*args:ruleval", dictOfRules},
	{"dict", fn | noKW, "items:coll", dictOfPairs},
	{"toDict", method, "collection:coll, keySelector:lambda, valueSelector:lambda=null", toDict},
	{"#indexer", fn, "dict:dict, key:any", func(c *call) (any, error) {
		v, ok, err := c.dict(0).Lookup(c.meter(), c.args[1])
		if err == nil && !ok {
			err = errKey(c.args[1])
		}
		return v, err
	}},
	{"#indexer", fn, "dict:dict, key:any, default:any", getOr},
	{"#indexer", fn, "list:list, index:int", func(c *call) (any, error) {
		if b, ok := c.args[0].([]byte); ok {
			items, _ := elements(b)
			return value.Index(items, c.args[1])
		}
		return value.Index(c.args[0], c.args[1])
	}},
	{"get", method, "dict:dict, key:any, default:any=null", getOr},
	{"keys", method, "dict:dict", func(c *call) (any, error) { return value.KeysView{M: c.dict(0)}, nil }},
	{"values", method, "dict:dict", func(c *call) (any, error) { return value.ValuesView{M: c.dict(0)}, nil }},
	{"items", method, "dict:dict", func(c *call) (any, error) { return value.ItemsView{M: c.dict(0)}, nil }},
	{"#operator_in", fn, "value:any, collection:coll", func(c *call) (any, error) { return c.contains(c.args[1], c.args[0]) }},
	{"contains", method, "collection:coll, value:any", func(c *call) (any, error) { return c.contains(c.args[0], c.args[1]) }},
	{"containsKey", method, "dict:dict, key:any", func(c *call) (any, error) {
		_, ok, err := c.dict(0).Lookup(c.meter(), c.args[1])
		return ok, err
	}},
	{"containsValue", method, "dict:dict, value:any", func(c *call) (any, error) {
		return c.contains(value.ValuesView{M: c.dict(0)}, c.args[1])
	}},
	{"isList", fn, "arg:any", func(c *call) (any, error) { return c.args[0] != nil && kList.has(c.args[0]), nil }},
	{"isDict", fn, "arg:any", func(c *call) (any, error) { return isType[*value.Map](c.args[0]), nil }},
	{"isSet", fn, "arg:any", func(c *call) (any, error) { return c.args[0] != nil && kSet.has(c.args[0]), nil }},
	{"isIterable", fn, "value:any", func(c *call) (any, error) { return c.args[0] != nil && isIterable(c.args[0]), nil }},
	{"len", both, "dict:dict", func(c *call) (any, error) { return int64(c.dict(0).Len()), nil }},
	{"len", both, "sequence:list", func(c *call) (any, error) {
		n, _ := value.Len(c.args[0])
		return int64(n), nil
	}},
	{"len", both, "set:set", func(c *call) (any, error) {
		n, _ := value.Len(c.args[0])
		return int64(n), nil
	}},
	{"len", both, "collection:iter", count},
}

func getOr(c *call) (any, error) {
	v, ok, err := c.dict(0).Lookup(c.meter(), c.args[1])
	if err == nil && !ok {
		return c.args[2], nil
	}
	return v, err
}

// spliced are the star arguments, iterators among them replaced by their items.
func (c *call) spliced() any { return c.ev.splice(c.star) }

func (ev *evaluation) splice(items any) any {
	var stack []iterator
	return ev.nested("generator", items, &stack, isIterator)
}

func (ev *evaluation) flatten(items any) any {
	var stack []iterator
	return ev.nested("generator", items, &stack, func(x any) bool { return x != nil && isIterable(x) })
}

// nested walks items and, depth first, what opens says can be walked among them.
func (ev *evaluation) nested(what string, items any, stack *[]iterator, opens func(any) bool) any {
	started := false
	return &gen{what: what, fn: func() (any, bool, error) {
		if !started {
			started = true
			it, err := ev.iterate(items)
			if err != nil {
				return nil, false, err
			}
			*stack = append(*stack, it)
		}
		for len(*stack) > 0 {
			if err := ev.step(1); err != nil {
				return nil, false, err
			}
			if len(*stack) > maxFrames {
				return nil, false, fail("RecursionError", "maximum recursion depth exceeded")
			}
			x, ok, err := (*stack)[len(*stack)-1].next()
			if err != nil {
				return nil, false, err
			}
			if !ok {
				*stack = (*stack)[:len(*stack)-1]
				continue
			}
			if !opens(x) {
				return x, true, nil
			}
			it, err := ev.iterate(x)
			if err != nil {
				return nil, false, err
			}
			*stack = append(*stack, it)
		}
		return nil, false, nil
	}}
}

func dictOfRules(c *call) (any, error) {
	if err := c.ev.quota(c.star...); err != nil {
		return nil, err
	}
	m := value.NewMap(len(c.star))
	for _, a := range c.star {
		r := a.(*ruleValue)
		if err := c.put(m, r.key, r.val); err != nil {
			return nil, err
		}
	}
	return m.Freeze(), nil
}

// put sets a key of a dict being built and accounts for it.
func (c *call) put(m *value.Map, k, v any) error {
	if err := c.ev.alloc(64); err != nil {
		return err
	}
	return m.Put(c.meter(), k, v)
}

func dictOfPairs(c *call) (any, error) {
	m := value.NewMap(0)
	err := c.ev.each(c.args[0], func(x any) (bool, error) {
		it, err := c.ev.iterate(x)
		if err != nil {
			return false, err
		}
		var kv [2]any
		for i := range kv {
			v, ok, err := it.next()
			if err != nil {
				return false, err
			}
			if !ok {
				return false, errStop("")
			}
			kv[i] = v
		}
		if err := c.put(m, kv[0], kv[1]); err != nil {
			return false, err
		}
		return false, c.ev.quota(m)
	})
	return m.Freeze(), err
}

func toDict(c *call) (any, error) {
	m := value.NewMap(0)
	err := c.ev.each(c.args[0], func(x any) (bool, error) {
		k, err := c.fn(1).call(x)
		if err != nil {
			return false, err
		}
		v := x
		if c.fn(2) != nil {
			if v, err = c.fn(2).call(x); err != nil {
				return false, err
			}
		}
		if err := c.put(m, k, v); err != nil {
			return false, err
		}
		return false, c.ev.quota(m)
	})
	return m, err
}

// contains is Python's "in": by hash in sets and keys, by equality in all else; an iterator is walked.
func (c *call) contains(coll, v any) (bool, error) {
	switch x := coll.(type) {
	case *value.Set:
		return x.Has(c.meter(), v)
	case value.KeysView:
		_, ok, err := x.M.Lookup(c.meter(), v)
		return ok, err
	case value.ItemsView:
		return c.hasItem(x.M, v)
	}
	found := false
	err := c.ev.each(coll, func(x any) (bool, error) {
		eq, err := c.meter().Equal(x, v)
		found = eq
		return eq, err
	})
	return found, err
}

func (c *call) hasItem(m *value.Map, item any) (bool, error) {
	pair, ok := item.(value.Tuple)
	if !m.Frozen() && (!ok || len(pair) != 2) {
		return false, nil
	}
	if !ok {
		items, err := c.ev.collect(item)
		if err != nil {
			return false, fail("TypeError", "cannot unpack non-iterable %s object", value.TypeName(item))
		}
		pair = items
	}
	switch {
	case len(pair) > 2:
		return false, fail("ValueError", "too many values to unpack (expected 2)")
	case len(pair) < 2:
		return false, fail("ValueError", "not enough values to unpack (expected 2, got %d)", len(pair))
	}
	v, ok, err := m.Lookup(c.meter(), pair[0])
	if err != nil || !ok {
		return false, err
	}
	return c.meter().Equal(v, pair[1])
}
