package jinja

import (
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

func (e *evaluator) filter(x *filterExpr, f *frame) (any, error) {
	v, err := e.eval(x.of, f)
	if err != nil {
		return nil, err
	}
	return e.filterCall(x, v, f)
}

// filterOf applies a chain of filters without a value of its own to v.
func (e *evaluator) filterOf(x *filterExpr, v any, f *frame) (any, error) {
	if inner, ok := x.of.(*filterExpr); ok && inner != nil {
		var err error
		if v, err = e.filterOf(inner, v, f); err != nil {
			return nil, err
		}
	}
	return e.filterCall(x, v, f)
}

func (e *evaluator) filterCall(x *filterExpr, v any, f *frame) (any, error) {
	args, kw, err := e.args(&x.args, f)
	if err != nil {
		return nil, err
	}
	return e.filterBy(x.name, v, args, kw)
}

func (e *evaluator) filterBy(name string, v any, args []any, kw *value.Map) (any, error) {
	if fn, ok := e.ctx.Filters[name]; ok {
		return fn(append([]any{v}, args...), kw)
	}
	fl := filterNamed(name)
	if slices.Contains(leftOut, name) {
		return nil, fail("NotImplementedError", "hotloom has no filter %s", name)
	}
	if fl == nil {
		return nil, fail("TemplateAssertionError", "No filter named %s.", value.Repr(name))
	}
	if u, ok := v.(*undefined); ok && name != "default" && name != "d" {
		return nil, u.err()
	}
	a, err := Bind("do_"+name, args, kw, fl.need, fl.params...)
	if fl.open {
		a, err = args, nil
	}
	if err != nil {
		return nil, err
	}
	return fl.apply(e, v, a, kw)
}

type filterDef struct {
	params []string
	need   int
	open   bool // takes any arguments
	apply  func(e *evaluator, v any, a []any, kw *value.Map) (any, error)
}

type args = []any

func textFilter(f func(string) string) *filterDef {
	return &filterDef{apply: func(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
		s, err := e.str(v)
		return f(s), err
	}}
}

var (
	tagText   = lazyregexp.New(`(?s)<!--.*?-->|<.*?>`)
	wordParts = lazyregexp.New(`[\pL\pN_]+`)
)

func filterDefault(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	_, undef := v.(*undefined)
	if !undef && value.Truth(a[1]) {
		undef = !value.Truth(v)
	}
	if !undef {
		return v, nil
	}
	if a[0] == nil {
		return "", nil
	}
	return a[0], nil
}

func filterJoin(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	sep := ""
	if a[0] != nil {
		if sep, err = e.str(a[0]); err != nil {
			return nil, err
		}
	}
	var b strings.Builder
	for i, item := range items {
		if a[1] != nil {
			if item, err = e.path(item, a[1]); err != nil {
				return nil, err
			}
		}
		s, err := e.str(item)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s)
		if err := e.size(b.Len()); err != nil {
			return nil, err
		}
	}
	return b.String(), nil
}

