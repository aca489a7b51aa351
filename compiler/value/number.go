package value

import (
	"math"
	"math/big"
)

// maxBits bounds the size of integers that arithmetic makes; Python has no bound but memory.
const maxBits = 1 << 20

func errTooLarge() error {
	return Errorf("OverflowError", "integer of more than %d bits", maxBits)
}

// NormInt gives an integer in its one form: int64 if that holds it.
func NormInt(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

// IsInt says whether v is an int or, as in Python, a bool.
func IsInt(v any) bool {
	switch v.(type) {
	case bool, int64, *big.Int:
		return true
	}
	return false
}

// unBool gives 0 and 1 for booleans and anything else as it is.
func unBool(v any) any {
	if b, ok := v.(bool); ok {
		if b {
			return int64(1)
		}
		return int64(0)
	}
	return v
}

// toBig widens an int64 or *big.Int.
func toBig(v any) *big.Int {
	switch v := unBool(v).(type) {
	case int64:
		return big.NewInt(v)
	case *big.Int:
		return v
	}
	return new(big.Int)
}

// Big gives an int or bool as a new *big.Int; nil for anything else.
func Big(v any) *big.Int {
	if !IsInt(v) {
		return nil
	}
	return new(big.Int).Set(toBig(v))
}

// Int gives an int or bool as an int, cut to the range of int32 if it is larger: for counts and indexes, where
// anything larger means "all" or "out of range". ok is false for anything else.
func Int(v any) (n int, ok bool) {
	switch v := unBool(v).(type) {
	case int64:
		return int(max(math.MinInt32, min(math.MaxInt32, v))), true
	case *big.Int:
		return v.Sign() * math.MaxInt32, true
	}
	return 0, false
}

// ToFloat converts a number to a float; OverflowError if an integer is too large.
func ToFloat(v any) (float64, error) {
	switch v := unBool(v).(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		if math.IsInf(f, 0) {
			return 0, Errorf("OverflowError", "int too large to convert to float")
		}
		return f, nil
	}
	return 0, Errorf("TypeError", "must be real number, not %s", TypeName(v))
}

// arith applies a binary operator: ints on int64 when fast says the result fits, else on big.Int; floats otherwise.
func arith(a, b any, sign string, fast func(x, y int64) (int64, bool), slow func(z, x, y *big.Int) *big.Int,
	float func(x, y float64) float64,
) (any, error) {
	a, b = unBool(a), unBool(b)
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			if z, ok := fast(x, y); ok {
				return z, nil
			}
		}
	}
	if IsInt(a) && IsInt(b) {
		x, y := toBig(a), toBig(b)
		if x.BitLen()+y.BitLen() > maxBits {
			return nil, errTooLarge()
		}
		return NormInt(slow(new(big.Int), x, y)), nil
	}
	if !isNumber(a) || !isNumber(b) {
		return nil, Errorf("TypeError", "unsupported operand type(s) for %s: '%s' and '%s'", sign, TypeName(a), TypeName(b))
	}
	x, err := ToFloat(a)
	if err != nil {
		return nil, err
	}
	y, err := ToFloat(b)
	if err != nil {
		return nil, err
	}
	return float(x, y), nil
}

// Add is a + b of numbers.
func Add(a, b any) (any, error) {
	return arith(a, b, "+", func(x, y int64) (int64, bool) {
		z := x + y
		return z, (z > x) == (y > 0)
	}, (*big.Int).Add, func(x, y float64) float64 { return x + y })
}

// Sub is a - b of numbers.
func Sub(a, b any) (any, error) {
	return arith(a, b, "-", func(x, y int64) (int64, bool) {
		z := x - y
		return z, (z < x) == (y > 0)
	}, (*big.Int).Sub, func(x, y float64) float64 { return x - y })
}

// Mul is a * b of numbers.
func Mul(a, b any) (any, error) {
	return arith(a, b, "*", func(x, y int64) (int64, bool) {
		if x == 0 || y == 0 {
			return 0, true
		}
		z := x * y
		return z, z/y == x && !(x == -1 && y == math.MinInt64) && !(y == -1 && x == math.MinInt64)
	}, (*big.Int).Mul, func(x, y float64) float64 { return x * y })
}

// Neg is -a.
func Neg(a any) (any, error) { return Sub(negZero(a), a) }

// negZero is the zero to subtract from: -0.0 for floats, so that -(0.0) is -0.0.
func negZero(a any) any {
	if _, ok := a.(float64); ok {
		return math.Copysign(0, -1)
	}
	return int64(0)
}

