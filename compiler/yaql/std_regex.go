package yaql

import (
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/regex"
)

var regexFunctions = []def{
	{"regex", fn, "pattern:str, ignoreCase:bool?=false, multiLine:bool?=false, dotAll:bool?=false", func(c *call) (any, error) {
		var flags regex.Flags
		for i, f := range []regex.Flags{regex.IgnoreCase, regex.MultiLine, regex.DotAll} {
			if c.truth(i + 1) {
				flags |= f
			}
		}
		return c.compile(c.str(0), flags)
	}},
	{"matches", method, "regexp:regex, string:str", func(c *call) (any, error) { return c.matches(c.args[0].(*regex.Regexp), c.str(1)) }},
	{"matches", method, "string:str, regexp:str", func(c *call) (any, error) { return c.matchesText(c.str(1), c.str(0)) }},
	{"#operator_=~", fn, "string:str, regexp:regex", func(c *call) (any, error) { return c.matches(c.args[1].(*regex.Regexp), c.str(0)) }},
	{"#operator_=~", fn, "string:str, pattern:str", func(c *call) (any, error) { return c.matchesText(c.str(1), c.str(0)) }},
	{"#operator_!~", fn, "string:str, regexp:regex", func(c *call) (any, error) {
		ok, err := c.matches(c.args[1].(*regex.Regexp), c.str(0))
		return !ok, err
	}},
	{"#operator_!~", fn, "string:str, pattern:str", func(c *call) (any, error) {
		ok, err := c.matchesText(c.str(1), c.str(0))
		return !ok, err
	}},
	{"search", method, "regexp:regex, string:str, selector:body=null", search},
	{"searchAll", method, "regexp:regex, string:str, selector:body=null", searchAll},
	{"split", method, "regexp:regex, string:str, maxSplit:int=0", func(c *call) (any, error) { return c.splitBy(c.args[0], c.str(1)) }},
	{"split", method, "string:str, regexp:regex, maxSplit:int=0", func(c *call) (any, error) { return c.splitBy(c.args[1], c.str(0)) }},
	{"replace", method, "regexp:regex, string:str, repl:str, count:int=0", func(c *call) (any, error) { return c.substitute(c.args[0], c.str(1)) }},
	{"replace", method, "string:str, regexp:regex, repl:str, count:int=0", func(c *call) (any, error) { return c.substitute(c.args[1], c.str(0)) }},
	{"replaceBy", method | scoped, "regexp:regex, string:str, repl:body, count:int=0", func(c *call) (any, error) { return c.substituteBy(c.args[0], c.str(1)) }},
	{"replaceBy", method | scoped, "string:str, regexp:regex, repl:body, count:int=0", func(c *call) (any, error) { return c.substituteBy(c.args[1], c.str(0)) }},
	{"escapeRegex", fn, "string:str", func(c *call) (any, error) { return regex.Escape(c.str(0)), c.ev.text(2 * len(c.str(0))) }},
	{"isRegex", fn, "value:any", func(c *call) (any, error) { return isType[*regex.Regexp](c.args[0]), nil }},
}

// patterns keeps compiled patterns, as Python's re does; it is emptied when full.
var patterns = struct {
	sync.Mutex
	byKey map[patternKey]*regex.Regexp
}{byKey: map[patternKey]*regex.Regexp{}}

type patternKey struct {
	pattern string
	flags   regex.Flags
}

const maxPatterns = 256

// timed charges the time that a regular expression takes: it is work that cannot be counted otherwise.
func (ev *evaluation) timed(f func() error) error {
	const stepTime = 200 * time.Nanosecond
	runtime.LockOSThread()
	begin := regex.Busy()
	err := f()
	took := regex.Busy() - begin
	runtime.UnlockOSThread()
	if err == regex.ErrTimeout {
		return limitf("%s", err)
	}
	if err != nil {
		return err
	}
	return ev.step(int(took / stepTime))
}

func (c *call) compile(pattern string, flags regex.Flags) (re *regex.Regexp, err error) {
	key := patternKey{pattern, flags}
	patterns.Lock()
	re = patterns.byKey[key]
	patterns.Unlock()
	if re != nil {
		return re, nil
	}
	err = c.ev.timed(func() error {
		re, err = regex.Compile(pattern, flags)
		return err
	})
	if err != nil {
		return nil, err
	}
	patterns.Lock()
	defer patterns.Unlock()
	if len(patterns.byKey) >= maxPatterns {
		clear(patterns.byKey)
	}
	patterns.byKey[key] = re
	return re, nil
}

func (c *call) matches(re *regex.Regexp, text string) (found bool, err error) {
	err = c.ev.timed(func() error {
		m, err := re.Search(text)
		found = m != nil
		return err
	})
	return found, err
}

