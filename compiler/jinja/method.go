package jinja

import (
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/value"
)

// method gives a method of a Python type, bound to its object, or nil. The sandbox keeps those that change their
// object; so they are not here.
func (e *evaluator) method(of any, name string) any {
	var call func(args []any, kw *value.Map) (any, error)
	switch v := of.(type) {
	case string:
		if m, ok := textMethods[name]; ok {
			call = func(args []any, kw *value.Map) (any, error) { return m(e, v, args, kw) }
		}
	case *value.Map:
		call = e.mapMethod(v, name)
	case []any:
		call = e.listMethod(v, name)
	case value.Tuple:
		call = e.listMethod(v, name)
	}
	if call == nil {
		return nil
	}
	return &function{name, call}
}

func (e *evaluator) mapMethod(m *value.Map, name string) func([]any, *value.Map) (any, error) {
	none := func(f func() any) func([]any, *value.Map) (any, error) {
		return func(args []any, kw *value.Map) (any, error) {
			_, err := Bind(name, args, kw, 0)
			return f(), err
		}
	}
	switch name {
	case "get":
		return func(args []any, kw *value.Map) (any, error) {
			a, err := Bind(name, args, kw, 1, "key", "default")
			if err != nil {
				return nil, err
			}
			v, ok, err := m.Lookup(e.meter, a[0])
			if !ok {
				v = a[1]
			}
			return v, err
		}
	case "keys":
		return none(func() any { return value.KeysView{M: m} })
	case "values":
		return none(func() any { return value.ValuesView{M: m} })
	case "items":
		return none(func() any { return value.ItemsView{M: m} })
	case "copy":
		return none(func() any { return m.Clone() })
	}
	return nil
}

func (e *evaluator) listMethod(items []any, name string) func([]any, *value.Map) (any, error) {
	switch name {
	case "count":
		return func(args []any, kw *value.Map) (any, error) {
			a, err := Bind(name, args, kw, 1, "value")
			n := int64(0)
			for _, item := range items {
				if err != nil {
					return nil, err
				}
				var eq bool
				if eq, err = e.meter.Equal(item, a[0]); eq {
					n++
				}
			}
			return n, err
		}
	case "index":
		return func(args []any, kw *value.Map) (any, error) {
			a, err := Bind(name, args, kw, 1, "value")
			if err != nil {
				return nil, err
			}
			for i, item := range items {
				if eq, err := e.meter.Equal(item, a[0]); err != nil || eq {
					return int64(i), err
				}
			}
			return nil, fail("ValueError", "%s is not in list", value.Repr(a[0]))
		}
	case "copy":
		return func([]any, *value.Map) (any, error) { return append([]any{}, items...), nil }
	}
	return nil
}

type textMethod func(e *evaluator, s string, args []any, kw *value.Map) (any, error)

// textMethods are the methods of str.
var textMethods = map[string]textMethod{
	"upper":      textMap(value.Upper),
	"lower":      textMap(value.Lower),
	"casefold":   textMap(value.Lower),
	"capitalize": textMap(capitalize),
	"title":      textMap(title),
	"swapcase": textMap(func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, s)
	}),
	"strip":      textTrim(true, true),
	"lstrip":     textTrim(true, false),
	"rstrip":     textTrim(false, true),
	"split":      textSplit(false),
	"rsplit":     textSplit(true),
	"splitlines": textLines,
	"join":       textJoin,
	"replace":    textReplace,
	"startswith": textAffix(strings.HasPrefix),
	"endswith":   textAffix(strings.HasSuffix),
	"find":       textFind(false, false),
	"rfind":      textFind(true, false),
	"index":      textFind(false, true),
	"rindex":     textFind(true, true),
	"count": func(_ *evaluator, s string, args []any, kw *value.Map) (any, error) {
		sub, err := textArg("count", args, kw)
		return int64(strings.Count(s, sub)), err
	},
	"format":  textFormat,
	"isdigit": textIs(unicode.IsDigit), "isnumeric": textIs(unicode.IsNumber), "isdecimal": textIs(unicode.IsDigit),
	"isalpha": textIs(unicode.IsLetter), "isspace": textIs(value.IsSpace),
	"isalnum": textIs(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }),
	"isupper": textMapBool(func(s string) bool { return value.Upper(s) == s && value.Lower(s) != s }),
	"islower": textMapBool(func(s string) bool { return value.Lower(s) == s && value.Upper(s) != s }),
	"zfill":   textZfill,
	"center":  textPad("^"), "ljust": textPad("<"), "rjust": textPad(">"),
	"removeprefix": textCut(strings.TrimPrefix), "removesuffix": textCut(strings.TrimSuffix),
	"partition":  textPartition(strings.Index),
	"rpartition": textPartition(strings.LastIndex),
	"encode":     func(_ *evaluator, s string, _ []any, _ *value.Map) (any, error) { return []byte(s), nil },
}