// Abs is abs(a).
func Abs(a any) (any, error) {
	switch x := unBool(a).(type) {
	case float64:
		return math.Abs(x), nil
	case int64:
		if x >= 0 {
			return x, nil
		}
	case *big.Int:
		if x.Sign() >= 0 {
			return x, nil
		}
	}
	return Neg(a)
}

// FloorDiv is a // b.
func FloorDiv(a, b any) (any, error) {
	a, b = unBool(a), unBool(b)
	if IsInt(a) && IsInt(b) {
		q, _, err := divMod(a, b, "integer division or modulo by zero")
		return q, err
	}
	x, y, err := floatPair(a, b)
	if err != nil {
		return nil, err
	}
	if y == 0 {
		return nil, Errorf("ZeroDivisionError", "float floor division by zero")
	}
	// as CPython: from the exact remainder, since x / y may round up to the next integer
	r := math.Mod(x, y)
	div := (x - r) / y
	if r != 0 && (y < 0) != (r < 0) {
		div--
	}
	if div == 0 {
		return math.Copysign(0, x/y), nil
	}
	q := math.Floor(div)
	if div-q > 0.5 {
		q++
	}
	return q, nil
}

// Mod is a % b: the result has the sign of b.
func Mod(a, b any) (any, error) {
	a, b = unBool(a), unBool(b)
	if IsInt(a) && IsInt(b) {
		_, r, err := divMod(a, b, "integer modulo by zero")
		return r, err
	}
	x, y, err := floatPair(a, b)
	if err != nil {
		return nil, err
	}
	if y == 0 {
		return nil, Errorf("ZeroDivisionError", "float modulo")
	}
	r := math.Mod(x, y)
	switch {
	case r == 0:
		r = math.Copysign(0, y)
	case (r < 0) != (y < 0):
		r += y
	}
	return r, nil
}

// divMod is Python's divmod of integers: rounding towards minus infinity.
func divMod(a, b any, zero string) (q, r any, err error) {
	x, xok := a.(int64)
	y, yok := b.(int64)
	if yok && y == 0 {
		return nil, nil, Errorf("ZeroDivisionError", "%s", zero)
	}
	if xok && yok && !(x == math.MinInt64 && y == -1) {
		q, r := x/y, x%y
		if r != 0 && (r < 0) != (y < 0) {
			q--
			r += y
		}
		return q, r, nil
	}
	d := toBig(b)
	bq, br := new(big.Int).QuoRem(toBig(a), d, new(big.Int))
	if br.Sign() != 0 && br.Sign() != d.Sign() {
		bq.Sub(bq, big.NewInt(1))
		br.Add(br, d)
	}
	return NormInt(bq), NormInt(br), nil
}

func floatPair(a, b any) (x, y float64, err error) {
	if x, err = ToFloat(a); err != nil {
		return 0, 0, err
	}
	y, err = ToFloat(b)
	return x, y, err
}

// TrueDiv is a / b, a float; two integers are divided exactly and rounded once.
func TrueDiv(a, b any) (float64, error) {
	a, b = unBool(a), unBool(b)
	if IsInt(a) && IsInt(b) {
		d := toBig(b)
		if d.Sign() == 0 {
			return 0, Errorf("ZeroDivisionError", "division by zero")
		}
		if toBig(a).Sign() == 0 && d.Sign() < 0 {
			return math.Copysign(0, -1), nil
		}
		f, _ := new(big.Rat).SetFrac(toBig(a), d).Float64()
		if math.IsInf(f, 0) {
			return 0, Errorf("OverflowError", "integer division result too large for a float")
		}
		return f, nil
	}
	x, y, err := floatPair(a, b)
	if err != nil {
		return 0, err
	}
	if y == 0 {
		return 0, Errorf("ZeroDivisionError", "float division by zero")
	}
	return x / y, nil
}

// Pow is pow(a, b), or pow(a, b, mod) if mod is not nil.
func Pow(a, b, mod any) (any, error) {
	a, b = unBool(a), unBool(b)
	if mod != nil {
		return powMod(a, b, unBool(mod))
	}
	if IsInt(a) && IsInt(b) {
		x, y := toBig(a), toBig(b)
		if y.Sign() >= 0 {
			if x.BitLen() > 1 && (!y.IsInt64() || y.Int64() > maxBits || int64(x.BitLen())*y.Int64() > 2*maxBits) {
				return nil, errTooLarge()
			}
			if x.BitLen() <= 1 && !y.IsInt64() { // 0, 1, -1
				y = new(big.Int).And(y, big.NewInt(1))
				y.Add(y, big.NewInt(2))
			}
			return NormInt(new(big.Int).Exp(x, y, nil)), nil
		}
	}
	x, y, err := floatPair(a, b)
	if err != nil {
		return nil, err
	}
	switch {
	case x == 0 && y < 0:
		return nil, Errorf("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case x < 0 && !math.IsInf(x, 0) && y != math.Trunc(y) && !math.IsInf(y, 0):
		return nil, Errorf("TypeError", "a power that is a complex number")
	}
	z := floatPow(x, y)
	if math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return nil, Errorf("OverflowError", "(34, 'Numerical result out of range')")
	}
	return z, nil
}

