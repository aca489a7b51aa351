package yaql

import (
	"github.com/hotloom/hotloom/compiler/value"
)

// Functions that filter, map and join collections, lazily.
var queryFunctions = []def{
	{"where", method, "collection:coll, predicate:lambda", where},
	{"filter", method, "collection:coll, predicate:lambda", where},
	{"select", method, "collection:coll, selector:lambda", selectItems},
	{"map", method, "collection:coll, selector:lambda", selectItems},
	{"selectMany", method, "collection:coll, selector:lambda", selectMany},
	{"append", both, "collection:coll, *args:any", func(c *call) (any, error) {
		return c.ev.chain("generator", []any{c.args[0], c.star}), nil
	}},
	{"concat", both, "*collections:coll", func(c *call) (any, error) { return c.ev.chain("itertools.chain", c.star), nil }},
	{"distinct", both, "collection:coll, keySelector:lambda=null", func(c *call) (any, error) {
		return c.distinct(c.args[0], c.fn(1)), nil
	}},
	{"enumerate", both, "collection:coll, start:int?=0", func(c *call) (any, error) {
		if c.args[1] == nil {
			return nil, fail("TypeError", "'NoneType' object cannot be interpreted as an integer")
		}
		i, err := value.Add(c.args[1], int64(0)) // no boolean
		if err != nil {
			return nil, err
		}
		return c.ev.lazy("generator", c.args[0], func(x any) (any, bool, bool, error) {
			pair := []any{i, x}
			var err error
			i, err = value.Add(i, int64(1))
			return pair, true, false, err
		}), nil
	}},
	{"any", both, "collection:coll, predicate:lambda=null", func(c *call) (any, error) {
		found := false
		err := c.ev.each(c.args[0], func(x any) (bool, error) {
			ok := true
			var err error
			if c.fn(1) != nil {
				ok, err = c.fn(1).truth(x)
			}
			found = ok
			return ok, err
		})
		return found, err
	}},
	{"all", both, "collection:coll, predicate:lambda=null", func(c *call) (any, error) {
		all := true
		err := c.ev.each(c.args[0], func(x any) (bool, error) {
			ok := truth(x)
			var err error
			if c.fn(1) != nil {
				ok, err = c.fn(1).truth(x)
			}
			all = ok
			return !ok, err
		})
		return all, err
	}},
	{"join", method, "collection1:coll, collection2:coll, predicate:lambda, selector:lambda", joinCollections},
	{"zip", method, "*collections:coll", func(c *call) (any, error) { return c.zip(false, nil), nil }},
	{"zipLongest", method, "*collections:coll, **kwargs:any", func(c *call) (any, error) {
		var fill any
		for _, k := range c.named {
			if k.name == "default" {
				fill = k.arg.val
			}
		}
		return c.zip(true, fill), nil
	}},
	{"memorize", method, "collection:coll", func(c *call) (any, error) { return c.ev.memorize(c.args[0]), nil }},
	{"defaultIfEmpty", method, "collection:coll, default:coll", func(c *call) (any, error) {
		if n, sized := value.Len(c.args[0]); sized && !isType[value.ValuesView](c.args[0]) {
			if n == 0 {
				return c.args[1], nil
			}
			return c.args[0], nil
		}
		m := c.ev.memorize(c.args[0])
		it, err := c.ev.iterate(m)
		if err != nil {
			return nil, err
		}
		_, ok, err := it.next()
		if err == nil && !ok {
			return c.args[1], nil
		}
		return m, err
	}},
}

func where(c *call) (any, error) {
	f := c.fn(1)
	return c.ev.lazy("filter", c.args[0], func(x any) (any, bool, bool, error) {
		if f == nil {
			return x, truth(x), false, nil
		}
		ok, err := f.truth(x)
		return x, ok, false, err
	}), nil
}

func selectItems(c *call) (any, error) {
	f := c.fn(1)
	return c.ev.lazy("map", c.args[0], func(x any) (any, bool, bool, error) {
		v, err := f.call(x)
		return v, true, false, err
	}), nil
}

func selectMany(c *call) (any, error) {
	mapped, err := selectItems(c)
	if err != nil {
		return nil, err
	}
	var outer, inner iterator
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if outer == nil {
			outer = mapped.(iterator)
		}
		for {
			if inner != nil {
				if err := c.ev.step(1); err != nil {
					return nil, false, err
				}
				x, ok, err := inner.next()
				if err != nil || ok {
					return x, ok, err
				}
				inner = nil
			}
			x, ok, err := outer.next()
			if err != nil || !ok {
				return nil, false, err
			}
			if x == nil || !isIterable(x) {
				return x, true, nil
			}
			if inner, err = c.ev.iterate(x); err != nil {
				return nil, false, err
			}
		}
	}}, nil
}

// distinct passes each item whose key has not been seen.
func (c *call) distinct(coll any, key *lambda) any {
	seen := value.NewSet(false)
	return c.ev.lazy("generator", coll, func(x any) (any, bool, bool, error) {
		k := x
		if key != nil {
			var err error
			if k, err = key.call(x); err != nil {
				return nil, false, false, err
			}
		}
		has, err := seen.Has(c.meter(), k)
		if err != nil || has {
			return nil, false, false, err
		}
		if err := c.ev.alloc(64); err != nil {
			return nil, false, false, err
		}
		if err := seen.Add(c.meter(), k); err != nil {
			return nil, false, false, err
		}
		return x, true, false, c.ev.quota(seen)
	})
}

// joinCollections walks the second collection anew for each item of the first.
func joinCollections(c *call) (any, error) {
	second := c.ev.memorize(c.args[1])
	var outer, inner iterator
	var left any
	return &gen{what: "generator", fn: func() (any, bool, error) {
		var err error
		if outer == nil {
			if outer, err = c.ev.iterate(c.args[0]); err != nil {
				return nil, false, err
			}
		}
		for {
			if err := c.ev.step(1); err != nil {
				return nil, false, err
			}
			if inner == nil {
				var ok bool
				if left, ok, err = outer.next(); err != nil || !ok {
					return nil, false, err
				}
				if inner, err = c.ev.iterate(second); err != nil {
					return nil, false, err
				}
			}
			right, ok, err := inner.next()
			if err != nil {
				return nil, false, err
			}
			if !ok {
				inner = nil
				continue
			}
			if ok, err = c.fn(2).truth(left, right); err != nil {
				return nil, false, err
			}
			if ok {
				v, err := c.fn(3).call(left, right)
				return v, true, err
			}
		}
	}}, nil
}

// zip walks collections side by side: to the end of the shortest, or of the longest with fill for what is missing.
func (c *call) zip(longest bool, fill any) any {
	var its []iterator
	return &gen{what: "zip", fn: func() (any, bool, error) {
		if its == nil {
			for _, s := range c.star {
				it, err := c.ev.iterate(s)
				if err != nil {
					return nil, false, err
				}
				its = append(its, it)
			}
		}
		if err := c.ev.step(len(its)); err != nil {
			return nil, false, err
		}
		row := make(value.Tuple, len(its))
		live := false
		for i, it := range its {
			row[i] = fill
			if it == nil {
				continue
			}
			x, ok, err := it.next()
			if err != nil {
				return nil, false, err
			}
			if ok {
				row[i], live = x, true
				continue
			}
			if !longest {
				return nil, false, nil
			}
			its[i] = nil
		}
		return row, live, c.ev.alloc(16 * len(row))
	}}
}
