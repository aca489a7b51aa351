package regex

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/value"
)

// maxNesting bounds the depth of groups, maxPattern the length of a pattern and maxRepeat a count.
const (
	maxNesting = 200
	maxPattern = 1 << 14
	maxRepeat  = math.MaxInt32 - 1
)

type parser struct {
	src    []rune
	at     int
	flags  Flags // global flags, grown by (?i) at the start
	names  map[string]int
	order  []string // group names by number; "" for unnamed
	groups []*node  // closed groups by number; nil while open
	depth  int
	behind int // number of groups before the innermost lookbehind, -1 outside
	err    error
	checks [][2]int // group numbers of conditionals and where they stand
}

// restart asks for parsing again because (?x) came up.
type restart struct{}

func (restart) Error() string { return "verbose" }

func (p *parser) fail(at int, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	msg += fmt.Sprintf(" at position %d", at)
	if head := string(p.src[:min(at, len(p.src))]); strings.ContainsRune(string(p.src), '\n') {
		line := strings.Count(head, "\n") + 1
		msg += fmt.Sprintf(" (line %d, column %d)", line, value.RuneLen(head[strings.LastIndexByte(head, '\n')+1:])+1)
	}
	return &value.Error{Class: "error", Msg: msg}
}

func parse(pattern string, flags Flags) (*node, *parser, error) {
	if len(pattern) > maxPattern {
		return nil, nil, &value.Error{Class: "error", Msg: "pattern of more than " + strconv.Itoa(maxPattern) + " bytes"}
	}
	for {
		p := &parser{src: []rune(pattern), flags: flags, names: map[string]int{}, order: []string{""}, groups: []*node{nil}, behind: -1}
		n, err := p.alternatives(flags, true)
		if err == nil && p.at < len(p.src) {
			err = p.fail(p.at, "unbalanced parenthesis")
		}
		if _, again := err.(restart); again {
			flags |= Verbose
			continue
		}
		for _, c := range p.checks {
			if err == nil && c[0] >= len(p.groups) {
				err = p.fail(c[1], "invalid group reference %d", c[0])
			}
		}
		if err == nil {
			err = p.err
		}
		return n, p, err
	}
}

func (p *parser) more() bool { return p.at < len(p.src) }

// peek gives the next character, or -1.
func (p *parser) peek() rune {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return -1
}

func (p *parser) accept(r rune) bool {
	if p.peek() == r {
		p.at++
		return true
	}
	return false
}

// token gives a character just read, with the next one if it is a backslash, as Python's reader does.
func (p *parser) token(c rune) string {
	if c == '\\' && p.more() {
		return string([]rune{c, p.peek()})
	}
	return string(c)
}

// until reads up to end and past it; what names the thing for the error.
func (p *parser) until(end rune, what string) (string, error) {
	start := p.at
	for p.more() {
		if p.accept(end) {
			s := string(p.src[start : p.at-1])
			if s == "" {
				return "", p.fail(start, "missing %s", what)
			}
			return s, nil
		}
		p.at++
	}
	if start == len(p.src) {
		return "", p.fail(start, "missing %s", what)
	}
	return "", p.fail(start, "missing %c, unterminated name", end)
}

func (p *parser) alternatives(flags Flags, first bool) (*node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, &value.Error{Class: "RecursionError", Msg: "maximum recursion depth exceeded"}
	}
	defer func() { p.depth-- }()
	var subs []*node
	for {
		n, fl, err := p.sequence(flags, first && subs == nil)
		if err != nil {
			return nil, err
		}
		flags = fl
		subs = append(subs, n)
		if !p.accept('|') {
			break
		}
	}
	if len(subs) == 1 {
		return subs[0], nil
	}
	return &node{kind: kBranch, subs: subs}, nil
}

