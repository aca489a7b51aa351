package value

import "math/big"

// SizeOf is sys.getsizeof(v) of 64-bit CPython 3.11: what the object itself takes, without what it refers to. YAQL's
// memory quota counts in it. Containers that grew by appending may take a little more in Python.
func SizeOf(v any) int {
	switch v := v.(type) {
	case nil:
		return 16
	case bool:
		if v {
			return 28
		}
		return 24
	case int64:
		return intSize(big.NewInt(v))
	case *big.Int:
		return intSize(v)
	case float64:
		return 24
	case string:
		return textSize(v)
	case []byte:
		return 33 + len(v)
	case []any:
		return 56 + 8*len(v)
	case Tuple:
		return 40 + 8*len(v)
	case *Map:
		if v.frozen {
			return 56
		}
		return dictSize(v)
	case *Set:
		if v.TableSize() <= setMinSlots {
			return 216
		}
		return 216 + 16*v.TableSize()
	case KeysView, ItemsView, ValuesView:
		return 40
	case Time:
		return 48
	case Span:
		return 40
	}
	return 48
}

func intSize(n *big.Int) int { return 24 + 4*((n.BitLen()+29)/30) }

func textSize(s string) int {
	if isASCII(s) {
		return 49 + len(s)
	}
	n, top := 0, rune(0)
	for _, r := range s {
		n++
		top = max(top, r)
	}
	switch {
	case top <= 0xff:
		return 73 + n
	case top <= 0xffff:
		return 74 + 2*n
	}
	return 76 + 4*n
}

// dictSize follows the growth of CPython's dict: a power-of-two table of small indexes, two thirds usable, with
// entries of 16 bytes if all keys are text and 24 if not.
func dictSize(m *Map) int {
	if m.Len() == 0 {
		return 64
	}
	slots := 8
	for slots*2/3 < m.Len() {
		slots *= 2
	}
	width := 1
	switch {
	case slots >= 1<<16:
		width = 4
	case slots >= 1<<8:
		width = 2
	}
	entry := 16
	for _, e := range m.entries {
		if _, ok := e.key.(string); !ok {
			entry = 24
			break
		}
	}
	return 64 + 16 + 16 + slots*width + slots*2/3*entry
}
