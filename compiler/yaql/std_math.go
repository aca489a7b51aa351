package yaql

import (
	"math/big"
	"math/rand/v2"

	"github.com/hotloom/hotloom/compiler/value"
)

// number makes a function of two numbers.
func number(f func(a, b any) (any, error)) func(c *call) (any, error) {
	return func(c *call) (any, error) {
		v, err := f(c.args[0], c.args[1])
		if err == nil {
			err = c.chargeInt(v)
		}
		return v, err
	}
}

// chargeInt accounts for a large integer.
func (c *call) chargeInt(v any) error {
	n, ok := v.(*big.Int)
	if !ok {
		return nil
	}
	bits := n.BitLen()
	if err := c.ev.alloc(bits / 8); err != nil {
		return err
	}
	return c.ev.step(bits >> 8)
}

func bits(f func(a, b any) any) func(c *call) (any, error) {
	return number(func(a, b any) (any, error) { return f(a, b), nil })
}

var mathFunctions = []def{
	{"#operator_+", fn, "left:num, right:num", number(value.Add)},
	{"#operator_-", fn, "left:num, right:num", number(value.Sub)},
	{"#operator_*", fn, "left:num, right:num", number(value.Mul)},
	{"#operator_/", fn, "left:num, right:num", number(func(a, b any) (any, error) {
		if value.IsInt(a) && value.IsInt(b) {
			return value.FloorDiv(a, b)
		}
		return value.TrueDiv(a, b)
	})},
	{"#operator_mod", fn, "left:num, right:num", number(value.Mod)},
	{"#unary_operator_+", fn, "op:num", func(c *call) (any, error) { return c.args[0], nil }},
	{"#unary_operator_-", fn, "op:num", func(c *call) (any, error) { return value.Neg(c.args[0]) }},
	{"abs", fn, "op:num", func(c *call) (any, error) { return value.Abs(c.args[0]) }},
	{"int", fn, "value:any", func(c *call) (any, error) {
		if c.args[0] == nil {
			return int64(0), nil
		}
		return value.ToInt(c.args[0])
	}},
	{"float", fn, "value:any", func(c *call) (any, error) {
		if c.args[0] == nil {
			return 0.0, nil
		}
		return value.ToFloatValue(c.args[0])
	}},
	{"random", fn, "", func(*call) (any, error) { return rand.Float64(), nil }},
	{"random", fn, "from:any, to:any", randomInt},
	{"bitwiseAnd", fn, "left:int, right:int", bits(value.And)},
	{"bitwiseOr", fn, "left:int, right:int", bits(value.Or)},
	{"bitwiseXor", fn, "left:int, right:int", bits(value.Xor)},
	{"bitwiseNot", fn, "arg:int", func(c *call) (any, error) { return value.Not(c.args[0]), nil }},
	{"shiftBitsRight", fn, "value:int, bitsNumber:int", number(func(a, b any) (any, error) { return value.Shift(a, b, true) })},
	{"shiftBitsLeft", fn, "value:int, bitsNumber:int", number(func(a, b any) (any, error) { return value.Shift(a, b, false) })},
	{"max", fn, "a:any, b:any", func(c *call) (any, error) {
		more, err := c.invoke("#operator_>", c.args[1], c.args[0])
		if err != nil || truth(more) {
			return c.args[1], err
		}
		return c.args[0], nil
	}},
	{"min", fn, "a:any, b:any", func(c *call) (any, error) {
		more, err := c.invoke("#operator_>", c.args[1], c.args[0])
		if err != nil || truth(more) {
			return c.args[0], err
		}
		return c.args[1], nil
	}},
	{"pow", fn, "a:num, b:num, c:num?=null", func(c *call) (any, error) {
		v, err := value.Pow(c.args[0], c.args[1], c.args[2])
		if err == nil {
			err = c.chargeInt(v)
		}
		return v, err
	}},
	{"sign", fn, "num:num", func(c *call) (any, error) {
		cmp, ordered, err := value.Compare(c.args[0], int64(0))
		if !ordered {
			cmp = 0
		}
		return int64(cmp), err
	}},
	{"round", fn, "number:num, ndigits:int=0", func(c *call) (any, error) { return value.Round(c.args[0], c.args[1]) }},
	{"isInteger", fn, "value:any", func(c *call) (any, error) { return c.args[0] != nil && kInteger.has(c.args[0]), nil }},
	{"isNumber", fn, "value:any", func(c *call) (any, error) { return c.args[0] != nil && kNum.has(c.args[0]), nil }},
}

// randomInt is random.randint: both ends included.
func randomInt(c *call) (any, error) {
	var ends [2]*big.Int
	for i, v := range c.args {
		if f, ok := v.(float64); ok && f == float64(int64(f)) {
			v = int64(f)
		}
		if ends[i] = value.Big(v); ends[i] == nil {
			if isType[float64](v) {
				return nil, fail("ValueError", "non-integer arg %d for randrange()", i+1)
			}
			return nil, fail("TypeError", "'%s' object cannot be interpreted as an integer", value.TypeName(v))
		}
	}
	width := new(big.Int).Sub(ends[1], ends[0])
	width.Add(width, big.NewInt(1))
	if width.Sign() <= 0 {
		return nil, fail("ValueError", "empty range for randrange() (%s, %s, %s)", ends[0], new(big.Int).Add(ends[1], big.NewInt(1)), width)
	}
	if width.BitLen() > 1<<16 {
		return nil, limitf("random range is too large")
	}
	n := new(big.Int)
	for range width.BitLen()/32 + 2 {
		n.Lsh(n, 32).Or(n, big.NewInt(int64(rand.Uint32())))
	}
	return value.NormInt(n.Mod(n, width).Add(n, ends[0])), nil
}
