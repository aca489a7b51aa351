package yaql

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

// Functions that make one value of a collection.
var foldFunctions = []def{
	{"count", method, "collection:coll", count},
	{"sum", method, "collection:coll, initial:any=", func(c *call) (any, error) { return c.reduceBy("#operator_+") }},
	{"max", method, "collection:coll, initial:any=", func(c *call) (any, error) { return c.reduceBy("max") }},
	{"min", method, "collection:coll, initial:any=", func(c *call) (any, error) { return c.reduceBy("min") }},
	{"aggregate", method, "collection:coll, selector:lambda, seed:any=", aggregate},
	{"reduce", method, "collection:coll, selector:lambda, seed:any=", aggregate},
	{"accumulate", method, "collection:coll, selector:lambda, seed:any=", accumulate},
	{"first", method, "collection:coll, default:any=", func(c *call) (any, error) {
		it, err := c.ev.iterate(c.args[0])
		if err != nil {
			return nil, err
		}
		x, ok, err := it.next()
		switch {
		case err != nil || ok:
			return x, err
		case c.given(1):
			return c.args[1], nil
		}
		return nil, errStop("")
	}},
	{"single", method, "collection:coll", func(c *call) (any, error) {
		it, err := c.ev.iterate(c.args[0])
		if err != nil {
			return nil, err
		}
		x, ok, err := it.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errStop("")
		}
		if _, ok, err = it.next(); err == nil && ok {
			err = errStop("Collection contains more than one item")
		}
		return x, err
	}},
	{"last", method, "collection:coll, default:any=", func(c *call) (any, error) {
		last := c.args[1]
		if items, ok := value.Seq(c.args[0]); ok {
			if len(items) > 0 {
				last = items[len(items)-1]
			}
		} else if err := c.ev.each(c.args[0], func(x any) (bool, error) {
			last = x
			return false, nil
		}); err != nil {
			return nil, err
		}
		if _, missing := last.(noValue); missing {
			return nil, errStop("")
		}
		return last, nil
	}},
	{"indexOf", method, "collection:coll, item:any", func(c *call) (any, error) { return c.index(c.equals(1), false) }},
	{"lastIndexOf", method, "collection:coll, item:any", func(c *call) (any, error) { return c.index(c.equals(1), true) }},
	{"indexWhere", method, "collection:coll, predicate:lambda", func(c *call) (any, error) { return c.index(c.holds(1), false) }},
	{"lastIndexWhere", method, "collection:coll, predicate:lambda", func(c *call) (any, error) { return c.index(c.holds(1), true) }},
	{"groupBy", method, "collection:coll, keySelector:lambda, valueSelector:lambda=null, aggregator:lambda=null", groupBy},
}

func count(c *call) (any, error) {
	n := int64(0)
	err := c.ev.each(c.args[0], func(any) (bool, error) {
		n++
		return false, nil
	})
	return n, err
}

// reduceBy folds by a function of the library.
func (c *call) reduceBy(name string) (any, error) {
	return c.fold(c.args[1], func(a, b any) (any, error) { return c.invoke(name, a, b) })
}

func aggregate(c *call) (any, error) {
	return c.fold(c.args[2], func(a, b any) (any, error) { return c.fn(1).call(a, b) })
}

func (c *call) fold(seed any, f func(a, b any) (any, error)) (any, error) {
	acc := seed
	err := c.ev.each(c.args[0], func(x any) (bool, error) {
		if _, missing := acc.(noValue); missing {
			acc = x
			return false, nil
		}
		var err error
		acc, err = f(acc, x)
		return false, err
	})
	if _, missing := acc.(noValue); missing && err == nil {
		return nil, fail("TypeError", "reduce() of empty iterable with no initial value")
	}
	return acc, err
}