// sequence reads items up to | or ). It also gives the flags, which a (?i) at the very start changes.
func (p *parser) sequence(flags Flags, first bool) (*node, Flags, error) {
	seq := &node{kind: kSeq}
	for p.more() {
		c := p.peek()
		if c == '|' || c == ')' {
			break
		}
		if flags&Verbose != 0 && p.skipVerbose(c) {
			continue
		}
		start := p.at
		p.at++
		var n *node
		var err error
		switch {
		case c == '\\':
			n, err = p.escape(flags, start)
		case c == '[':
			n, err = p.class(flags, start)
		case c == '(':
			var global Flags
			n, global, err = p.group(flags, start, first && len(seq.subs) == 0)
			flags |= global
		case strings.ContainsRune("*+?{", c):
			var done bool
			if done, err = p.repeat(seq, c, start); err == nil && !done {
				n = &node{kind: kLiteral, r: c}
			}
		case c == '.':
			n = &node{kind: kAny}
		case c == '^' || c == '$':
			n = &node{kind: kAnchor, r: c}
		default:
			n = &node{kind: kLiteral, r: c}
		}
		if err != nil {
			return nil, flags, err
		}
		if n != nil {
			if n.kind != kGroup && n.kind != kSeq {
				n.flags = flags
			}
			seq.subs = append(seq.subs, n)
		}
	}
	return seq, flags, nil
}

func (p *parser) skipVerbose(c rune) bool {
	if strings.ContainsRune(" \t\n\r\v\f", c) {
		p.at++
		return true
	}
	if c != '#' {
		return false
	}
	for p.more() && p.src[p.at] != '\n' {
		p.at++
	}
	p.at++
	p.at = min(p.at, len(p.src))
	return true
}

// repeat applies a quantifier to the last item. done is false where "{" is only a character.
func (p *parser) repeat(seq *node, c rune, start int) (done bool, err error) {
	lo, hi := 0, unlimited
	switch c {
	case '?':
		hi = 1
	case '+':
		lo = 1
	case '{':
		ok := false
		if lo, hi, ok, err = p.braces(start); err != nil || !ok {
			return false, err
		}
	}
	var item *node
	if len(seq.subs) > 0 {
		item = seq.subs[len(seq.subs)-1]
	}
	if item == nil || item.kind == kAnchor {
		return false, p.fail(start, "nothing to repeat")
	}
	if item.kind == kRepeat {
		return false, p.fail(start, "multiple repeat")
	}
	r := &node{kind: kRepeat, subs: []*node{item}, min: lo, max: hi}
	if p.peek() == '?' || p.peek() == '+' {
		r.mode = byte(p.peek())
		p.at++
	}
	seq.subs[len(seq.subs)-1] = r
	return true, nil
}

func (p *parser) number() (int, bool) {
	start := p.at
	for p.more() && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		p.at++
	}
	if start == p.at {
		return 0, false
	}
	n, err := strconv.Atoi(string(p.src[start:p.at]))
	if err != nil {
		n = math.MaxInt
	}
	return n, true
}

func (p *parser) braces(start int) (lo, hi int, ok bool, err error) {
	after := p.at
	if p.peek() == '}' {
		return 0, 0, false, nil
	}
	n, hasLo := p.number()
	lo, hi = n, unlimited
	hasHi := false
	if p.accept(',') {
		if n, hasHi = p.number(); hasHi {
			hi = n
		}
	} else {
		hi = lo
		hasHi = hasLo
	}
	if !p.accept('}') {
		p.at = after
		return 0, 0, false, nil
	}
	if lo > maxRepeat || (hasHi && hi > maxRepeat) {
		return 0, 0, false, &value.Error{Class: "OverflowError", Msg: "the repetition number is too large"}
	}
	if hi < lo {
		return 0, 0, false, p.fail(start, "min repeat greater than max repeat")
	}
	return lo, hi, true, nil
}

