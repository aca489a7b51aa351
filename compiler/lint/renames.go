package lint

import (
	"strings"
	"sync"

	"github.com/hotloom/hotloom/resources/catalog"
)

// renames are the rewrites of a type's properties that Heat makes before it checks them, in a form to look up.
type renames struct {
	new, old map[string]bool        // last names of the paths below, to rule most properties out quickly
	sources  map[string][]string    // path of a property → the names beside it whose value it takes
	replaced map[string]bool        // paths of the properties whose value is taken
	inside   map[string][][2]string // path of a property → map beside it, and the key in it, that say the same
}

var renamesByType sync.Map // *catalog.Type → *renames

// renamesOf is nil for a type without rewrites.
func renamesOf(t *catalog.Type) *renames {
	if len(t.Translations) == 0 {
		return nil
	}
	if r, ok := renamesByType.Load(t); ok {
		return r.(*renames)
	}
	r := newRenames(t)
	renamesByType.Store(t, r)
	return r
}

func newRenames(t *catalog.Type) *renames {
	r := &renames{
		new: map[string]bool{}, old: map[string]bool{}, sources: map[string][]string{}, replaced: map[string]bool{},
		inside: map[string][][2]string{},
	}
	for _, tr := range t.Translations {
		path := strings.Join(tr.Path, ".")
		last := tr.Path[len(tr.Path)-1]
		switch {
		case tr.Rule == "Delete":
			r.replaced[path], r.old[last] = true, true
		case tr.Rule != "Replace":
		case len(tr.Custom) == 1:
			r.inside[path] = append(r.inside[path], [2]string{tr.ValueName, tr.Custom[0]})
			r.new[last] = true
		default:
			src := tr.Source()
			name := src[len(src)-1]
			r.replaced[strings.Join(src, ".")], r.old[name] = true, true
			if len(src) == len(tr.Path) {
				r.sources[path] = append(r.sources[path], name)
				r.new[last] = true
			}
		}
	}
	return r
}

// schemaPath joins a path without the indexes of lists.
func schemaPath(path []string, last string) string {
	var b strings.Builder
	for _, s := range path {
		if s == "" || s[0] < '0' || s[0] > '9' {
			b.WriteString(s)
			b.WriteByte('.')
		}
	}
	b.WriteString(last)
	return b.String()
}