func powMod(a, b, mod any) (any, error) {
	if !IsInt(a) || !IsInt(b) || !IsInt(mod) {
		return nil, Errorf("TypeError", "pow() 3rd argument not allowed unless all arguments are integers")
	}
	x, y, m := toBig(a), toBig(b), toBig(mod)
	if m.Sign() == 0 {
		return nil, Errorf("ValueError", "pow() 3rd argument cannot be 0")
	}
	if x.BitLen() > 1<<14 || y.BitLen() > 1<<14 || m.BitLen() > 1<<12 {
		return nil, errTooLarge()
	}
	x = new(big.Int).Mod(x, m) // not negative: Exp takes the sign of an odd power twice for inverses
	z := new(big.Int).Exp(x, y, new(big.Int).Abs(m))
	if z == nil || (y.Sign() < 0 && new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(m)).Cmp(big.NewInt(1)) != 0) {
		return nil, Errorf("ValueError", "base is not invertible for the given modulus")
	}
	if m.Sign() < 0 && z.Sign() > 0 {
		z.Add(z, m)
	}
	return NormInt(z), nil
}

// bitwise applies an operator to integers; of two booleans it makes a boolean.
func bitwise(a, b any, op func(z, x, y *big.Int) *big.Int) any {
	z := op(new(big.Int), toBig(a), toBig(b))
	_, x := a.(bool)
	if _, y := b.(bool); x && y {
		return z.Sign() != 0
	}
	return NormInt(z)
}

// And is a & b of integers.
func And(a, b any) any { return bitwise(a, b, (*big.Int).And) }

// Or is a | b.
func Or(a, b any) any { return bitwise(a, b, (*big.Int).Or) }

// Xor is a ^ b.
func Xor(a, b any) any { return bitwise(a, b, (*big.Int).Xor) }

// Not is ~a.
func Not(a any) any { return NormInt(new(big.Int).Not(toBig(a))) }

// Shift is a << n, or a >> -n for a negative n given by right.
func Shift(a, n any, right bool) (any, error) {
	x, by := toBig(a), toBig(n)
	if by.Sign() < 0 {
		return nil, Errorf("ValueError", "negative shift count")
	}
	if right {
		if !by.IsInt64() || by.Int64() > maxBits {
			by = big.NewInt(int64(x.BitLen()) + 1)
		}
		return NormInt(new(big.Int).Rsh(x, uint(by.Int64()))), nil
	}
	if x.Sign() == 0 {
		return int64(0), nil
	}
	if !by.IsInt64() || by.Int64()+int64(x.BitLen()) > maxBits {
		return nil, errTooLarge()
	}
	return NormInt(new(big.Int).Lsh(x, uint(by.Int64()))), nil
}

// Round is round(a, digits): half to even, an int for an int and a float for a float.
func Round(a, digits any) (any, error) {
	n, _ := Int(digits)
	a = unBool(a)
	f, isFloat := a.(float64)
	switch {
	case isFloat && (math.IsNaN(f) || math.IsInf(f, 0) || n > 330):
		return f, nil
	case isFloat && n < -310:
		return math.Copysign(0, f), nil
	case isFloat:
		z, _ := roundRat(new(big.Rat).SetFloat64(f), n).Float64()
		if math.IsInf(z, 0) {
			return nil, Errorf("OverflowError", "rounded value too large to represent")
		}
		return math.Copysign(z, f), nil
	case n >= 0:
		return a, nil
	case -n > toBig(a).BitLen():
		return int64(0), nil
	}
	return NormInt(roundRat(new(big.Rat).SetInt(toBig(a)), n).Num()), nil
}

// roundRat rounds x to n decimal places, half to even.
func roundRat(x *big.Rat, n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	scale := new(big.Rat).SetInt(p)
	if n < 0 {
		scale.Inv(scale)
	}
	x = new(big.Rat).Mul(x, scale)
	den2 := new(big.Int).Lsh(x.Denom(), 1)
	num := new(big.Int).Lsh(x.Num(), 1)
	num.Add(num, x.Denom())
	q, r := new(big.Int).DivMod(num, den2, new(big.Int)) // floor(x + 1/2)
	if r.Sign() == 0 && q.Bit(0) == 1 {
		q.Sub(q, big.NewInt(1))
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(q), scale)
}
