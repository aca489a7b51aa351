package value

import (
	"math"
	"math/big"
)

// powBits is the precision in which powers of floats are worked out before they are rounded.
const powBits = 200

// floatPow is x**y to the nearest float, as C's pow gives it; math.Pow is off by some units in the last place.
func floatPow(x, y float64) float64 {
	rough := math.Pow(x, y)
	if rough == 0 || math.IsInf(rough, 0) || math.IsNaN(rough) || x == 1 || y == 0 || y == 1 || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return rough
	}
	z := bigExp(new(big.Float).SetPrec(powBits).Mul(bigLog(math.Abs(x)), big.NewFloat(y)))
	f, _ := z.Float64()
	return math.Copysign(f, rough)
}

func newBig() *big.Float { return new(big.Float).SetPrec(powBits) }

// bigLog is ln x, by ln x = e·ln 2 + 2·artanh((m-1)/(m+1)) with x = m·2^e.
func bigLog(x float64) *big.Float {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	sum := artanh2(newBig().SetFloat64(m))
	if e == 0 {
		return sum
	}
	ln2 := artanh2(newBig().SetFloat64(2))
	return sum.Add(sum, ln2.Mul(ln2, newBig().SetInt64(int64(e))))
}

// artanh2 is 2·artanh((m-1)/(m+1)), that is ln m.
func artanh2(m *big.Float) *big.Float {
	one := newBig().SetInt64(1)
	t := newBig().Quo(newBig().Sub(m, one), newBig().Add(m, one))
	t2 := newBig().Mul(t, t)
	sum, term := newBig(), newBig().Set(t)
	for k := int64(1); term.Sign() != 0 && term.MantExp(nil) > -powBits; k += 2 {
		sum.Add(sum, newBig().Quo(term, newBig().SetInt64(k)))
		term.Mul(term, t2)
	}
	return sum.Mul(sum, newBig().SetInt64(2))
}

// bigExp is e^x: halved until small, by the series, and squared back.
func bigExp(x *big.Float) *big.Float {
	halvings := max(x.MantExp(nil)+8, 0)
	r := newBig().SetMantExp(x, -halvings)
	sum, term := newBig().SetInt64(1), newBig().SetInt64(1)
	for k := int64(1); k < 200; k++ {
		term.Mul(term, r)
		term.Quo(term, newBig().SetInt64(k))
		if term.Sign() == 0 || term.MantExp(nil) < -powBits {
			break
		}
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}
