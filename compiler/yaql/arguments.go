package yaql

import (
	"math/big"

	"github.com/hotloom/hotloom/compiler/value"
)

// Access to the arguments of a call by their position in the signature; the signature has checked their types.

func (c *call) str(i int) string      { s, _ := c.args[i].(string); return s }
func (c *call) fn(i int) *lambda      { l, _ := c.args[i].(*lambda); return l }
func (c *call) dict(i int) *value.Map { m, _ := c.args[i].(*value.Map); return m }
func (c *call) truth(i int) bool      { return truth(c.args[i]) }
func (c *call) int(i int) int         { n, _ := value.Int(c.args[i]); return n }
func (c *call) time(i int) value.Time { t, _ := c.args[i].(value.Time); return t }
func (c *call) span(i int) value.Span { s, _ := c.args[i].(value.Span); return s }
func (c *call) meter() *value.Meter   { return &c.ev.meter }
func (c *call) given(i int) bool      { _, missing := c.args[i].(noValue); return !missing }

// size is an integer argument that Python hands on to C: OverflowError if it does not fit there.
func (c *call) size(i int) (int, error) {
	if isType[*big.Int](c.args[i]) {
		return 0, fail("OverflowError", "Python int too large to convert to C ssize_t")
	}
	return c.int(i), nil
}

// optStr is a text argument that may be null.
func (c *call) optStr(i int) *string {
	if s, ok := c.args[i].(string); ok {
		return &s
	}
	return nil
}

// texts are the star arguments of a function that takes text only.
func (c *call) texts() []string {
	out := make([]string, len(c.star))
	for i, s := range c.star {
		out[i], _ = s.(string)
	}
	return out
}

// invoke calls another function of the library, or the expression's own of that name, with values.
func (c *call) invoke(name string, args ...any) (any, error) {
	as := make([]argument, len(args))
	for i, a := range args {
		as[i].val = a
	}
	return c.ev.call(name, c.scope, receiver{}, as, nil)
}

// method calls a method of the library, or the expression's own of that name, without arguments.
func (c *call) method(name string, recv any) (any, error) {
	return c.ev.call(name, c.scope, receiver{true, recv}, []argument{{val: recv}}, nil)
}

// toText is the function str, which an expression may have defined anew.
func (c *call) toText(v any) (string, error) {
	if s, ok := v.(string); ok && !c.scope.defs {
		return s, nil
	}
	s, err := c.invoke("str", v)
	if err != nil {
		return "", err
	}
	text, ok := s.(string)
	if !ok {
		return "", fail("TypeError", "sequence item 0: expected str instance, %s found", value.TypeName(s))
	}
	return text, nil
}

// toTuple is the method toList.
func (c *call) toTuple(v any) (value.Tuple, error) {
	t, err := c.method("toList", v)
	if err != nil {
		return nil, err
	}
	items, ok := value.Seq(t)
	if !ok {
		return nil, fail("TypeError", "object of type '%s' has no len()", value.TypeName(t))
	}
	return value.Tuple(items), nil
}
