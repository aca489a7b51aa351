package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseJSON reads a text as json.loads does: NaN and Infinity allowed, integers of any size, of repeated keys the
// last wins in the first one's place. The error is JSONDecodeError with Python's message and position, or
// RecursionError for a text nested too deep.
func ParseJSON(text string) (any, error) {
	d := jsonDecoder{s: text}
	if strings.HasPrefix(text, "\ufeff") {
		return nil, d.fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0)
	}
	v, err := d.value(d.blanks(0), 0)
	if err != nil {
		return nil, err
	}
	if end := d.blanks(d.at); end != len(text) {
		return nil, d.fail("Extra data", end)
	}
	return v, nil
}

type jsonDecoder struct {
	s  string
	at int // where the last value ended
}

func (d *jsonDecoder) fail(msg string, at int) error {
	head := d.s[:min(at, len(d.s))]
	line := strings.Count(head, "\n") + 1
	col := RuneLen(head[strings.LastIndexByte(head, '\n')+1:]) + 1
	return Errorf("JSONDecodeError", "%s: line %d column %d (char %d)", msg, line, col, RuneLen(head))
}

func (d *jsonDecoder) blanks(i int) int {
	for i < len(d.s) && strings.IndexByte(" \t\n\r", d.s[i]) >= 0 {
		i++
	}
	return i
}

var jsonWords = []struct {
	word string
	val  any
}{
	{"null", nil},
	{"true", true},
	{"false", false},
	{"NaN", math.NaN()},
	{"Infinity", math.Inf(1)},
	{"-Infinity", math.Inf(-1)},
}

func (d *jsonDecoder) value(i, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	if i < len(d.s) {
		switch d.s[i] {
		case '"':
			return d.text(i + 1)
		case '{':
			return d.object(i+1, depth)
		case '[':
			return d.array(i+1, depth)
		}
		for _, w := range jsonWords {
			if strings.HasPrefix(d.s[i:], w.word) {
				d.at = i + len(w.word)
				return w.val, nil
			}
		}
		if v, ok, err := d.number(i); ok || err != nil {
			return v, err
		}
	}
	return nil, d.fail("Expecting value", i)
}

func (d *jsonDecoder) digits(i int) int {
	for i < len(d.s) && d.s[i] >= '0' && d.s[i] <= '9' {
		i++
	}
	return i
}

func (d *jsonDecoder) number(i int) (any, bool, error) {
	start := i
	if i < len(d.s) && d.s[i] == '-' {
		i++
	}
	end := d.digits(i)
	if end == i {
		return nil, false, nil
	}
	if d.s[i] == '0' {
		end = i + 1
	}
	float := false
	if end < len(d.s) && d.s[end] == '.' {
		if e := d.digits(end + 1); e > end+1 {
			end, float = e, true
		}
	}
	if end < len(d.s) && (d.s[end] == 'e' || d.s[end] == 'E') {
		e := end + 1
		if e < len(d.s) && (d.s[e] == '+' || d.s[e] == '-') {
			e++
		}
		if f := d.digits(e); f > e {
			end, float = f, true
		}
	}
	d.at = end
	text := d.s[start:end]
	if float {
		f, _ := strconv.ParseFloat(text, 64)
		return f, true, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true, nil
	}
	if len(strings.TrimPrefix(text, "-")) > maxIntDigits {
		return nil, false, errDigits(": value has " + strconv.Itoa(len(text)) + " digits; use sys.set_int_max_str_digits() to increase the limit")
	}
	n, _ := new(big.Int).SetString(text, 10)
	return NormInt(n), true, nil
}

func (d *jsonDecoder) array(i, depth int) (any, error) {
	out := []any{}
	i = d.blanks(i)
	if i < len(d.s) && d.s[i] == ']' {
		d.at = i + 1
		return out, nil
	}
	for {
		v, err := d.value(i, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		i = d.blanks(d.at)
		switch {
		case i < len(d.s) && d.s[i] == ']':
			d.at = i + 1
			return out, nil
		case i >= len(d.s) || d.s[i] != ',':
			return nil, d.fail("Expecting ',' delimiter", i)
		}
		i = d.blanks(i + 1)
	}
}

func (d *jsonDecoder) object(i, depth int) (any, error) {
	out := NewMap(0)
	i = d.blanks(i)
	if i < len(d.s) && d.s[i] == '}' {
		d.at = i + 1
		return out, nil
	}
	for {
		if i >= len(d.s) || d.s[i] != '"' {
			return nil, d.fail("Expecting property name enclosed in double quotes", i)
		}
		key, err := d.text(i + 1)
		if err != nil {
			return nil, err
		}
		if i = d.blanks(d.at); i >= len(d.s) || d.s[i] != ':' {
			return nil, d.fail("Expecting ':' delimiter", i)
		}
		v, err := d.value(d.blanks(i+1), depth+1)
		if err != nil {
			return nil, err
		}
		out.SetStr(key.(string), v)
		i = d.blanks(d.at)
		switch {
		case i < len(d.s) && d.s[i] == '}':
			d.at = i + 1
			return out, nil
		case i >= len(d.s) || d.s[i] != ',':
			return nil, d.fail("Expecting ',' delimiter", i)
		}
		i = d.blanks(i + 1)
	}
}

var jsonEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// text reads a string whose first character is at i, after the quote.
func (d *jsonDecoder) text(i int) (any, error) {
	begin := i - 1
	var b strings.Builder
	for i < len(d.s) {
		switch c := d.s[i]; {
		case c == '"':
			d.at = i + 1
			return b.String(), nil
		case c < ' ':
			return nil, d.fail("Invalid control character at", i)
		case c != '\\':
			b.WriteByte(c)
			i++
		case i+1 >= len(d.s):
			return nil, d.fail("Unterminated string starting at", begin)
		case d.s[i+1] == 'u':
			r, next, err := d.unicodeEscape(i)
			if err != nil {
				return nil, err
			}
			b.WriteRune(r)
			i = next
		default:
			e, ok := jsonEscapes[d.s[i+1]]
			if !ok {
				return nil, d.fail("Invalid \\escape", i)
			}
			b.WriteByte(e)
			i += 2
		}
	}
	return nil, d.fail("Unterminated string starting at", begin)
}

func (d *jsonDecoder) hex4(i int) (rune, bool) {
	if i+4 > len(d.s) {
		return 0, false
	}
	n, err := strconv.ParseUint(d.s[i:i+4], 16, 32)
	return rune(n), err == nil
}

func (d *jsonDecoder) unicodeEscape(i int) (rune, int, error) {
	r, ok := d.hex4(i + 2)
	if !ok {
		return 0, 0, d.fail("Invalid \\uXXXX escape", i+1)
	}
	if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(d.s[i+6:], `\u`) {
		if low, ok := d.hex4(i + 8); ok && low >= 0xdc00 && low < 0xe000 {
			return 0x10000 + (r-0xd800)<<10 + (low - 0xdc00), i + 12, nil
		}
	}
	if r >= 0xd800 && r < 0xe000 {
		r = utf8.RuneError
	}
	return r, i + 6, nil
}
