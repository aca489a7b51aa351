package yaql

import (
	"math/big"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// whole is an end beyond every text.
const whole = 1 << 40

var textFunctions = []def{
	{"concat", fn, "*args:str", concatTexts},
	{"#operator_+", fn, "*args:str", concatTexts},
	{"#operator_in", fn, "left:str, right:str", func(c *call) (any, error) {
		return strings.Contains(c.str(1), c.str(0)), c.ev.step(len(c.str(1)) >> 6)
	}},
	{"#operator_*", fn, "left:str, right:int", func(c *call) (any, error) { return c.repeatText(c.str(0), 1) }},
	{"#operator_*", fn, "left:int, right:str", func(c *call) (any, error) { return c.repeatText(c.str(1), 0) }},
	{"len", both, "string:str", func(c *call) (any, error) {
		return int64(value.RuneLen(c.str(0))), c.ev.step(len(c.str(0)) >> 6)
	}},
	{"toUpper", method, "string:str", func(c *call) (any, error) { return value.Upper(c.str(0)), c.ev.text(2 * len(c.str(0))) }},
	{"toLower", method, "string:str", func(c *call) (any, error) { return value.Lower(c.str(0)), c.ev.text(2 * len(c.str(0))) }},
	{"split", method, "string:str, separator:str?=null, maxSplits:int=-1", func(c *call) (any, error) { return c.split(false) }},
	{"rightSplit", method, "string:str, separator:str?=null, maxSplits:int=-1", func(c *call) (any, error) { return c.split(true) }},
	{"join", method, "sequence:coll, separator:str", func(c *call) (any, error) { return c.join(c.args[0], c.str(1)) }},
	{"join", method, "separator:str, sequence:coll", func(c *call) (any, error) { return c.join(c.args[1], c.str(0)) }},
	{"str", fn, "value:any", toStr},
	{"trim", method, "string:str, chars:str?=null", trim(true, true)},
	{"trimLeft", method, "string:str, chars:str?=null", trim(true, false)},
	{"trimRight", method, "string:str, chars:str?=null", trim(false, true)},
	{"norm", both, "string:str?, chars:str?=null", func(c *call) (any, error) {
		if c.args[0] == nil {
			return nil, nil
		}
		s := value.Trim(c.str(0), c.optStr(1), true, true)
		if s == "" {
			return nil, nil
		}
		return s, nil
	}},
	{"isEmpty", both, "string:str?, trim:bool=true, chars:str?=null", func(c *call) (any, error) {
		s := c.str(0)
		if c.truth(1) {
			s = value.Trim(s, c.optStr(2), true, true)
		}
		return s == "", nil
	}},
	{"replace", method, "string:str, old:str, new:str, count:int=-1", func(c *call) (any, error) {
		n, err := c.size(3)
		if err != nil {
			return nil, err
		}
		return c.replaceText(c.str(0), c.str(1), c.str(2), n)
	}},
	{"replace", method, "string:str, replacements:dict, count:int=-1", func(c *call) (any, error) {
		s := c.str(0)
		n, err := c.size(2)
		if err != nil && c.dict(1).Len() > 0 {
			return nil, err
		}
		for k, v := range c.dict(1).All() {
			old, err := c.toText(k)
			if err != nil {
				return nil, err
			}
			repl, err := c.toText(v)
			if err != nil {
				return nil, err
			}
			if s, err = c.replaceText(s, old, repl, n); err != nil {
				return nil, err
			}
		}
		return s, nil
	}},
	{"substring", method, "string:str, start:int, length:int=-1", func(c *call) (any, error) {
		n := value.RuneLen(c.str(0))
		start, length := c.int(1), c.int(2)
		if length < 0 {
			length = n
		}
		if start < 0 {
			start += n
		}
		return value.Slice(c.str(0), start, start+length), c.ev.text(len(c.str(0)))
	}},
	{"indexOf", method, "string:str, sub:str, start:int=0", func(c *call) (any, error) { return c.find(false) }},
	{"indexOf", method, "string:str, sub:str, start:int, length:int", func(c *call) (any, error) { return c.find(false) }},
	{"lastIndexOf", method, "string:str, sub:str, start:int=0", func(c *call) (any, error) { return c.find(true) }},
	{"lastIndexOf", method, "string:str, sub:str, start:int, length:int", func(c *call) (any, error) { return c.find(true) }},
	{"toCharArray", method, "string:str", func(c *call) (any, error) {
		if err := c.ev.alloc(32 * len(c.str(0))); err != nil {
			return nil, err
		}
		return chars(c.str(0)), c.ev.step(len(c.str(0)))
	}},
	{"isString", fn, "arg:any", func(c *call) (any, error) { return isType[string](c.args[0]), nil }},
	{"startsWith", method, "string:str, *prefixes:str", func(c *call) (any, error) { return c.affix(strings.HasPrefix), nil }},
	{"endsWith", method, "string:str, *suffixes:str", func(c *call) (any, error) { return c.affix(strings.HasSuffix), nil }},
}

// times is an integer argument that says how often to repeat a sequence.
func (c *call) times(i int) (int, error) {
	if n, ok := c.args[i].(*big.Int); ok && n.Sign() > 0 {
		return 0, fail("OverflowError", "cannot fit 'int' into an index-sized integer")
	}
	return c.int(i), nil
}

func concatTexts(c *call) (any, error) {
	n := 0
	parts := c.texts()
	for _, s := range parts {
		n += len(s)
	}
	if err := c.ev.text(n); err != nil {
		return nil, err
	}
	return strings.Join(parts, ""), nil
}

// repeatText is text * n, n being argument i. YAQL's quota counts the repetitions beforehand.
func (c *call) repeatText(s string, i int) (any, error) {
	n, err := c.times(i)
	if err != nil {
		return nil, err
	}
	if err := c.ev.quotaSize((1 - n) * value.SizeOf("")); err != nil {
		return nil, err
	}
	if err := c.ev.quotaSize((1-n)*value.SizeOf("") + n*value.SizeOf(s)); err != nil {
		return nil, err
	}
	if err := c.ev.text(max(n, 0) * len(s)); err != nil {
		return nil, err
	}
	return strings.Repeat(s, max(n, 0)), nil
}

func (c *call) split(right bool) (any, error) {
	s := c.str(0)
	if err := c.ev.text(2 * len(s)); err != nil {
		return nil, err
	}
	limit, err := c.size(2)
	if err != nil {
		return nil, err
	}
	if limit < 0 {
		limit = -1
	}
	var parts []string
	if sep := c.optStr(1); sep == nil {
		parts = value.SplitBlanks(s, limit, right)
	} else {
		if err := c.ev.alloc(16 * strings.Count(s, *sep)); err != nil {
			return nil, err
		}
		if parts, err = value.Split(s, *sep, limit, right); err != nil {
			return nil, err
		}
	}
	return anyList(parts), c.ev.alloc(32 * len(parts))
}

func anyList(parts []string) []any {
	out := make([]any, len(parts))
	for i, p := range parts {
		out[i] = p
	}
	return out
}

func (c *call) join(seq any, sep string) (any, error) {
	var b strings.Builder
	n := 0
	err := c.ev.each(seq, func(x any) (bool, error) {
		s, err := c.toText(x)
		if err != nil {
			return false, err
		}
		if n > 0 {
			b.WriteString(sep)
		}
		n++
		if err := c.ev.text(len(s) + len(sep)); err != nil {
			return false, err
		}
		b.WriteString(s)
		return false, nil
	})
	return b.String(), err
}

func toStr(c *call) (any, error) {
	switch v := c.args[0].(type) {
	case nil:
		return "null", nil
	case bool:
		if v {
			return "true", nil
		}
		return "false", nil
	case string:
		return v, nil
	}
	s, err := c.meter().Str(c.args[0])
	if err != nil {
		return nil, err
	}
	return s, c.ev.text(len(s))
}

func trim(left, right bool) func(c *call) (any, error) {
	return func(c *call) (any, error) {
		return value.Trim(c.str(0), c.optStr(1), left, right), c.ev.step(len(c.str(0)) >> 5)
	}
}

func (c *call) replaceText(s, old, repl string, count int) (string, error) {
	if err := c.ev.text(value.ReplacedLen(s, old, repl, count) + len(s)); err != nil {
		return "", err
	}
	return value.Replace(s, old, repl, count), nil
}

// find is indexOf and lastIndexOf in both forms: from a start, or from a start so many characters.
func (c *call) find(last bool) (any, error) {
	s, start, end := c.str(0), c.int(2), whole
	if len(c.args) > 3 {
		n, length := value.RuneLen(s), c.int(3)
		if start < 0 {
			start += n
		}
		if length < 0 {
			length = n - start
		}
		end = start + length
	}
	return int64(value.Find(s, c.str(1), start, end, last)), c.ev.step(len(s) >> 5)
}

func chars(s string) value.Tuple {
	out := make(value.Tuple, 0, len(s))
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}

func (c *call) affix(has func(s, part string) bool) bool {
	for _, p := range c.texts() {
		if has(c.str(0), p) {
			return true
		}
	}
	return false
}