func textArg(name string, args []any, kw *value.Map) (string, error) {
	a, err := Bind(name, args, kw, 1, "value")
	if err != nil {
		return "", err
	}
	s, ok := a[0].(string)
	if !ok {
		return "", fail("TypeError", "must be str, not %s", value.TypeName(a[0]))
	}
	return s, nil
}

func textMap(f func(string) string) textMethod {
	return func(_ *evaluator, s string, args []any, kw *value.Map) (any, error) {
		_, err := Bind("method", args, kw, 0)
		return f(s), err
	}
}

func textMapBool(f func(string) bool) textMethod {
	return func(_ *evaluator, s string, _ []any, _ *value.Map) (any, error) { return f(s), nil }
}

func textIs(is func(rune) bool) textMethod {
	return func(_ *evaluator, s string, _ []any, _ *value.Map) (any, error) {
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !is(r) }) < 0, nil
	}
}

func textTrim(left, right bool) textMethod {
	return func(_ *evaluator, s string, args []any, kw *value.Map) (any, error) {
		a, err := Bind("strip", args, kw, 0, "chars")
		if err != nil {
			return nil, err
		}
		if chars, ok := a[0].(string); ok {
			return value.Trim(s, &chars, left, right), nil
		}
		return value.Trim(s, nil, left, right), nil
	}
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func textSplit(right bool) textMethod {
	return func(e *evaluator, s string, args []any, kw *value.Map) (any, error) {
		a, err := Bind("split", args, kw, 0, "sep", "maxsplit")
		if err != nil {
			return nil, err
		}
		limit := -1
		if n, ok := value.Int(a[1]); ok {
			limit = n
		}
		if err := e.step(len(s)); err != nil {
			return nil, err
		}
		sep, ok := a[0].(string)
		if !ok && a[0] != nil {
			return nil, fail("TypeError", "must be str or None, not %s", value.TypeName(a[0]))
		}
		if !ok {
			return texts(value.SplitBlanks(s, limit, right)), nil
		}
		parts, err := value.Split(s, sep, limit, right)
		return texts(parts), err
	}
}

func textLines(_ *evaluator, s string, _ []any, _ *value.Map) (any, error) {
	return texts(splitLines(s)), nil
}

func textJoin(e *evaluator, s string, args []any, kw *value.Map) (any, error) {
	a, err := Bind("join", args, kw, 1, "iterable")
	if err != nil {
		return nil, err
	}
	items, err := e.iterate(a[0])
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for i, item := range items {
		part, ok := item.(string)
		if !ok {
			return nil, fail("TypeError", "sequence item %d: expected str instance, %s found", i, value.TypeName(item))
		}
		if i > 0 {
			b.WriteString(s)
		}
		b.WriteString(part)
		if err := e.size(b.Len()); err != nil {
			return nil, err
		}
	}
	return b.String(), nil
}

func textReplace(e *evaluator, s string, args []any, kw *value.Map) (any, error) {
	a, err := Bind("replace", args, kw, 2, "old", "new", "count")
	if err != nil {
		return nil, err
	}
	old, ok1 := a[0].(string)
	repl, ok2 := a[1].(string)
	if !ok1 || !ok2 {
		return nil, fail("TypeError", "replace() argument must be str")
	}
	count := -1
	if n, ok := value.Int(a[2]); ok {
		count = n
	}
	if err := e.size(value.ReplacedLen(s, old, repl, count)); err != nil {
		return nil, err
	}
	return value.Replace(s, old, repl, count), nil
}

func textAffix(has func(s, affix string) bool) textMethod {
	return func(e *evaluator, s string, args []any, kw *value.Map) (any, error) {
		a, err := Bind("startswith", args, kw, 1, "prefix")
		if err != nil {
			return nil, err
		}
		options := []any{a[0]}
		if t, ok := a[0].(value.Tuple); ok {
			options = t
		}
		for _, o := range options {
			affix, ok := o.(string)
			if !ok {
				return nil, fail("TypeError", "startswith first arg must be str or a tuple of str, not %s", value.TypeName(o))
			}
			if has(s, affix) {
				return true, nil
			}
		}
		return false, nil
	}
}

func textFind(last, must bool) textMethod {
	return func(_ *evaluator, s string, args []any, kw *value.Map) (any, error) {
		sub, err := textArg("find", args, kw)
		if err != nil {
			return nil, err
		}
		at := value.Find(s, sub, 0, value.RuneLen(s), last)
		if at < 0 && must {
			return nil, fail("ValueError", "substring not found")
		}
		return int64(at), nil
	}
}

func textFormat(e *evaluator, s string, args []any, kw *value.Map) (any, error) {
	return value.Format(s, value.FormatArgs{Items: args, Named: kw.GetStr, Meter: e.meter, Limit: e.limits.Output})
}

func textZfill(e *evaluator, s string, args []any, kw *value.Map) (any, error) {
	a, err := Bind("zfill", args, kw, 1, "width")
	if err != nil {
		return nil, err
	}
	width, _ := value.Int(a[0])
	missing := width - value.RuneLen(s)
	if missing <= 0 {
		return s, nil
	}
	if err := e.size(missing); err != nil {
		return nil, err
	}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[:1] + strings.Repeat("0", missing) + s[1:], nil
	}
	return strings.Repeat("0", missing) + s, nil
}

