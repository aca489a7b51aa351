package lint

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
	"github.com/hotloom/hotloom/resources/catalog/constraint"
)

// constraints checks a converted value against the constraints of its schema. A nested template's own constraints,
// which have the parameter's form, are checked by its parameter.
func (c *propertyChecker) constraints(path []string, prop *catalog.Property, v any, e entry) {
	if c.lenient {
		return
	}
	for _, con := range prop.Constraints {
		problem := c.p.violates(con, prop.Type, v)
		if problem == "" {
			continue
		}
		if con.Description != "" {
			problem += ": " + con.Description
		}
		d := c.via(constraintViolated(e.place(), path, e.node, problem), e)
		if con.AllowedValues != nil {
			if near := nearestAllowed(v, con.AllowedValues); near != "" {
				d = d.With("did you mean %q?", near)
			}
		}
		c.emit(d)
		return // Heat stops at the first, and the others mostly say the same
	}
}

// violates says how v breaks the constraint, or "".
func (p *Pass) violates(con catalog.Constraint, kind catalog.Kind, v any) string {
	switch {
	case con.Range != nil:
		n, ok := toNumber(v)
		if !ok {
			return "is not a number"
		}
		return outside(n, con.Range, "")
	case con.Length != nil:
		n, ok := value.Len(v)
		if !ok {
			return ""
		}
		return outside(int64(n), con.Length, "length ")
	case con.Modulo != nil:
		n, ok := toNumber(v)
		if !ok {
			return "is not a number"
		}
		if r, err := value.Mod(n, con.Modulo.Step); err != nil || !value.Equal(r, con.Modulo.Offset) {
			return fmt.Sprintf("is not a multiple of %g with an offset of %g", con.Modulo.Step, con.Modulo.Offset)
		}
	case con.AllowedValues != nil:
		if !allowed(con.AllowedValues, kind, v) {
			return "is not one of " + listValues(con.AllowedValues)
		}
	case con.AllowedPattern != nil:
		text, isText := v.(string)
		if re := pattern(*con.AllowedPattern); re != nil && isText {
			if ok, err := re.Whole(text); err == nil && !ok {
				return fmt.Sprintf("does not match %s", *con.AllowedPattern)
			}
		}
	case con.Custom != "":
		return p.violatesCustom(con.Custom, v)
	}
	return ""
}

// violatesCustom judges what can be judged without a cloud.
func (p *Pass) violatesCustom(name string, v any) string {
	if _, known := p.Catalog.Constraint(name); !known {
		return fmt.Sprintf("cannot be checked: Heat has no custom constraint %q", name)
	}
	if !constraint.Local(name) {
		return ""
	}
	if items, isList := value.Seq(v); isList && len(items) == 0 {
		return ""
	}
	text, isText := v.(string)
	problem := constraint.CheckOther(name)
	if isText {
		problem = constraint.Check(name, text)
	}
	if problem == "" {
		return ""
	}
	return fmt.Sprintf("does not pass %s: %s", name, problem)
}

func outside(n any, b *catalog.Bounds, what string) string {
	below := func(limit *float64, sign int) bool {
		if limit == nil {
			return false
		}
		order, ordered, err := value.Compare(n, *limit)
		return err == nil && ordered && order == sign
	}
	if !below(b.Min, -1) && !below(b.Max, 1) {
		return ""
	}
	return fmt.Sprintf("is out of range: %s%s", what, bounds(b))
}

func bounds(b *catalog.Bounds) string {
	switch {
	case b.Min == nil:
		return fmt.Sprintf("at most %g", *b.Max)
	case b.Max == nil:
		return fmt.Sprintf("at least %g", *b.Min)
	}
	return fmt.Sprintf("%g to %g", *b.Min, *b.Max)
}

// allowed compares as Heat does: items of a list as they are, anything else in the type of the schema.
func allowed(values []any, kind catalog.Kind, v any) bool {
	if items, isList := value.Seq(v); isList {
		for _, item := range items {
			if !slices.ContainsFunc(values, func(a any) bool { return value.Equal(item, plain(a)) }) {
				return false
			}
		}
		return true
	}
	want := typed(kind, v)
	return slices.ContainsFunc(values, func(a any) bool { return value.Equal(typed(kind, plain(a)), want) })
}

// plain turns a number of the catalog's JSON into an integer where it is one.
func plain(v any) any {
	if f, ok := v.(float64); ok && f == float64(int64(f)) {
		return int64(f)
	}
	return v
}

func typed(kind catalog.Kind, v any) any {
	switch kind {
	case catalog.String:
		return value.Str(v)
	case catalog.Integer, catalog.Number:
		if n, ok := toNumber(v); ok {
			return n
		}
	case catalog.Boolean:
		if b, ok := toBoolean(v); ok {
			return b
		}
	}
	return v
}

func listValues(values []any) string {
	const limit = 12
	var parts []string
	for i, v := range values {
		if i == limit && len(values) > limit+2 {
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more", len(values)-limit)
		}
		parts = append(parts, value.Str(plain(v)))
	}
	return strings.Join(parts, ", ")
}

func nearestAllowed(v any, values []any) string {
	word, isText := v.(string)
	if !isText {
		return ""
	}
	var texts []string
	for _, a := range values {
		if s, ok := a.(string); ok {
			texts = append(texts, s)
		}
	}
	return diag.Nearest(word, texts)
}

// patterns holds the compiled patterns of the catalog.
var patterns sync.Map

func pattern(text string) *hot.Pattern {
	if re, ok := patterns.Load(text); ok {
		return re.(*hot.Pattern)
	}
	re, err := hot.CompilePattern(text)
	if err != nil {
		re = nil
	}
	patterns.Store(text, re)
	return re
}
