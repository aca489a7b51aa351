package source

import (
	"math"
	"math/big"
	"strconv"
	"strings"
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

type jsonEncoder struct{ out []byte }

func (e *jsonEncoder) line(indent int) {
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
			e.out = appendJSONString(e.out, KeyText(n.Pairs[i].Key))
			e.out = append(e.out, ':', ' ')
			e.node(n.Pairs[i].Value, indent+1)
		})
	case String, Bytes:
		e.out = appendJSONString(e.out, n.Text)
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
		e.line(indent + 1)
		write(i)
	}
	if count > 0 {
		e.line(indent)
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
