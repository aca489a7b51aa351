package plain

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Copy is a nested template of the author's that is amended for one group: the host in it gets other properties, and
// what belongs to it stands beside it.
type Copy struct {
	stack *Stack
	from  *hot.Template
	root  *source.Node
	taken map[string]bool
}

// Copy begins a copy of a nested template.
func (s *Stack) Copy(t *hot.Template) *Copy {
	c := &Copy{stack: s, from: t, root: s.nestedValue(without(t.Root, "component_types")), taken: map[string]bool{}}
	for _, p := range t.Parameters {
		c.taken[p.Name.Str()] = true
	}
	for _, r := range t.Resources {
		c.taken[r.Name.Str()] = true
	}
	for _, o := range t.Outputs {
		c.taken[o.Name.Str()] = true
	}
	return c
}

// Name makes a name that is free in the copy for a parameter, resource or output.
func (c *Copy) Name(base string) string {
	name := base
	for i := 2; c.taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	c.taken[name] = true
	return name
}

// Put adds an entry to a section, or replaces the one of that name.
func (c *Copy) Put(section, name string, value *source.Node) {
	old := c.root.Get(section)
	if !old.Is(source.Map) {
		old = source.NewMap(value)
	}
	c.root = With(c.root, section, With(old, name, value))
}

// SetProperty gives a property of a resource another value.
func (c *Copy) SetProperty(resource, property string, value *source.Node) {
	def := c.root.Get("resources").Get(resource)
	properties := def.Get("properties")
	if !properties.Is(source.Map) {
		properties = source.NewMap(value)
	}
	c.Put("resources", resource, With(def, "properties", With(properties, property, value)))
}

// Value gives a value of the nested template as it stands in the copy.
func (c *Copy) Value(n *source.Node) *source.Node { return c.stack.nestedValue(n) }

// Write takes the copy into the output beside the author's file and gives its name, relative to the stack.
func (c *Copy) Write(suffix string) string {
	place := c.stack.files.place(c.from.Root.File.Path)
	ext := path.Ext(place)
	return c.stack.AddFile(strings.TrimSuffix(place, ext)+"_"+suffix+ext, string(source.Encode(c.root)))
}

// nestedValue gives a value of a nested template as it stands in a copy in the same folder.
func (s *Stack) nestedValue(n *source.Node) *source.Node {
	dir := path.Dir(s.files.place(n.File.Path))
	return n.Rewrite(func(m *source.Node) *source.Node {
		if m.Kind != source.Map {
			return m
		}
		return s.files.replace(m, dir)
	})
}

// without gives a map without one of its keys.
func without(m *source.Node, key string) *source.Node {
	if m.Get(key) == nil {
		return m
	}
	return source.NewMap(m, slices.DeleteFunc(slices.Clone(m.Pairs), func(p source.Pair) bool { return p.Key.Str() == key })...)
}
