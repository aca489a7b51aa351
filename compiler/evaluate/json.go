package evaluate

import (
	"math"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/regex"
)

// Values that JSON does not know are written as maps of one key.
const (
	unknownTag = "__unknown__" // of a HOT value: what it waits for
	setTag     = "__set__"     // the items
	timeTag    = "__time__"    // ISO 8601
	spanTag    = "__span__"    // seconds
	floatTag   = "__float__"   // nan, inf or -inf
	pairsTag   = "__pairs__"   // of a map whose keys are not all text: [key, value] pairs
	typeTag    = "__type__"    // the type's name, of what has no value to show
)

// JSON is a value as one JSON document; indent is in blanks a level, 0 for one line. The error tells what has no JSON.
func JSON(v any, indent int) (string, error) {
	return value.JSON(v, value.JSONOptions{Unicode: true, Indent: indent})
}

// marked replaces the unknown parts of a HOT value by marks that say what they wait for. Everything else that JSON does
// not know stays: Heat cannot hand it out either.
func marked(v any) any {
	switch v := v.(type) {
	case *function.Unknown:
		return value.MapOf(unknownTag, v.Why)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = marked(x)
		}
		return out
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, x := range v.All() {
			_ = out.Set(k, marked(x)) // a key of a map is hashable
		}
		return out
	}
	return v
}

// maxDepth bounds how deep a result is shown.
const maxDepth = 500

// tagged replaces what JSON does not know in the result of YAQL or Jinja.
func tagged(v any, depth int) any {
	if depth > maxDepth {
		return value.MapOf(typeTag, "too deep")
	}
	switch v := v.(type) {
	case nil, bool, string:
		return v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return value.MapOf(floatTag, value.FormatFloat(v))
		}
		return v
	case *value.Set:
		return value.MapOf(setTag, inOrder(taggedItems(v.Items(), depth)))
	case *value.Map:
		return taggedMap(v, depth)
	case []any:
		return taggedItems(v, depth)
	case value.Tuple:
		return taggedItems(v, depth)
	case value.Time:
		return value.MapOf(timeTag, v.ISO("T"))
	case value.Span:
		return value.MapOf(spanTag, v.TotalSeconds())
	case *regex.Regexp:
		return value.MapOf(typeTag, "regex", "pattern", v.Pattern)
	}
	if value.IsInt(v) {
		return v
	}
	if items, ok := value.Seq(v); ok {
		return taggedItems(items, depth)
	}
	return value.MapOf(typeTag, value.TypeName(v))
}

func taggedItems(items []any, depth int) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = tagged(x, depth+1)
	}
	return out
}

// inOrder sorts what has no order of its own, by its JSON.
func inOrder(items []any) []any {
	keys := make(map[int]string, len(items))
	order := make([]int, len(items))
	for i, x := range items {
		order[i] = i
		keys[i], _ = value.JSON(x, value.JSONOptions{SortKeys: true}) // tagged items have JSON
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
	out := make([]any, len(items))
	for i, at := range order {
		out[i] = items[at]
	}
	return out
}

func taggedMap(m *value.Map, depth int) *value.Map {
	out := value.NewMap(m.Len())
	pairs := make([]any, 0, m.Len())
	text := true
	for k, x := range m.All() {
		name, isText := k.(string)
		text = text && isText
		shown := tagged(x, depth+1)
		out.SetStr(name, shown)
		pairs = append(pairs, []any{tagged(k, depth+1), shown})
	}
	if !text {
		return value.MapOf(pairsTag, pairs)
	}
	return out
}
