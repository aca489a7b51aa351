package plain

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Resource is one resource of the output: one of the author's, perhaps amended, or one that a target added.
type Resource struct {
	Name string

	stack      *Stack
	key        *source.Node
	source     *hot.Resource // nil where added
	typ        string        // where added
	properties []source.Pair // where added: all; else those that replace the author's
	after      []string      // names for depends_on, besides the author's
	sections   []source.Pair // condition, metadata of added resources
	companions []*Resource   // added behind it
	dropped    bool
}

// Become makes an author's resource one of another type with other properties, which are final. Its other sections
// stay.
func (r *Resource) Become(typ string, properties ...source.Pair) {
	r.typ, r.properties = typ, properties
}

// Drop leaves an author's resource out. Those that depend on it wait for others in its place; what was added behind it
// stays.
func (r *Resource) Drop(instead ...string) {
	r.dropped = true
	r.stack.instead[r.Name] = instead
}

// Property gives the author's value of a property, or nil.
func (r *Resource) Property(name string) *source.Node {
	if r.source == nil {
		return nil
	}
	return r.source.Properties.Get(name)
}

// Set gives a property a value that replaces the author's. The value is final: nothing in it is rewritten.
func (r *Resource) Set(name string, value *source.Node) {
	for i, p := range r.properties {
		if p.Key.Text == name {
			r.properties[i].Value = value
			return
		}
	}
	r.properties = append(r.properties, source.P(r.key, name, value))
}

// After makes the resource wait for others, besides what the author said.
func (r *Resource) After(names ...string) {
	for _, n := range names {
		if n != r.Name && !slices.Contains(r.after, n) {
			r.after = append(r.after, n)
		}
	}
}

// Section sets a section of an added resource, such as condition; a nil value leaves it out.
func (r *Resource) Section(name string, value *source.Node) {
	if value != nil {
		r.sections = append(r.sections, source.P(value, name, value))
	}
}

// definition gives the resource as it is written.
func (r *Resource) definition() *source.Node {
	if r.source == nil {
		return r.added()
	}
	if !r.source.Node.Is(source.Map) {
		return r.source.Node
	}
	var pairs []source.Pair
	seen := map[string]bool{}
	changed := false
	for _, p := range r.source.Node.Pairs {
		key := p.Key.Str()
		value := p.Value
		switch key {
		case "components":
			changed = true
			continue
		case "type":
			if r.typ != "" {
				value = source.NewString(p.Value, r.typ)
			}
		case "properties":
			value = r.merged(p.Value)
			if r.typ != "" {
				value = source.NewMap(p.Value, r.properties...)
			}
		case "depends_on":
			value = r.dependsOn()
		default:
			value = r.stack.Value(value, nil)
		}
		seen[key] = true
		changed = changed || value != p.Value
		pairs = append(pairs, source.Pair{Key: p.Key, Value: value})
	}
	if !seen["properties"] && len(r.properties) > 0 {
		pairs, changed = append(pairs, source.P(r.key, "properties", source.NewMap(r.key, r.properties...))), true
	}
	if !seen["depends_on"] && len(r.after) > 0 {
		pairs, changed = append(pairs, source.P(r.key, "depends_on", r.dependsOn())), true
	}
	if !changed {
		return r.stack.named(r.source.Node)
	}
	return r.stack.named(source.NewMap(r.source.Node, pairs...))
}

// merged is the author's properties with those that were set.
func (r *Resource) merged(author *source.Node) *source.Node {
	if len(r.properties) == 0 || !author.Is(source.Map) && !author.IsNull() {
		return r.stack.Value(author, nil)
	}
	left := slices.Clone(r.properties)
	var pairs []source.Pair
	for _, p := range author.Pairs {
		value := p.Value
		if i := slices.IndexFunc(left, func(q source.Pair) bool { return q.Key.Text == p.Key.Str() }); i >= 0 {
			value = left[i].Value
			left = slices.Delete(left, i, i+1)
		} else {
			value = r.stack.Value(value, nil)
		}
		pairs = append(pairs, source.Pair{Key: p.Key, Value: value})
	}
	return source.NewMap(author, append(pairs, left...)...)
}

// dependsOn is the author's depends_on, with HOST.COMPONENT turned into what completes with it, and the additions.
func (r *Resource) dependsOn() *source.Node {
	var items []*source.Node
	changed := len(r.after) > 0
	add := func(origin *source.Node, name string) {
		if !slices.ContainsFunc(items, func(n *source.Node) bool { return n.Text == name }) {
			items = append(items, source.NewString(origin, name))
		}
	}
	if r.source != nil {
		for _, n := range r.source.DependsOn {
			if names, dropped := r.stack.instead[n.Text]; dropped {
				changed = true
				for _, name := range names {
					add(n, name)
				}
				continue
			}
			c := r.stack.components[n.Text]
			if c == nil || r.stack.Program.Template.Resource(n.Text) != nil {
				items = append(items, n)
				continue
			}
			changed = true
			for _, name := range r.stack.Done(c) {
				add(n, name)
			}
		}
		if !changed {
			return r.source.DependsOnNode
		}
	}
	for _, name := range r.after {
		add(r.key, name)
	}
	return source.NewList(r.key, items...)
}

func (r *Resource) added() *source.Node {
	pairs := []source.Pair{source.P(r.key, "type", source.NewString(r.key, r.typ))}
	pairs = append(pairs, r.sections...)
	if len(r.after) > 0 {
		pairs = append(pairs, source.P(r.key, "depends_on", r.dependsOn()))
	}
	if len(r.properties) > 0 {
		pairs = append(pairs, source.P(r.key, "properties", source.NewMap(r.key, r.properties...)))
	}
	return source.NewMap(r.key, pairs...)
}
