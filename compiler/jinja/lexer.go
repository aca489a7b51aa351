package jinja

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// token kinds are Jinja's own names, since messages show them.
type token struct {
	kind string
	text string // of names, data and decoded strings; the operator as written
	val  any    // of numbers
	pos  int
}

var operators = []struct{ text, kind string }{
	{"**", "pow"},
	{"//", "floordiv"},
	{"==", "eq"},
	{"!=", "ne"},
	{">=", "gteq"},
	{"<=", "lteq"},
	{"+", "add"},
	{"-", "sub"},
	{"/", "div"},
	{"*", "mul"},
	{"%", "mod"},
	{"~", "tilde"},
	{"[", "lbracket"},
	{"]", "rbracket"},
	{"(", "lparen"},
	{")", "rparen"},
	{"{", "lbrace"},
	{"}", "rbrace"},
	{">", "gt"},
	{"<", "lt"},
	{"=", "assign"},
	{".", "dot"},
	{":", "colon"},
	{"|", "pipe"},
	{",", "comma"},
	{";", "semicolon"},
}

// space is Python's \s.
const space = `[\s\x0b\x1c-\x1f\x{85}\p{Z}]`

var (
	floatToken   = lazyregexp.New(`^(?i)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)\b`)
	integerToken = lazyregexp.New(`^(?:0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*)`)
	nameToken    = lazyregexp.New(`^[\pL\pN_]+`)
	stringToken  = lazyregexp.New(`^(?s:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")`)
	tagStart     = lazyregexp.New(`(?s)\{%[-+]?` + space + `*raw` + space + `*(?:-%\}` + space + `*|%\})|\{[{%#][-+]?`)
	rawEnd       = lazyregexp.New(`(?s)\{%([-+]?)` + space + `*endraw` + space + `*(?:\+%\}|-%\}` + space + `*|%\}\n?)`)
	commentEnd   = lazyregexp.New(`(?s)(?:\+#\}|-#\}` + space + `*|#\}\n?)`)
	blockEnd     = lazyregexp.New(`^(?:\+%\}|-%\}` + space + `*|%\}\n?)`)
	variableEnd  = lazyregexp.New(`^(?:-\}\}` + space + `*|\}\})`)
	blanks       = lazyregexp.New(`^` + space + `+`)
	newline      = lazyregexp.New(`\r\n|\r`)
)

type lexer struct {
	src          string
	pos          int
	tokens       []token
	lineStarting bool
}

// prepare normalises line ends and drops one newline at the end, as Jinja does.
func prepare(text string) string {
	if strings.ContainsRune(text, '\r') {
		text = newline().ReplaceAllString(text, "\n")
	}
	return strings.TrimSuffix(text, "\n")
}

func lexTemplate(text string) ([]token, *SyntaxError) {
	l := &lexer{src: prepare(text), lineStarting: true}
	for l.pos < len(l.src) {
		if err := l.root(); err != nil {
			return nil, err
		}
	}
	l.add("eof", "", l.pos)
	return l.tokens, nil
}

func lexExpression(text string) ([]token, *SyntaxError) {
	l := &lexer{src: prepare(text)}
	if err := l.tag(nil, ""); err != nil {
		return nil, err
	}
	l.add("eof", "", l.pos)
	return l.tokens, nil
}

func (l *lexer) add(kind, text string, pos int) {
	l.tokens = append(l.tokens, token{kind: kind, text: text, pos: pos})
}

func (l *lexer) data(text string, pos int) {
	if text != "" {
		l.add("data", text, pos)
	}
}

// root reads data up to and including the next tag.
func (l *lexer) root() *SyntaxError {
	at := tagStart().FindStringIndex(l.src[l.pos:])
	if at == nil {
		l.data(l.src[l.pos:], l.pos)
		l.pos = len(l.src)
		return nil
	}
	start, end := l.pos+at[0], l.pos+at[1]
	tag := l.src[start:end]
	sign := byte(0)
	if len(tag) > 2 && (tag[2] == '-' || tag[2] == '+') {
		sign = tag[2]
	}
	l.data(l.strip(l.src[l.pos:start], sign, tag[1] == '{'), l.pos)
	l.lineStarting = strings.HasSuffix(tag, "\n")
	l.pos = end
	switch {
	case strings.Contains(tag, "raw"):
		return l.raw()
	case tag[1] == '#':
		return l.comment()
	case tag[1] == '%':
		l.add("block_begin", tag, start)
		return l.tag(blockEnd, "block_end")
	}
	l.add("variable_begin", tag, start)
	return l.tag(variableEnd, "variable_end")
}

// strip applies the sign of a tag, or lstrip_blocks, to the data before it.
func (l *lexer) strip(text string, sign byte, variable bool) string {
	switch {
	case sign == '-':
		return strings.TrimRightFunc(text, unicode.IsSpace)
	case sign == '+' || variable:
		return text
	}
	line := strings.LastIndexByte(text, '\n') + 1
	if (line > 0 || l.lineStarting) && line < len(text) && strings.TrimFunc(text[line:], unicode.IsSpace) == "" {
		return text[:line]
	}
	return text
}

