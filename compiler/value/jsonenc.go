package value

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"
)

// JSONOptions are the options of json.dumps. The zero value is json.dumps(v): ", " and ": ", ASCII only.
type JSONOptions struct {
	SortKeys bool
	Indent   int                      // spaces a level; 0 is all on one line
	Compact  bool                     // "," and ":" without blanks
	Unicode  bool                     // ensure_ascii=False
	Default  func(v any) (any, error) // for values JSON does not know; nil: TypeError
	Meter    *Meter
}

// JSON writes a value as json.dumps does: NaN and Infinity as such, dict keys that are numbers, booleans or null as
// text. The error is TypeError for what JSON does not know, ValueError for a value too deep.
func JSON(v any, o JSONOptions) (string, error) {
	e := jsonEncoder{o: o, comma: ", ", colon: ": "}
	if o.Indent > 0 || o.Compact {
		e.comma = ","
	}
	if o.Compact {
		e.colon = ":"
	}
	err := e.value(v, 0)
	return e.b.String(), err
}

type jsonEncoder struct {
	b            strings.Builder
	o            JSONOptions
	comma, colon string
	made         int // Defaults within each other
}

func (e *jsonEncoder) value(v any, depth int) error {
	at := e.b.Len()
	if err := e.o.Meter.enter(depth); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		e.b.WriteString("null")
	case bool:
		e.b.WriteString(map[bool]string{true: "true", false: "false"}[v])
	case int64, *big.Int:
		s, err := FormatInt(v)
		if err != nil {
			return err
		}
		e.b.WriteString(s)
	case float64:
		e.b.WriteString(jsonFloat(v))
	case string:
		quoteJSON(&e.b, v, !e.o.Unicode)
	case []any:
		return e.items(v, depth)
	case Tuple:
		return e.items(v, depth)
	case *Map:
		if v.frozen && e.o.Default != nil {
			return e.fallback(v, depth)
		}
		return e.object(v, depth)
	default:
		return e.fallback(v, depth)
	}
	return e.o.Meter.spend((e.b.Len() - at) >> 5)
}

func (e *jsonEncoder) fallback(v any, depth int) error {
	if e.o.Default == nil {
		return Errorf("TypeError", "Object of type %s is not JSON serializable", strings.TrimPrefix(TypeName(v), "datetime."))
	}
	w, err := e.o.Default(v)
	if err != nil {
		return err
	}
	if e.made++; e.made > maxDepth { // a Default that never comes to plain values
		return errDepth
	}
	defer func() { e.made-- }()
	return e.value(w, depth)
}

func jsonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return FormatFloat(f)
}

func (e *jsonEncoder) newline(depth int) error {
	if e.o.Indent <= 0 {
		return nil
	}
	blanks := e.o.Indent * depth
	if err := e.o.Meter.spend(blanks >> 5); err != nil {
		return err
	}
	e.b.WriteByte('\n')
	e.b.WriteString(strings.Repeat(" ", blanks))
	return nil
}

func (e *jsonEncoder) items(items []any, depth int) error {
	if len(items) == 0 {
		e.b.WriteString("[]")
		return nil
	}
	e.b.WriteByte('[')
	for i, x := range items {
		if i > 0 {
			e.b.WriteString(e.comma)
		}
		if err := e.newline(depth + 1); err != nil {
			return err
		}
		if err := e.value(x, depth+1); err != nil {
			return err
		}
	}
	if err := e.newline(depth); err != nil {
		return err
	}
	e.b.WriteByte(']')
	return nil
}

func (e *jsonEncoder) object(m *Map, depth int) error {
	if m.Len() == 0 {
		e.b.WriteString("{}")
		return nil
	}
	order := make([]int, m.Len())
	for i := range order {
		order[i] = i
	}
	if e.o.SortKeys {
		var bad error
		sort.SliceStable(order, func(i, j int) bool {
			c, _, err := Compare(m.entries[order[i]].key, m.entries[order[j]].key)
			if err != nil {
				bad = err
			}
			return c < 0
		})
		if bad != nil {
			return bad
		}
	}
	e.b.WriteByte('{')
	for i, at := range order {
		k, x := m.At(at)
		if i > 0 {
			e.b.WriteString(e.comma)
		}
		if err := e.newline(depth + 1); err != nil {
			return err
		}
		key, err := jsonKey(k)
		if err != nil {
			return err
		}
		quoteJSON(&e.b, key, !e.o.Unicode)
		e.b.WriteString(e.colon)
		if err := e.value(x, depth+1); err != nil {
			return err
		}
	}
	if err := e.newline(depth); err != nil {
		return err
	}
	e.b.WriteByte('}')
	return nil
}

func jsonKey(k any) (string, error) {
	switch k := k.(type) {
	case string:
		return k, nil
	case float64:
		return jsonFloat(k), nil
	case bool:
		return map[bool]string{true: "true", false: "false"}[k], nil
	case nil:
		return "null", nil
	case int64, *big.Int:
		return FormatInt(k)
	}
	return "", Errorf("TypeError", "keys must be str, int, float, bool or None, not %s", TypeName(k))
}

func quoteJSON(b *strings.Builder, s string, ascii bool) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\f':
			b.WriteString(`\f`)
		case r == '\b':
			b.WriteString(`\b`)
		case r < ' ' || (ascii && r >= 0x7f && r <= 0xffff):
			fmt.Fprintf(b, `\u%04x`, r)
		case ascii && r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
