package lint

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// demand is one check of a resource type's own, which its schema does not express: Heat refuses a resource for which
// all tests hold. The table of demands is data; this file computes the tests with three values, so that a property
// whose value is not known never leads to an error.
type demand struct {
	types []string
	each  string // the tests are about each item of this list property
	tests []test
	rule  string // conflicting-properties, properties-incomplete or properties-inconsistent
	// message completes "resource r: "; at is the property to show, the first of tests that is given where empty.
	message string
	at      string
	fix     string
	// late: Heat asks a cloud before it comes to this check, so that it may say something else first.
	late bool
}

// test is a condition on the values of a map of properties.
type test func(get func(string) any) function.Truth

func isUnknown(v any) bool {
	_, ok := v.(*function.Unknown)
	return ok
}

func tri(b bool) function.Truth {
	if b {
		return function.True
	}
	return function.False
}

func not(t test) test {
	return func(get func(string) any) function.Truth {
		switch t(get) {
		case function.True:
			return function.False
		case function.False:
			return function.True
		}
		return function.Maybe
	}
}

// on makes a test of one property's value.
func on(name string, holds func(v any) bool) test {
	return func(get func(string) any) function.Truth {
		v := get(name)
		if isUnknown(v) {
			return function.Maybe
		}
		return tri(holds(v))
	}
}

// set: the property has a value. A value that is not known yet is one.
func set(name string) test {
	return func(get func(string) any) function.Truth {
		v := get(name)
		if u, ok := v.(*function.Unknown); ok {
			if u.Why == "" { // may be null
				return function.Maybe
			}
			return function.True
		}
		return tri(v != nil)
	}
}

func unset(name string) test { return not(set(name)) }

func truthy(name string) test { return on(name, value.Truth) }

func falsy(name string) test { return not(truthy(name)) }

// is: the value equals one of the words.
func is(name string, words ...any) test {
	return on(name, func(v any) bool {
		for _, w := range words {
			if value.Equal(v, w) {
				return true
			}
		}
		return false
	})
}

func isNot(name string, words ...any) test { return not(is(name, words...)) }

// above: the first number is greater than the second; both must be given.
func above(a, b string) test {
	return func(get func(string) any) function.Truth {
		x, y := get(a), get(b)
		if isUnknown(x) || isUnknown(y) {
			return function.Maybe
		}
		order, ok, err := value.Compare(x, y)
		return tri(err == nil && ok && order > 0 && x != nil && y != nil)
	}
}

// below: a number is less than n.
func below(name string, n int64) test {
	return on(name, func(v any) bool {
		order, ok, err := value.Compare(v, n)
		return err == nil && ok && order < 0
	})
}

// begins: a text begins with one of the words.
func begins(name string, words ...string) test {
	return on(name, func(v any) bool {
		text, isText := v.(string)
		return isText && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(text, w) })
	})
}

// noneOf are tests that hold where no property of the names has a value.
func noneOf(names ...string) []test {
	out := make([]test, 0, len(names))
	for _, name := range names {
		out = append(out, unset(name))
	}
	return out
}

// severalOf: two of the tests hold at least.
func severalOf(tests ...test) test {
	return func(get func(string) any) function.Truth {
		holds, may := 0, 0
		for _, t := range tests {
			switch t(get) {
			case function.True:
				holds++
			case function.Maybe:
				may++
			}
		}
		switch {
		case holds > 1:
			return function.True
		case holds+may > 1:
			return function.Maybe
		}
		return function.False
	}
}

// longer: a list has more items than n.
func longer(name string, n int) test {
	return on(name, func(v any) bool { l, ok := value.Len(v); return ok && l > n })
}

// any: one of the tests holds.
func anyOf(tests ...test) test {
	return func(get func(string) any) function.Truth {
		out := function.False
		for _, t := range tests {
			switch t(get) {
			case function.True:
				return function.True
			case function.Maybe:
				out = function.Maybe
			}
		}
		return out
	}
}

// allOf: all tests hold.
func allOf(tests ...test) test {
	return func(get func(string) any) function.Truth {
		out := function.True
		for _, t := range tests {
			switch t(get) {
			case function.False:
				return function.False
			case function.Maybe:
				out = function.Maybe
			}
		}
		return out
	}
}

