package hot

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// Pattern is a regular expression of Python's re module. One without re has possessive quantifiers, which the library
// lacks; what it matches is not known.
type Pattern struct{ re *regexp2.Regexp }

var errUnknownMatch = errors.New("the pattern has possessive quantifiers, which are not evaluated")

// matchTimeout bounds one match; Python has no bound, and a pattern that needs more than this hurts Heat too.
const matchTimeout = 100 * time.Millisecond

// CompilePattern compiles a Python pattern. Its errors say what is wrong with the pattern.
func CompilePattern(pattern string) (*Pattern, error) {
	translated, err := fromPython(pattern)
	if err != nil {
		return nil, err
	}
	if possessive(pattern) {
		return &Pattern{}, nil
	}
	re, err := regexp2.Compile(`\A(?:`+translated+`)`, regexp2.None)
	if err != nil {
		// The library names the translated pattern in its message; the author's is shown by the caller.
		msg := err.Error()
		if i := strings.Index(msg, "` in `"); i > 0 {
			msg = msg[:i+1]
		} else if i := strings.Index(msg, " in `"); i > 0 {
			msg = msg[:i]
		}
		return nil, fmt.Errorf("%s", strings.TrimPrefix(msg, "error parsing regexp: "))
	}
	re.MatchTimeout = matchTimeout
	return &Pattern{re: re}, nil
}

// Whole reports whether the match that begins at the start of s ends at its end. This is not a full match: the first
// alternative that matches counts, so "ab|abc" does not take "abc".
func (p *Pattern) Whole(s string) (bool, error) {
	if p.re == nil {
		return false, errUnknownMatch
	}
	m, err := p.re.FindStringMatch(s)
	if err != nil {
		return false, err
	}
	return m != nil && m.Length == len([]rune(s)), nil
}

// fromPython rewrites what Python writes differently and refuses what Python refuses but the library takes.
func fromPython(p string) (string, error) {
	var b strings.Builder
	class := -1 // where the open character class began
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\\':
			if i+1 >= len(p) {
				return "", fmt.Errorf("bad escape (end of pattern) at position %d", i)
			}
			i++
			if err := escapeOK(p[i], class >= 0, i-1); err != nil {
				return "", err
			}
			if p[i] == 'Z' && class < 0 {
				b.WriteString(`\z`)
				continue
			}
			b.WriteByte('\\')
			b.WriteByte(p[i])
		case class >= 0:
			switch {
			case c == ']' && i > class+1 && !(i == class+2 && p[class+1] == '^'):
				class = -1
				b.WriteByte(c)
			case c == '[' || c == ']':
				b.WriteByte('\\')
				b.WriteByte(c)
			default:
				b.WriteByte(c)
			}
		case c == '[':
			class = i
			b.WriteByte(c)
		case c == '{' && strings.HasPrefix(p[i:], "{,") && bounded(p[i+2:]):
			b.WriteString("{0,")
			i++
		case c == '(' && strings.HasPrefix(p[i:], "(?"):
			n, err := groupHead(&b, p, i)
			if err != nil {
				return "", err
			}
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	if class >= 0 {
		return "", fmt.Errorf("unterminated character set at position %d", class)
	}
	return b.String(), nil
}

// possessive reports whether a quantifier with + behind it occurs outside character classes.
func possessive(p string) bool {
	class := -1
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
			if i+1 < len(p) && p[i+1] == '+' {
				i++ // an escaped character once or more
			}
		case class >= 0:
			if c == ']' && i > class+1 && !(i == class+2 && p[class+1] == '^') {
				class = -1
			}
		case c == '[':
			class = i
		case c == '+' && i > 0 && strings.IndexByte("*+?}", p[i-1]) >= 0:
			return true
		}
	}
	return false
}

// bounded reports whether s begins with digits and a brace, the end of {,n}.
func bounded(s string) bool {
	end := strings.IndexByte(s, '}')
	return end > 0 && strings.Trim(s[:end], "0123456789") == ""
}

// escapeOK refuses the letters that Python does not know after a backslash.
func escapeOK(c byte, inClass bool, at int) error {
	if c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
		return nil
	}
	known := "AbBdDsSwWZafnrtvxuUN"
	if inClass {
		known = "bafnrtvxuUdDsSwWN"
	}
	if strings.IndexByte(known, c) < 0 {
		return fmt.Errorf(`bad escape \%c at position %d`, c, at)
	}
	return nil
}

// groupHead writes the start of a (?…) group and returns how much of the pattern that was.
func groupHead(b *strings.Builder, p string, i int) (int, error) {
	rest := p[i+2:]
	switch {
	case strings.HasPrefix(rest, "P<"):
		b.WriteString("(?<")
		return len("(?P<"), nil
	case strings.HasPrefix(rest, "P="):
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return 0, fmt.Errorf("missing ), unterminated name at position %d", i+4)
		}
		b.WriteString(`\k<` + rest[2:end] + `>`)
		return 2 + end + 1, nil
	case rest != "" && strings.IndexByte(":=!#(", rest[0]) >= 0, strings.HasPrefix(rest, "<="), strings.HasPrefix(rest, "<!"):
		b.WriteString("(?")
		return len("(?"), nil
	}
	end := strings.IndexAny(rest, ":)")
	flags := ""
	if end >= 0 {
		flags = rest[:end]
	}
	if flags == "" || strings.Trim(flags, "aiLmsux-") != "" {
		return 0, fmt.Errorf("unknown extension ?%.1s at position %d", rest, i+1)
	}
	kept := strings.Trim(strings.NewReplacer("a", "", "L", "", "u", "").Replace(flags), "-")
	if strings.HasPrefix(flags, "-") {
		kept = "-" + kept
	}
	if kept == "" && rest[end] == ')' { // only flags that the library does not need
		return len("(?") + len(flags) + 1, nil
	}
	b.WriteString("(?" + kept)
	return len("(?") + len(flags), nil
}
