package yaql

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

var mergeFunctions = []def{
	{"mergeWith", method, "dict:dict, another:dict, listMerger:lambda=null, itemMerger:lambda=null, maxLevels:int=0", func(c *call) (any, error) {
		return c.merge(c.dict(0), c.dict(1), c.int(4), 0)
	}},
}

// merge joins two dicts key by key, down to a number of levels (0: all).
func (c *call) merge(a, b *value.Map, levels, depth int) (any, error) {
	if depth > maxFrames {
		return nil, fail("RecursionError", "maximum recursion depth exceeded")
	}
	out := value.NewMap(a.Len() + b.Len())
	if err := c.ev.alloc(64 * (a.Len() + b.Len())); err != nil {
		return nil, err
	}
	if err := c.ev.step(a.Len() + b.Len()); err != nil {
		return nil, err
	}
	for k, v := range a.All() {
		other, ok, err := b.Lookup(c.meter(), k)
		if err != nil {
			return nil, err
		}
		if ok {
			if v, err = c.mergeValues(v, other, levels, depth); err != nil {
				return nil, err
			}
		}
		if err := out.Put(c.meter(), k, v); err != nil {
			return nil, err
		}
	}
	for k, v := range b.All() {
		if _, ok, err := out.Lookup(c.meter(), k); err != nil || ok {
			if err != nil {
				return nil, err
			}
			continue
		}
		if err := out.Put(c.meter(), k, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *call) mergeValues(a, b any, levels, depth int) (any, error) {
	if levels != 1 && isType[*value.Map](b) {
		left, ok := a.(*value.Map)
		if !ok {
			return nil, errMerge(a, b)
		}
		return c.merge(left, b.(*value.Map), max(levels-1, min(levels, 0)), depth+1)
	}
	if levels != 1 && b != nil && kList.has(b) {
		if a == nil || !kList.has(a) {
			return nil, errMerge(a, b)
		}
		return c.mergeLists(a, b)
	}
	if c.fn(3) != nil {
		return c.fn(3).call(a, b)
	}
	return b, nil
}

func (c *call) mergeLists(a, b any) (any, error) {
	if c.fn(2) != nil {
		return c.fn(2).call(a, b)
	}
	if isType[value.Tuple](a) != isType[value.Tuple](b) {
		return nil, fail("TypeError", "can only concatenate %s (not \"%s\") to %s", value.TypeName(a), value.TypeName(b), value.TypeName(a))
	}
	x, _ := value.Seq(a)
	y, _ := value.Seq(b)
	return c.toTuple(c.distinct(value.Tuple(slices.Concat(x, y)), nil))
}

func errMerge(a, b any) error {
	return fail("TypeError", "Cannot merge %s with %s", className(a), className(b))
}

// className is str(type(v)).
func className(v any) string {
	name := value.TypeName(v)
	if name == "FrozenDict" {
		name = "yaql.language.utils.FrozenDict"
	}
	return "<class '" + name + "'>"
}
