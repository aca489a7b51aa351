package jinja

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

var symbols = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "pow": "** or pow()",
	"lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=",
}

func isNumber(v any) bool {
	_, isFloat := v.(float64)
	return isFloat || value.IsInt(v)
}

func wrongOperands(op string, a, b any) error {
	return fail("TypeError", "unsupported operand type(s) for %s: '%s' and '%s'", symbols[op], value.TypeName(a), value.TypeName(b))
}

func (e *evaluator) binary(x *binaryExpr, f *frame) (any, error) {
	a, err := e.eval(x.left, f)
	if err != nil {
		return nil, err
	}
	b, err := e.eval(x.right, f)
	if err != nil {
		return nil, err
	}
	for _, v := range []any{a, b} {
		if u, ok := v.(*undefined); ok {
			return nil, u.err()
		}
	}
	return e.arith(x.op, a, b)
}

func (e *evaluator) arith(op string, a, b any) (any, error) {
	if isNumber(a) && isNumber(b) {
		switch op {
		case "add":
			return value.Add(a, b)
		case "sub":
			return value.Sub(a, b)
		case "mul":
			return value.Mul(a, b)
		case "div":
			return value.TrueDiv(a, b)
		case "floordiv":
			return value.FloorDiv(a, b)
		case "mod":
			return value.Mod(a, b)
		case "pow":
			return value.Pow(a, b, nil)
		}
	}
	switch op {
	case "add":
		return e.join(a, b)
	case "mul":
		if value.IsInt(b) {
			return e.repeat(a, b)
		}
		if value.IsInt(a) {
			return e.repeat(b, a)
		}
		if _, _, ok := sized(a); ok {
			return nil, fail("TypeError", "can't multiply sequence by non-int of type '%s'", value.TypeName(b))
		}
	case "mod":
		if s, ok := a.(string); ok {
			return e.percent(s, b)
		}
	case "sub":
		if x, ok := a.(*value.Set); ok {
			if y, ok := b.(*value.Set); ok {
				return x.Difference(e.meter, y)
			}
		}
	}
	return nil, wrongOperands(op, a, b)
}

func sized(v any) (items []any, text string, ok bool) {
	switch v := v.(type) {
	case string:
		return nil, v, true
	case []any:
		return v, "", true
	case value.Tuple:
		return v, "", true
	}
	return nil, "", false
}

func (e *evaluator) join(a, b any) (any, error) {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return x + y, e.size(len(x) + len(y))
		}
		return nil, fail("TypeError", "can only concatenate str (not \"%s\") to str", value.TypeName(b))
	case []any:
		if y, ok := b.([]any); ok {
			return append(append([]any(nil), x...), y...), e.step(len(x) + len(y))
		}
		return nil, fail("TypeError", "can only concatenate list (not \"%s\") to list", value.TypeName(b))
	case value.Tuple:
		if y, ok := b.(value.Tuple); ok {
			return append(append(value.Tuple(nil), x...), y...), e.step(len(x) + len(y))
		}
		return nil, fail("TypeError", "can only concatenate tuple (not \"%s\") to tuple", value.TypeName(b))
	}
	return nil, wrongOperands("add", a, b)
}

func (e *evaluator) repeat(v, times any) (any, error) {
	n, _ := value.Int(times)
	n = max(n, 0)
	items, text, ok := sized(v)
	if !ok {
		return nil, wrongOperands("mul", v, times)
	}
	if text != "" {
		if n > 0 && len(text) > e.limits.Output/n {
			return nil, e.size(e.limits.Output + 1)
		}
		return strings.Repeat(text, n), nil
	}
	if len(items) > 0 && n > e.limits.Steps/len(items) {
		return nil, e.step(e.limits.Steps + 1)
	}
	if err := e.step(n * len(items)); err != nil {
		return nil, err
	}
	out := make([]any, 0, n*len(items))
	for range n {
		out = append(out, items...)
	}
	switch v.(type) {
	case value.Tuple:
		return value.Tuple(out), nil
	case string:
		return "", nil
	}
	return out, nil
}

