package hot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Registry is the resource_registry of an environment: what resource types stand for.
type Registry struct {
	Node *source.Node // the section; nil where absent
	// types maps a type, or a prefix that ends in *, for every resource; resources does so for single resources of
	// the stack.
	types     []*Mapping
	resources []resourceEntry
}

// Mapping is one entry of a registry that says what a type stands for.
type Mapping struct {
	Key   *source.Node // the type, or a prefix that ends in *
	Value *source.Node // a type, a prefix that ends in *, or the name of a template
	depth int          // entries for a resource go before those for all
}

// resourceEntry is what the registry says of the resources whose name matches.
type resourceEntry struct {
	name   *source.Node // a name or glob
	node   *source.Node
	types  []*Mapping
	nested []resourceEntry
}

// IsTemplateName reports whether a type or a mapping's value names a template rather than a type.
func IsTemplateName(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".template")
}

var (
	hookTypes         = []string{"pre-create", "pre-update", "pre-delete", "post-create", "post-update", "post-delete"}
	restrictedActions = []string{"update", "replace"}
)

func (l *loader) registry(p *source.Pair) *Registry {
	r := &Registry{}
	if p == nil || p.Value.IsNull() {
		return r
	}
	if !p.Value.Is(source.Map) {
		l.add(environmentSectionKind(p, "a map from resource type to what it stands for"))
		return r
	}
	r.Node = p.Value
	for _, entry := range p.Value.Pairs {
		key := KeyText(entry.Key)
		switch {
		case key == "base_url":
		case entry.Value.IsNull():
			l.add(registryNull(entry))
			r.types = l.mapping(r.types, entry, 1)
		case l.flags(key, entry):
		case key == "resources":
			r.resources = l.registryResources(entry)
		default:
			r.types = l.mapping(r.types, entry, 1)
		}
	}
	return r
}

func (l *loader) registryResources(section source.Pair) []resourceEntry {
	if !section.Value.Is(source.Map) {
		l.add(registryResourcesKind(section.Value))
		return nil
	}
	var entries []resourceEntry
	for _, p := range section.Value.Pairs {
		if !p.Value.Is(source.Map) {
			l.add(registryResourceKind(p))
			continue
		}
		entries = append(entries, l.registryResource(p, 2))
	}
	return entries
}

// registryResource reads what is said of one resource: types, hooks, and the same again for the resources of the
// template that it stands for.
func (l *loader) registryResource(p source.Pair, depth int) resourceEntry {
	e := resourceEntry{name: source.NewString(p.Key, KeyText(p.Key)), node: p.Value}
	for _, entry := range p.Value.Pairs {
		switch key := KeyText(entry.Key); {
		case key == "base_url":
		case l.flags(key, entry):
		case entry.Value.IsNull() && depth == 2:
			l.add(registryNull(entry))
			e.types = l.mapping(e.types, entry, depth+1)
		case entry.Value.Is(source.Map):
			e.nested = append(e.nested, l.registryResource(entry, depth+1))
		default:
			e.types = l.mapping(e.types, entry, depth+1)
		}
	}
	return e
}

// flags checks the entries that are no types, and reports whether this was one.
func (l *loader) flags(key string, p source.Pair) bool {
	switch {
	case p.Value.IsNull():
		return false
	case key == "hooks":
		l.words(p, hookTypes, badHook)
	case key == "restricted_actions":
		l.words(p, restrictedActions, badRestrictedAction)
	default:
		return false
	}
	return true
}

// words checks a word or a list of words.
func (l *loader) words(p source.Pair, known []string, wrong func(*source.Node) diag.Diagnostic) {
	items := []*source.Node{p.Value}
	if p.Value.Is(source.List) {
		items = p.Value.Items
	}
	for _, item := range items {
		if !contains(known, item.Str()) {
			l.add(wrong(item))
		}
	}
}

// mapping adds an entry to those of its level; null takes away what stands before it there.
func (l *loader) mapping(level []*Mapping, p source.Pair, depth int) []*Mapping {
	key := KeyText(p.Key)
	if p.Value.IsNull() {
		prefix, isGlob := strings.CutSuffix(key, "*")
		return slices.DeleteFunc(level, func(m *Mapping) bool {
			return isGlob && strings.HasPrefix(m.Key.Text, prefix) || m.Key.Text == key
		})
	}
	if !p.Value.Is(source.String) {
		l.add(registryValue(p))
		return level
	}
	return append(level, &Mapping{Key: source.NewString(p.Key, key), Value: p.Value, depth: depth})
}

// Resolved is what a resource type stands for.
type Resolved struct {
	Type     string       // the plug-in type in the end, or the type with which the search failed
	Template *source.Node // names the nested template; nil for a plug-in
	Via      []*Mapping   // the entries that led here, first to last
	Found    bool
	Loop     bool // the entries lead in a circle
}

