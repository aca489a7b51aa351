package jinja

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// attr is x.name: a method of the type if there is one, else the item under that key, as Jinja's sandbox does it.
func (e *evaluator) attr(of any, name string) (any, error) {
	switch v := of.(type) {
	case *undefined:
		return nil, v.err()
	case *loop:
		return e.loopAttr(v, name), nil
	case *namespace:
		if x, ok := v.vars.GetStr(name); ok {
			return x, nil
		}
		return e.undefinedOf(of, name), nil
	}
	if m := e.method(of, name); m != nil {
		return m, nil
	}
	if strings.HasPrefix(name, "__") && dunder(of, name) {
		return &undefined{
			message: "access to attribute " + value.Repr(name) + " of " + value.Repr(value.TypeName(of)) + " object is unsafe.",
			class:   "SecurityError",
		}, nil
	}
	if m, ok := of.(*value.Map); ok {
		if x, ok := m.GetStr(name); ok {
			return x, nil
		}
	}
	return e.undefinedOf(of, name), nil
}

// dunder says whether Python objects have such an attribute, which the sandbox then keeps from templates.
func dunder(of any, name string) bool {
	switch name {
	case "__class__", "__doc__", "__init__", "__dir__", "__eq__", "__hash__", "__repr__", "__str__", "__reduce__", "__new__",
		"__subclasshook__", "__init_subclass__", "__setattr__", "__getattribute__", "__delattr__", "__format__", "__sizeof__":
		return true
	case "__len__", "__iter__", "__getitem__", "__contains__":
		_, ok := value.Len(of)
		return ok
	}
	return false
}

func (e *evaluator) itemOf(x *itemExpr, f *frame) (any, error) {
	of, err := e.eval(x.of, f)
	if err != nil {
		return nil, err
	}
	if u, ok := of.(*undefined); ok {
		return nil, u.err()
	}
	if s, ok := x.key.(*sliceExpr); ok {
		return e.slice(of, s, f)
	}
	key, err := e.eval(x.key, f)
	if err != nil {
		return nil, err
	}
	return e.item(of, key)
}

// item is x[key]; where there is no such item, an attribute of that name.
func (e *evaluator) item(of, key any) (any, error) {
	if u, ok := key.(*undefined); ok {
		return nil, u.err()
	}
	if s, ok := of.(*sequence); ok && s.kind == "range" {
		of = s.items
	}
	v, err := value.Index(of, key)
	if err == nil {
		return v, nil
	}
	name, ok := key.(string)
	if !ok {
		return e.undefinedOf(of, key), nil
	}
	if m := e.method(of, name); m != nil {
		return m, nil
	}
	return e.undefinedOf(of, name), nil
}

func (e *evaluator) slice(of any, s *sliceExpr, f *frame) (any, error) {
	bound := func(x expr) (*int, error) {
		if x == nil {
			return nil, nil
		}
		v, err := e.eval(x, f)
		if err != nil || v == nil {
			return nil, err
		}
		n, ok := value.Int(v)
		if !ok {
			return nil, fail("TypeError", "slice indices must be integers or None or have an __index__ method")
		}
		return &n, nil
	}
	var at [3]*int
	for i, x := range []expr{s.start, s.stop, s.step} {
		n, err := bound(x)
		if err != nil {
			return nil, err
		}
		at[i] = n
	}
	items, text, ok := sized(of)
	if !ok {
		return e.undefinedOf(of, "slice"), nil
	}
	if _, isText := of.(string); isText {
		for _, r := range text {
			items = append(items, string(r))
		}
	}
	out, err := sliceItems(items, at)
	if err != nil {
		return nil, err
	}
	switch of.(type) {
	case string:
		var b strings.Builder
		for _, c := range out {
			b.WriteString(c.(string))
		}
		return b.String(), nil
	case value.Tuple:
		return value.Tuple(out), nil
	}
	return out, nil
}

func sliceItems(items []any, at [3]*int) ([]any, error) {
	n, step := len(items), 1
	if at[2] != nil {
		step = *at[2]
	}
	if step == 0 {
		return nil, fail("ValueError", "slice step cannot be zero")
	}
	clip := func(p *int, standard int) int {
		if p == nil {
			return standard
		}
		i := *p
		if i < 0 {
			i += n
		}
		if step > 0 {
			return min(max(i, 0), n)
		}
		return min(max(i, -1), n-1)
	}
	out := []any{}
	if step > 0 {
		for i := clip(at[0], 0); i < clip(at[1], n); i += step {
			out = append(out, items[i])
		}
		return out, nil
	}
	for i := clip(at[0], n-1); i > clip(at[1], -1); i += step {
		out = append(out, items[i])
	}
	return out, nil
}
