package value

import (
	"iter"
)

// smallMap is the size up to which a map is searched from end to end instead of through an index.
const smallMap = 16

type entry struct {
	key, val any
}

// Map is Python's dict: keys are any hashable values, 1, 1.0 and true being the same key; the order is that of first
// insertion. The zero Map is empty and ready. It is not safe for concurrent change.
type Map struct {
	entries []entry
	strs    map[string]int   // index of string keys, once the map is large
	others  map[uint64][]int // index of the rest by hash
	conv    func(any) any    // applied to values as they are read; set on views only
	of      *Map             // what a view shows
	frozen  bool             // hashable and not to be changed
}

// NewMap makes an empty map with room for n keys.
func NewMap(n int) *Map { return &Map{entries: make([]entry, 0, n)} }

// MapOf makes a map from alternating string keys and values, mainly for tests and fixed records.
func MapOf(pairs ...any) *Map {
	m := NewMap(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m.SetStr(pairs[i].(string), pairs[i+1])
	}
	return m
}

// Len is the number of keys.
func (m *Map) Len() int { return len(m.entries) }

// At gives the i-th key and value in order.
func (m *Map) At(i int) (key, val any) {
	e := m.entries[i]
	if m.conv != nil {
		return e.key, m.conv(e.val)
	}
	return e.key, e.val
}

// All walks keys and values in order.
func (m *Map) All() iter.Seq2[any, any] {
	return func(yield func(any, any) bool) {
		for i := range m.entries {
			if !yield(m.At(i)) {
				return
			}
		}
	}
}

// Keys gives the keys in order.
func (m *Map) Keys() []any {
	keys := make([]any, len(m.entries))
	for i, e := range m.entries {
		keys[i] = e.key
	}
	return keys
}

// Frozen says whether the map is hashable, as YAQL's FrozenDict is.
func (m *Map) Frozen() bool { return m.frozen }

// Freeze makes the map hashable; it must not be changed from then on. It returns the map.
func (m *Map) Freeze() *Map {
	m.frozen = true
	return m
}

// View gives a frozen map that shares the storage of m and passes each value through conv as it is read. m must not
// be changed while the view is in use.
func (m *Map) View(conv func(any) any) *Map {
	v := *m
	v.frozen = true
	if v.of == nil {
		v.of = m
	}
	if inner := m.conv; inner != nil {
		v.conv = func(x any) any { return conv(inner(x)) }
	} else {
		v.conv = conv
	}
	return &v
}

// Get finds a key's value; an unhashable key is found nowhere (see Lookup for the error).
func (m *Map) Get(key any) (any, bool) {
	v, ok, _ := m.Lookup(nil, key)
	return v, ok
}

// GetStr finds the value of a string key.
func (m *Map) GetStr(key string) (any, bool) {
	i := m.findStr(key)
	if i < 0 {
		return nil, false
	}
	_, v := m.At(i)
	return v, true
}

// Lookup finds a key's value; the error is TypeError for an unhashable key.
func (m *Map) Lookup(meter *Meter, key any) (any, bool, error) {
	i, _, err := m.find(meter, key)
	if err != nil || i < 0 {
		return nil, false, err
	}
	_, v := m.At(i)
	return v, true, nil
}

func (m *Map) findStr(key string) int {
	if m.strs != nil {
		if i, ok := m.strs[key]; ok {
			return i
		}
		return -1
	}
	for i := range m.entries {
		if s, ok := m.entries[i].key.(string); ok && s == key {
			return i
		}
	}
	return -1
}

// find gives the position of a key, or -1, and its hash if it is no string.
func (m *Map) find(meter *Meter, key any) (int, uint64, error) {
	if s, ok := key.(string); ok {
		return m.findStr(s), 0, nil
	}
	h, err := meter.Hash(key)
	if err != nil {
		return -1, 0, err
	}
	for _, i := range m.others[h] {
		eq, err := meter.Equal(m.entries[i].key, key)
		if err != nil || eq {
			return i, h, err
		}
	}
	return -1, h, nil
}

// SetStr sets the value of a string key.
func (m *Map) SetStr(key string, val any) {
	if i := m.findStr(key); i >= 0 {
		m.entries[i].val = val
		return
	}
	m.entries = append(m.entries, entry{key, val})
	m.indexStr(key, len(m.entries)-1)
}

func (m *Map) indexStr(key string, at int) {
	if m.strs == nil {
		if len(m.entries) <= smallMap {
			return
		}
		m.strs = make(map[string]int, 2*len(m.entries))
		for i, e := range m.entries {
			if s, ok := e.key.(string); ok {
				m.strs[s] = i
			}
		}
		return
	}
	m.strs[key] = at
}

// Set sets a key's value. An existing equal key stays as it is written. The error is TypeError for an unhashable key.
func (m *Map) Set(key, val any) error { return m.Put(nil, key, val) }

// Put is Set under a meter.
func (m *Map) Put(meter *Meter, key, val any) error {
	if s, ok := key.(string); ok {
		m.SetStr(s, val)
		return nil
	}
	i, h, err := m.find(meter, key)
	if err != nil {
		return err
	}
	if i >= 0 {
		m.entries[i].val = val
		return nil
	}
	m.entries = append(m.entries, entry{key, val})
	if m.others == nil {
		m.others = map[uint64][]int{}
	}
	m.others[h] = append(m.others[h], len(m.entries)-1)
	return nil
}

// Without gives a copy that lacks the given keys; missing ones are ignored.
func (m *Map) Without(meter *Meter, keys []any) (*Map, error) {
	drop := map[int]bool{}
	for _, k := range keys {
		i, _, err := m.find(meter, k)
		if err != nil {
			return nil, err
		}
		if i >= 0 {
			drop[i] = true
		}
	}
	out := NewMap(m.Len() - len(drop))
	for i := range m.entries {
		if drop[i] {
			continue
		}
		k, v := m.At(i)
		if err := out.Put(meter, k, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Clone gives a changeable copy; values are shared.
func (m *Map) Clone() *Map {
	out := NewMap(m.Len())
	for k, v := range m.All() {
		_ = out.Set(k, v) // a key in a map is hashable
	}
	return out
}

// KeysView is dict.keys(): set-like, in the dict's order.
type KeysView struct{ M *Map }

// ItemsView is dict.items(): set-like pairs.
type ItemsView struct{ M *Map }

// ValuesView is dict.values().
type ValuesView struct{ M *Map }

func viewName(m *Map, what string) string {
	if m.frozen {
		return map[string]string{"keys": "KeysView", "items": "ItemsView", "values": "ValuesView"}[what]
	}
	return "dict_" + what
}

func (v KeysView) name(what string) string   { return viewName(v.M, what) }
func (v ItemsView) name(what string) string  { return viewName(v.M, what) }
func (v ValuesView) name(what string) string { return viewName(v.M, what) }

// Item gives the i-th pair.
func (v ItemsView) Item(i int) Tuple {
	k, x := v.M.At(i)
	return Tuple{k, x}
}

// Identity is equal for a map and the views of it: the same dict in Python.
func (m *Map) Identity() *Map {
	if m.of != nil {
		return m.of
	}
	return m
}
