// Package catalog knows Heat's resource types: their properties, attributes, update policies, support status and
// what each of two recorded Heat releases says of them, without asking a cloud.
//
// The data is a file made from recorded facts by the program in gen; each type is decoded when it is first asked
// for. A profile captured from a real cloud (profile.go) takes its place where the user has one. The package is
// data only: it imports nothing of hotloom's.
package catalog

// HOTLOOM_FACTS names the recorded facts (resource_types.json) when the data is made again.
//
//go:generate go run ./gen -facts $HOTLOOM_FACTS -out .

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed types.jsonl
var typesFile []byte

//go:embed index.json
var indexFile []byte

// record is one type as types.jsonl holds it: one line, its name, a tab and this as JSON.
type record struct {
	New   *Type `json:"new"`
	Old   *Type `json:"old,omitempty"`   // the definition in Oldest where it differs
	Added bool  `json:"added,omitempty"` // not in Oldest
}

// index is index.json.
type index struct {
	Aliases     map[string]string `json:"aliases"`     // of Heat's global environment; may end in *
	Constraints map[string]string `json:"constraints"` // custom constraint → the service it asks, or ""
}

// Catalog is the set of types of one Heat. It is safe for concurrent use.
type Catalog struct {
	release Release
	lines   map[string][]byte
	names   []string
	index   index
	cloud   *Cloud // of a captured profile; nil for a release

	mu    sync.RWMutex
	types map[string]*Type
}

var (
	readLines = sync.OnceValue(func() map[string][]byte { return scanLines(typesFile) })
	readIndex = sync.OnceValue(func() index {
		var ix index
		mustDecode(indexFile, &ix)
		return ix
	})
)

// scanLines finds each type's line without decoding it.
func scanLines(rest []byte) map[string][]byte {
	lines := make(map[string][]byte, 256)
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if name, data, ok := bytes.Cut(line, []byte{'\t'}); ok {
			lines[string(name)] = data
		}
	}
	return lines
}

// For is the catalog of Heat's own types in a release.
func For(r Release) *Catalog {
	c := &Catalog{release: r, lines: readLines(), index: readIndex(), types: map[string]*Type{}}
	for name := range c.lines {
		c.names = append(c.names, name)
	}
	slices.Sort(c.names)
	return c
}

// Default is the catalog that is used where the user names no release: what at least one known release accepts.
var Default = sync.OnceValue(func() *Catalog { return For(Any) })

// With is the catalog with further types, those of providers. What the catalog has stays as it is.
func (c *Catalog) With(types map[string]*Type) *Catalog {
	out := &Catalog{release: c.release, lines: c.lines, index: c.index, cloud: c.cloud, names: slices.Clone(c.names), types: map[string]*Type{}}
	c.mu.RLock()
	for name, t := range c.types {
		out.types[name] = t
	}
	c.mu.RUnlock()
	for name, t := range types {
		if !c.Knows(name) {
			out.types[name] = t
			out.names = append(out.names, name)
		}
	}
	slices.Sort(out.names)
	return out
}

// Release is the release that the catalog describes.
func (c *Catalog) Release() Release { return c.release }

// Cloud is what a captured profile tells beside its types; nil for a release.
func (c *Catalog) Cloud() *Cloud { return c.cloud }

// Names lists all types in order, those of other releases included.
func (c *Catalog) Names() []string { return c.names }

// Aliases is the mapping of names that Heat's global environment ships, for example OS::Ceilometer::Alarm; a name
// that ends in * is a prefix, and so is its target.
func (c *Catalog) Aliases() map[string]string { return c.index.Aliases }

// Resolve follows the global aliases from a type's name to the name that the catalog knows.
func (c *Catalog) Resolve(name string) string {
	for range 10 { // aliases of aliases, but never for ever
		to, ok := c.index.Aliases[name]
		if !ok {
			for from, target := range c.index.Aliases {
				if p, isPrefix := strings.CutSuffix(from, "*"); isPrefix && strings.HasPrefix(name, p) {
					to, ok = strings.TrimSuffix(target, "*")+name[len(p):], true
				}
			}
		}
		if !ok || to == name {
			return name
		}
		name = to
	}
	return name
}

// Type is the definition of the type with the given name or alias in the catalog's release, or nil where that
// release has none.
func (c *Catalog) Type(name string) *Type {
	c.mu.RLock()
	t, known := c.types[name]
	c.mu.RUnlock()
	if known {
		return t
	}
	t = c.decode(c.Resolve(name))
	c.mu.Lock()
	defer c.mu.Unlock()
	if earlier, known := c.types[name]; known {
		return earlier
	}
	c.types[name] = t
	return t
}

// Knows reports whether any release has the type, or the captured profile.
func (c *Catalog) Knows(name string) bool {
	if c.Type(name) != nil {
		return true
	}
	_, ok := c.lines[c.Resolve(name)]
	return ok
}

// Constraint reports whether Heat has a custom constraint of that name and which service it asks; "" is Heat
// itself, whose answer then depends on the value alone.
func (c *Catalog) Constraint(name string) (service string, ok bool) {
	service, ok = c.index.Constraints[name]
	return service, ok
}

// Constraints lists the names of all custom constraints.
func (c *Catalog) Constraints() []string {
	names := make([]string, 0, len(c.index.Constraints))
	for n := range c.index.Constraints {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func (c *Catalog) decode(name string) *Type {
	line, ok := c.lines[name]
	if !ok {
		return nil
	}
	var r record
	mustDecode(line, &r)
	t := c.release.choose(r)
	if t != nil {
		t.Name = name
	}
	return t
}

// mustDecode reads embedded data, which a test has read before.
func mustDecode(data []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(into); err != nil {
		panic(fmt.Sprintf("embedded catalog: %v", err))
	}
}
