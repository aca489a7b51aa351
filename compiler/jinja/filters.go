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

// filterDefault takes a default that is null for one: only where none is given it is empty text.
func filterDefault(_ *evaluator, v any, args args, kw *value.Map) (any, error) {
	a, err := Bind("do_default", args, kw, 0, "default_value", "boolean")
	if err != nil {
		return nil, err
	}
	_, undef := v.(*undefined)
	if !undef && value.Truth(a[1]) {
		undef = !value.Truth(v)
	}
	if !undef {
		return v, nil
	}
	if _, named := kw.GetStr("default_value"); a[0] == nil && len(args) == 0 && !named {
		return "", nil
	}
	return a[0], nil
}

// lazily is a filter that is a generator: what is wrong with it shows when something walks it.
func lazily(filter func(*evaluator, any, args, *value.Map) (any, error)) func(*evaluator, any, args, *value.Map) (any, error) {
	return func(e *evaluator, v any, a args, kw *value.Map) (any, error) {
		out, err := filter(e, v, a, kw)
		if err != nil {
			return &sequence{kind: "generator", err: err}, nil
		}
		return out, nil
	}
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
	s, ok := path.(string)
	switch {
	case path == nil:
		return v, nil
	case !ok:
		return e.item(v, path)
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
	if s, ok := v.(*sequence); ok && s.kind == "range" {
		return int64(len(s.items)), nil
	}
	n, ok := value.Len(v)
	if !ok {
		return nil, fail("TypeError", "object of type '%s' has no len()", value.TypeName(v))
	}
	return int64(n), nil
}

func filterInt(_ *evaluator, v any, a args, _ *value.Map) (any, error) {
	text, isText := v.(string)
	if isText && a[1] != nil && !value.Equal(a[1], int64(10)) {
		base, _ := value.Int(a[1])
		if n, ok := parseBase(text, base); ok {
			return n, nil
		}
	} else if n, err := value.ToInt(v); err == nil && v != nil {
		return n, nil
	}
	if f, err := value.ToFloatValue(v); err == nil && v != nil {
		if n, err := value.ToInt(f); err == nil {
			return n, nil
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
		if (b == base || base == 0) && strings.HasPrefix(s, prefix) {
			s, base = strings.TrimPrefix(s, prefix), b
		}
	}
	if base == 0 {
		base = 10
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
	switch a[1] {
	case nil, "common":
		if !isNumber(v) {
			return nil, fail("TypeError", "type %s doesn't define __round__ method", value.TypeName(v))
		}
		return value.Round(v, digits)
	case "ceil", "floor":
		scale, err := value.Pow(10.0, digits, nil)
		if err != nil {
			return nil, err
		}
		f, err := value.ToFloat(v)
		if err != nil {
			return nil, fail("TypeError", "must be real number, not %s", value.TypeName(v))
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
	if err := e.size(indent); err != nil {
		return nil, err
	}
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
	if _, isText := v.(string); isText || !typeTests["iterable"](v) {
		s, err := e.str(v)
		return quote(s), err
	}
	if m, isMap := v.(*value.Map); isMap {
		v = value.ItemsView{M: m}
	}
	items, err := e.iterate(v)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, item := range items {
		pair, err := e.iterate(item)
		if err != nil || len(pair) != 2 {
			return nil, fail("TypeError", "cannot unpack non-iterable %s object", value.TypeName(item))
		}
		k, x := pair[0], pair[1]
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