// propertyValues gives the value that Heat's plug-in sees of each property of a map before anything exists: old names are
// replaced, defaults filled in, attributes of other resources null. A value that is not known is an Unknown. Values are
// computed when they are asked for, until end is called.
func (p *Pass) propertyValues(n *source.Node, data bool, schema map[string]*catalog.Property, t *catalog.Type, path []string) (get func(string) any, end func()) {
	c := &propertyChecker{p: p, loose: t.Loose, renames: renamesOf(t), emit: discard}
	given := c.entries(n, data, n, nil)
	full := append(slices.Clip(path), "")
	get = func(name string) any {
		prop := schema[name]
		if prop == nil {
			return nil
		}
		full[len(path)] = name
		if c.replaced(path, name) {
			return nil
		}
		e := given.get(name)
		if old, oldName := c.replacement(full, given); old.stands(full) {
			e = old
			if q := schema[oldName]; q != nil {
				prop = q
			}
		} else if e == nil && old != nil {
			return &function.Unknown{} // a reference, null while Heat validates, has a value when it creates
		}
		if e == nil {
			return value.From(prop.Default)
		}
		return p.propertyValue(*e, prop, t, full)
	}
	return get, func() { p.reuse(given) }
}

func (p *Pass) propertyValue(e entry, prop *catalog.Property, t *catalog.Type, path []string) any {
	if e.node == nil {
		why := e.why
		if e.kinds.has(source.Null) || len(e.choices) > 0 {
			why = ""
		}
		return &function.Unknown{Why: why}
	}
	switch {
	case e.node.Is(source.Null):
		if prop.Default != nil {
			return value.From(prop.Default)
		}
		return hot.ZeroProperty(prop.Type)
	case e.node.Is(source.Map) && prop.Schema != nil:
		m := value.NewMap(len(prop.Schema))
		get, end := p.propertyValues(e.node, e.data, prop.Schema, t, path)
		defer end()
		for name := range prop.Schema {
			m.SetStr(name, get(name))
		}
		return m
	case e.node.Is(source.List) && prop.Items != nil:
		var items []any
		c := &propertyChecker{p: p, emit: discard}
		for _, item := range e.node.Items {
			f := c.fact(item, e.data)
			if !f.absent {
				items = append(items, p.propertyValue(entry{fact: f}, prop.Items, t, path))
			}
		}
		return items
	case p.hasCalls(e.node, e.data):
		v, err := p.scope.Eval(e.node)
		if err != nil {
			return &function.Unknown{}
		}
		return v
	}
	v := valueOf(e.node)
	if convert := accepts(prop, t.Loose).convert; convert != nil {
		if converted, ok := convert(v); ok {
			return converted
		}
		return &function.Unknown{}
	}
	return v
}

// checkDemands applies the table.
func checkDemands(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || t.Placeholder || t.Loose || hot.Truthy(r.ExternalID) || isOwn(r) {
			continue
		}
		if len(demandsByType()[t.Name]) == 0 {
			continue
		}
		emit, exists := p.whereEnabled(r)
		if _, isCall := function.Find(p.Version, r.Properties); !exists || isCall {
			continue
		}
		p.demands(r, t, emit)
	}
}

// demands applies the rows of a type to a resource.
func (p *Pass) demands(r *hot.Resource, t *catalog.Type, emit func(diag.Diagnostic)) {
	n := r.Properties
	if n == nil {
		n = source.NewMap(r.Name)
	}
	get, end := p.propertyValues(n, false, t.Properties, t, nil)
	defer end()
	clear(p.values)
	get = memo(get, p.values)
	path := getter(get)
	for _, d := range demandsByType()[t.Name] {
		p.demand(r, n, d, get, path, emit)
	}
}

// memo remembers in known what a look-up gave.
func memo(get func(string) any, known map[string]any) func(string) any {
	return func(name string) any {
		v, ok := known[name]
		if !ok {
			v = get(name)
			known[name] = v
		}
		return v
	}
}
