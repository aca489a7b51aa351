package source

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// EncodeJSON writes a tree as the JSON text that heatclient sends for it: keys become text as Python's json.dumps
// makes them (True is "true", 1.0 is "1.0"), sets and bytes become lists and text, NaN and the infinities are
// written as Python writes them, which strict JSON readers refuse. The text has two spaces of indentation and ends
// with a line break.
func EncodeJSON(n *Node) []byte {
	e := jsonEncoder{}
	e.node(n, 0)
	return append(e.out, '\n')
}

// EncodeJSONLine writes a tree as Python's json.dumps does without further wishes: on one line, in ASCII. This is the
// text that heatclient makes of a nested template.
func EncodeJSONLine(n *Node) []byte {
	e := jsonEncoder{line: true}
	e.node(n, 0)
	return e.out
}

type jsonEncoder struct {
	out  []byte
	line bool // one line in ASCII
}

func (e *jsonEncoder) text(s string) {
	if e.line {
		e.out = appendASCIIString(e.out, s)
	} else {
		e.out = appendJSONString(e.out, s)
	}
}

func (e *jsonEncoder) newLine(indent int) {
	e.out = append(e.out, '\n')
	for range indent {
		e.out = append(e.out, ' ', ' ')
	}
}

func (e *jsonEncoder) node(n *Node, indent int) {
	if n == nil {
		e.out = append(e.out, "null"...)
		return
	}
	switch n.Kind {
	case List:
		e.sequence('[', ']', len(n.Items), indent, func(i int) { e.node(n.Items[i], indent+1) })
	case Set:
		e.sequence('[', ']', len(n.Pairs), indent, func(i int) { e.node(n.Pairs[i].Key, indent+1) })
	case Map:
		e.sequence('{', '}', len(n.Pairs), indent, func(i int) {
			e.text(KeyText(n.Pairs[i].Key))
			e.out = append(e.out, ':', ' ')
			e.node(n.Pairs[i].Value, indent+1)
		})
	case String, Bytes:
		e.text(n.Text)
	default:
		e.out = append(e.out, KeyText(n)...)
	}
}

func (e *jsonEncoder) sequence(open, closing byte, count, indent int, write func(int)) {
	e.out = append(e.out, open)
	for i := range count {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		switch {
		case !e.line:
			e.newLine(indent + 1)
		case i > 0:
			e.out = append(e.out, ' ')
		}
		write(i)
	}
	if count > 0 && !e.line {
		e.newLine(indent)
	}
	e.out = append(e.out, closing)
}

// KeyText is the text that a scalar becomes as a key of a JSON object, as Python's json.dumps makes it. Heat's
// engine sees keys in this form: a client has sent them as JSON.
func KeyText(n *Node) string {
	switch n.Kind {
	case Null:
		return "null"
	case Bool:
		if n.Scalar == true {
			return "true"
		}
		return "false"
	case Int, Float:
		switch v := n.Scalar.(type) {
		case int64:
			return strconv.FormatInt(v, 10)
		case *big.Int:
			return v.String()
		case float64:
			return pythonFloat(v)
		}
	}
	return n.Text
}

// pythonFloat is Python's repr of a float, with JSON's names for the values that are no numbers.
func pythonFloat(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	if a := math.Abs(v); a == 0 || a >= 1e-4 && a < 1e16 {
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	return strconv.FormatFloat(v, 'e', -1, 64)
}

func appendJSONString(out []byte, s string) []byte {
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r < ' ' || r == 0x7f || isUnicodeBreak(r):
			out = append(out, `\u`+hexDigits(r, 4)...)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

// appendASCIIString writes a text as Python does with ensure_ascii: what is no printable ASCII as \u and UTF-16.
func appendASCIIString(out []byte, s string) []byte {
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r >= ' ' && r < 0x7f:
			out = append(out, byte(r))
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == '\b':
			out = append(out, `\b`...)
		case r == '\f':
			out = append(out, `\f`...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = append(append(out, `\u`+hexDigits(high, 4)...), `\u`+hexDigits(low, 4)...)
		default:
			out = append(out, `\u`+hexDigits(r, 4)...)
		}
	}
	return append(out, '"')
}
