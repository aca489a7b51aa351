package yaql

import (
	"github.com/hotloom/hotloom/compiler/value"
)

// input shows data as YAQL sees it: lists as tuples, dicts frozen. Dicts are converted as they are read, lists once.
func (ev *evaluation) input(v any) any {
	switch v := v.(type) {
	case nil, bool, int64, float64, string, value.Time, value.Span:
		return v
	case []any:
		return ev.inputItems(v)
	case value.Tuple:
		return ev.inputItems(v)
	case *value.Map:
		return v.View(ev.input)
	case *value.Set:
		if !v.Frozen() {
			if s, err := value.SetOf(nil, true, v.Items()); err == nil {
				return s
			}
		}
	case map[string]any, map[string]string, []string, int:
		return ev.input(value.From(v))
	}
	return v
}

// inputItems gives the same tuple for the same list whenever it is read.
func (ev *evaluation) inputItems(items []any) value.Tuple {
	if len(items) == 0 {
		return value.Tuple{}
	}
	key := &items[0]
	if t := ev.tuples.get(key); len(t) == len(items) {
		return t
	}
	t := make(value.Tuple, len(items))
	for i, x := range items {
		t[i] = ev.input(x)
	}
	ev.tuples.add(key, t)
	return t
}

// seenLists are lists of the data, by their first item, as tuples. Most expressions read one or two.
type seenLists struct {
	few  []seenList
	many map[*any]value.Tuple
}

type seenList struct {
	key   *any
	tuple value.Tuple
}

func (s *seenLists) get(key *any) value.Tuple {
	if s.many != nil {
		return s.many[key]
	}
	for i := range s.few {
		if s.few[i].key == key {
			return s.few[i].tuple
		}
	}
	return nil
}

func (s *seenLists) add(key *any, t value.Tuple) {
	const few = 8
	if s.many != nil {
		s.many[key] = t
		return
	}
	for i := range s.few {
		if s.few[i].key == key { // of another length
			s.few[i].tuple = t
			return
		}
	}
	if s.few = append(s.few, seenList{key, t}); len(s.few) <= few {
		return
	}
	s.many = make(map[*any]value.Tuple, 2*few)
	for _, l := range s.few {
		s.many[l.key] = l.tuple
	}
}

// output turns YAQL's values into ordinary ones: iterators are walked, tuples become lists, frozen dicts dicts. Sets
// stay sets, so their members must be hashable after that.
func (ev *evaluation) output(v any) (any, error) {
	switch v.(type) {
	case nil, bool, int64, float64, string:
		return v, ev.step(1)
	}
	frames := frameOutput
	if isIterator(v) {
		frames++
	}
	if err := ev.enter(frames); err != nil {
		return nil, err
	}
	defer ev.leave(frames)
	switch x := v.(type) {
	case *value.Map:
		return ev.outputMap(x)
	case *value.Set, value.KeysView, value.ItemsView:
		return ev.outputSet(v)
	}
	if !isIterable(v) {
		return v, ev.step(1)
	}
	if _, isBytes := v.([]byte); isBytes {
		v, _ = elements(v)
	}
	coll, err := ev.limited(v)
	if err != nil {
		return nil, err
	}
	if items, ok := value.Seq(coll); ok {
		return ev.outputAll(items)
	}
	out := []any{}
	err = ev.each(coll, func(x any) (bool, error) {
		y, err := ev.output(x)
		if err != nil {
			return false, err
		}
		out = append(out, y)
		return false, ev.alloc(16)
	})
	return out, err
}

func (ev *evaluation) outputAll(items []any) (any, error) {
	if err := ev.alloc(16 * len(items)); err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	for i, x := range items {
		var err error
		if out[i], err = ev.output(x); err != nil {
			return nil, err
		}
	}
	return out, ev.step(len(items))
}

func (ev *evaluation) outputMap(m *value.Map) (any, error) {
	if _, err := ev.limited(m); err != nil {
		return nil, err
	}
	out := value.NewMap(m.Len())
	if err := ev.alloc(32 * m.Len()); err != nil {
		return nil, err
	}
	for k, v := range m.All() {
		var err error
		if _, isText := k.(string); !isText {
			if k, err = ev.output(k); err != nil {
				return nil, err
			}
		}
		if v, err = ev.output(v); err != nil {
			return nil, err
		}
		if err := out.Put(&ev.meter, k, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (ev *evaluation) outputSet(v any) (any, error) {
	if _, err := ev.limited(v); err != nil {
		return nil, err
	}
	items, _ := elements(v)
	out := value.NewSet(false)
	for _, x := range items {
		y, err := ev.output(x)
		if err == nil {
			err = ev.alloc(48)
		}
		if err == nil {
			err = out.Add(&ev.meter, y)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// withZone gives times without a zone UTC's.
func withZone(v any) any {
	if t, ok := v.(value.Time); ok && t.Zone() == nil {
		return t.In(value.UTC)
	}
	return v
}
