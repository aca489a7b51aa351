package yaql

import (
	"math/big"

	"github.com/hotloom/hotloom/compiler/value"
)

// Functions that make collections.
var generateFunctions = []def{
	{"range", fn, "stop:int", func(c *call) (any, error) { return c.ev.numbers(int64(0), c.args[0], int64(1)) }},
	{"range", fn, "start:int, stop:int, step:int=1", func(c *call) (any, error) {
		return c.ev.numbers(c.args[0], c.args[1], c.args[2])
	}},
	{"sequence", fn, "start:int=0, step:int=1", func(c *call) (any, error) {
		next := c.args[0]
		if cmp, _, _ := value.Compare(c.args[1], int64(1)); cmp == 0 {
			next, _ = value.Add(next, int64(0)) // no boolean, as Python's count takes another way for steps of one
		}
		return &gen{what: "itertools.count", fn: func() (any, bool, error) {
			if err := c.ev.step(1); err != nil {
				return nil, false, err
			}
			v := next
			var err error
			next, err = value.Add(next, c.args[1])
			return v, true, err
		}}, nil
	}},
	{"repeat", method, "value:any, times:int=-1", func(c *call) (any, error) {
		left := c.int(1)
		return &gen{what: "itertools.repeat", fn: func() (any, bool, error) {
			if left == 0 {
				return nil, false, nil
			}
			left--
			return c.args[0], true, c.ev.step(1)
		}}, nil
	}},
	{"cycle", method, "collection:coll", cycle},
	{"generate", fn, "initial:any, predicate:lambda, producer:lambda, selector:lambda=null, decycle:bool=false", generate},
	{"generateMany", fn, "initial:any, producer:lambda, selector:lambda=null, decycle:bool=false, depthFirst:bool=false", generateMany},
}

// numbers is range(start, stop, step).
func (ev *evaluation) numbers(start, stop, step any) (any, error) {
	at, end, by := value.Big(start), value.Big(stop), value.Big(step)
	if by.Sign() == 0 {
		return nil, fail("ValueError", "range() arg 3 must not be zero")
	}
	if at.IsInt64() && end.IsInt64() && by.IsInt64() && at.BitLen() < 60 && end.BitLen() < 60 && by.BitLen() < 60 {
		i, n, d := at.Int64(), end.Int64(), by.Int64()
		return &gen{what: "range_iterator", fn: func() (any, bool, error) {
			if d > 0 && i >= n || d < 0 && i <= n {
				return nil, false, nil
			}
			v := i
			i += d
			return v, true, ev.step(1)
		}}, nil
	}
	return &gen{what: "longrange_iterator", fn: func() (any, bool, error) {
		if at.Cmp(end)*by.Sign() >= 0 {
			return nil, false, nil
		}
		v := value.NormInt(new(big.Int).Set(at))
		at.Add(at, by)
		return v, true, ev.step(1 + at.BitLen()>>8)
	}}, nil
}

func cycle(c *call) (any, error) {
	var src iterator
	var kept []any
	i, ended := 0, false
	return &gen{what: "itertools.cycle", fn: func() (any, bool, error) {
		if err := c.ev.step(1); err != nil {
			return nil, false, err
		}
		if !ended {
			var err error
			if src == nil {
				if src, err = c.ev.iterate(c.args[0]); err != nil {
					return nil, false, err
				}
			}
			x, ok, err := src.next()
			if err != nil {
				return nil, false, err
			}
			if ok {
				kept = append(kept, x)
				return x, true, c.ev.alloc(16)
			}
			ended = true
		}
		if len(kept) == 0 {
			return nil, false, nil
		}
		i++
		return kept[(i-1)%len(kept)], true, nil
	}}, nil
}

// past remembers items for decycle; a nil one remembers nothing.
type past struct {
	c    *call
	seen *value.Set
}

func newPast(c *call, on bool) *past {
	if !on {
		return nil
	}
	return &past{c, value.NewSet(false)}
}

// repeats says whether an item was seen before, and remembers it.
func (p *past) repeats(x any) (bool, error) {
	if p == nil {
		return false, nil
	}
	has, err := p.seen.Has(p.c.meter(), x)
	if err != nil || has {
		return has, err
	}
	if err := p.c.ev.alloc(64); err != nil {
		return false, err
	}
	if err := p.seen.Add(p.c.meter(), x); err != nil {
		return false, err
	}
	return false, p.c.ev.quota(p.seen)
}

func generate(c *call) (any, error) {
	at := c.args[0]
	seen := newPast(c, c.truth(4))
	first := true
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if err := c.ev.step(1); err != nil {
			return nil, false, err
		}
		if !first {
			var err error
			if at, err = c.fn(2).call(at); err != nil {
				return nil, false, err
			}
		}
		first = false
		ok, err := c.fn(1).truth(at)
		if err != nil || !ok {
			return nil, false, err
		}
		if again, err := seen.repeats(at); err != nil || again {
			return nil, false, err
		}
		if c.fn(3) == nil {
			return at, true, nil
		}
		v, err := c.fn(3).call(at)
		return v, true, err
	}}, nil
}

func generateMany(c *call) (any, error) {
	queue := []any{c.args[0]}
	seen := newPast(c, c.truth(3))
	var at any
	produce := false
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if produce {
			children, err := c.fn(1).call(at)
			if err != nil {
				return nil, false, err
			}
			items, err := c.ev.collect(children)
			if err != nil {
				return nil, false, err
			}
			if c.truth(4) {
				queue = append(items, queue...)
				if err := c.ev.step(len(queue) >> 3); err != nil {
					return nil, false, err
				}
			} else {
				queue = append(queue, items...)
			}
			if err := c.ev.quotaSize(624 + 8*len(queue)); err != nil {
				return nil, false, err
			}
			produce = false
		}
		for len(queue) > 0 {
			if err := c.ev.step(1); err != nil {
				return nil, false, err
			}
			at, queue = queue[0], queue[1:]
			again, err := seen.repeats(at)
			if err != nil {
				return nil, false, err
			}
			if again {
				continue
			}
			produce = true
			if c.fn(2) == nil {
				return at, true, nil
			}
			v, err := c.fn(2).call(at)
			return v, true, err
		}
		return nil, false, nil
	}}, nil
}
