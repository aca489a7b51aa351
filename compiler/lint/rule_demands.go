package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog/constraint"
)

var ownChecks = &Check{"own-checks", checkDemands}

var incomplete = &Rule{
	ID: "properties-incomplete", Severity: diag.Error, Check: ownChecks,
	Summary: "A property is missing that the type needs because of what else is given.",
	Heat:    "Refused at create by the check of the resource type's own.",
}

var inconsistent = &Rule{
	ID: "properties-inconsistent", Severity: diag.Error, Check: ownChecks,
	Summary: "The values of several properties do not fit each other.",
	Heat:    "Refused at create by the check of the resource type's own.",
}

// demand reports one row of the table, once for the resource or for each item. Get reads a property, path also one of a
// map property.
func (p *Pass) demand(r *hot.Resource, n *source.Node, d *demand, get, path func(string) any, emit func(diag.Diagnostic)) {
	if d.each == "" {
		if allOf(d.tests...)(path) == function.True {
			emit(d.finding(r, n))
		}
		return
	}
	items, _ := value.Seq(get(d.each))
	list := n.Get(d.each)
	for i, item := range items {
		m, isMap := item.(*value.Map)
		if !isMap {
			continue
		}
		entry := func(name string) any { v, _ := m.GetStr(name); return v }
		if allOf(d.tests...)(entry) != function.True {
			continue
		}
		at := list
		if list.Is(source.List) && i < len(list.Items) {
			at = list.Items[i]
		}
		emit(d.finding(r, at))
	}
}

// getter reads a property, or with a dot one of a map property.
func getter(get func(string) any) func(string) any {
	return func(name string) any {
		first, rest, nested := strings.Cut(name, ".")
		v := get(first)
		if !nested || isUnknown(v) {
			return v
		}
		m, isMap := v.(*value.Map)
		if !isMap {
			return nil
		}
		v, _ = m.GetStr(rest)
		return v
	}
}

func (d *demand) finding(r *hot.Resource, n *source.Node) diag.Diagnostic {
	loc := r.Name.At()
	if n != nil && (n.Is(source.Map) || n.Is(source.List)) && d.each != "" {
		loc = firstLine(n)
	}
	if pair := n.Pair(d.at); pair != nil {
		loc = pair.Key.At()
	}
	out := diag.Errorf(loc, d.rule, "resource %q: %s", r.Name.Text, d.message)
	if d.late {
		out.Severity = diag.Warning
	}
	if d.fix != "" {
		return out.With("%s", d.fix)
	}
	return out
}

// differ: two values are known and not equal.
func differ(a, b string) test {
	return func(get func(string) any) function.Truth {
		x, y := get(a), get(b)
		if isUnknown(x) || isUnknown(y) {
			return function.Maybe
		}
		return tri(!value.Equal(x, y))
	}
}

func ipAddress(name string) test {
	return on(name, func(v any) bool {
		s := fmt.Sprint(v)
		return constraint.Check("ip_addr", s) == "" || inetAton(s)
	})
}

// inetAton reports whether the C function of that name takes a text: one to four numbers, the last of which fills the
// bytes that are left.
func inetAton(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		if err != nil || i < len(parts)-1 && n > 255 || i == len(parts)-1 && n>>(8*(5-len(parts))) > 0 {
			return false
		}
	}
	return true
}

// eachSome: the test holds for one of the items of a list.
func eachSome(list string, t test) test {
	return func(get func(string) any) function.Truth {
		v := get(list)
		if isUnknown(v) {
			return function.Maybe
		}
		items, _ := value.Seq(v)
		out := function.False
		for _, item := range items {
			m, isMap := item.(*value.Map)
			if !isMap {
				out = function.Maybe
				continue
			}
			switch t(func(name string) any { v, _ := m.GetStr(name); return v }) {
			case function.True:
				return function.True
			case function.Maybe:
				out = function.Maybe
			}
		}
		return out
	}
}

// shorterThanItsParts: a random string cannot hold the minimum of each of its classes and sequences.
func shorterThanItsParts(get func(string) any) function.Truth {
	length := get("length")
	if isUnknown(length) {
		return function.Maybe
	}
	total := int64(0)
	for _, list := range []string{"character_classes", "character_sequences"} {
		v := get(list)
		if isUnknown(v) {
			return function.Maybe
		}
		items, _ := value.Seq(v)
		for _, item := range items {
			m, isMap := item.(*value.Map)
			if !isMap {
				return function.Maybe
			}
			least, _ := m.GetStr("min")
			n, isInt := plain(least).(int64)
			if !isInt {
				return function.Maybe
			}
			total += n
		}
	}
	order, ok, err := value.Compare(total, plain(length))
	return tri(err == nil && ok && order > 0)
}
