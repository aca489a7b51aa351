package yaql

import (
	"github.com/hotloom/hotloom/compiler/value"
)

// iterator gives items one by one. What has been given is gone, but for memorized ones.
type iterator interface {
	next() (v any, ok bool, err error)
}

// gen is an iterator around a function; after the end or an error it gives nothing more.
type gen struct {
	what string // its type's name in Python
	fn   func() (any, bool, error)
	done bool
}

func (g *gen) next() (any, bool, error) {
	if g.done {
		return nil, false, nil
	}
	v, ok, err := g.fn()
	if err != nil || !ok {
		g.done = true
		return nil, false, err
	}
	return v, true, nil
}

// TypeName is the type's name in Python.
func (g *gen) TypeName() string { return g.what }

// Repr shows the iterator without its items.
func (g *gen) Repr() string { return "<" + g.what + " object>" }

// memo is an iterator whose items are kept, so that it can be walked again.
type memo struct {
	ev   *evaluation
	src  iterator
	seen *[]any
	at   int
}

func (m *memo) next() (any, bool, error) {
	if m.at < len(*m.seen) {
		m.at++
		return (*m.seen)[m.at-1], true, nil
	}
	v, ok, err := m.src.next()
	if err != nil || !ok {
		return nil, false, err
	}
	if err := m.ev.alloc(16); err != nil {
		return nil, false, err
	}
	*m.seen = append(*m.seen, v)
	m.at++
	return v, true, m.ev.quotaSize(56 + 8*len(*m.seen))
}

// TypeName is the type's name in Python.
func (m *memo) TypeName() string { return "RememberingIterator" }

// Repr shows the iterator without its items.
func (m *memo) Repr() string { return "<RememberingIterator object>" }

func sliceIterator(items []any) iterator {
	i := 0
	return &gen{what: "list_iterator", fn: func() (any, bool, error) {
		if i >= len(items) {
			return nil, false, nil
		}
		i++
		return items[i-1], true, nil
	}}
}

// iterate starts a walk over a collection: an iterator goes on where it is, all else starts from its beginning.
func (ev *evaluation) iterate(v any) (iterator, error) {
	switch v := v.(type) {
	case *memo:
		return &memo{ev: v.ev, src: v.src, seen: v.seen}, nil
	case iterator:
		return v, nil
	case *ordering:
		items, err := v.items()
		return sliceIterator(items), err
	case string:
		rs := []rune(v)
		items := make([]any, len(rs))
		for i, r := range rs {
			items[i] = string(r)
		}
		return sliceIterator(items), ev.alloc(32 * len(rs))
	case *value.Map:
		return sliceIterator(v.Keys()), nil
	}
	if items, ok := elements(v); ok {
		return sliceIterator(items), nil
	}
	return nil, fail("TypeError", "'%s' object is not iterable", value.TypeName(v))
}

// elements gives the items of a finite collection that is no iterator.
func elements(v any) ([]any, bool) {
	switch v := v.(type) {
	case value.Tuple:
		return v, true
	case []any:
		return v, true
	case *value.Set:
		return v.Items(), true
	case value.KeysView:
		return v.M.Keys(), true
	case value.ValuesView:
		items := make([]any, v.M.Len())
		for i := range items {
			_, items[i] = v.M.At(i)
		}
		return items, true
	case value.ItemsView:
		items := make([]any, v.M.Len())
		for i := range items {
			items[i] = v.Item(i)
		}
		return items, true
	case []byte:
		items := make([]any, len(v))
		for i, c := range v {
			items[i] = int64(c)
		}
		return items, true
	}
	return nil, false
}

// isIterable says whether YAQL walks v: no text, no dict.
func isIterable(v any) bool { return kColl.has(v) }

func isIterator(v any) bool { return kIter.has(v) }

// limited guards a collection by the limit on items: a finite one is measured at once, an iterator as it is walked.
func (ev *evaluation) limited(v any) (any, error) {
	most := ev.opts.MaxItems
	n, sized := value.Len(v)
	if _, isValues := v.(value.ValuesView); sized && !isValues {
		if most >= 0 && n > most {
			return nil, errTooMany(most)
		}
		return v, nil
	}
	var src iterator
	count := 0
	return &gen{what: "generator", fn: func() (any, bool, error) {
		if err := ev.enter(frameIterator); err != nil {
			return nil, false, err
		}
		defer ev.leave(frameIterator)
		if src == nil {
			var err error
			if src, err = ev.iterate(v); err != nil {
				return nil, false, err
			}
		}
		x, ok, err := src.next()
		if err != nil || !ok {
			return nil, false, err
		}
		if most >= 0 && count >= most {
			return nil, false, errTooMany(most)
		}
		count++
		return x, true, nil
	}}, nil
}

// each walks a collection until visit says stop.
func (ev *evaluation) each(v any, visit func(x any) (stop bool, err error)) error {
	it, err := ev.iterate(v)
	if err != nil {
		return err
	}
	for {
		x, ok, err := it.next()
		if err != nil || !ok {
			return err
		}
		if err := ev.step(1); err != nil {
			return err
		}
		if stop, err := visit(x); err != nil || stop {
			return err
		}
	}
}

// collect gives all items of a collection in a slice of its own.
func (ev *evaluation) collect(v any) ([]any, error) {
	if items, ok := elements(v); ok {
		if err := ev.step(len(items)); err != nil {
			return nil, err
		}
		return append(make([]any, 0, len(items)), items...), ev.alloc(16 * len(items))
	}
	out := []any{}
	err := ev.each(v, func(x any) (bool, error) {
		out = append(out, x)
		return false, ev.alloc(16)
	})
	return out, err
}

// lazy makes an iterator that walks src and is given each item: it may pass something on, skip the item, or end.
func (ev *evaluation) lazy(what string, src any, f func(x any) (out any, keep, end bool, err error)) any {
	var it iterator
	return &gen{what: what, fn: func() (any, bool, error) {
		if it == nil {
			var err error
			if it, err = ev.iterate(src); err != nil {
				return nil, false, err
			}
		}
		for {
			if err := ev.step(1); err != nil {
				return nil, false, err
			}
			x, ok, err := it.next()
			if err != nil || !ok {
				return nil, false, err
			}
			out, keep, end, err := f(x)
			if err != nil || end {
				return nil, false, err
			}
			if keep {
				return out, true, nil
			}
		}
	}}
}

// chain walks several collections one after another.
func (ev *evaluation) chain(what string, parts []any) any {
	var it iterator
	i := 0
	return &gen{what: what, fn: func() (any, bool, error) {
		for {
			if err := ev.step(1); err != nil {
				return nil, false, err
			}
			if it == nil {
				if i == len(parts) {
					return nil, false, nil
				}
				var err error
				if it, err = ev.iterate(parts[i]); err != nil {
					return nil, false, err
				}
				i++
			}
			x, ok, err := it.next()
			if err != nil || ok {
				return x, ok, err
			}
			it = nil
		}
	}}
}
