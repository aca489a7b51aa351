package preview

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// level is a stack, before and after, at one level of nesting. One half may be nil: then all is created, or deleted.
type level struct {
	comparer *comparer
	base     string // path of the resource that the stack is behind; "" at the root
	url      string // of the template after
	old, new *half
	decided  map[string]*decision

	// The resource that the stack is behind, before and after, in the level above; nil at the root.
	above       *level
	was, became *definition
}

// decision is what comes of one resource, and of those in the stack behind it.
type decision struct {
	Change
	properties map[string]bool // those that differ
	below      *level          // the stack behind the resource, where it has one before and after
	inside     []Change
}

func newLevel(c *comparer, base, url string, before, after *half) *level {
	l := &level{comparer: c, base: base, url: url, old: before, new: after, decided: map[string]*decision{}}
	for _, h := range []*half{before, after} {
		if h != nil {
			h.level = l
			c.hide(h)
		}
	}
	return l
}

// definition is a resource as one side has it.
type definition struct {
	half       *half
	name       string
	typeName   string // the type as the template has it
	typ        *catalog.Type
	template   *source.Node // names the nested template; nil for a plug-in's type
	child      *hot.Stack
	node       *source.Node // the definition
	properties *value.Map
	recorded   []recorded
	group      string // the type of the group that it is a member of; "" for none
	possible   bool   // whether it exists depends on a condition that is not known
}

// recorded is a part of the definition beside the properties, in the order in which it is told.
type recorded struct {
	name  string
	value any
	node  *source.Node
}

// define reads a resource, or gives nil where the side does not have it.
func (h *half) define(name string) *definition {
	if h == nil {
		return nil
	}
	r := h.stack.Template.Resource(name)
	if r == nil || !r.Type.Is(source.String) {
		return nil
	}
	enabled := h.scope.Enabled(r)
	if enabled == function.False {
		return nil
	}
	d := &definition{half: h, name: name, typeName: r.Type.Text, node: r.Node, child: h.stack.Child(name), possible: enabled == function.Maybe}
	resolved := h.stack.Environment.Registry.Resolve(r.Type, name, h.side.types.Knows)
	if d.template = resolved.Template; d.template == nil {
		d.typ = h.side.types.Type(resolved.Type)
	}
	d.properties = value.NewMap(0)
	if v, _ := h.value(r.Properties); v != nil {
		if m, ok := v.(*value.Map); ok {
			d.properties = m
		}
	}
	for _, part := range []struct {
		name string
		node *source.Node
	}{
		{"metadata", r.Metadata},
		{"depends_on", r.DependsOnNode},
		{"deletion_policy", r.DeletionPolicy},
		{"update_policy", r.UpdatePolicy},
		{"condition", r.Condition},
		{"external_id", r.ExternalID},
	} {
		if part.node != nil {
			v, _ := h.value(part.node)
			d.recorded = append(d.recorded, recorded{part.name, v, part.node})
		}
	}
	return d
}

func (d *definition) part(name string) (any, *source.Node) {
	for _, r := range d.recorded {
		if r.name == name {
			return r.value, r.node
		}
	}
	return absent{}, nil
}

// class names what Heat compares types by: all nested templates are of one class.
func (d *definition) class() string {
	switch {
	case d.template != nil:
		return "template"
	case d.typ != nil:
		return substitute(d.typ.Name)
	}
	return d.typeName
}

// names are those of the resources of both sides, in the order of the template after, then of the one before.
func (l *level) names() []string {
	var out []string
	seen := map[string]bool{}
	for _, h := range []*half{l.new, l.old} {
		if h == nil {
			continue
		}
		for _, r := range h.stack.Template.Resources {
			if name := r.Name.Text; !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// run decides on everything at this level and below.
func (l *level) run() []Change {
	var out, deleted []Change
	for _, name := range l.names() {
		d := l.decide(name)
		if d == nil {
			continue
		}
		into := &out
		if d.Action == Delete {
			into = &deleted
		}
		*into = append(append(*into, d.Change), d.inside...)
	}
	return append(out, deleted...)
}

// decide says what comes of a resource; nil where neither side has it.
func (l *level) decide(name string) *decision {
	if d, ok := l.decided[name]; ok {
		return d
	}
	before, after := l.old.define(name), l.new.define(name)
	if before == nil && after == nil {
		l.decided[name] = nil
		return nil
	}
	d := l.begin(name, before, after)
	l.decided[name] = d // a circle, which Heat refuses, finds it as it is
	l.settle(d, before, after)
	return d
}

// settle decides on a resource of which there is a definition before, or after, or both.
func (l *level) settle(d *decision, before, after *definition) {
	switch {
	case before == nil:
		d.Action, d.Possible = Create, after.possible
		l.whole(d, nil, after)
	case after == nil:
		d.Action, d.Possible = Delete, before.possible
		l.whole(d, before, nil)
	default:
		l.compare(d, before, after)
		if d.Action == Replace {
			d.inside = nil
			l.whole(d, before, after)
		}
	}
}

func (l *level) begin(name string, before, after *definition) *decision {
	d := &decision{properties: map[string]bool{}}
	d.Name, d.Path = name, strings.TrimPrefix(l.base+"."+name, ".")
	shows := after
	if shows == nil {
		shows = before
	}
	d.Type = shows.typeName
	if before != nil && before.typeName != d.Type {
		d.OldType = before.typeName
	}
	d.Place = Place{Template: l.url, Path: "resources." + name, Before: after == nil, At: shows.node.At()}
	return d
}

// whole tells of the stack behind a resource that is created, deleted or replaced with everything in it.
func (l *level) whole(d *decision, before, after *definition) {
	for _, side := range [][2]*definition{{before, nil}, {nil, after}} {
		def := side[0]
		if def == nil {
			def = side[1]
		}
		if def == nil {
			continue
		}
		if def.child != nil {
			d.inside = append(d.inside, l.nested(d, side[0], side[1]).run()...)
		} else if groups[def.ruleName()].count != "" {
			d.inside = append(d.inside, l.members(d, side[0], side[1])...)
		}
	}
	for i := range d.inside {
		d.inside[i].Possible = d.inside[i].Possible || d.Possible
	}
}

// nested is the level behind a resource.
func (l *level) nested(d *decision, before, after *definition) *level {
	var x, y *half
	url := ""
	if before != nil {
		x, url = before.half.below(before.child, before.properties), before.template.Text
	}
	if after != nil {
		y, url = after.half.below(after.child, after.properties), after.template.Text
	}
	below := newLevel(l.comparer, d.Path, url, x, y)
	below.above, below.was, below.became = l, before, after
	return below
}
