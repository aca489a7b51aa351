package preview

import (
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
)

// verdict says whether two values will be the same.
type verdict uint8

const (
	same verdict = iota
	maybe
	differs
)

// difference is what two values differ in: the first place, and what else of the author's leads to it.
type difference struct {
	verdict verdict
	path    []string // below the values
	before  any
	after   any
	sources []Source
}

func (d *difference) merge(e difference, step string) {
	d.sources = append(d.sources, e.sources...)
	if e.verdict <= d.verdict {
		return
	}
	d.verdict, d.before, d.after = e.verdict, e.before, e.after
	d.path = e.path
	if step != "" {
		d.path = append([]string{step}, e.path...)
	}
}

// absent stands for what is not there.
type absent struct{}

// diff compares two values.
func (l *level) diff(a, b any) difference {
	switch x := a.(type) {
	case *Later:
		if y, ok := b.(*Later); ok {
			return l.diffLater(x, y)
		}
		return difference{verdict: maybe, before: a, after: b}
	case *value.Map:
		if y, ok := b.(*value.Map); ok {
			return l.diffMaps(x, y)
		}
	case []any:
		if y, ok := b.([]any); ok {
			return l.diffLists(x, y)
		}
	}
	if _, later := b.(*Later); later {
		return difference{verdict: maybe, before: a, after: b}
	}
	if a == (absent{}) && b == (absent{}) || a != (absent{}) && b != (absent{}) && value.Equal(a, b) {
		return difference{}
	}
	return difference{verdict: differs, before: shown(a), after: shown(b)}
}

func shown(v any) any {
	if v == (absent{}) {
		return nil
	}
	return v
}

func (l *level) diffMaps(x, y *value.Map) difference {
	var d difference
	for key, item := range x.All() {
		other, ok := y.Get(key)
		if !ok {
			other = absent{}
		}
		d.merge(l.diff(item, other), value.Str(key))
	}
	for key, item := range y.All() {
		if _, ok := x.Get(key); !ok {
			d.merge(l.diff(absent{}, item), value.Str(key))
		}
	}
	return d
}

func (l *level) diffLists(x, y []any) difference {
	var d difference
	for i := range max(len(x), len(y)) {
		var a, b any = absent{}, absent{}
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		d.merge(l.diff(a, b), fmt.Sprint(i))
	}
	return d
}

// diffLater compares two calls that are not computed: they give the same where they ask for the same of resources that
// stay as they are.
func (l *level) diffLater(x, y *Later) difference {
	whole := func(v verdict, sources ...Source) difference {
		return difference{verdict: v, before: x, after: y, sources: sources}
	}
	if x.Function != y.Function || x.half.level != y.half.level {
		return whole(maybe)
	}
	resource, attribute := y.reference()
	was, asked := x.reference()
	if resource != was {
		if attribute == "" && asked == "" && resource != "" && was != "" {
			return whole(differs)
		}
		return whole(maybe)
	}
	inside := x.half.level.diff(x.Arg, y.Arg)
	if inside.verdict == same && len(inside.sources) == 0 && resource != "" {
		v, s := x.half.level.read(resource, attribute, y)
		if v == same {
			return difference{}
		}
		return whole(v, s)
	}
	if inside.verdict == same {
		return difference{}
	}
	if resource != "" {
		return whole(maybe)
	}
	return whole(inside.verdict, inside.sources...)
}
