package value

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
)

// Equal is Python's a == b.
func Equal(a, b any) bool {
	eq, _ := (*Meter)(nil).Equal(a, b)
	return eq
}

// Equal is the function Equal under a meter; only the meter and the depth can make it fail.
func (m *Meter) Equal(a, b any) (bool, error) { return m.equal(a, b, 0) }

func (m *Meter) equal(a, b any, depth int) (bool, error) {
	if err := m.enter(depth); err != nil {
		return false, err
	}
	switch x := a.(type) {
	case nil:
		return b == nil, nil
	case bool, int64, *big.Int, float64:
		if !isNumber(b) {
			return false, nil
		}
		c, ordered := compareNumbers(a, b)
		return ordered && c == 0, nil
	case string:
		y, ok := b.(string)
		return ok && x == y, m.spend(len(x) >> 5)
	case []byte:
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y), m.spend(len(x) >> 5)
	case []any:
		y, ok := b.([]any)
		if !ok {
			return false, nil
		}
		return m.equalItems(x, y, depth)
	case Tuple:
		y, ok := b.(Tuple)
		if !ok {
			return false, nil
		}
		return m.equalItems(x, y, depth)
	case *Map:
		y, ok := b.(*Map)
		if !ok {
			return false, nil
		}
		return m.equalMaps(x, y, depth)
	case *Set, KeysView, ItemsView:
		return m.equalSets(a, b)
	case Time:
		y, ok := b.(Time)
		return ok && x.zone.aware() == y.zone.aware() && x.utcMicros() == y.utcMicros(), nil
	case Span:
		return a == b, nil
	case Pairer:
		return x.EqualTo(b), nil
	}
	if b == nil || reflect.TypeOf(a) != reflect.TypeOf(b) || !reflect.TypeOf(a).Comparable() {
		return false, nil
	}
	return a == b, nil
}

func (m *Meter) equalItems(x, y []any, depth int) (bool, error) {
	if len(x) != len(y) {
		return false, nil
	}
	for i := range x {
		if eq, err := m.equal(x[i], y[i], depth+1); err != nil || !eq {
			return false, err
		}
	}
	return true, nil
}

func (m *Meter) equalMaps(x, y *Map, depth int) (bool, error) {
	if x.Len() != y.Len() {
		return false, nil
	}
	for k, v := range x.All() {
		w, ok, err := y.Lookup(m, k)
		if err != nil || !ok {
			return false, err
		}
		if eq, err := m.equal(v, w, depth+1); err != nil || !eq {
			return false, err
		}
	}
	return true, nil
}

func (m *Meter) equalSets(a, b any) (bool, error) {
	x, _, err := AsSet(m, a)
	if err != nil {
		return false, unhashable(err)
	}
	y, ok, err := AsSet(m, b)
	if err != nil || !ok || x.Len() != y.Len() {
		return false, unhashable(err)
	}
	return x.Within(m, y)
}

// unhashable drops the TypeError of a view with unhashable items: such a view equals no set.
func unhashable(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Class == "TypeError" {
		return nil
	}
	return err
}

func isNumber(v any) bool {
	switch v.(type) {
	case bool, int64, *big.Int, float64:
		return true
	}
	return false
}

// compareNumbers orders two numbers exactly, whatever their types; ordered is false if one is NaN.
func compareNumbers(a, b any) (c int, ordered bool) {
	a, b = unBool(a), unBool(b)
	x, xi := a.(int64)
	y, yi := b.(int64)
	if xi && yi {
		return cmpOrdered(x, y), true
	}
	f, ff := a.(float64)
	g, gf := b.(float64)
	switch {
	case ff && gf:
		if math.IsNaN(f) || math.IsNaN(g) {
			return 0, false
		}
		return cmpOrdered(f, g), true
	case ff:
		return compareFloatInt(f, toBig(b))
	case gf:
		c, ordered = compareFloatInt(g, toBig(a))
		return -c, ordered
	}
	return toBig(a).Cmp(toBig(b)), true
}

func compareFloatInt(f float64, n *big.Int) (int, bool) {
	switch {
	case math.IsNaN(f):
		return 0, false
	case math.IsInf(f, 1):
		return 1, true
	case math.IsInf(f, -1):
		return -1, true
	}
	return new(big.Float).SetFloat64(f).Cmp(new(big.Float).SetInt(n)), true
}

func cmpOrdered[T int64 | float64 | int](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Compare orders a and b as Python's <, == and > do: numbers, text, bytes, lists, tuples, times and spans among their
// own kind. ordered is false where all of <, > and == are false (NaN). The error is TypeError for what has no order.
func Compare(a, b any) (c int, ordered bool, err error) { return (*Meter)(nil).Compare(a, b) }

// Compare is the function Compare under a meter.
func (m *Meter) Compare(a, b any) (c int, ordered bool, err error) { return m.compare(a, b, 0) }

func (m *Meter) compare(a, b any, depth int) (int, bool, error) {
	if err := m.enter(depth); err != nil {
		return 0, false, err
	}
	switch x := a.(type) {
	case bool, int64, *big.Int, float64:
		if isNumber(b) {
			c, ordered := compareNumbers(a, b)
			return c, ordered, nil
		}
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), true, m.spend(min(len(x), len(y)) >> 5)
		}
	case []byte:
		if y, ok := b.([]byte); ok {
			return bytes.Compare(x, y), true, nil
		}
	case []any:
		if y, ok := b.([]any); ok {
			return m.compareItems(x, y, depth)
		}
	case Tuple:
		if y, ok := b.(Tuple); ok {
			return m.compareItems(x, y, depth)
		}
	case Time:
		if y, ok := b.(Time); ok {
			if x.zone.aware() != y.zone.aware() {
				return 0, false, Errorf("TypeError", "can't compare offset-naive and offset-aware datetimes")
			}
			return cmpOrdered(x.utcMicros(), y.utcMicros()), true, nil
		}
	case Span:
		if y, ok := b.(Span); ok {
			return x.compare(y), true, nil
		}
	}
	return 0, false, Errorf("TypeError", "'<' not supported between instances of '%s' and '%s'", TypeName(a), TypeName(b))
}

func (m *Meter) compareItems(x, y []any, depth int) (int, bool, error) {
	for i := 0; i < len(x) && i < len(y); i++ {
		eq, err := m.equal(x[i], y[i], depth+1)
		if err != nil {
			return 0, false, err
		}
		if !eq {
			return m.compare(x[i], y[i], depth+1)
		}
	}
	return cmpOrdered(len(x), len(y)), true, nil
}