func accumulate(c *call) (any, error) {
	total := c.args[2]
	started := c.given(2)
	var it iterator
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if it == nil {
			var err error
			if it, err = c.ev.iterate(c.args[0]); err != nil {
				return nil, false, err
			}
			if started {
				return total, true, nil
			}
		}
		if err := c.ev.step(1); err != nil {
			return nil, false, err
		}
		x, ok, err := it.next()
		switch {
		case err != nil:
			return nil, false, err
		case !ok && !started:
			return nil, false, fail("TypeError", "accumulate() of empty sequence with no initial value")
		case !ok:
			return nil, false, nil
		case !started:
			started, total = true, x
			return x, true, nil
		}
		total, err = c.fn(1).call(total, x)
		return total, true, err
	}}, nil
}

func (c *call) equals(i int) func(x any) (bool, error) {
	return func(x any) (bool, error) { return c.meter().Equal(x, c.args[i]) }
}

func (c *call) holds(i int) func(x any) (bool, error) {
	return func(x any) (bool, error) { return c.fn(i).truth(x) }
}

// index gives the first or last index of an item that fits, -1 if none does.
func (c *call) index(fits func(x any) (bool, error), last bool) (any, error) {
	i, at := int64(-1), int64(-1)
	err := c.ev.each(c.args[0], func(x any) (bool, error) {
		i++
		ok, err := fits(x)
		if ok {
			at = i
		}
		return ok && !last, err
	})
	return at, err
}

// groupBy gathers items by key at once; the aggregator is applied as the result is walked.
func groupBy(c *call) (any, error) {
	groups := value.NewMap(0)
	err := c.ev.each(c.args[0], func(x any) (bool, error) {
		v := x
		var err error
		if c.fn(2) != nil {
			if v, err = c.fn(2).call(x); err != nil {
				return false, err
			}
		}
		k, err := c.fn(1).call(x)
		if err != nil {
			return false, err
		}
		old, _, err := groups.Lookup(c.meter(), k)
		if err != nil {
			return false, err
		}
		list, _ := old.([]any)
		if err := c.put(groups, k, append(list, v)); err != nil {
			return false, err
		}
		return false, c.ev.quota(groups)
	})
	if err != nil {
		return nil, err
	}
	agg := &groupAggregator{f: c.fn(3), fallback: true}
	return c.ev.lazy("map", value.ItemsView{M: groups}, func(x any) (any, bool, bool, error) {
		v, err := agg.apply(c, x.(value.Tuple))
		return v, true, false, err
	}), nil
}

// groupAggregator applies the aggregator of groupBy to the values of each group. Where that fails it is given the
// whole [key, values] pair, as YAQL 1.1 did, as long as no group has worked the new way.
type groupAggregator struct {
	f        *lambda
	fallback bool
	failure  error
}

func (g *groupAggregator) apply(c *call, pair value.Tuple) (any, error) {
	if g.f == nil {
		return pair, nil
	}
	if g.failure == nil {
		v, err := g.f.call(pair[1])
		switch {
		case err == nil:
			list := pair[1].([]any)
			res, isSeq := value.Seq(v)
			old := len(list) == 2 && isSeq && len(res) == 2
			if old {
				if old, err = c.meter().Equal(res[0], list[0]); err != nil {
					return nil, err
				}
			}
			if !old {
				g.fallback = false
			}
			return value.Tuple{pair[0], v}, nil
		case !oldStyle(err):
			return nil, err
		}
		g.failure = err
	}
	if g.fallback {
		if v, err := g.f.call(pair); err == nil {
			if n, ok := value.Len(v); ok && n == 2 {
				return v, nil
			}
		} else if isLimit(err) {
			return nil, err
		}
	}
	return nil, g.failure
}

// oldStyle says whether an error may come from an aggregator written for YAQL 1.1.
func oldStyle(err error) bool {
	e, ok := err.(*value.Error)
	return ok && slices.Contains([]string{"NoMatchingMethodException", "NoMatchingFunctionException", "IndexError"}, e.Class)
}

func isLimit(err error) bool {
	e, ok := asError(err).(*Error)
	return !ok || (e.Limit && e.Class == "LimitError")
}
