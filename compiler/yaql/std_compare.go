package yaql

import "github.com/hotloom/hotloom/compiler/value"

// order makes an ordering operator from what it says of -1, 0 and 1; false where there is no order (NaN).
func order(want func(cmp int) bool) func(c *call) (any, error) {
	return func(c *call) (any, error) {
		cmp, ordered, err := c.meter().Compare(c.args[0], c.args[1])
		return err == nil && ordered && want(cmp), err
	}
}

func constant(v any) func(c *call) (any, error) {
	return func(*call) (any, error) { return v, nil }
}

func less(c int) bool      { return c < 0 }
func lessEqual(c int) bool { return c <= 0 }
func more(c int) bool      { return c > 0 }
func moreEqual(c int) bool { return c >= 0 }

// ordering operators by name: what they say of a comparison, and of null against null, null on the left, on the right.
var orderings = []struct {
	name                      string
	want                      func(int) bool
	both, nullLeft, nullRight bool
}{
	{"#operator_<", less, false, true, false},
	{"#operator_<=", lessEqual, true, true, false},
	{"#operator_>", more, false, false, true},
	{"#operator_>=", moreEqual, true, false, true},
}

var compareFunctions = compareTable()

func compareTable() []def {
	out := []def{
		{"*equal", fn, "left:any, right:any", func(c *call) (any, error) { return c.meter().Equal(c.args[0], c.args[1]) }},
		{"*not_equal", fn, "left:any, right:any", func(c *call) (any, error) {
			eq, err := c.meter().Equal(c.args[0], c.args[1])
			return !eq, err
		}},
	}
	for _, o := range orderings {
		cmp := order(o.want)
		out = append(out,
			def{o.name, fn, "left:any!, right:null", constant(o.nullRight)},
			def{o.name, fn, "left:null, right:any!", constant(o.nullLeft)},
			def{o.name, fn, "left:null, right:null", constant(o.both)},
			def{o.name, fn, "left:num, right:num", cmp},
			def{o.name, fn, "left:str, right:str", cmp},
			def{o.name, fn, "dt1:time, dt2:time", cmp},
			def{o.name, fn, "ts1:span, ts2:span", cmp},
			def{o.name, fn, "left:set, right:set", compareSets(o.want)},
		)
	}
	return out
}

// compareSets orders sets by inclusion.
func compareSets(want func(int) bool) func(c *call) (any, error) {
	return func(c *call) (any, error) {
		a, _, err := value.AsSet(c.meter(), c.args[0])
		if err != nil {
			return nil, err
		}
		b, _, err := value.AsSet(c.meter(), c.args[1])
		if err != nil {
			return nil, err
		}
		under, err := a.Within(c.meter(), b)
		if err != nil {
			return nil, err
		}
		over, err := b.Within(c.meter(), a)
		switch {
		case err != nil:
			return nil, err
		case under && over:
			return want(0), nil
		case under:
			return want(-1), nil
		case over:
			return want(1), nil
		}
		return false, nil
	}
}
