package resources

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
	"github.com/hotloom/hotloom/resources/catalog/constraint"
)

// CheckValues checks values against a schema as Heat checks properties, converts them to the schema's types and fills in
// defaults. What a function has not given yet is left out of values and named in unknown; it counts as there. All faults
// are found, and the values are those without them. Custom constraints that ask a service are not judged.
func CheckValues(schema map[string]*catalog.Property, values Values, unknown ...[]string) (Values, []Fault) {
	c := checker{unknown: map[string]bool{}}
	for _, path := range unknown {
		c.unknown[strings.Join(path, "\x00")] = true
	}
	out := c.entries(nil, schema, values)
	return out, c.found
}

type checker struct {
	unknown map[string]bool
	found   []Fault
}

func (c *checker) fault(path []string, format string, args ...any) {
	c.found = append(c.found, Fault{Path: slices.Clone(path), Message: fmt.Sprintf(format, args...)})
}

func below(path []string, step string) []string { return append(slices.Clone(path), step) }

// entries checks a map whose entries have names.
func (c *checker) entries(path []string, schema map[string]*catalog.Property, values Values) Values {
	names := make([]string, 0, len(schema))
	for name := range schema {
		names = append(names, name)
	}
	sort.Strings(names)
	extra := make([]string, 0)
	for name := range values {
		if schema[name] == nil {
			extra = append(extra, name)
		}
	}
	sort.Strings(extra)
	for _, name := range extra {
		if near := diag.Nearest(name, names); near != "" {
			c.fault(below(path, name), "unknown property; did you mean %q?", near)
		} else {
			c.fault(below(path, name), "unknown property")
		}
	}
	out := make(Values, len(schema))
	for _, name := range names {
		p, at := schema[name], below(path, name)
		v, given := values[name]
		if v == nil && p.Default != nil {
			v, given = p.Default, true // as Heat: null stands for the default
		}
		switch {
		case c.unknown[strings.Join(at, "\x00")]:
		case v != nil:
			if v, ok := c.value(at, p, v); ok {
				out[name] = v
			}
		case p.Required && !given:
			c.fault(at, "required, and not given")
		case p.Required:
			c.fault(at, "required, and null")
		}
	}
	return out
}

// value converts one value, and checks its constraints; ok is false where it does not fit.
func (c *checker) value(path []string, p *catalog.Property, v any) (out any, ok bool) {
	before := len(c.found)
	if out, ok = c.convert(path, p, v); !ok || len(c.found) > before {
		return nil, false
	}
	for _, con := range p.Constraints {
		if problem := violates(con, p.Type, out); problem != "" {
			if con.Description != "" {
				problem += ": " + con.Description
			}
			c.fault(path, "%s", problem)
			return nil, false
		}
	}
	return out, true
}

func (c *checker) convert(path []string, p *catalog.Property, v any) (any, bool) {
	wrong := func(want string) (any, bool) {
		c.fault(path, "must be %s, not %s", want, kindOf(v))
		return nil, false
	}
	switch p.Type {
	case catalog.String:
		switch v.(type) {
		case string:
			return v, true
		case bool, int64:
			return value.Str(v), true // as Python writes them: True
		}
		return wrong("a string")
	case catalog.Integer:
		if n, err := value.ToInt(v); err == nil {
			if i, ok := n.(int64); ok {
				return i, true
			}
		}
		return wrong("an integer")
	case catalog.Number:
		return c.number(path, v)
	case catalog.Boolean:
		switch x := v.(type) {
		case bool:
			return x, true
		case string:
			if low := strings.ToLower(x); low == "true" || low == "false" {
				return low == "true", true
			}
		}
		return wrong("a boolean")
	case catalog.List:
		items, ok := v.([]any)
		if !ok {
			return wrong("a list")
		}
		return c.items(path, p, items), true
	case catalog.Map:
		m, ok := v.(map[string]any)
		if !ok {
			return wrong("a map")
		}
		if p.Schema == nil {
			return m, true
		}
		return c.entries(path, p.Schema, m), true
	}
	return v, true
}

