package jinja

import (
	"html"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// filterNamed finds one of Jinja's own filters, or nil. (A table of functions that look filters up would refer to
// itself.)
func filterNamed(name string) *filterDef {
	switch name {
	case "map":
		return &filterDef{open: true, apply: lazily(filterMap)}
	case "select", "reject":
		return &filterDef{open: true, apply: lazily(filterSelect(name == "select", false))}
	case "selectattr", "rejectattr":
		return &filterDef{open: true, apply: lazily(filterSelect(name == "selectattr", true))}
	}
	return filters[name]
}

var filters = map[string]*filterDef{
	"filesizeformat": {params: []string{"binary"}, apply: fileSize},
	"random":         {apply: randomItem},
	"xmlattr":        {params: []string{"autospace"}, apply: xmlAttributes},
	"abs": {apply: func(_ *evaluator, v any, _ args, _ *value.Map) (any, error) {
		if !isNumber(v) {
			return nil, fail("TypeError", "bad operand type for abs(): '%s'", value.TypeName(v))
		}
		return value.Abs(v)
	}},
	"attr": {params: []string{"name"}, need: 1, apply: func(e *evaluator, v any, a args, _ *value.Map) (any, error) {
		if m := e.method(v, value.Str(a[0])); m != nil {
			return m, nil
		}
		return e.undefinedOf(v, value.Str(a[0])), nil
	}},
	"batch":      {params: []string{"linecount", "fill_with"}, need: 1, apply: lazily(filterBatch)},
	"capitalize": textFilter(capitalize),
	"center": {params: []string{"width"}, apply: func(e *evaluator, v any, a args, _ *value.Map) (any, error) {
		s, err := e.str(v)
		if err != nil {
			return nil, err
		}
		width := 80
		if n, ok := value.Int(a[0]); ok {
			width = n
		}
		return e.pad(s, width, " ", "^")
	}},
	"count":       {apply: filterLength},
	"d":           {open: true, apply: filterDefault},
	"default":     {open: true, apply: filterDefault},
	"dictsort":    {params: []string{"case_sensitive", "by", "reverse"}, apply: filterDictsort},
	"e":           textFilter(html.EscapeString),
	"escape":      textFilter(html.EscapeString),
	"forceescape": textFilter(html.EscapeString),
	"first":       {apply: filterFirst},
	"float":       {params: []string{"default"}, apply: filterFloat},
	"format": {open: true, apply: func(e *evaluator, v any, a args, kw *value.Map) (any, error) {
		s, err := e.str(v)
		if err != nil {
			return nil, err
		}
		if kw.Len() > 0 {
			return e.percent(s, kw)
		}
		return e.percent(s, value.Tuple(a))
	}},
	"groupby": {params: []string{"attribute", "default", "case_sensitive"}, need: 1, apply: filterGroupby},
	"indent":  {params: []string{"width", "first", "blank"}, apply: filterIndent},
	"int":     {params: []string{"default", "base"}, apply: filterInt},
	"items": {apply: lazily(func(_ *evaluator, v any, _ args, _ *value.Map) (any, error) {
		m, ok := v.(*value.Map)
		if !ok {
			return nil, fail("TypeError", "Can only get item pairs from a mapping.")
		}
		pairs := make([]any, m.Len())
		for i := range pairs {
			pairs[i] = value.ItemsView{M: m}.Item(i)
		}
		return &sequence{items: pairs, kind: "generator"}, nil
	})},
	"join":    {params: []string{"d", "attribute"}, apply: filterJoin},
	"last":    {apply: filterLast},
	"length":  {apply: filterLength},
	"list":    {apply: filterList},
	"lower":   textFilter(value.Lower),
	"max":     {params: []string{"case_sensitive", "attribute"}, apply: filterExtreme("max")},
	"min":     {params: []string{"case_sensitive", "attribute"}, apply: filterExtreme("min")},
	"replace": {params: []string{"old", "new", "count"}, need: 2, apply: filterReplace},
	"reverse": {apply: filterReverse},
	"round":   {params: []string{"precision", "method"}, apply: filterRound},
	"safe":    textFilter(func(s string) string { return s }),
	"slice":   {params: []string{"slices", "fill_with"}, need: 1, apply: lazily(filterSlice)},
	"sort":    {params: []string{"reverse", "case_sensitive", "attribute"}, apply: filterSort},
	"string":  textFilter(func(s string) string { return s }),
	"striptags": textFilter(func(s string) string {
		return html.UnescapeString(strings.Join(strings.Fields(tagText().ReplaceAllString(s, "")), " "))
	}),
	"sum":       {params: []string{"attribute", "start"}, apply: filterSum},
	"title":     textFilter(filterTitle),
	"tojson":    {params: []string{"indent"}, apply: filterToJSON},
	"trim":      {params: []string{"chars"}, apply: filterTrim},
	"truncate":  {params: []string{"length", "killwords", "end", "leeway"}, apply: filterTruncate},
	"unique":    {params: []string{"case_sensitive", "attribute"}, apply: lazily(filterUnique)},
	"upper":     textFilter(value.Upper),
	"urlencode": {apply: filterURLEncode},
	"wordcount": {apply: func(e *evaluator, v any, _ args, _ *value.Map) (any, error) {
		s, err := e.str(v)
		return int64(len(wordParts().FindAllString(s, -1))), err
	}},
	"wordwrap": {params: []string{"width", "break_long_words", "wrapstring", "break_on_hyphens"}, apply: filterWordwrap},
}

func filterTrim(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	s, err := e.str(v)
	if err != nil {
		return nil, err
	}
	if chars, ok := a[0].(string); ok {
		return value.Trim(s, &chars, true, true), nil
	}
	return value.Strip(s), nil
}
