package regex

import (
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// Template is a replacement text of re.sub: literal parts with references \1, \g<1> and \g<name> between them.
type Template struct {
	literals []string // one more than groups
	groups   []int
}

// Template parses a replacement text for this pattern; errors are Python's.
func (re *Regexp) Template(text string) (*Template, error) {
	t := &templateParser{parser: parser{src: []rune(text)}, re: re}
	for t.more() {
		c := t.src[t.at]
		t.at++
		if c != '\\' {
			t.lit.WriteRune(c)
			continue
		}
		if !t.more() {
			return nil, t.fail(t.at-1, "bad escape (end of pattern)")
		}
		if err := t.escape(); err != nil {
			return nil, err
		}
	}
	t.out.literals = append(t.out.literals, t.lit.String())
	return &t.out, nil
}

// Expand fills a template from a match; groups that took no part are empty.
func (t *Template) Expand(m *Match) string {
	var b strings.Builder
	for i, g := range t.groups {
		b.WriteString(t.literals[i])
		s, _ := m.Group(g)
		b.WriteString(s)
	}
	b.WriteString(t.literals[len(t.groups)])
	return b.String()
}

type templateParser struct {
	parser
	re  *Regexp
	lit strings.Builder
	out Template
}

func (t *templateParser) ref(n, at int) error {
	if n > t.re.Groups() {
		return t.fail(at, "invalid group reference %d", n)
	}
	t.out.literals = append(t.out.literals, t.lit.String())
	t.out.groups = append(t.out.groups, n)
	t.lit.Reset()
	return nil
}

func (t *templateParser) escape() error {
	start := t.at - 1
	c := t.src[t.at]
	t.at++
	switch {
	case c == 'g':
		return t.groupRef()
	case c == '0':
		n := rune(0)
		for i := 0; i < 2 && t.more() && isOctal(t.peek()); i++ {
			n = n*8 + t.src[t.at] - '0'
			t.at++
		}
		t.lit.WriteRune(n)
	case isDigit(c):
		n := int(c - '0')
		if d := t.peek(); isDigit(d) {
			t.at++
			if e := t.peek(); isOctal(c) && isOctal(d) && isOctal(e) {
				t.at++
				n = (n*8+int(d-'0'))*8 + int(e-'0')
				if n > 0o377 {
					return t.fail(start, "octal escape value %s outside of range 0-0o377", string(t.src[start:t.at]))
				}
				t.lit.WriteRune(rune(n))
				return nil
			}
			n = n*10 + int(d-'0')
		}
		return t.ref(n, start+1)
	case c == 'b':
		t.lit.WriteByte('\b')
	case simpleEscapes[c] != 0:
		t.lit.WriteRune(simpleEscapes[c])
	case isLetter(c):
		return t.fail(start, "bad escape \\%c", c)
	default:
		t.lit.WriteString("\\" + string(c))
	}
	return nil
}

func (t *templateParser) groupRef() error {
	if !t.accept('<') {
		return t.fail(t.at, "missing <")
	}
	at := t.at
	name, err := t.until('>', "group name")
	if err != nil {
		return err
	}
	if isIdentifier(name) {
		n, ok := t.re.names[name]
		if !ok {
			return value.Errorf("IndexError", "unknown group name %s", value.Repr(name))
		}
		return t.ref(n, at)
	}
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 {
		return t.fail(at, "bad character in group name %s", value.Repr(name))
	}
	return t.ref(n, at)
}