func (c *checker) number(path []string, v any) (any, bool) {
	switch x := v.(type) {
	case int64, float64:
		return x, true
	case bool: // Python's bool is an int
		n, err := value.ToInt(x)
		return n, err == nil
	case string:
		if n, err := strconv.ParseInt(strings.TrimSpace(x), 10, 64); err == nil {
			return n, true
		}
		if f, err := value.ParseFloat(x); err == nil {
			return f, true
		}
	}
	c.fault(path, "must be a number, not %s", kindOf(v))
	return nil, false
}

func (c *checker) items(path []string, p *catalog.Property, items []any) []any {
	if p.Items == nil {
		return items
	}
	out := make([]any, 0, len(items))
	for i, item := range items {
		at := below(path, strconv.Itoa(i))
		switch {
		case c.unknown[strings.Join(at, "\x00")]:
		case item == nil && p.Items.Default == nil:
			out = append(out, nil)
		default:
			if item == nil {
				item = p.Items.Default
			}
			if v, ok := c.value(at, p.Items, item); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

// violates says how a converted value breaks a constraint, or "".
func violates(con catalog.Constraint, kind catalog.Kind, v any) string {
	switch {
	case con.Range != nil:
		return outside(v, con.Range, "")
	case con.Length != nil:
		if n, ok := length(v); ok {
			return outside(int64(n), con.Length, "length ")
		}
	case con.Modulo != nil:
		if r, err := value.Mod(v, con.Modulo.Step); err != nil || !value.Equal(r, con.Modulo.Offset) {
			return fmt.Sprintf("is not a multiple of %g with an offset of %g", con.Modulo.Step, con.Modulo.Offset)
		}
	case con.AllowedValues != nil:
		return disallowed(con.AllowedValues, kind, v)
	case con.AllowedPattern != nil:
		text, isText := v.(string)
		if re, err := hot.CompilePattern(*con.AllowedPattern); err == nil && isText {
			if ok, err := re.Whole(text); err == nil && !ok {
				return "does not match " + *con.AllowedPattern
			}
		}
	case con.Custom != "":
		text, isText := v.(string)
		problem := constraint.CheckOther(con.Custom)
		if isText {
			problem = constraint.Check(con.Custom, text)
		}
		if problem != "" {
			return fmt.Sprintf("does not pass %s: %s", con.Custom, problem)
		}
	}
	return ""
}

func length(v any) (int, bool) {
	switch x := v.(type) {
	case string:
		return len([]rune(x)), true
	case []any:
		return len(x), true
	case map[string]any:
		return len(x), true
	}
	return 0, false
}

func outside(n any, b *catalog.Bounds, what string) string {
	beyond := func(limit *float64, sign int) bool {
		if limit == nil {
			return false
		}
		order, ordered, err := value.Compare(n, *limit)
		return err == nil && ordered && order == sign
	}
	if !beyond(b.Min, -1) && !beyond(b.Max, 1) {
		return ""
	}
	switch {
	case b.Min == nil:
		return fmt.Sprintf("is out of range: %sat most %g", what, *b.Max)
	case b.Max == nil:
		return fmt.Sprintf("is out of range: %sat least %g", what, *b.Min)
	}
	return fmt.Sprintf("is out of range: %s%g to %g", what, *b.Min, *b.Max)
}

// disallowed compares as Heat does: each item of a list, anything else as it is.
func disallowed(allowed []any, kind catalog.Kind, v any) string {
	has := func(v any) bool {
		return slices.ContainsFunc(allowed, func(a any) bool {
			if kind == catalog.String && a != nil {
				a = value.Str(a)
			}
			return value.Equal(value.From(a), value.From(v))
		})
	}
	items, isList := v.([]any)
	if !isList {
		items = []any{v}
	}
	for _, item := range items {
		if !has(item) {
			words := make([]string, len(allowed))
			for i, a := range allowed {
				words[i] = value.Str(value.From(a))
			}
			return "is not one of " + strings.Join(words, ", ")
		}
	}
	return ""
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	}
	return fmt.Sprintf("a %T", v)
}
