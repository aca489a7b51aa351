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

func newEntries(size int) *entries {
	es := &entries{list: make([]entry, 0, size)}
	if size >= indexFrom {
		es.index = make(map[string]int, size)
	}
	return es
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
