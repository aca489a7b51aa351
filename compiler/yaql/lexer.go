package yaql

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/regex"
)

type tokenKind uint8

const (
	tEnd   tokenKind = iota
	tValue           // quoted text, number, true, false, null
	tWord            // bare word
	tVar             // $name
	tFunc            // name(
	tOp              // operator, bracket or comma: text says which
)

type token struct {
	kind       tokenKind
	text       string  // of a word, name or operator
	val        any     // of tValue
	op         *symbol // of tOp
	start, end int
}

// shown is a token in an error message.
func (t token) shown() string {
	if t.kind == tValue {
		return value.Str(t.val)
	}
	return t.text
}

// SyntaxError is why a text is no expression. Position is the offset in characters of the fault, the length of the
// text if it ends too early. The message is YAQL's own.
type SyntaxError struct {
	Position int
	Message  string
	Class    string // YaqlLexicalException, YaqlGrammarException, or a Python class for bad escapes
}

func (e *SyntaxError) Error() string { return e.Message }

// lexer reads a text by its characters: its bytes where all are ASCII, as nearly always, else src.
type lexer struct {
	text string
	src  []rune
	size int // characters
	at   int

	symbols *symbolTable
}

func newLexer(text string) lexer {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			src := []rune(text)
			return lexer{text: text, src: src, size: len(src), symbols: symbols()}
		}
	}
	return lexer{text: text, size: len(text), symbols: symbols()}
}

// slice is the text between two characters.
func (l *lexer) slice(from, to int) string {
	if l.src == nil {
		return l.text[from:to]
	}
	return string(l.src[from:to])
}

