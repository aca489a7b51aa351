package yaql

import (
	"github.com/hotloom/hotloom/compiler/value"
)

// Functions that take parts of collections.
var sliceFunctions = []def{
	{"limit", method, "collection:coll, count:int", limit},
	{"take", method, "collection:coll, count:int", limit},
	{"skip", method, "collection:coll, count:int", func(c *call) (any, error) {
		n, err := c.natural(1, false)
		if err != nil {
			return nil, err
		}
		return c.ev.lazy("itertools.islice", c.args[0], func(x any) (any, bool, bool, error) {
			n--
			return x, n < 0, false, nil
		}), nil
	}},
	{"takeWhile", method, "collection:coll, predicate:lambda", func(c *call) (any, error) {
		return c.ev.lazy("itertools.takewhile", c.args[0], func(x any) (any, bool, bool, error) {
			ok, err := c.fn(1).truth(x)
			return x, ok, !ok, err
		}), nil
	}},
	{"skipWhile", method, "collection:coll, predicate:lambda", func(c *call) (any, error) {
		open := false
		return c.ev.lazy("itertools.dropwhile", c.args[0], func(x any) (any, bool, bool, error) {
			if open {
				return x, true, false, nil
			}
			skip, err := c.fn(1).truth(x)
			open = !skip
			return x, open, false, err
		}), nil
	}},
	{"slice", method, "collection:coll, length:int", slice},
	{"splitWhere", method, "collection:coll, predicate:lambda", splitWhere},
	{"sliceWhere", method, "collection:coll, predicate:lambda", sliceWhere},
	{"splitAt", method, "collection:coll, index:int", func(c *call) (any, error) {
		t, err := c.toTuple(c.args[0])
		if err != nil {
			return nil, err
		}
		_, at := value.Bounds(0, c.int(1), len(t))
		return []any{t[:at:at], t[at:]}, nil
	}},
}

// natural is a count for itertools.islice: not negative.
func (c *call) natural(i int, stop bool) (int, error) {
	n := c.int(i)
	switch {
	case n == -1 && stop:
		return 0, fail("ValueError", "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
	case n < 0:
		return 0, fail("ValueError", "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
	}
	return n, nil
}

func limit(c *call) (any, error) {
	n, err := c.natural(1, true)
	if err != nil {
		return nil, err
	}
	return c.ev.first("itertools.islice", c.args[0], n), nil
}

// first passes the first n items and looks at no more.
func (ev *evaluation) first(what string, src any, n int) any {
	var it iterator
	return &gen{what: what, fn: func() (any, bool, error) {
		if n <= 0 {
			return nil, false, nil
		}
		n--
		if it == nil {
			var err error
			if it, err = ev.iterate(src); err != nil {
				return nil, false, err
			}
		}
		return it.next()
	}}
}

func slice(c *call) (any, error) {
	var it iterator
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if it == nil {
			var err error
			if it, err = c.ev.iterate(c.args[0]); err != nil {
				return nil, false, err
			}
		}
		n, err := c.natural(1, true)
		if err != nil {
			return nil, false, err
		}
		t, err := c.toTuple(c.ev.first("itertools.islice", it, n))
		return t, len(t) > 0, err
	}}, nil
}

func splitWhere(c *call) (any, error) {
	var t value.Tuple
	start, end := 0, -1
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if end < 0 {
			var err error
			if t, err = c.toTuple(c.args[0]); err != nil {
				return nil, false, err
			}
			end = 0
		}
		for end < len(t) {
			cut, err := c.fn(1).truth(t[end])
			if err != nil {
				return nil, false, err
			}
			end++
			if cut {
				part := t[start : end-1 : end-1]
				start = end
				return part, true, nil
			}
		}
		if start != end {
			part := t[start:end]
			start = end
			return part, true, nil
		}
		return nil, false, nil
	}}, nil
}

func sliceWhere(c *call) (any, error) {
	var t value.Tuple
	start, end := 0, -1
	var last any = noValue{}
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if end < 0 {
			var err error
			if t, err = c.toTuple(c.args[0]); err != nil {
				return nil, false, err
			}
			end = 0
		}
		for end < len(t) {
			v, err := c.fn(1).call(t[end])
			if err != nil {
				return nil, false, err
			}
			same := true
			if _, none := last.(noValue); !none {
				if same, err = c.meter().Equal(v, last); err != nil {
					return nil, false, err
				}
			}
			last = v
			end++
			if !same {
				part := t[start : end-1 : end-1]
				start = end - 1
				return part, true, nil
			}
		}
		if start != end {
			part := t[start:end]
			start = end
			return part, true, nil
		}
		return nil, false, nil
	}}, nil
}
