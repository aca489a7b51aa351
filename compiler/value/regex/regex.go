// Package regex is Python's re module for text patterns: the same syntax with the same errors, and the same rules
// for searching, splitting and substituting.
//
// A pattern is parsed by Python's grammar, checked as Python checks it, and translated for
// github.com/dlclark/regexp2, a backtracking engine whose matching rules are those of Perl and .NET. All of
// Python 3.11's constructs are translated, possessive quantifiers, atomic groups, conditionals, scoped flags and
// named groups among them; \w, \d, \s, \b and case are Unicode's as in Python.
//
// What differs from Python is where the engines themselves differ, in corners of backtracking:
//   - a group inside a repeated group that took no part in the last round may keep or lose what an earlier round
//     captured;
//   - a loop whose body can match nothing may stop one round earlier or later, which shows only in what groups in it
//     captured;
//   - a capture inside a look-behind is taken from the right;
//   - characters that Unicode added after the version of one side's tables.
//
// Not to be had, and an error: patterns over 16 KiB, groups nested over 200 deep, bytes patterns and the L flag, and
// a match that runs longer than Timeout.
package regex

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/hotloom/hotloom/compiler/value"
)

// Timeout bounds one match; a longer one ends with ErrTimeout. On Linux it is time on the processor, so that a busy
// machine makes no pattern slow.
const Timeout = 30 * time.Millisecond

// maxTries is how often a match is tried again that mostly waited for the processor.
const maxTries = 20

// ErrTimeout says that a pattern backtracks too much on its text.
var ErrTimeout = errors.New("regular expression took too long on this text")

// Flags are the flags of re.compile.
type Flags uint8

// The flags, named as in Python. Unicode is how text patterns work unless ASCII is set.
const (
	IgnoreCase Flags = 1 << iota
	MultiLine
	DotAll
	Verbose
	ASCII
	Unicode
)

// Regexp is a compiled pattern, safe for concurrent use.
type Regexp struct {
	Pattern string
	Flags   Flags
	names   map[string]int
	order   []string
	first   *regexp2.Regexp
	advance func() *regexp2.Regexp // as first, but a match may not be empty where the search began
}

// setClock makes the engine's clock fine enough for Timeout; it is global to the engine.
var setClock = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(5 * time.Millisecond) })

// Compile is re.compile. Errors are *value.Error of class "error" with Python's text.
func Compile(pattern string, flags Flags) (*Regexp, error) {
	setClock()
	n, p, err := parse(pattern, flags)
	if err != nil {
		return nil, err
	}
	var e emitter
	e.write(n)
	source := e.b.String()
	first, err := build(source)
	if err != nil {
		return nil, &value.Error{Class: "error", Msg: "pattern not supported: " + err.Error()}
	}
	return &Regexp{
		Pattern: pattern, Flags: p.flags, names: p.names, order: p.order, first: first,
		advance: sync.OnceValue(func() *regexp2.Regexp {
			re, err := build("(?:" + source + `)(?!\G)`)
			if err != nil {
				return first
			}
			return re
		}),
	}, nil
}

func build(source string) (*regexp2.Regexp, error) {
	re, err := regexp2.Compile(source, regexp2.None)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = Timeout
	return re, nil
}

// EqualTo makes two patterns equal as Python's are: by pattern and flags.
func (re *Regexp) EqualTo(other any) bool {
	o, ok := other.(*Regexp)
	return ok && o.Pattern == re.Pattern && o.Flags == re.Flags
}

// TypeName is the name of the type in Python.
func (re *Regexp) TypeName() string { return "re.Pattern" }

// Repr is repr(pattern).
func (re *Regexp) Repr() string {
	var names []string
	for _, f := range []struct {
		bit  Flags
		name string
	}{{IgnoreCase, "re.IGNORECASE"}, {MultiLine, "re.MULTILINE"}, {DotAll, "re.DOTALL"}, {Verbose, "re.VERBOSE"}, {ASCII, "re.ASCII"}} {
		if re.Flags&f.bit != 0 {
			names = append(names, f.name)
		}
	}
	out := "re.compile(" + value.Slice(value.Repr(re.Pattern), 0, 200)
	if names != nil {
		out += ", " + strings.Join(names, "|")
	}
	return out + ")"
}

// Groups is the number of groups, not counting the whole match.
func (re *Regexp) Groups() int { return len(re.order) - 1 }

// Names gives the names of the named groups in order.
func (re *Regexp) Names() []string {
	var out []string
	for _, n := range re.order {
		if n != "" {
			out = append(out, n)
		}
	}
	return out
}