func (l *lexer) raw() *SyntaxError {
	at := rawEnd().FindStringSubmatchIndex(l.src[l.pos:])
	if at == nil {
		if l.pos >= len(l.src) {
			return nil
		}
		return &SyntaxError{l.pos, "Missing end of raw directive"}
	}
	sign := byte(0)
	if at[3] > at[2] {
		sign = l.src[l.pos+at[2]]
	}
	l.data(l.strip(l.src[l.pos:l.pos+at[0]], sign, false), l.pos)
	l.pos += at[1]
	l.lineStarting = strings.HasSuffix(l.src[:l.pos], "\n")
	return nil
}

func (l *lexer) comment() *SyntaxError {
	at := commentEnd().FindStringIndex(l.src[l.pos:])
	if at == nil {
		if l.pos >= len(l.src) {
			return nil
		}
		return &SyntaxError{l.pos, "Missing end of comment tag"}
	}
	l.pos += at[1]
	l.lineStarting = strings.HasSuffix(l.src[:l.pos], "\n")
	return nil
}

// tag reads tokens up to the end of a tag; brackets must be balanced before the end can be seen. Without an end
// everything is read.
func (l *lexer) tag(end func() *regexp.Regexp, endKind string) *SyntaxError {
	var open []byte
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		if end != nil && len(open) == 0 {
			if m := end().FindString(rest); m != "" {
				l.add(endKind, m, l.pos)
				l.pos += len(m)
				l.lineStarting = strings.HasSuffix(m, "\n")
				return nil
			}
		}
		if m := blanks().FindString(rest); m != "" {
			l.pos += len(m)
			continue
		}
		done, err := l.literal(rest)
		if err != nil {
			return err
		}
		if done {
			continue
		}
		if err := l.operator(rest, &open); err != nil {
			return err
		}
	}
	return nil
}

func (l *lexer) literal(rest string) (bool, *SyntaxError) {
	afterDot := l.pos > 0 && l.src[l.pos-1] == '.'
	if m := floatToken().FindString(rest); m != "" && !afterDot {
		f, err := strconv.ParseFloat(strings.ReplaceAll(m, "_", ""), 64)
		if err != nil && f == 0 {
			return false, &SyntaxError{l.pos, "bad number " + m}
		}
		l.tokens = append(l.tokens, token{kind: "float", text: m, val: f, pos: l.pos})
		l.pos += len(m)
		return true, nil
	}
	if m := integerToken().FindString(rest); m != "" {
		n, ok := new(big.Int).SetString(strings.ReplaceAll(m, "_", ""), 0)
		if !ok {
			n, _ = new(big.Int).SetString(strings.ReplaceAll(m, "_", ""), 10)
		}
		l.tokens = append(l.tokens, token{kind: "integer", text: m, val: value.NormInt(n), pos: l.pos})
		l.pos += len(m)
		return true, nil
	}
	if m := nameToken().FindString(rest); m != "" {
		if r, _ := utf8.DecodeRuneInString(m); r != '_' && !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) {
			return false, &SyntaxError{l.pos, "Invalid character in identifier"}
		}
		l.add("name", m, l.pos)
		l.pos += len(m)
		return true, nil
	}
	if m := stringToken().FindString(rest); m != "" {
		s, message := unescape(m[1 : len(m)-1])
		if message != "" {
			return false, &SyntaxError{l.pos, message}
		}
		l.add("string", s, l.pos)
		l.pos += len(m)
		return true, nil
	}
	return false, nil
}

func (l *lexer) operator(rest string, open *[]byte) *SyntaxError {
	for _, op := range operators {
		if !strings.HasPrefix(rest, op.text) {
			continue
		}
		switch op.text {
		case "{":
			*open = append(*open, '}')
		case "(":
			*open = append(*open, ')')
		case "[":
			*open = append(*open, ']')
		case "}", ")", "]":
			if len(*open) == 0 {
				return &SyntaxError{l.pos, "unexpected '" + op.text + "'"}
			}
			want := (*open)[len(*open)-1]
			if want != op.text[0] {
				return &SyntaxError{l.pos, "unexpected '" + op.text + "', expected '" + string(want) + "'"}
			}
			*open = (*open)[:len(*open)-1]
		}
		l.add(op.kind, op.text, l.pos)
		l.pos += len(op.text)
		return nil
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return &SyntaxError{l.pos, "unexpected char " + value.Repr(string(r)) + " at " + strconv.Itoa(utf8.RuneCountInString(l.src[:l.pos]))}
}

// unescape undoes Python's escapes of a text literal.
func unescape(s string) (out, message string) {
	if !strings.ContainsRune(s, '\\') {
		return s, ""
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case '\n':
		case '\\', '\'', '"':
			b.WriteByte(c)
		case 'a', 'b', 'f', 'n', 'r', 't', 'v':
			b.WriteByte(map[byte]byte{'a': 7, 'b': 8, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11}[c])
		case 'x', 'u', 'U':
			size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if i+1+size > len(s) {
				return "", "truncated \\" + string(c) + strings.Repeat("X", size) + " escape"
			}
			n, err := strconv.ParseUint(s[i+1:i+1+size], 16, 32)
			if err != nil || n > unicode.MaxRune {
				return "", "truncated \\" + string(c) + strings.Repeat("X", size) + " escape"
			}
			b.WriteRune(rune(n))
			i += size
		case '0', '1', '2', '3', '4', '5', '6', '7':
			j := i
			for j < len(s) && j < i+3 && s[j] >= '0' && s[j] <= '7' {
				j++
			}
			n, _ := strconv.ParseUint(s[i:j], 8, 32)
			b.WriteRune(rune(n))
			i = j - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
