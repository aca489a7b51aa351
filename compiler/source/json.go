package source

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
)

// parseJSON reads the text as Python's json.loads does: NaN, Infinity and -Infinity are numbers, the last of
// duplicate keys wins.
//
// encoding/json is of no use here: it refuses NaN and gives no positions of what it decodes.
//
// It reads the file from offset base to offset end.
func parseJSON(file *File, base, end int, opts Options) (*Node, diag.List) {
	p := &jsonParser{composer: composer{file: file, lines: newLines(file.Text), opts: opts}, text: file.Text[:end], at: base}
	root := p.value(0)
	if !p.failed {
		if p.skipBlanks(); p.at < len(p.text) {
			p.fail("something follows the end of the JSON value")
		}
	}
	return root, p.findings
}

type jsonParser struct {
	composer
	text   []byte
	at     int
	failed bool
}

func (p *jsonParser) skipBlanks() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// fail reports the first syntax error; what has been read until then is kept.
func (p *jsonParser) fail(format string, args ...any) {
	if p.failed {
		return
	}
	p.failed = true
	at := p.lines.pos(p.at)
	p.report(jsonSyntax(diag.Location{Path: p.file.Path, Start: at, End: at}, fmt.Sprintf(format, args...)))
}

// peek is the next byte after blanks, or 0 at the end.
func (p *jsonParser) peek() byte {
	p.skipBlanks()
	if p.at >= len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *jsonParser) value(depth int) *Node {
	c := p.peek()
	n := p.fresh()
	n.File, n.Start = p.file, p.lines.pos(p.at)
	switch {
	case depth > p.opts.MaxDepth:
		n.End = n.Start
		p.failed = true
		p.report(tooDeep(n.At(), p.opts.MaxDepth))
	case c == '{':
		p.object(n, depth)
	case c == '[':
		p.array(n, depth)
	case c == '"':
		n.Kind, n.Style, n.Text = String, DoubleQuoted, p.string()
	default:
		p.literal(n)
	}
	n.End = p.lines.pos(p.at)
	return n
}

func (p *jsonParser) object(n *Node, depth int) {
	n.Kind, n.Style = Map, Flow
	var pairs []Pair
	defer func() { n.setPairs(nil, pairs, p.report) }()
	p.at++
	if p.peek() == '}' {
		p.at++
		return
	}
	for {
		if p.peek() != '"' {
			p.fail("expected a key in double quotes%s", p.found())
			return
		}
		key := p.value(depth + 1)
		if p.failed {
			return
		}
		if p.peek() != ':' {
			p.fail("expected `:` after the key%s", p.found())
			return
		}
		p.at++
		pairs = append(pairs, Pair{Key: key, Value: p.value(depth + 1)})
		if p.failed || p.closes('}') {
			return
		}
	}
}

func (p *jsonParser) array(n *Node, depth int) {
	n.Kind, n.Style = List, Flow
	p.at++
	if p.peek() == ']' {
		p.at++
		return
	}
	for {
		n.Items = append(n.Items, p.value(depth+1))
		if p.failed || p.closes(']') {
			return
		}
	}
}

// closes takes the bracket that ends a collection, or the comma before its next entry.
func (p *jsonParser) closes(bracket byte) bool {
	switch p.peek() {
	case bracket:
		p.at++
		return true
	case ',':
		p.at++
		return false
	}
	p.fail("expected `,` or `%c`%s", bracket, p.found())
	return true
}

func (p *jsonParser) found() string {
	if p.at >= len(p.text) {
		return ", but the text ends"
	}
	r, _ := utf8.DecodeRune(p.text[p.at:])
	return fmt.Sprintf(", found %q", string(r))
}

var jsonConstants = []struct {
	word   string
	kind   Kind
	scalar any
}{
	{"null", Null, nil},
	{"true", Bool, true},
	{"false", Bool, false},
	{"NaN", Float, math.NaN()},
	{"Infinity", Float, math.Inf(1)},
	{"-Infinity", Float, math.Inf(-1)},
}