// Match is one match. Positions are in characters.
type Match struct {
	Text []rune
	re   *Regexp
	m    *regexp2.Match
}

// Span gives where group i starts and ends; -1, -1 if it took no part.
func (m *Match) Span(i int) (start, end int) {
	g := m.m.GroupByNumber(i)
	if g == nil || len(g.Captures) == 0 {
		return -1, -1
	}
	return g.Index, g.Index + g.Length
}

// Group gives what group i matched; ok is false if it took no part.
func (m *Match) Group(i int) (text string, ok bool) {
	s, e := m.Span(i)
	if s < 0 {
		return "", false
	}
	return string(m.Text[s:e]), true
}

// Named gives the number of a named group, 0 if there is none.
func (m *Match) Named(name string) int { return m.re.names[name] }

func (re *Regexp) find(text []rune, from int, mustAdvance bool) (*Match, error) {
	engine := re.first
	if mustAdvance {
		engine = re.advance()
	}
	runtime.LockOSThread() // for Busy
	defer runtime.UnlockOSThread()
	begin := Busy()
	for range maxTries {
		m, err := engine.FindRunesMatchStartingAt(text, from)
		switch {
		case err == nil && m == nil:
			return nil, nil
		case err == nil:
			return &Match{Text: text, re: re, m: m}, nil
		case Busy()-begin > Timeout*3/4:
			return nil, ErrTimeout
		}
		// The engine's clock is that on the wall, and ran on while this thread waited.
	}
	return nil, ErrTimeout
}

// Search is re.search; nil if nothing matches.
func (re *Regexp) Search(text string) (*Match, error) { return re.find([]rune(text), 0, false) }

// Prefix is re.match: a match at the very start; nil if there is none.
func (re *Regexp) Prefix(text string) (*Match, error) {
	m, err := re.find([]rune(text), 0, false)
	if m != nil {
		if s, _ := m.Span(0); s != 0 {
			return nil, err
		}
	}
	return m, err
}

// Iterator walks all matches as re.finditer does: an empty match may directly follow another, but not at the same
// place.
type Iterator struct {
	re    *Regexp
	text  []rune
	at    int
	empty bool
	done  bool
}

// All starts a walk over the matches in a text.
func (re *Regexp) All(text string) *Iterator { return &Iterator{re: re, text: []rune(text)} }

// Next gives the next match, nil at the end.
func (it *Iterator) Next() (*Match, error) {
	if it.done || it.at > len(it.text) {
		return nil, nil
	}
	m, err := it.re.find(it.text, it.at, it.empty)
	if err != nil || m == nil {
		it.done = true
		return nil, err
	}
	s, e := m.Span(0)
	it.at, it.empty = e, s == e
	return m, nil
}

// Split is re.split: the parts between matches, with the groups of each match between them (nil where a group took
// no part); at most limit splits if limit is not 0.
func (re *Regexp) Split(text string, limit int) ([]any, error) {
	var out []any
	it := re.All(text)
	last := 0
	for n := 0; limit == 0 || n < limit; n++ {
		m, err := it.Next()
		if err != nil {
			return nil, err
		}
		if m == nil {
			break
		}
		s, e := m.Span(0)
		out = append(out, string(it.text[last:s]))
		for g := 1; g <= re.Groups(); g++ {
			if v, ok := m.Group(g); ok {
				out = append(out, v)
			} else {
				out = append(out, nil)
			}
		}
		last = e
	}
	return append(out, string(it.text[last:])), nil
}

// Sub is re.sub: each match, at most limit if that is not 0, replaced by what repl makes of it. size, if not nil, is
// told the length of the result as it grows and can end it.
func (re *Regexp) Sub(text string, limit int, repl func(*Match) (string, error), size func(int) error) (string, error) {
	var b strings.Builder
	it := re.All(text)
	last := 0
	for n := 0; limit == 0 || n < limit; n++ {
		m, err := it.Next()
		if err != nil {
			return "", err
		}
		if m == nil {
			break
		}
		s, e := m.Span(0)
		b.WriteString(string(it.text[last:s]))
		last = e
		r, err := repl(m)
		if err != nil {
			return "", err
		}
		b.WriteString(r)
		if size != nil {
			if err := size(b.Len()); err != nil {
				return "", err
			}
		}
	}
	b.WriteString(string(it.text[last:]))
	return b.String(), nil
}

// Escape is re.escape.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
