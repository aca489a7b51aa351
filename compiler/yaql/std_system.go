package yaql

import (
	"github.com/hotloom/hotloom/compiler/value"
)

var systemFunctions = []def{
	{"#operator_.", fn, "dict:dict, key:keyword", func(c *call) (any, error) {
		v, ok := c.dict(0).GetStr(c.str(1))
		if !ok {
			return nil, errKey(c.str(1))
		}
		return v, nil
	}},
	{"#operator_.", fn, "collection:coll, attribute:keyword", func(c *call) (any, error) {
		word := &Const{Value: c.args[1], Word: true}
		ev, sc := c.ev, c.scope
		return ev.lazy("map", c.args[0], func(x any) (any, bool, bool, error) {
			v, err := ev.call("#operator_.", sc, receiver{}, []argument{{val: x}, {node: word}}, nil)
			return v, true, false, err
		}), nil
	}},
	{"#operator_.", fn, "receiver:any, expr:method", func(c *call) (any, error) { return c.fn(1).on(c.args[0]) }},
	{"#operator_.", fn | low, "obj:any, name:keyword", func(c *call) (any, error) {
		return c.invoke("#property#"+c.str(1), c.args[0])
	}},
	{"#operator_?.", fn, "receiver:any, expr:node", func(c *call) (any, error) {
		if c.args[0] == nil {
			return nil, nil
		}
		return c.ev.call("#operator_.", c.scope, receiver{}, []argument{{val: c.args[0]}, {node: c.args[1].(Node)}}, nil)
	}},
	{"#operator_->", fn, "left:context, right:body", func(c *call) (any, error) {
		return c.fn(1).in(c.args[0].(*scope))
	}},
	{"unpack", method | scoped, "sequence:coll, *args:str", unpack},
	{"with", fn | scoped, "*args:any", func(c *call) (any, error) {
		bindPositions(c)
		return c.scope, nil
	}},
	{"let", fn | scoped, "*args:any, **kwargs:any", func(c *call) (any, error) {
		bindPositions(c)
		for _, k := range c.named {
			c.scope.set(normalName(k.name), k.arg.val)
		}
		return c.scope, nil
	}},
	{"def", fn | scoped, "name:str, func:lambda", func(c *call) (any, error) {
		body := c.fn(1)
		c.scope.define(&overload{
			name: camelCase(c.str(0)), function: true,
			star: &param{name: "args", kind: kAny, nullable: true}, kwargs: &param{name: "kwargs", kind: kAny, nullable: true},
			code: func(c *call) (any, error) {
				if body == nil {
					return nil, fail("TypeError", "'NoneType' object is not callable")
				}
				sc := body.scope.child()
				for i, a := range c.star {
					sc.set(position(i+1), a)
				}
				for _, k := range c.named {
					sc.set(normalName(k.name), k.arg.val)
				}
				return body.in(sc)
			},
		})
		return c.scope, nil
	}},
	{"assert", method, "obj:any, condition:lambda, message:str=Assertion failed", func(c *call) (any, error) {
		obj := c.ev.memorize(c.args[0])
		ok, err := c.fn(1).truth(obj)
		if err == nil && !ok {
			err = &value.Error{Class: "AssertionError", Msg: c.str(2)}
		}
		return obj, err
	}},
	{"call", fn | scoped, "name:str, args:list, kwargs:dict, receiver:any=", callByName},
}

func position(i int) string {
	if i <= len(argNames) {
		return argNames[i-1]
	}
	return value.Str(int64(i))
}

func bindPositions(c *call) {
	for i, v := range c.star {
		c.scope.set(position(i+1), v)
	}
}

func unpack(c *call) (any, error) {
	names := c.texts()
	it, err := c.ev.iterate(c.args[0])
	if err != nil {
		return nil, err
	}
	var items []any
	for len(items) <= len(names) {
		x, ok, err := it.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		items = append(items, x)
	}
	if len(names) > 0 {
		if len(items) != len(names) {
			return nil, fail("ValueError", "Cannot unpack %d elements into %d", len(items), len(names))
		}
		for i, n := range names {
			c.scope.set(normalName(n), items[i])
		}
		return c.scope, nil
	}
	i := 0
	err = c.ev.each(c.args[0], func(x any) (bool, error) {
		i++
		if i > 1000 {
			return false, limitf("more than 1000 items to unpack")
		}
		c.scope.set(position(i), x)
		return false, nil
	})
	return c.scope, err
}

func callByName(c *call) (any, error) {
	var kws []keyword
	for k, v := range c.dict(2).All() {
		name, ok := k.(string)
		if !ok {
			return nil, fail("TypeError", "expected string or bytes-like object, got '%s'", value.TypeName(k))
		}
		if name == "" || !isWordRune([]rune(name)[0]) || isDecimal([]rune(name)[0]) || len(name) > 1 && name[:2] == "__" {
			return nil, fail("RuntimeError", "dictionary changed size during iteration")
		}
		kws = append(kws, keyword{name, argument{val: v}})
	}
	items, ok := value.Seq(c.args[1])
	if !ok {
		items, _ = elements(c.args[1])
	}
	recv := receiver{}
	args := make([]argument, 0, len(items)+1)
	if c.given(3) {
		recv = receiver{true, c.args[3]}
		args = append(args, argument{val: c.args[3]})
	}
	for _, x := range items {
		args = append(args, argument{val: x})
	}
	return c.ev.call(c.str(0), c.scope, recv, args, kws)
}

// memorize makes an iterator that can be walked again; other values stay as they are.
func (ev *evaluation) memorize(v any) any {
	it, ok := v.(iterator)
	if !ok || !isIterator(v) {
		return v
	}
	return &memo{ev: ev, src: it, seen: &[]any{}}
}
