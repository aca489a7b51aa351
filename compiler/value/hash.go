package value

import (
	"math"
	"math/big"
	"math/bits"
	"reflect"
)

// hashModulus is the prime that CPython takes numbers modulo, so that equal numbers of all types hash alike.
const hashModulus = 1<<61 - 1

var bigHashModulus = big.NewInt(hashModulus)

// Hash is Python's hash(v), equal for equal values. For numbers, and tuples, spans and frozen collections of them it
// is CPython's own; Python salts the hash of text anew in each process, here it is fixed. The error is TypeError for
// unhashable values: lists, dicts and sets that are not frozen.
func Hash(v any) (uint64, error) { return (*Meter)(nil).Hash(v) }

// Hash is the function Hash under a meter.
func (m *Meter) Hash(v any) (uint64, error) { return m.hash(v, 0) }

func (m *Meter) hash(v any, depth int) (uint64, error) {
	if err := m.enter(depth); err != nil {
		return 0, err
	}
	switch v := v.(type) {
	case nil:
		return 0x6e6f6e65, nil
	case bool, int64, *big.Int, float64:
		return hashNumber(v), nil
	case string:
		return hashText(v), m.spend(len(v) >> 5)
	case []byte:
		return hashText(string(v)), m.spend(len(v) >> 5)
	case Tuple:
		return m.hashTuple(v, depth)
	case *Map:
		if v.frozen {
			return m.hashMap(v, depth)
		}
	case *Set:
		if v.frozen {
			return m.hashSet(v, depth)
		}
	case Time:
		return uint64(v.utcMicros()) * 0x9e3779b97f4a7c15, nil
	case Span:
		return m.hashTuple(Tuple{v.Days, v.Seconds, v.Micros}, depth)
	case []any, KeysView, ItemsView, ValuesView:
	default:
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer {
			return uint64(rv.Pointer()), nil
		}
	}
	return 0, Errorf("TypeError", "unhashable type: '%s'", TypeName(v))
}

// steadyHash says whether Python's hash of v is the same in every process.
func steadyHash(v any) bool {
	switch v := v.(type) {
	case bool, int64, *big.Int, float64, Span:
		return true
	case Tuple:
		for _, x := range v {
			if !steadyHash(x) {
				return false
			}
		}
		return true
	}
	return false
}

func hashNumber(v any) uint64 {
	var h int64
	switch v := v.(type) {
	case bool:
		if v {
			h = 1
		}
	case int64:
		h = v % hashModulus
	case *big.Int:
		h = new(big.Int).Rem(v, bigHashModulus).Int64()
	case float64:
		h = hashFloat(v)
	}
	if h == -1 {
		h = -2
	}
	return uint64(h)
}

func hashFloat(f float64) int64 {
	switch {
	case math.IsInf(f, 1):
		return 314159
	case math.IsInf(f, -1):
		return -314159
	case math.IsNaN(f):
		return 0
	}
	frac, exp := math.Frexp(f)
	neg := frac < 0
	if neg {
		frac = -frac
	}
	var x uint64
	for frac != 0 {
		x = (x<<28)&hashModulus | x>>(61-28)
		frac *= 1 << 28
		exp -= 28
		y := uint64(frac)
		frac -= float64(y)
		x += y
		if x >= hashModulus {
			x -= hashModulus
		}
	}
	if exp >= 0 {
		exp %= 61
	} else {
		exp = 60 - (-1-exp)%61
	}
	x = (x<<exp)&hashModulus | x>>(61-exp)
	if neg {
		return -int64(x)
	}
	return int64(x)
}

func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func (m *Meter) hashTuple(t []any, depth int) (uint64, error) {
	const p1, p2, p5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
	acc := uint64(p5)
	for _, x := range t {
		h, err := m.hash(x, depth+1)
		if err != nil {
			return 0, err
		}
		acc += h * p2
		acc = bits.RotateLeft64(acc, 31) * p1
	}
	acc += uint64(len(t)) ^ (p5 ^ 3527539)
	if acc == math.MaxUint64 {
		return 1546275796, nil
	}
	return acc, nil
}

func (m *Meter) hashMap(v *Map, depth int) (uint64, error) {
	var h uint64
	for k, x := range v.All() {
		p, err := m.hashTuple([]any{k, x}, depth)
		if err != nil {
			return 0, err
		}
		h ^= p
	}
	return h, nil
}

func (m *Meter) hashSet(v *Set, depth int) (uint64, error) {
	var h uint64
	for x := range v.All() {
		p, err := m.hash(x, depth+1)
		if err != nil {
			return 0, err
		}
		h ^= (p ^ 89869747 ^ p<<16) * 3644798167
	}
	h ^= (uint64(v.Len()) + 1) * 1927868237
	h ^= h>>11 ^ h>>25
	h = h*69069 + 907133923
	if h == math.MaxUint64 {
		h = 590923713
	}
	return h, nil
}
