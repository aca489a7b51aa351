package regex

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/runenames"

	"github.com/hotloom/hotloom/compiler/value"
)

var simpleEscapes = map[rune]rune{'a': '\a', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func isDigit(r rune) bool  { return r >= '0' && r <= '9' }
func isOctal(r rune) bool  { return r >= '0' && r <= '7' }

// escape reads what follows a backslash outside a class.
func (p *parser) escape(flags Flags, start int) (*node, error) {
	if !p.more() {
		return nil, p.fail(start, "bad escape (end of pattern)")
	}
	c := p.src[p.at]
	p.at++
	switch {
	case strings.ContainsRune("dDsSwW", c):
		return &node{kind: kSet, set: &set{cats: []byte{byte(c)}}}, nil
	case strings.ContainsRune("AbBZ", c):
		return &node{kind: kAnchor, r: c}, nil
	case c == '0':
		n := rune(0)
		for i := 0; i < 2 && p.more() && isOctal(p.peek()); i++ {
			n = n*8 + p.src[p.at] - '0'
			p.at++
		}
		return &node{kind: kLiteral, r: n}, nil
	case isDigit(c):
		return p.numbered(c, start)
	}
	r, err := p.charEscape(c, start)
	return &node{kind: kLiteral, r: r}, err
}

// numbered reads \1 to \99, or three octal digits.
func (p *parser) numbered(c rune, start int) (*node, error) {
	n := int(c - '0')
	if d := p.peek(); isDigit(d) {
		p.at++
		if e := p.peek(); isOctal(c) && isOctal(d) && isOctal(e) {
			p.at++
			n = (n*8+int(d-'0'))*8 + int(e-'0')
			if n > 0o377 {
				return nil, p.fail(start, "octal escape value %s outside of range 0-0o377", string(p.src[start:p.at]))
			}
			return &node{kind: kLiteral, r: rune(n)}, nil
		}
		n = n*10 + int(d-'0')
	}
	if n >= len(p.groups) {
		return nil, p.fail(start+1, "invalid group reference %d", n)
	}
	return p.backref(n, start)
}

// charEscape gives the character of an escape that means one, c being what follows the backslash.
func (p *parser) charEscape(c rune, start int) (rune, error) {
	if r, ok := simpleEscapes[c]; ok {
		return r, nil
	}
	size := map[rune]int{'x': 2, 'u': 4, 'U': 8}[c]
	switch {
	case size > 0:
		end := p.at
		for end < len(p.src) && end < p.at+size && strings.ContainsRune("0123456789abcdefABCDEF", p.src[end]) {
			end++
		}
		digits := string(p.src[p.at:end])
		p.at = end
		if len(digits) != size {
			return 0, p.fail(start, "incomplete escape \\%c%s", c, digits)
		}
		n, _ := strconv.ParseUint(digits, 16, 64)
		if n > 0x10ffff {
			return 0, p.fail(start, "bad escape \\%c%s", c, digits)
		}
		return rune(n), nil
	case c == 'N':
		if !p.accept('{') {
			return 0, p.fail(p.at, "missing {")
		}
		name, err := p.until('}', "character name")
		if err != nil {
			return 0, err
		}
		r, ok := RuneNamed(name)
		if !ok {
			return 0, p.fail(start, "undefined character name %s", value.Repr(name))
		}
		return r, nil
	case isLetter(c):
		return 0, p.fail(start, "bad escape \\%c", c)
	}
	return c, nil
}

// RuneNamed finds a character by its Unicode name, in any case.
func RuneNamed(name string) (rune, bool) {
	r, ok := namedRunes()[strings.ToUpper(name)]
	return r, ok
}

func buildNames() map[string]rune {
	names := make(map[string]rune, 40000)
	for r := rune(' '); r <= 0x2ffff; r++ {
		if n := runenames.Name(r); n != "" && n[0] != '<' {
			names[n] = r
		}
	}
	return names
}

// class reads a character class after its "[".
func (p *parser) class(flags Flags, start int) (*node, error) {
	s := &set{neg: p.accept('^')}
	first := p.at
	for {
		if !p.more() {
			return nil, p.fail(start, "unterminated character set")
		}
		if p.peek() == ']' && p.at > first {
			p.at++
			break
		}
		at := p.at
		lo, cat, err := p.classItem()
		if err != nil {
			return nil, err
		}
		if p.peek() != '-' {
			s.add(lo, lo, cat)
			continue
		}
		p.at++
		if !p.more() {
			return nil, p.fail(start, "unterminated character set")
		}
		if p.accept(']') {
			s.add(lo, lo, cat)
			s.add('-', '-', 0)
			break
		}
		hi, cat2, err := p.classItem()
		if err != nil {
			return nil, err
		}
		if cat != 0 || cat2 != 0 || hi < lo {
			return nil, p.fail(at, "bad character range %s", string(p.src[at:p.at]))
		}
		s.add(lo, hi, 0)
	}
	return &node{kind: kSet, set: s}, nil
}

func (s *set) add(lo, hi rune, cat byte) {
	if cat != 0 {
		s.cats = append(s.cats, cat)
		return
	}
	s.ranges = append(s.ranges, [2]rune{lo, hi})
}

// classItem reads one character or category of a class.
func (p *parser) classItem() (r rune, cat byte, err error) {
	start := p.at
	c := p.src[p.at]
	p.at++
	if c != '\\' {
		return c, 0, nil
	}
	if !p.more() {
		return 0, 0, p.fail(start, "bad escape (end of pattern)")
	}
	c = p.src[p.at]
	p.at++
	switch {
	case strings.ContainsRune("dDsSwW", c):
		return 0, byte(c), nil
	case c == 'b':
		return '\b', 0, nil
	case isOctal(c):
		n := c - '0'
		for i := 0; i < 2 && p.more() && isOctal(p.peek()); i++ {
			n = n*8 + p.src[p.at] - '0'
			p.at++
		}
		if n > 0o377 {
			return 0, 0, p.fail(start, "octal escape value %s outside of range 0-0o377", string(p.src[start:p.at]))
		}
		return n, 0, nil
	case isDigit(c):
		return 0, 0, p.fail(start, "bad escape \\%c", c)
	}
	r, err = p.charEscape(c, start)
	return r, 0, err
}
