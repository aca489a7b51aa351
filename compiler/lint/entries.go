package lint

import "github.com/hotloom/hotloom/compiler/source"

// entry is one given property: its name and key, the author's value, and what is known of it.
type entry struct {
	name    string
	key, at *source.Node
	fact
}

// entries are the properties that a map gives, found by name. Most maps are small, and looking through a few entries
// costs less than a map of Go's; larger ones get an index.
type entries struct {
	list  []entry
	index map[string]int
}

// indexFrom is the number of entries from which an index is worth its memory.
const indexFrom = 17

// entries gives room for the entries of a map of that size. Each map of a template needs some, for a short while: with
// reuse they serve the next.
func (p *Pass) entries(size int) *entries {
	if size >= indexFrom {
		return &entries{list: make([]entry, 0, size), index: make(map[string]int, size)}
	}
	if last := len(p.spare) - 1; last >= 0 {
		es := p.spare[last]
		p.spare = p.spare[:last]
		return es
	}
	return &entries{list: make([]entry, 0, indexFrom-1)}
}

// reuse takes back entries that nothing points to any more.
func (p *Pass) reuse(es *entries) {
	if es.index == nil {
		clear(es.list)
		es.list = es.list[:0]
		p.spare = append(p.spare, es)
	}
}

// put adds an entry, or takes the place of an earlier one of its name.
func (es *entries) put(e entry) {
	if earlier := es.get(e.name); earlier != nil {
		*earlier = e
		return
	}
	if es.index != nil {
		es.index[e.name] = len(es.list)
	}
	es.list = append(es.list, e)
}

// get finds an entry, or nil.
func (es *entries) get(name string) *entry {
	if es.index != nil {
		if i, ok := es.index[name]; ok {
			return &es.list[i]
		}
		return nil
	}
	for i := range es.list {
		if es.list[i].name == name {
			return &es.list[i]
		}
	}
	return nil
}