func textPad(align string) textMethod {
	return func(e *evaluator, s string, args []any, kw *value.Map) (any, error) {
		a, err := Bind("pad", args, kw, 1, "width", "fillchar")
		if err != nil {
			return nil, err
		}
		fill, ok := a[1].(string)
		if !ok {
			fill = " "
		}
		width, _ := value.Int(a[0])
		return e.pad(s, width, fill, align)
	}
}

func (e *evaluator) pad(s string, width int, fill, align string) (string, error) {
	missing := width - value.RuneLen(s)
	if missing <= 0 {
		return s, nil
	}
	if err := e.size(missing); err != nil {
		return "", err
	}
	left := 0
	switch align {
	case ">":
		left = missing
	case "^":
		left = missing/2 + (missing & width & 1)
	}
	return strings.Repeat(fill, left) + s + strings.Repeat(fill, missing-left), nil
}

func textCut(cut func(s, affix string) string) textMethod {
	return func(_ *evaluator, s string, args []any, kw *value.Map) (any, error) {
		affix, err := textArg("removeprefix", args, kw)
		return cut(s, affix), err
	}
}

func textPartition(find func(s, sep string) int) textMethod {
	return func(_ *evaluator, s string, args []any, kw *value.Map) (any, error) {
		sep, err := textArg("partition", args, kw)
		if err != nil {
			return nil, err
		}
		if i := find(s, sep); i >= 0 {
			return value.Tuple{s[:i], sep, s[i+len(sep):]}, nil
		}
		return value.Tuple{s, "", ""}, nil
	}
}

func capitalize(s string) string {
	rs := []rune(s)
	if len(rs) == 0 {
		return s
	}
	return value.Upper(string(rs[:1])) + value.Lower(string(rs[1:]))
}

func title(s string) string {
	var b strings.Builder
	start := true
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
			b.WriteRune(r)
			start = true
			continue
		case start:
			b.WriteRune(unicode.ToTitle(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		start = false
	}
	return b.String()
}
