package jinja

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

func (e *evaluator) test(x *testExpr, f *frame) (any, error) {
	v, err := e.eval(x.of, f)
	if err != nil {
		return nil, err
	}
	args, kw, err := e.args(&x.args, f)
	if err != nil {
		return nil, err
	}
	return e.testOf(x.name, v, args, kw)
}

func (e *evaluator) testOf(name string, v any, args []any, kw *value.Map) (any, error) {
	_, isUndefined := v.(*undefined)
	switch name {
	case "defined":
		return !isUndefined, nil
	case "undefined":
		return isUndefined, nil
	}
	if t, ok := typeTests[name]; ok {
		if u, ok := v.(*undefined); ok && name == "iterable" {
			return nil, u.err()
		}
		return t(v), nil
	}
	if u, ok := v.(*undefined); ok {
		if name == "sameas" {
			return false, nil
		}
		return nil, u.err()
	}
	if op, ok := comparisons[name]; ok {
		a, err := Bind(name, args, kw, 1, "other")
		if err != nil {
			return nil, err
		}
		return e.relate(op, v, a[0])
	}
	switch name {
	case "odd", "even":
		r, err := e.arith("mod", v, int64(2))
		if err != nil {
			return nil, err
		}
		want := int64(0)
		if name == "odd" {
			want = 1
		}
		return value.Equal(r, want), nil
	case "divisibleby":
		a, err := Bind(name, args, kw, 1, "num")
		if err != nil {
			return nil, err
		}
		r, err := e.arith("mod", v, a[0])
		return err == nil && value.Equal(r, int64(0)), err
	case "sameas":
		a, err := Bind(name, args, kw, 1, "other")
		if err != nil {
			return nil, err
		}
		return value.TypeName(v) == value.TypeName(a[0]) && value.Equal(v, a[0]), nil
	case "lower":
		s, err := e.str(v)
		return value.Lower(s) == s && value.Upper(s) != s, err
	case "upper":
		s, err := e.str(v)
		return value.Upper(s) == s && value.Lower(s) != s, err
	case "filter":
		s, _ := v.(string)
		return filterNamed(s) != nil || e.ctx.Filters[s] != nil, nil
	case "test":
		s, _ := v.(string)
		return hasTest(s), nil
	}
	return nil, fail("TemplateAssertionError", "No test named %s.", value.Repr(name))
}

var comparisons = map[string]string{
	"eq": "eq", "==": "eq", "equalto": "eq", "ne": "ne", "!=": "ne", "lt": "lt", "<": "lt", "lessthan": "lt",
	"le": "lteq", "<=": "lteq", "gt": "gt", ">": "gt", "greaterthan": "gt", "ge": "gteq", ">=": "gteq", "in": "in",
}

// typeTests also answer for undefined values.
var typeTests = map[string]func(v any) bool{
	"none":    func(v any) bool { return v == nil },
	"boolean": func(v any) bool { _, ok := v.(bool); return ok },
	"true":    func(v any) bool { return v == true },
	"false":   func(v any) bool { return v == false },
	"integer": func(v any) bool { _, isBool := v.(bool); return value.IsInt(v) && !isBool },
	"float":   func(v any) bool { _, ok := v.(float64); return ok },
	"number":  isNumber,
	"string":  func(v any) bool { _, ok := v.(string); return ok },
	"mapping": func(v any) bool { _, ok := v.(*value.Map); return ok },
	"sequence": func(v any) bool {
		switch v := v.(type) {
		case string, []any, value.Tuple, *value.Map:
			return true
		case *sequence:
			return v.kind == "range"
		}
		return false
	},
	"iterable": func(v any) bool {
		_, ok := value.Len(v)
		_, seq := v.(*sequence)
		_, undef := v.(*undefined)
		return ok || seq || undef
	},
	"callable": func(v any) bool { _, ok := v.(*function); return ok },
	"escaped":  func(any) bool { return false },
}

// otherTests are the tests that are neither about types nor comparisons.
var otherTests = []string{
	"defined", "undefined", "odd", "even", "divisibleby", "sameas", "lower", "upper", "filter", "test", "none", "escaped",
}

func hasTest(name string) bool {
	_, isType := typeTests[name]
	_, compares := comparisons[name]
	return isType || compares || slices.Contains(otherTests, name)
}