// path is what attribute="a.b.0" reads.
func (e *evaluator) path(v, path any) (any, error) {
	if value.IsInt(path) {
		return e.item(v, path)
	}
	s, ok := path.(string)
	if !ok {
		return v, nil
	}
	var err error
	for _, part := range strings.Split(s, ".") {
		var key any = part
		if part != "" && strings.Trim(part, "0123456789") == "" {
			if key, err = value.ParseInt(part); err != nil {
				return nil, err
			}
		}
		if u, ok := v.(*undefined); ok {
			return nil, u.err()
		}
		if v, err = e.item(v, key); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func filterLength(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
	if s, ok := v.(*sequence); ok {
		return int64(len(s.items)), nil
	}
	n, ok := value.Len(v)
	if !ok {
		return nil, fail("TypeError", "object of type '%s' has no len()", value.TypeName(v))
	}
	return int64(n), nil
}

func filterInt(_ *evaluator, v any, a args, _ *value.Map) (any, error) {
	if s, ok := v.(string); ok && a[1] != nil && !value.Equal(a[1], int64(10)) {
		base, _ := value.Int(a[1])
		if n, ok := parseBase(s, base); ok {
			return n, nil
		}
	} else if n, err := value.ToInt(v); err == nil {
		return n, nil
	} else if s, ok := v.(string); ok {
		if f, err := value.ParseFloat(s); err == nil {
			if n, err := value.ToInt(f); err == nil {
				return n, nil
			}
		}
	}
	if a[0] == nil {
		return int64(0), nil
	}
	return a[0], nil
}

func parseBase(s string, base int) (any, bool) {
	s = strings.ToLower(value.Strip(s))
	for prefix, b := range map[string]int{"0b": 2, "0o": 8, "0x": 16} {
		if b == base {
			s = strings.TrimPrefix(s, prefix)
		}
	}
	if base < 2 || base > 36 || s == "" {
		return nil, false
	}
	n := any(int64(0))
	for _, r := range s {
		d := strings.IndexRune("0123456789abcdefghijklmnopqrstuvwxyz", r)
		if d < 0 || d >= base {
			return nil, false
		}
		m, err := value.Mul(n, int64(base))
		if err != nil {
			return nil, false
		}
		if n, err = value.Add(m, int64(d)); err != nil {
			return nil, false
		}
	}
	return n, true
}

func filterFloat(_ *evaluator, v any, a args, _ *value.Map) (any, error) {
	if f, err := value.ToFloatValue(v); err == nil {
		return f, nil
	}
	if a[0] == nil {
		return 0.0, nil
	}
	return a[0], nil
}

func filterRound(_ *evaluator, v any, a args, _ *value.Map) (any, error) {
	digits := any(int64(0))
	if a[0] != nil {
		digits = a[0]
	}
	f, err := value.ToFloatValue(v)
	if err != nil {
		return nil, err
	}
	switch a[1] {
	case nil, "common":
		return value.Round(f, digits)
	case "ceil", "floor":
		scale, err := value.Pow(10.0, digits, nil)
		if err != nil {
			return nil, err
		}
		up, err := value.Mul(f, scale)
		if err != nil {
			return nil, err
		}
		n, err := value.FloorDiv(up, 1.0)
		if err == nil && a[1] == "ceil" && !value.Equal(n, up) {
			n, err = value.Add(n, 1.0)
		}
		if err != nil {
			return nil, err
		}
		return value.TrueDiv(n, scale)
	}
	return nil, fail("FilterArgumentError", "method must be common, ceil or floor")
}

func filterReplace(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	s, err := e.str(v)
	if err != nil {
		return nil, err
	}
	old, err := e.str(a[0])
	if err != nil {
		return nil, err
	}
	repl, err := e.str(a[1])
	if err != nil {
		return nil, err
	}
	return textReplace(e, s, []any{old, repl, a[2]}, value.NewMap(0))
}

func filterToJSON(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	indent, _ := value.Int(a[0])
	s, err := value.JSON(v, value.JSONOptions{SortKeys: true, Indent: indent, Meter: e.meter})
	if err != nil {
		return nil, err
	}
	return strings.NewReplacer("<", "\\u003c", ">", "\\u003e", "&", "\\u0026", "'", "\\u0027").Replace(s), nil
}

func filterURLEncode(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
	quote := func(s string) string {
		return strings.NewReplacer("+", "%20", "%2F", "/", "%7E", "~").Replace(url.QueryEscape(s))
	}
	m, ok := v.(*value.Map)
	if !ok {
		s, err := e.str(v)
		return quote(s), err
	}
	var parts []string
	for k, x := range m.All() {
		ks, err := e.str(k)
		if err != nil {
			return nil, err
		}
		xs, err := e.str(x)
		if err != nil {
			return nil, err
		}
		parts = append(parts, url.QueryEscape(ks)+"="+url.QueryEscape(xs))
	}
	return strings.Join(parts, "&"), nil
}

func filterDictsort(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, fail("TypeError", "dictsort needs a mapping, not %s", value.TypeName(v))
	}
	at := 0
	if a[1] == "value" {
		at = 1
	}
	var pairs []any
	for k, x := range m.All() {
		pairs = append(pairs, value.Tuple{k, x})
	}
	return pairs, e.sortBy(pairs, value.Truth(a[2]), value.Truth(a[0]), func(v any) (any, error) { return v.(value.Tuple)[at], nil })
}

// sortBy sorts in place and stably; texts are compared without case unless caseful.
func (e *evaluator) sortBy(items []any, reverse, caseful bool, key func(any) (any, error)) error {
	keys := make([]any, len(items))
	for i, item := range items {
		k, err := key(item)
		if err != nil {
			return err
		}
		if s, ok := k.(string); ok && !caseful {
			k = value.Lower(s)
		}
		keys[i] = k
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	var failed error
	sort.SliceStable(order, func(i, j int) bool {
		x, y := keys[order[i]], keys[order[j]]
		if reverse {
			x, y = y, x
		}
		c, _, err := e.meter.Compare(x, y)
		if err != nil && failed == nil {
			failed = orderError(err, "lt", x, y)
		}
		return c < 0
	})
	sorted := make([]any, len(items))
	for i, at := range order {
		sorted[i] = items[at]
	}
	copy(items, sorted)
	return failed
}

func filterIndent(_ *evaluator, v any, a args, _ *value.Map) (any, error) {
	s, ok := v.(string)
	if !ok {
		s = value.Str(v)
	}
	pad := "    "
	if n, ok := value.Int(a[0]); ok {
		pad = strings.Repeat(" ", min(max(n, 0), 1000))
	} else if t, ok := a[0].(string); ok {
		pad = t
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		if i == 0 && !value.Truth(a[1]) || i > 0 && lines[i] == "" && !value.Truth(a[2]) {
			continue
		}
		lines[i] = pad + lines[i]
	}
	return strings.Join(lines, "\n"), nil
}

func filterTruncate(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	s, err := e.str(v)
	if err != nil {
		return nil, err
	}
	length, leeway, end := 255, 5, "..."
	if n, ok := value.Int(a[0]); ok {
		length = n
	}
	if t, ok := a[2].(string); ok {
		end = t
	}
	if n, ok := value.Int(a[3]); ok {
		leeway = n
	}
	if value.RuneLen(s) <= length+leeway {
		return s, nil
	}
	cut := value.Slice(s, 0, max(length-value.RuneLen(end), 0))
	if !value.Truth(a[1]) {
		if i := strings.LastIndexByte(cut, ' '); i >= 0 {
			cut = cut[:i]
		}
	}
	return cut + end, nil
}

func filterWordwrap(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	s, err := e.str(v)
	if err != nil {
		return nil, err
	}
	width := 79
	if n, ok := value.Int(a[0]); ok {
		width = max(n, 1)
	}
	sep := "\n"
	if t, ok := a[2].(string); ok {
		sep = t
	}
	var out []string
	for _, line := range strings.Split(s, "\n") {
		cur := ""
		for _, word := range strings.Fields(line) {
			for value.RuneLen(word) > width && (a[1] == nil || value.Truth(a[1])) {
				if cur != "" {
					out, cur = append(out, cur), ""
				}
				out = append(out, value.Slice(word, 0, width))
				word = value.Slice(word, width, value.RuneLen(word))
			}
			switch {
			case cur == "":
				cur = word
			case value.RuneLen(cur)+1+value.RuneLen(word) <= width:
				cur += " " + word
			default:
				out, cur = append(out, cur), word
			}
		}
		out = append(out, cur)
	}
	return strings.Join(out, sep), nil
}
