package preview

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// groups are the types that make members of a definition among their properties.
var groups = map[string]struct {
	definition string // the property that has it
	count      string // the property that says how many there are; "" where that is known only to the cloud
	index      string // the property that says what stands for a member's index in the definition
}{
	"OS::Heat::ResourceGroup":    {"resource_def", "count", "index_var"},
	"OS::Heat::AutoScalingGroup": {"resource", "", ""},
}

// everyMember is the name of the members of a group whose number is not known.
const everyMember = "*"

// maxMembers bounds how many members are told of: Heat's own limit of resources.
const maxMembers = hot.MaxResources

// group decides on the members of a group. It reports false for other resources.
func (l *level) group(d *decision, before, after *definition) bool {
	if _, ok := groups[after.ruleName()]; !ok || d.Action == Replace {
		return ok
	}
	d.inside = l.members(d, before, after)
	l.within(d)
	return true
}

// members decides on the members of a group. One of the definitions may be nil: the group is created or deleted.
func (l *level) members(d *decision, before, after *definition) []Change {
	old, now := before.memberNames(), after.memberNames()
	if before != nil && after != nil && (slices.Contains(old, everyMember) || slices.Contains(now, everyMember)) {
		old, now = []string{everyMember}, []string{everyMember}
	}
	var out []Change
	for _, name := range append(slices.Clone(now), missing(old, now)...) {
		x, y := before.member(name, slices.Contains(old, name)), after.member(name, slices.Contains(now, name))
		if x == nil && y == nil {
			continue
		}
		m := &decision{properties: map[string]bool{}}
		m.Name, m.Path = name, d.Path+"."+name
		shows := y
		if shows == nil {
			shows = x
		}
		m.Type = shows.typeName
		m.Place = d.Place
		m.Place.Path += ".properties." + groups[shows.group].definition
		m.Place.At = shows.node.At()
		l.settle(m, x, y)
		out = append(append(out, m.Change), m.inside...)
	}
	return out
}

func missing(old, now []string) []string {
	var out []string
	for _, name := range old {
		if !slices.Contains(now, name) {
			out = append(out, name)
		}
	}
	return out
}

// memberNames are the names that a group's members have.
func (d *definition) memberNames() []string {
	if d == nil {
		return nil
	}
	kind := groups[d.ruleName()]
	n, known := value.Int(given(d, kind.count))
	if _, blacklist := d.properties.GetStr("removal_policies"); kind.count == "" || !known || n > maxMembers || blacklist {
		return []string{everyMember}
	}
	var out []string
	for i := range n {
		out = append(out, strconv.Itoa(i))
	}
	return out
}

// member is the definition of one member of a group, nil where there is none or it cannot be told.
func (d *definition) member(name string, exists bool) *definition {
	if d == nil || !exists {
		return nil
	}
	kind := groups[d.ruleName()]
	def, _ := d.properties.GetStr(kind.definition)
	m, ok := def.(*value.Map)
	if !ok {
		return nil
	}
	if index, ok := given(d, kind.index).(string); ok && index != "" && name != everyMember {
		m = indexed(m, index, name).(*value.Map)
	}
	typeName, _ := m.GetStr("type")
	text, ok := typeName.(string)
	if !ok {
		return nil
	}
	node := d.node.Get("properties").Get(kind.definition)
	if node == nil {
		node = d.node
	}
	out := &definition{half: d.half, name: name, typeName: text, node: node, properties: value.NewMap(0), group: d.ruleName()}
	if p, _ := m.GetStr("properties"); p != nil {
		if props, isMap := p.(*value.Map); isMap {
			out.properties = props
		}
	}
	if metadata, ok := m.GetStr("metadata"); ok {
		out.recorded = []recorded{{"metadata", metadata, node.Get("metadata")}}
	}
	typeNode := node.Get("type")
	if !typeNode.Is(source.String) || typeNode.Text != text {
		typeNode = source.NewString(node, text)
	}
	h := d.half
	resolved := h.stack.Environment.Registry.Below(d.name).Resolve(typeNode, name, h.side.types.Knows)
	if out.template = resolved.Template; out.template == nil {
		out.typ = h.side.types.Type(resolved.Type)
		return out
	}
	resource := &hot.Resource{Name: source.NewString(node, name), Node: node, Type: typeNode, Properties: node.Get("properties")}
	out.child, _ = h.side.nesting.Member(h.stack, resource, resolved.Template)
	return out
}

// indexed is a value with a member's index in its texts.
func indexed(v any, index, name string) any {
	switch x := v.(type) {
	case string:
		return strings.ReplaceAll(x, index, name)
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = indexed(item, index, name)
		}
		return out
	case *value.Map:
		out := value.NewMap(x.Len())
		for key, item := range x.All() {
			out.SetStr(value.Str(key), indexed(item, index, name))
		}
		return out
	case *Later:
		return &Later{Function: x.Function, Arg: indexed(x.Arg, index, name), half: x.half}
	}
	return v
}