// isWordRune is Python's \w.
func isWordRune(r rune) bool {
	switch {
	case r < 0x80:
		return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isDecimal(r rune) bool { return value.DigitValue(r) >= 0 }

func (l *lexer) rune(i int) rune {
	switch {
	case i < 0 || i >= l.size:
		return -1
	case l.src == nil:
		return rune(l.text[i])
	}
	return l.src[i]
}

func (l *lexer) next() (token, *SyntaxError) {
	for c := l.rune(l.at); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = l.rune(l.at) {
		l.at++
	}
	start := l.at
	if start >= l.size {
		return token{kind: tEnd, start: start, end: start}, nil
	}
	c := l.rune(start)
	switch {
	case c == '$':
		for l.at++; isWordRune(l.rune(l.at)); l.at++ {
		}
		return token{kind: tVar, text: l.slice(start, l.at), start: start, end: l.at}, nil
	case isDecimal(c):
		if t, ok, err := l.number(); ok || err != nil {
			return t, err
		}
	case isWordRune(c):
		if t, ok := l.word(); ok {
			return t, nil
		}
	case c == '\'' || c == '"' || c == '`':
		if t, ok, err := l.quoted(c); ok || err != nil {
			return t, err
		}
	default:
		for _, op := range l.symbols.startingWith(c) {
			if len(op.text) == 1 || l.rune(start+1) == rune(op.text[1]) {
				l.at = start + len(op.text)
				return token{kind: tOp, text: op.text, op: op, start: start, end: l.at}, nil
			}
		}
	}
	return token{}, &SyntaxError{
		Position: start, Class: "YaqlLexicalException",
		Message: "Lexical error: illegal character '" + string(c) + "' at position " + strconv.Itoa(start),
	}
}

// number reads digits with an optional fraction, as long as no letter follows directly.
func (l *lexer) number() (token, bool, *SyntaxError) {
	start := l.at
	if isWordRune(l.rune(start - 1)) {
		return token{}, false, nil
	}
	end := start
	for isDecimal(l.rune(end)) {
		end++
	}
	whole := end
	if l.rune(end) == '.' && isDecimal(l.rune(end+1)) {
		for end++; isDecimal(l.rune(end)); end++ {
		}
		if isWordRune(l.rune(end)) {
			end = whole
		}
	}
	if isWordRune(l.rune(end)) {
		return token{}, false, nil
	}
	text := l.slice(start, end)
	var v any
	var err error
	if end > whole {
		v, err = value.ParseFloat(text)
	} else {
		v, err = value.ParseInt(text)
	}
	if err != nil {
		return token{}, false, &SyntaxError{Position: start, Class: "ValueError", Message: err.Error()}
	}
	l.at = end
	return token{kind: tValue, val: v, start: start, end: end}, true, nil
}

func (l *lexer) word() (token, bool) {
	start := l.at
	end := start
	for isWordRune(l.rune(end)) {
		end++
	}
	if isWordRune(l.rune(start - 1)) {
		return token{}, false
	}
	text := l.slice(start, end)
	if l.rune(end) == '(' {
		l.at = end + 1
		return token{kind: tFunc, text: text, start: start, end: l.at}, true
	}
	if strings.HasPrefix(text, "__") {
		return token{}, false
	}
	l.at = end
	switch op := l.symbols.word(text); {
	case op == nil:
	case op.isValue:
		return token{kind: tValue, val: op.value, start: start, end: end}, true
	default:
		return token{kind: tOp, text: text, op: op, start: start, end: end}, true
	}
	return token{kind: tWord, text: text, start: start, end: end}, true
}

// quoted reads a text in quotes; a backslash takes the next character with it, but not a line end.
func (l *lexer) quoted(q rune) (token, bool, *SyntaxError) {
	start := l.at
	for i := start + 1; i < l.size; i++ {
		switch l.rune(i) {
		case '\\':
			if i++; l.rune(i) == '\n' {
				return token{}, false, nil
			}
		case q:
			raw := l.slice(start+1, i)
			l.at = i + 1
			text, err := strings.ReplaceAll(raw, "\\`", "`"), error(nil)
			if q != '`' {
				text, err = unescape(raw)
			}
			if err != nil {
				return token{}, false, &SyntaxError{Position: start, Class: "UnicodeDecodeError", Message: err.Error()}
			}
			return token{kind: tValue, val: text, start: start, end: l.at}, true, nil
		}
	}
	return token{}, false, nil
}

var charEscapes = map[byte]string{
	'\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// unescape decodes backslash sequences; those that mean nothing stay as they are.
func unescape(s string) (string, error) {
	if !strings.Contains(s, "\\") {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		c := s[i+1]
		size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		switch {
		case size > 0 && plainRunes(s[i+2:], size) >= 0:
			n := plainRunes(s[i+2:], size)
			v, err := strconv.ParseUint(s[i+2:i+2+n], 16, 32)
			if err != nil || v > unicode.MaxRune {
				return "", value.Errorf("UnicodeDecodeError", "'unicodeescape' codec can't decode escape %s", s[i:i+2+n])
			}
			b.WriteRune(rune(v))
			i += 2 + n
		case c >= '0' && c <= '7':
			end := i + 1
			for end < len(s) && end < i+4 && s[end] >= '0' && s[end] <= '7' {
				end++
			}
			v, _ := strconv.ParseUint(s[i+1:end], 8, 32)
			b.WriteRune(rune(v))
			i = end
		case c == 'N' && namedEscape(s[i:]) > 0:
			n := namedEscape(s[i:])
			r, ok := regex.RuneNamed(s[i+3 : i+n-1])
			if !ok {
				return "", value.Errorf("UnicodeDecodeError", "'unicodeescape' codec can't decode escape %s: unknown Unicode character name", s[i:i+n])
			}
			b.WriteRune(r)
			i += n
		case charEscapes[c] != "":
			b.WriteString(charEscapes[c])
			i += 2
		default:
			b.WriteByte('\\')
			i++
		}
	}
	return b.String(), nil
}

// plainRunes gives the length in bytes of the next n characters, -1 if there are not so many before a line end.
func plainRunes(s string, n int) int {
	at := 0
	for ; n > 0; n-- {
		r, w := utf8.DecodeRuneInString(s[at:])
		if w == 0 || r == '\n' {
			return -1
		}
		at += w
	}
	return at
}

// namedEscape gives the length of \N{…} at the start of s, 0 if there is none.
func namedEscape(s string) int {
	if !strings.HasPrefix(s, `\N{`) {
		return 0
	}
	end := strings.IndexByte(s, '}')
	if end < 4 {
		return 0
	}
	return end + 1
}
