package value

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// Str is Python's str(v).
func Str(v any) string {
	s, err := (*Meter)(nil).Str(v)
	if err != nil {
		return "<" + TypeName(v) + ">"
	}
	return s
}

// Repr is Python's repr(v).
func Repr(v any) string {
	s, err := (*Meter)(nil).Repr(v)
	if err != nil {
		return "<" + TypeName(v) + ">"
	}
	return s
}

// Str is the function Str under a meter; ValueError for integers of more than 4300 digits.
func (m *Meter) Str(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case Time:
		return v.ISO(" "), nil
	case Span:
		return v.String(), nil
	}
	return m.Repr(v)
}

// Repr is the function Repr under a meter.
func (m *Meter) Repr(v any) (string, error) {
	var b strings.Builder
	err := m.repr(&b, v, 0)
	return b.String(), err
}

func (m *Meter) repr(b *strings.Builder, v any, depth int) error {
	if err := m.enter(depth); err != nil {
		return err
	}
	at := b.Len()
	if err := m.reprInto(b, v, depth); err != nil {
		return err
	}
	return m.spend((b.Len() - at) >> 5)
}

func (m *Meter) reprInto(b *strings.Builder, v any, depth int) error {
	switch v := v.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case int64, *big.Int:
		s, err := FormatInt(v)
		b.WriteString(s)
		return err
	case float64:
		b.WriteString(FormatFloat(v))
	case string:
		b.WriteString(reprText(v))
	case []byte:
		b.WriteString(reprBytes(v))
	case []any:
		return m.reprItems(b, "[", v, "]", depth)
	case Tuple:
		if len(v) == 1 {
			return m.reprItems(b, "(", v, ",)", depth)
		}
		return m.reprItems(b, "(", v, ")", depth)
	case *Map:
		return m.reprMap(b, v, depth)
	case *Set:
		return m.reprSet(b, v, depth)
	case KeysView:
		return m.reprView(b, v.name("keys"), v.M, v.M.Keys(), depth)
	case ItemsView:
		items := make([]any, v.M.Len())
		for i := range items {
			items[i] = v.Item(i)
		}
		return m.reprView(b, v.name("items"), v.M, items, depth)
	case ValuesView:
		items := make([]any, v.M.Len())
		for i := range items {
			_, items[i] = v.M.At(i)
		}
		return m.reprView(b, v.name("values"), v.M, items, depth)
	case Reprer:
		b.WriteString(v.Repr())
	default:
		fmt.Fprintf(b, "<%s object>", TypeName(v))
	}
	return nil
}

func (m *Meter) reprItems(b *strings.Builder, open string, items []any, end string, depth int) error {
	b.WriteString(open)
	for i, x := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if err := m.repr(b, x, depth+1); err != nil {
			return err
		}
	}
	b.WriteString(end)
	return nil
}

func (m *Meter) reprMap(b *strings.Builder, v *Map, depth int) error {
	b.WriteByte('{')
	first := true
	for k, x := range v.All() {
		if !first {
			b.WriteString(", ")
		}
		first = false
		if err := m.repr(b, k, depth+1); err != nil {
			return err
		}
		b.WriteString(": ")
		if err := m.repr(b, x, depth+1); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func (m *Meter) reprSet(b *strings.Builder, v *Set, depth int) error {
	open, end := "{", "}"
	switch {
	case v.Len() == 0:
		b.WriteString(TypeName(v) + "()")
		return nil
	case v.frozen:
		open, end = "frozenset({", "})"
	}
	return m.reprItems(b, open, v.Items(), end, depth)
}

// reprView shows a view of a dict as its items, of a frozen one as the whole dict, as Python's two kinds do.
func (m *Meter) reprView(b *strings.Builder, name string, of *Map, items []any, depth int) error {
	b.WriteString(name + "(")
	var err error
	if of.frozen {
		err = m.reprMap(b, of, depth+1)
	} else {
		err = m.reprItems(b, "[", items, "]", depth+1)
	}
	b.WriteByte(')')
	return err
}

func reprText(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte(quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x7f || unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

// ASCII is Python's ascii(v): repr with everything outside ASCII escaped.
func ASCII(v any) string {
	s := Repr(v)
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

func reprBytes(s []byte) string {
	quote := byte('\'')
	if strings.Contains(string(s), "'") && !strings.Contains(string(s), `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteString("b" + string(quote))
	for _, c := range s {
		switch {
		case c == quote || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte(quote)
	return b.String()
}