func (c *call) matchesText(pattern, text string) (bool, error) {
	re, err := c.compile(pattern, 0)
	if err != nil {
		return false, err
	}
	return c.matches(re, text)
}

// publish sets $1 to the match, $2 … to its groups.
func publish(sc *scope, m *regex.Match, re *regex.Regexp) error {
	record := func(i int) any {
		start, end := m.Span(i)
		var v any
		if s, ok := m.Group(i); ok {
			v = s
		}
		return value.MapOf("value", v, "start", int64(start), "end", int64(end))
	}
	for i := 0; i <= re.Groups(); i++ {
		sc.set(position(i+1), record(i))
	}
	// The original takes the text of each named group for a pair of a name and a value. Except for texts of two
	// characters whose second one names a group, that fails.
	for _, name := range re.Names() {
		s, ok := m.Group(m.Named(name))
		rs := []rune(s)
		switch {
		case !ok:
			return fail("TypeError", "cannot unpack non-iterable NoneType object")
		case len(rs) > 2:
			return fail("ValueError", "too many values to unpack (expected 2)")
		case len(rs) < 2:
			return fail("ValueError", "not enough values to unpack (expected 2, got %d)", len(rs))
		}
		g := m.Named(string(rs[1]))
		if g == 0 {
			return fail("IndexError", "no such group")
		}
		start, end := m.Span(g)
		sc.set(string(rs[0]), value.MapOf("value", string(rs[1]), "start", int64(start), "end", int64(end)))
	}
	return nil
}

func search(c *call) (any, error) {
	re := c.args[0].(*regex.Regexp)
	var m *regex.Match
	err := c.ev.timed(func() (err error) {
		m, err = re.Search(c.str(1))
		return err
	})
	if err != nil || m == nil {
		return nil, err
	}
	return c.matchValue(re, m)
}

// matchValue is what search gives for a match: its text, or what the selector makes of it.
func (c *call) matchValue(re *regex.Regexp, m *regex.Match) (any, error) {
	if c.fn(2) == nil {
		s, _ := m.Group(0)
		return s, c.ev.text(len(s))
	}
	sc := c.scope.child()
	if err := publish(sc, m, re); err != nil {
		return nil, err
	}
	return c.fn(2).in(sc)
}

func searchAll(c *call) (any, error) {
	re := c.args[0].(*regex.Regexp)
	var it *regex.Iterator
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if it == nil {
			it = re.All(c.str(1))
		}
		var m *regex.Match
		err := c.ev.timed(func() (err error) {
			m, err = it.Next()
			return err
		})
		if err != nil || m == nil {
			return nil, false, err
		}
		v, err := c.matchValue(re, m)
		return v, true, err
	}}, nil
}

func (c *call) splitBy(pattern any, text string) (any, error) {
	if err := c.ev.text(len(text) * 4); err != nil {
		return nil, err
	}
	limit, err := c.size(2)
	if err != nil {
		return nil, err
	}
	var parts []any
	err = c.ev.timed(func() (err error) {
		parts, err = pattern.(*regex.Regexp).Split(text, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return parts, c.ev.alloc(32 * len(parts))
}

// sub replaces matches by what repl gives, as many as argument 3 says.
func (c *call) sub(re *regex.Regexp, text string, repl func(*regex.Match) (string, error)) (out string, err error) {
	count, err := c.size(3)
	if err != nil {
		return "", err
	}
	at := 0
	grow := func(n int) error {
		err := c.ev.text(n - at)
		at = n
		return err
	}
	err = c.ev.timed(func() error {
		out, err = re.Sub(text, count, repl, grow)
		return err
	})
	return out, err
}

func (c *call) substitute(pattern any, text string) (any, error) {
	re := pattern.(*regex.Regexp)
	repl := c.str(2)
	if !strings.Contains(repl, "\\") {
		return c.sub(re, text, func(*regex.Match) (string, error) { return repl, nil })
	}
	t, err := re.Template(repl)
	if err != nil {
		return nil, err
	}
	return c.sub(re, text, func(m *regex.Match) (string, error) { return t.Expand(m), nil })
}

func (c *call) substituteBy(pattern any, text string) (any, error) {
	re := pattern.(*regex.Regexp)
	return c.sub(re, text, func(m *regex.Match) (string, error) {
		if err := publish(c.scope, m, re); err != nil {
			return "", err
		}
		v, err := c.fn(2).in(c.scope.child())
		if err != nil || v == nil {
			return "", err
		}
		s, ok := v.(string)
		if !ok {
			return "", fail("TypeError", "sequence item 0: expected str instance, %s found", value.TypeName(v))
		}
		return s, nil
	})
}
