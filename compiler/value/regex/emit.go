package regex

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// emitter writes a parsed pattern in the syntax of the engine.
type emitter struct{ b strings.Builder }

const (
	wordSet  = `\p{L}\p{N}_`
	wordASC  = `a-zA-Z0-9_`
	spaceSet = ` \t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`
	spaceASC = ` \t-\r`
	digitSet = `\p{Nd}`
	digitASC = `0-9`
	anything = `(?s:.)`
)

func category(c byte, flags Flags) string {
	ascii := flags&ASCII != 0
	switch c {
	case 'd', 'D':
		if ascii {
			return digitASC
		}
		return digitSet
	case 's', 'S':
		if ascii {
			return spaceASC
		}
		return spaceSet
	}
	if ascii {
		return wordASC
	}
	return wordSet
}

func (e *emitter) write(n *node) {
	switch n.kind {
	case kLiteral:
		if n.flags&IgnoreCase != 0 {
			if same := orbit(n.r, n.flags); len(same) > 1 {
				e.set(&set{ranges: points(same)}, n.flags&^IgnoreCase)
				return
			}
		}
		e.b.WriteString(quoteRune(n.r))
	case kAny:
		if n.flags&DotAll != 0 {
			e.b.WriteString(anything)
		} else {
			e.b.WriteString(`[^\n]`)
		}
	case kSet:
		e.set(n.set, n.flags)
	case kAnchor:
		e.b.WriteString(anchor(n.r, n.flags))
	case kSeq:
		for _, s := range n.subs {
			e.write(s)
		}
	case kBranch:
		e.b.WriteString("(?:")
		for i, s := range n.subs {
			if i > 0 {
				e.b.WriteByte('|')
			}
			e.write(s)
		}
		e.b.WriteByte(')')
	case kRepeat:
		e.repeat(n)
	case kGroup:
		if n.n > 0 {
			e.wrap("(", n.subs[0])
		} else {
			e.wrap("(?:", n.subs[0])
		}
	case kBackref:
		if n.flags&IgnoreCase != 0 {
			e.b.WriteString("(?i:\\" + strconv.Itoa(n.n) + ")")
		} else {
			e.b.WriteString("(?:\\" + strconv.Itoa(n.n) + ")")
		}
	case kLook:
		open := "(?"
		if n.behind {
			open += "<"
		}
		if n.neg {
			open += "!"
		} else {
			open += "="
		}
		e.wrap(open, n.subs[0])
	case kCond:
		e.b.WriteString("(?(" + strconv.Itoa(n.n) + ")")
		e.wrap("(?:", n.subs[0])
		if len(n.subs) > 1 {
			e.b.WriteByte('|')
			e.wrap("(?:", n.subs[1])
		}
		e.b.WriteByte(')')
	case kAtomic:
		e.wrap("(?>", n.subs[0])
	}
}

func (e *emitter) wrap(open string, n *node) {
	e.b.WriteString(open)
	e.write(n)
	e.b.WriteByte(')')
}

func (e *emitter) repeat(n *node) {
	if n.mode == '+' {
		e.b.WriteString("(?>")
		defer e.b.WriteByte(')')
	}
	e.wrap("(?:", n.subs[0])
	switch {
	case n.max == unlimited:
		fmt.Fprintf(&e.b, "{%d,}", n.min)
	default:
		fmt.Fprintf(&e.b, "{%d,%d}", n.min, n.max)
	}
	if n.mode == '?' {
		e.b.WriteByte('?')
	}
}

func anchor(r rune, flags Flags) string {
	w := category('w', flags)
	switch r {
	case '^':
		if flags&MultiLine != 0 {
			return `(?m:^)`
		}
		return `\A`
	case '$':
		if flags&MultiLine != 0 {
			return `(?m:$)`
		}
		return `\Z`
	case 'A':
		return `\A`
	case 'Z':
		return `\z`
	case 'b':
		return `(?:(?<=[` + w + `])(?![` + w + `])|(?<![` + w + `])(?=[` + w + `]))`
	}
	return `(?:(?!\A\z)(?:(?<=[` + w + `])(?=[` + w + `])|(?<![` + w + `])(?![` + w + `])))`
}

// set writes a class. Complemented categories inside one need alternation, since the engine has no union of a
// class with the complement of another.
func (e *emitter) set(s *set, flags Flags) {
	ranges := s.ranges
	if flags&IgnoreCase != 0 {
		ranges = foldRanges(ranges, flags)
	}
	var pos strings.Builder
	for _, r := range ranges {
		pos.WriteString(quoteInSet(r[0]))
		if r[1] > r[0] {
			pos.WriteString("-" + quoteInSet(r[1]))
		}
	}
	var alts []string
	for _, c := range s.cats {
		if c >= 'a' {
			pos.WriteString(category(c, flags))
		} else {
			alts = append(alts, "[^"+category(c, flags)+"]")
		}
	}
	switch {
	case alts == nil && s.neg:
		e.b.WriteString("[^" + pos.String() + "]")
	case alts == nil:
		e.b.WriteString("[" + pos.String() + "]")
	default:
		if pos.Len() > 0 {
			alts = append(alts, "["+pos.String()+"]")
		}
		if s.neg {
			e.b.WriteString("(?:(?!" + strings.Join(alts, "|") + ")" + anything + ")")
		} else {
			e.b.WriteString("(?:" + strings.Join(alts, "|") + ")")
		}
	}
}

func quoteRune(r rune) string {
	switch {
	case isLetter(r) || isDigit(r) || r == '_' || r > 0x9f && r != 0xfffd:
		return string(r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

func quoteInSet(r rune) string { return quoteRune(r) }

// orbit gives all characters equal to r when case is ignored. Unlike Unicode's folding, Python counts the two
// dotted and the two dotless i as one.
func orbit(r rune, flags Flags) []rune {
	if strings.ContainsRune("iIİı", r) && flags&ASCII == 0 {
		return append([]rune{r}, []rune(strings.Replace("iIİı", string(r), "", 1))...)
	}
	out := []rune{r}
	for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
		if flags&ASCII == 0 || c < 0x80 {
			out = append(out, c)
		}
	}
	if flags&ASCII != 0 && r >= 0x80 {
		return out[:1]
	}
	return out
}

func points(rs []rune) [][2]rune {
	out := make([][2]rune, len(rs))
	for i, r := range rs {
		out[i] = [2]rune{r, r}
	}
	return out
}

// casedRunes are all characters that have another case.
var casedRunes = sync.OnceValue(func() []rune {
	var out []rune
	for r := rune(0); r <= 0x1ffff; r++ {
		if unicode.SimpleFold(r) != r || r == 'İ' || r == 'ı' {
			out = append(out, r)
		}
	}
	return out
})

var namedRunes = sync.OnceValue(buildNames)

func foldRanges(ranges [][2]rune, flags Flags) [][2]rune {
	out := append([][2]rune(nil), ranges...)
	cased := casedRunes()
	for _, r := range ranges {
		from := sort.Search(len(cased), func(i int) bool { return cased[i] >= r[0] })
		for _, c := range cased[from:] {
			if c > r[1] {
				break
			}
			for _, o := range orbit(c, flags)[1:] {
				if o < r[0] || o > r[1] {
					out = append(out, [2]rune{o, o})
				}
			}
		}
	}
	return out
}
