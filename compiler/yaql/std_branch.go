package yaql

var branchFunctions = []def{
	{"#operator_and", fn, "left:lambda, right:lambda", func(c *call) (any, error) {
		v, err := c.fn(0).call()
		if err != nil || !truth(v) {
			return v, err
		}
		return c.fn(1).call()
	}},
	{"#operator_or", fn, "left:lambda, right:lambda", func(c *call) (any, error) {
		v, err := c.fn(0).call()
		if err != nil || truth(v) {
			return v, err
		}
		return c.fn(1).call()
	}},
	{"#unary_operator_not", fn, "arg:any", func(c *call) (any, error) { return !c.truth(0), nil }},
	{"bool", fn, "value:any", func(c *call) (any, error) { return c.truth(0), nil }},
	{"isBoolean", fn, "value:any", func(c *call) (any, error) { return isType[bool](c.args[0]), nil }},
	{"switch", fn | noKW, "*args:rule", func(c *call) (any, error) {
		for _, a := range c.star {
			r := a.(*lateRule)
			ok, err := r.key.truth()
			if err != nil {
				return nil, err
			}
			if ok {
				return r.value.call()
			}
		}
		return nil, nil
	}},
	{"selectCase", fn, "*args:lambda", func(c *call) (any, error) {
		for i, a := range c.star {
			ok, err := a.(*lambda).truth()
			if err != nil || ok {
				return int64(i), err
			}
		}
		return int64(len(c.star)), nil
	}},
	{"selectAllCases", fn, "*args:lambda", func(c *call) (any, error) {
		i := int64(-1)
		return c.ev.lazy("generator", c.star, func(a any) (any, bool, bool, error) {
			i++
			ok, err := a.(*lambda).truth()
			return i, ok, false, err
		}), nil
	}},
	{"examine", fn, "*args:lambda", func(c *call) (any, error) {
		return c.ev.lazy("generator", c.star, func(a any) (any, bool, bool, error) {
			ok, err := a.(*lambda).truth()
			return ok, true, false, err
		}), nil
	}},
	{"switchCase", method, "case:int, *args:lambda", func(c *call) (any, error) {
		n := len(c.star)
		if n == 0 {
			return nil, nil
		}
		i := c.int(0)
		if i < 0 || i >= n {
			i = n - 1
		}
		return c.star[i].(*lambda).call()
	}},
	{"coalesce", fn, "*args:lambda", func(c *call) (any, error) {
		for _, a := range c.star {
			v, err := a.(*lambda).call()
			if err != nil || v != nil {
				return v, err
			}
		}
		return nil, nil
	}},
}

func isType[T any](v any) bool {
	_, ok := v.(T)
	return ok
}