// group reads what follows an opening bracket. global are flags that a (?i) adds to the rest.
func (p *parser) group(flags Flags, start int, first bool) (n *node, global Flags, err error) {
	capture, name := true, ""
	var wrap *node
	if p.accept('?') {
		capture = false
		if !p.more() {
			return nil, 0, p.fail(p.at, "unexpected end of pattern")
		}
		c := p.src[p.at]
		p.at++
		switch {
		case c == 'P':
			var ref *node
			if name, ref, err = p.named(start); err != nil || ref != nil {
				return ref, 0, err
			}
			capture = true
		case c == ':':
		case c == '#':
			for {
				if !p.more() {
					return nil, 0, p.fail(start, "missing ), unterminated comment")
				}
				if p.accept(')') {
					return nil, 0, nil
				}
				p.at++
			}
		case c == '=' || c == '!' || c == '<':
			n, err := p.look(flags, c, start)
			return n, 0, err
		case c == '(':
			n, err := p.conditional(flags, start)
			return n, 0, err
		case c == '>':
			wrap = &node{kind: kAtomic}
		case c == '-' || (c < 0x80 && strings.ContainsRune("aiLmsux", c)):
			add, del, scoped, err := p.inlineFlags(c)
			if err != nil {
				return nil, 0, err
			}
			if !scoped {
				if !first {
					return nil, 0, p.fail(start, "global flags not at the start of the expression")
				}
				if add&Verbose != 0 && flags&Verbose == 0 {
					return nil, 0, restart{}
				}
				p.flags |= add
				return nil, add, nil
			}
			if add&(ASCII|Unicode) != 0 {
				flags &^= ASCII | Unicode
			}
			flags = (flags | add) &^ del
		default:
			return nil, 0, p.fail(start+1, "unknown extension ?%s", p.token(c))
		}
	}
	return p.body(flags, start, capture, name, wrap)
}

func (p *parser) body(flags Flags, start int, capture bool, name string, wrap *node) (*node, Flags, error) {
	num := 0
	if capture {
		num = len(p.groups)
		if name != "" {
			if was, dup := p.names[name]; dup {
				return nil, 0, p.fail(start+4, "redefinition of group name %s as group %d; was group %d", value.Repr(name), num, was)
			}
			p.names[name] = num
		}
		p.groups = append(p.groups, nil)
		p.order = append(p.order, name)
	}
	sub, err := p.alternatives(flags, false)
	if err != nil {
		return nil, 0, err
	}
	if !p.accept(')') {
		return nil, 0, p.fail(start, "missing ), unterminated subpattern")
	}
	if wrap != nil {
		wrap.subs = []*node{sub}
		return wrap, 0, nil
	}
	if capture {
		p.groups[num] = sub
	}
	return &node{kind: kGroup, n: num, subs: []*node{sub}}, 0, nil
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)) {
			return false
		}
	}
	return s != ""
}

// named reads (?P<name> or the whole of (?P=name).
func (p *parser) named(start int) (string, *node, error) {
	if p.accept('<') {
		at := p.at
		name, err := p.until('>', "group name")
		if err == nil && !isIdentifier(name) {
			err = p.fail(at, "bad character in group name %s", value.Repr(name))
		}
		return name, nil, err
	}
	if p.accept('=') {
		at := p.at
		name, err := p.until(')', "group name")
		if err != nil {
			return "", nil, err
		}
		if !isIdentifier(name) {
			return "", nil, p.fail(at, "bad character in group name %s", value.Repr(name))
		}
		n, ok := p.names[name]
		if !ok {
			return "", nil, p.fail(at, "unknown group name %s", value.Repr(name))
		}
		ref, err := p.backref(n, at)
		return "", ref, err
	}
	if !p.more() {
		return "", nil, p.fail(p.at, "unexpected end of pattern")
	}
	return "", nil, p.fail(start+1, "unknown extension ?P%c", p.peek())
}

func (p *parser) backref(n, at int) (*node, error) {
	if p.groups[n] == nil {
		return nil, p.fail(at, "cannot refer to an open group")
	}
	if p.behind >= 0 && n >= p.behind {
		return nil, p.fail(p.at, "cannot refer to group defined in the same lookbehind subpattern")
	}
	return &node{kind: kBackref, n: n}, nil
}

func (p *parser) look(flags Flags, c rune, start int) (*node, error) {
	n := &node{kind: kLook}
	was := p.behind
	if c == '<' {
		if !p.more() {
			return nil, p.fail(p.at, "unexpected end of pattern")
		}
		c = p.src[p.at]
		p.at++
		if c != '=' && c != '!' {
			return nil, p.fail(start+1, "unknown extension ?<%s", p.token(c))
		}
		n.behind = true
		if p.behind < 0 {
			p.behind = len(p.groups)
		}
	}
	n.neg = c == '!'
	sub, err := p.alternatives(flags, false)
	p.behind = was
	if err != nil {
		return nil, err
	}
	if !p.accept(')') {
		return nil, p.fail(start, "missing ), unterminated subpattern")
	}
	n.subs = []*node{sub}
	if n.behind {
		if lo, hi := p.width(sub); lo != hi {
			// Python checks this when it compiles, after the whole pattern has been read
			p.later(&value.Error{Class: "error", Msg: "look-behind requires fixed-width pattern"})
		}
	}
	return n, nil
}