func (e *evaluator) unary(x *unaryExpr, f *frame) (any, error) {
	v, err := e.eval(x.of, f)
	if err != nil {
		return nil, err
	}
	if u, ok := v.(*undefined); ok {
		return nil, u.err()
	}
	sign := "+"
	if x.neg {
		sign = "-"
	}
	if !isNumber(v) {
		return nil, fail("TypeError", "bad operand type for unary %s: '%s'", sign, value.TypeName(v))
	}
	if x.neg {
		return value.Neg(v)
	}
	return value.Add(v, int64(0))
}

// compare chains comparisons as Python does: all must hold, later ones are not evaluated after a false one.
func (e *evaluator) compare(x *compareExpr, f *frame) (any, error) {
	left, err := e.eval(x.first, f)
	if err != nil {
		return nil, err
	}
	for i, op := range x.ops {
		right, err := e.eval(x.rest[i], f)
		if err != nil {
			return nil, err
		}
		ok, err := e.relate(op, left, right)
		if err != nil || !ok {
			return false, err
		}
		left = right
	}
	return true, nil
}

func (e *evaluator) relate(op string, a, b any) (bool, error) {
	for _, v := range []any{a, b} {
		if u, ok := v.(*undefined); ok {
			return false, u.err()
		}
	}
	switch op {
	case "eq":
		return e.meter.Equal(a, b)
	case "ne":
		eq, err := e.meter.Equal(a, b)
		return !eq, err
	case "in":
		return e.contains(b, a)
	case "notin":
		in, err := e.contains(b, a)
		return !in, err
	}
	c, ordered, err := e.meter.Compare(a, b)
	if err != nil {
		return false, orderError(err, op, a, b)
	}
	if !ordered {
		return false, nil
	}
	switch op {
	case "lt":
		return c < 0, nil
	case "lteq":
		return c <= 0, nil
	case "gt":
		return c > 0, nil
	}
	return c >= 0, nil
}

func orderError(err error, op string, a, b any) error {
	if pe, ok := err.(*value.Error); ok && pe.Class == "TypeError" {
		return fail("TypeError", "'%s' not supported between instances of '%s' and '%s'", symbols[op], value.TypeName(a), value.TypeName(b))
	}
	return err
}

func (e *evaluator) contains(in, x any) (bool, error) {
	switch c := in.(type) {
	case string:
		s, ok := x.(string)
		if !ok {
			return false, fail("TypeError", "'in <string>' requires string as left operand, not %s", value.TypeName(x))
		}
		return strings.Contains(c, s), nil
	case *value.Map:
		_, ok, err := c.Lookup(e.meter, x)
		return ok, err
	case *value.Set:
		return c.Has(e.meter, x)
	}
	items, err := e.iterate(in)
	if err != nil {
		return false, fail("TypeError", "argument of type '%s' is not iterable", value.TypeName(in))
	}
	for _, item := range items {
		if eq, err := e.meter.Equal(item, x); err != nil || eq {
			return eq, err
		}
	}
	return false, nil
}

// iterate gives the items that a loop over v sees.
func (e *evaluator) iterate(v any) ([]any, error) {
	var items []any
	switch v := v.(type) {
	case *undefined:
		return nil, v.err()
	case []any:
		items = v
	case value.Tuple:
		items = v
	case *sequence:
		if v.err != nil {
			return nil, v.err
		}
		items = v.items
	case string:
		for _, r := range v {
			items = append(items, string(r))
		}
	case *value.Map:
		items = v.Keys()
	case *value.Set:
		items = v.Items()
	case value.KeysView:
		items = v.M.Keys()
	case value.ValuesView:
		for _, x := range v.M.All() {
			items = append(items, x)
		}
	case value.ItemsView:
		for k, x := range v.M.All() {
			items = append(items, value.Tuple{k, x})
		}
	default:
		return nil, fail("TypeError", "'%s' object is not iterable", value.TypeName(v))
	}
	return items, e.step(len(items))
}