func (p *jsonParser) literal(n *Node) {
	rest := p.text[p.at:]
	for _, c := range jsonConstants {
		if bytes.HasPrefix(rest, []byte(c.word)) {
			n.Kind, n.Text, n.Scalar = c.kind, c.word, c.scalar
			p.at += len(c.word)
			return
		}
	}
	number, isInt := jsonNumber(rest)
	if number == "" {
		p.fail("expected a JSON value%s", p.found())
		return
	}
	n.Text = number
	if isInt {
		v := parseInt(number, 10)
		if v == nil {
			p.fail("a number of more than %d digits", maxIntDigits)
			return
		}
		n.Kind = Int
		setInt(n, v)
	} else {
		v, _ := strconv.ParseFloat(number, 64) // out of range is infinite, as in Python
		n.Kind, n.Scalar = Float, v
	}
	p.at += len(number)
}

// jsonNumber is the number that text begins with, or "".
func jsonNumber(text []byte) (number string, isInt bool) {
	digitsAt := func(i int) int {
		n := 0
		for i+n < len(text) && text[i+n] >= '0' && text[i+n] <= '9' {
			n++
		}
		return n
	}
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	n := digitsAt(i)
	if n == 0 {
		return "", false
	}
	if text[i] == '0' {
		n = 1
	}
	i += n
	isInt = true
	if i < len(text) && text[i] == '.' {
		if n := digitsAt(i + 1); n > 0 {
			i, isInt = i+1+n, false
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if n := digitsAt(j); n > 0 {
			i, isInt = j+n, false
		}
	}
	return string(text[:i]), isInt
}

var jsonEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// string reads a string; p.at is at its opening quote.
func (p *jsonParser) string() string {
	start := p.at
	p.at++
	if end := bytes.IndexAny(p.text[p.at:], "\"\\"); end >= 0 && p.text[p.at+end] == '"' && !hasControl(p.text[p.at:p.at+end]) {
		s := string(p.text[p.at : p.at+end])
		p.at += end + 1
		return p.limited(s, start)
	}
	var out []byte
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return p.limited(string(out), start)
		case c < 0x20:
			p.fail("a control character in a string: write it as an escape such as \\n")
			return string(out)
		case c != '\\':
			out = append(out, c)
			p.at++
		case p.at+1 < len(p.text) && p.text[p.at+1] == 'u':
			r, size := unicodeEscape(p.text[p.at:])
			if size == 0 {
				p.fail("\\u needs four hexadecimal digits")
				return string(out)
			}
			out = utf8.AppendRune(out, r)
			p.at += size
		default:
			if p.at+1 < len(p.text) {
				if e, ok := jsonEscapes[p.text[p.at+1]]; ok {
					out = append(out, e)
					p.at += 2
					continue
				}
			}
			p.fail("unknown escape in a string")
			return string(out)
		}
	}
	p.at = start
	p.fail("this string has no closing quote")
	p.at = len(p.text)
	return string(out)
}

func (p *jsonParser) limited(s string, start int) string {
	if len(s) > p.opts.MaxScalar {
		at := p.lines.pos(start)
		p.report(tooLong(diag.Location{Path: p.file.Path, Start: at, End: p.lines.pos(p.at)}, len(s), p.opts.MaxScalar))
		return ""
	}
	return s
}

func hasControl(b []byte) bool {
	for _, c := range b {
		if c < 0x20 {
			return true
		}
	}
	return false
}

// unicodeEscape reads \uXXXX, or two that form a surrogate pair. A lone surrogate, which Python keeps, is no
// character: it becomes U+FFFD.
func unicodeEscape(b []byte) (r rune, size int) {
	hex := func(b []byte) (rune, bool) {
		if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
			return 0, false
		}
		v, err := strconv.ParseUint(string(b[2:6]), 16, 16)
		return rune(v), err == nil
	}
	r, ok := hex(b)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hex(b[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}