// Resolve finds what a resource of the given type stands for, in Heat's order of choice: entries of the user before
// Heat's own types, entries for the resource before those for all, then by name. An entry that leads to no known type
// is passed over. known says whether Heat has a type of its own by that name. r may be nil.
func (r *Registry) Resolve(typ *source.Node, resource string, known func(string) bool) Resolved {
	return r.resolve(typ, resource, known, 0)
}

// maxAliases bounds chains of aliases; a longer one is a circle.
const maxAliases = 50

func (r *Registry) resolve(typ *source.Node, resource string, known func(string) bool, depth int) Resolved {
	name := typ.Text
	if depth > maxAliases {
		return Resolved{Type: name, Loop: true}
	}
	for _, m := range r.candidates(name, resource) {
		switch value := m.Value.Text; {
		case IsTemplateName(m.Key.Text):
			return Resolved{Type: name, Template: m.Key, Via: []*Mapping{m}, Found: true}
		case IsTemplateName(value):
			return Resolved{Type: name, Template: m.Value, Via: []*Mapping{m}, Found: true}
		default:
			next := m.Value
			if prefix, isGlob := strings.CutSuffix(m.Key.Text, "*"); isGlob && strings.HasSuffix(value, "*") {
				next = source.NewString(m.Value, strings.TrimSuffix(value, "*")+name[len(prefix):])
			}
			res := r.resolve(next, resource, known, depth+1)
			if res.Found || res.Loop {
				res.Via = append([]*Mapping{m}, res.Via...)
				return res
			}
		}
	}
	if IsTemplateName(name) {
		return Resolved{Type: name, Template: typ, Found: true}
	}
	return Resolved{Type: name, Found: known(name)}
}

// candidates are the user's entries that apply, best first.
func (r *Registry) candidates(name, resource string) []*Mapping {
	if r == nil {
		return nil
	}
	var list []*Mapping
	for _, e := range r.resources {
		if e.name.Text == resource {
			list = append(list, named(e.types, name)...)
		}
	}
	list = append(list, named(r.types, name)...)
	for _, m := range r.types {
		if IsTemplateName(m.Value.Text) {
			continue // Heat takes the name literally then, * and all
		}
		if prefix, isGlob := strings.CutSuffix(m.Key.Text, "*"); isGlob && name != m.Value.Text && name != m.Key.Text && strings.HasPrefix(name, prefix) {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b *Mapping) int {
		return cmp.Or(cmp.Compare(b.depth, a.depth), cmp.Compare(a.Key.Text, b.Key.Text))
	})
	return list
}

// named is the last entry for the very name; earlier ones were replaced by it.
func named(level []*Mapping, name string) []*Mapping {
	for i := len(level) - 1; i >= 0; i-- {
		if level[i].Key.Text == name {
			return level[i : i+1]
		}
	}
	return nil
}

// Mappings lists all entries that say what a type stands for, those for single resources last.
func (r *Registry) Mappings() []*Mapping {
	list := slices.Clone(r.types)
	var below func([]resourceEntry)
	below = func(entries []resourceEntry) {
		for _, e := range entries {
			list = append(list, e.types...)
			below(e.nested)
		}
	}
	below(r.resources)
	return list
}

// Below is the registry that the template of the named resource gets: everything for all, and what is said of the
// resources inside that one.
func (r *Registry) Below(resource string) *Registry {
	if r == nil {
		return nil
	}
	child := &Registry{Node: r.Node, types: r.types}
	for _, e := range r.resources {
		if e.name.Text == resource || fnmatch(e.name.Text, resource) {
			child.resources = append(child.resources, e.nested...)
		}
	}
	return child
}

// fnmatch is Python's fnmatchcase: * and ? match any characters, […] and [!…] one of a set.
func fnmatch(pattern, name string) bool {
	p, s := []rune(pattern), []rune(name)
	pi, si := 0, 0
	star, mark := -1, 0
	for si < len(s) {
		if pi < len(p) && p[pi] == '*' {
			star, mark = pi, si
			pi++
			continue
		}
		if n, ok := matchOne(p[pi:], s[si]); ok {
			pi += n
			si++
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		pi, si = star+1, mark
	}
	for pi < len(p) && p[pi] == '*' {
		pi++
	}
	return pi == len(p)
}

// matchOne matches one character with the first element of p and tells the element's length.
func matchOne(p []rune, c rune) (int, bool) {
	if len(p) == 0 {
		return 0, false
	}
	if p[0] == '?' {
		return 1, true
	}
	if p[0] != '[' {
		return 1, p[0] == c
	}
	i := 1
	negate := i < len(p) && p[i] == '!'
	if negate {
		i++
	}
	end := i + 1 // a bracket that comes first is an ordinary character
	for end < len(p) && p[end] != ']' {
		end++
	}
	if end >= len(p) {
		return 1, c == '['
	}
	in := false
	for ; i < end; i++ {
		if i+2 < end && p[i+1] == '-' {
			in = in || p[i] <= c && c <= p[i+2]
			i += 2
			continue
		}
		in = in || p[i] == c
	}
	return end + 1, in != negate
}