// later keeps the first error that comes up only once the pattern has parsed.
func (p *parser) later(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *parser) conditional(flags Flags, start int) (*node, error) {
	at := p.at
	name, err := p.until(')', "group name")
	if err != nil {
		return nil, err
	}
	var num int
	if isIdentifier(name) {
		n, ok := p.names[name]
		if !ok {
			return nil, p.fail(at, "unknown group name %s", value.Repr(name))
		}
		num = n
	} else {
		n, err := strconv.Atoi(name)
		switch {
		case err != nil || n < 0:
			return nil, p.fail(at, "bad character in group name %s", value.Repr(name))
		case n == 0:
			return nil, p.fail(at, "bad group number")
		}
		num = n
		p.checks = append(p.checks, [2]int{num, at})
	}
	if p.behind >= 0 {
		switch {
		case num >= len(p.groups) || p.groups[num] == nil:
			return nil, p.fail(p.at, "cannot refer to an open group")
		case num >= p.behind:
			return nil, p.fail(p.at, "cannot refer to group defined in the same lookbehind subpattern")
		}
	}
	n := &node{kind: kCond, n: num}
	for {
		sub, _, err := p.sequence(flags, false)
		if err != nil {
			return nil, err
		}
		n.subs = append(n.subs, sub)
		if !p.accept('|') {
			break
		}
		if len(n.subs) == 2 {
			return nil, p.fail(p.at-1, "conditional backref with more than two branches")
		}
	}
	if !p.accept(')') {
		return nil, p.fail(start, "missing ), unterminated subpattern")
	}
	return n, nil
}

// inlineFlags reads the flags after "(?"; scoped says that a ":" ends them.
func (p *parser) inlineFlags(c rune) (add, del Flags, scoped bool, err error) {
	letter := func(c rune) Flags {
		return map[rune]Flags{'a': ASCII, 'i': IgnoreCase, 'm': MultiLine, 's': DotAll, 'u': Unicode, 'x': Verbose}[c]
	}
	for c != '-' {
		if c == 'L' {
			return 0, 0, false, p.fail(p.at, "bad inline flags: cannot use 'L' flag with a str pattern")
		}
		add |= letter(c)
		if add&ASCII != 0 && add&Unicode != 0 {
			return 0, 0, false, p.fail(p.at, "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
		}
		if !p.more() {
			return 0, 0, false, p.fail(p.at, "missing -, : or )")
		}
		c = p.src[p.at]
		p.at++
		switch {
		case c == ')':
			return add, 0, false, nil
		case c == ':':
			return add, 0, true, nil
		case c == '-':
		case letter(c) == 0 && c != 'L':
			if unicode.IsLetter(c) {
				return 0, 0, false, p.fail(p.at-1, "unknown flag")
			}
			return 0, 0, false, p.fail(p.at-1, "missing -, : or )")
		}
	}
	for first := true; ; first = false {
		if !p.more() {
			if first {
				return 0, 0, false, p.fail(p.at, "missing flag")
			}
			return 0, 0, false, p.fail(p.at, "missing :")
		}
		c = p.src[p.at]
		p.at++
		switch {
		case c == ':' && !first:
			if add&del != 0 {
				return 0, 0, false, p.fail(p.at, "bad inline flags: flag turned on and off")
			}
			return add, del, true, nil
		case letter(c)&(ASCII|Unicode) != 0 || c == 'L':
			return 0, 0, false, p.fail(p.at, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
		case letter(c) == 0 && unicode.IsLetter(c):
			return 0, 0, false, p.fail(p.at-1, "unknown flag")
		case letter(c) == 0 && first:
			return 0, 0, false, p.fail(p.at-1, "missing flag")
		case letter(c) == 0:
			return 0, 0, false, p.fail(p.at-1, "missing :")
		}
		del |= letter(c)
	}
}
