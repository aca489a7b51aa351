package jinja

import (
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// leftOut are the filters of Jinja that are not here.
var leftOut = []string{"pprint", "urlize"}

// Names lists what Jinja has of a kind, sorted.
func Names(k NameKind) []string {
	var out []string
	switch k {
	case FilterName:
		out = append([]string{"map", "select", "reject", "selectattr", "rejectattr"}, leftOut...)
		for name := range filters {
			out = append(out, name)
		}
	case TestName:
		out = append(out, otherTests...)
		for name := range typeTests {
			out = append(out, name)
		}
		for name := range comparisons {
			out = append(out, name)
		}
	case FunctionName:
		out = slices.Clone(globalNames)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fileSize is a number of bytes for people, by thousands or by 1024s.
func fileSize(_ *evaluator, v any, a args, _ *value.Map) (any, error) {
	bytes, err := value.ToFloatValue(v)
	if err != nil {
		return nil, err
	}
	n, _ := bytes.(float64)
	base, unit := 1000.0, "B"
	if value.Truth(a[0]) {
		base, unit = 1024, "iB"
	}
	switch {
	case n == 1:
		return "1 Byte", nil
	case n < base:
		return fmt.Sprintf("%.0f Bytes", float64(int64(n))), nil
	}
	prefixes := "kMGTPEZY"
	if unit == "iB" {
		prefixes = "KMGTPEZY"
	}
	for i, prefix := range prefixes {
		if n /= base; n < base || i == len(prefixes)-1 {
			return fmt.Sprintf("%.1f %c%s", n, prefix, unit), nil
		}
	}
	return nil, nil
}

// xmlAttributes writes a mapping as attributes of XML.
func xmlAttributes(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, fail("AttributeError", "'%s' object has no attribute 'items'", value.TypeName(v))
	}
	var items []string
	for k, x := range m.All() {
		if _, absent := x.(*undefined); absent || x == nil {
			continue
		}
		key, isText := k.(string)
		if !isText {
			return nil, fail("TypeError", "expected string or bytes-like object")
		}
		if strings.ContainsAny(key, " \t\n\r\v\f/>=") {
			return nil, fail("ValueError", "Invalid character in attribute name: %s", value.Repr(key))
		}
		text, err := e.str(x)
		if err != nil {
			return nil, err
		}
		items = append(items, escapeHTML(key)+`="`+escapeHTML(text)+`"`)
	}
	out := strings.Join(items, " ")
	if out != "" && (a[0] == nil || value.Truth(a[0])) {
		out = " " + out
	}
	return out, nil
}

// escapeHTML escapes as markupsafe does.
func escapeHTML(s string) string { return html.EscapeString(s) }

func randomItem(_ *evaluator, v any, _ args, _ *value.Map) (any, error) {
	items, ok := value.Seq(v)
	if s, isText := v.(string); isText {
		ok = true
		for _, r := range s {
			items = append(items, string(r))
		}
	}
	switch {
	case !ok:
		return nil, fail("TypeError", "object of type '%s' has no len()", value.TypeName(v))
	case len(items) == 0:
		return &undefined{message: "No random item, sequence was empty."}, nil
	}
	return items[rand.IntN(len(items))], nil //nolint:gosec // no secret
}
