package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// propertyChecker compares one map of properties with a schema, as Heat's Properties.validate does.
type propertyChecker struct {
	p       *Pass
	what    string // for messages: `OS::Nova::Server`
	loose   bool   // the schema is a nested template's parameters
	renames *renames
	// lenient: a value that refers to a resource is only converted, not held against constraints, since Heat cannot
	// know it before the resource exists. Names of entries are not checked below it either.
	lenient bool
	emit    func(diag.Diagnostic)
}

// entries resolves the pairs of a map. A pair whose value is absent is left out. The caller gives them to reuse.
func (c *propertyChecker) entries(n *source.Node, data bool, at *source.Node, via []diag.Step) *entries {
	out := c.p.entries(len(n.Pairs))
	for _, pair := range n.Pairs {
		f := c.fact(pair.Value, data)
		if f.absent {
			continue
		}
		e := entry{name: hot.KeyText(pair.Key), key: pair.Key, at: pair.Value, fact: f}
		if data {
			e.at = at
		}
		if e.via == nil {
			e.via = via
		}
		out.put(e)
	}
	return out
}

func (c *propertyChecker) fact(n *source.Node, data bool) fact {
	if data {
		return fact{node: n, data: true}
	}
	return c.p.resolve(n, c.emit).validated()
}

// top checks the properties of a resource, or its update policy.
func (c *propertyChecker) top(n *source.Node, schema map[string]*catalog.Property) {
	given := c.p.entries(len(n.Pairs))
	defer c.p.reuse(given)
	for _, pair := range n.Pairs {
		name := hot.KeyText(pair.Key)
		prop := schema[name]
		if prop == nil {
			c.emit(unknownProperty(pair.Key, name, c.what, schema, c.p))
			continue
		}
		if prop.Unimplemented {
			c.emit(unimplementedProperty(pair.Key, name, c.what))
		}
		if f := c.fact(pair.Value, false); !f.absent {
			given.put(entry{name: name, key: pair.Key, at: pair.Value, fact: f})
		}
	}
	for _, name := range c.names(schema, given) {
		if c.replaced(nil, name) {
			continue
		}
		sub := *c
		sub.lenient = given.get(name) != nil && c.p.refersToResource(n.Get(name))
		sub.property([]string{name}, schema, given, n)
	}
}

// nested checks the entries of a map value against its schema.
func (c *propertyChecker) nested(path []string, e entry, schema map[string]*catalog.Property) {
	n := e.node
	given := c.entries(n, e.data, e.at, e.via)
	defer c.p.reuse(given)
	if !c.lenient {
		for _, g := range given.list {
			key := g.key
			if e.data {
				key = e.at
			}
			switch prop := schema[g.name]; {
			case prop == nil:
				c.emit(c.via(unknownProperty(key, g.name, strings.Join(path, "."), schema, c.p), g))
			case prop.Unimplemented:
				c.emit(c.via(unimplementedProperty(key, g.name, strings.Join(path, ".")), g))
			}
		}
	}
	for _, name := range c.names(schema, given) {
		if !c.replaced(path, name) {
			at := n
			if e.data {
				at = e.at
			}
			c.property(append(slices.Clip(path), name), schema, given, at)
		}
	}
}

// names are the entries of a schema that have something to check: those that are given, required, or stand for an old
// name that is given.
func (c *propertyChecker) names(schema map[string]*catalog.Property, given *entries) []string {
	names := make([]string, 0, len(given.list)+4)
	for name, prop := range schema {
		if given.get(name) != nil || prop.Required || c.renames != nil && c.renames.new[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// property checks one name of a schema; given holds its map's entries, and at is that map.
func (c *propertyChecker) property(path []string, schema map[string]*catalog.Property, given *entries, at *source.Node) {
	name := path[len(path)-1]
	prop := schema[name]
	e := given.get(name)
	old, oldName := c.replacement(path, given)
	switch {
	case e != nil && old != nil && e.truthy() && old.truthy():
		c.emit(bothProperties(e.key, name, oldName, old.key))
	case e != nil && e.truthy() && c.inside(path, given) != nil:
		c.emit(bothProperties(e.key, name, name, c.inside(path, given)))
	case old.stands(path):
		if p := schema[oldName]; p != nil {
			sub := *c
			sub.lenient = true // Heat converts the value that stands in for another, and no more
			sub.value(append(slices.Clip(path[:len(path)-1]), oldName), p, *old)
		}
	case e != nil:
		c.value(path, prop, *e)
	case prop.Required && prop.Default == nil:
		c.emit(missingProperty(at, path, c.what, prop, c.p))
	}
}

// truthy reports whether a property has a value that counts. What is certainly text and not known yet does: nobody gives
// a parameter that names a thing the empty text.
func (e entry) truthy() bool {
	if e.node != nil {
		return hot.Truthy(e.node)
	}
	return e.kinds == kindsOf(source.String) && len(e.choices) == 0
}

// stands reports whether an old name has a value to take over: at the top null is converted first, and so is one.
func (e *entry) stands(path []string) bool {
	return e != nil && (len(path) == 1 || e.node == nil || !e.node.IsNull())
}

// value checks one value against its schema.
func (c *propertyChecker) value(path []string, prop *catalog.Property, e entry) {
	a := accepts(prop, c.loose)
	switch {
	case e.failed():
	case len(e.choices) > 0:
		c.choices(path, prop, e)
	case e.node == nil:
		if e.kinds&a.kinds == 0 {
			c.emit(c.via(wrongKind(e.at, path, a, e.kinds.String(), e.why), e))
		}
	case !a.kinds.has(e.node.Kind):
		c.emit(c.via(c.p.brokenCall(e, wrongKind(e.place(), path, a, describe(e.node), "")), e))
	default:
		c.known(path, prop, a, e)
	}
}

// known checks a value of an accepted kind.
func (c *propertyChecker) known(path []string, prop *catalog.Property, a acceptance, e entry) {
	switch {
	case e.node.Is(source.Map) && prop.Type == catalog.Map:
		c.mapValue(path, prop, e)
	case e.node.Is(source.List) && prop.Type == catalog.List:
		c.listValue(path, prop, e)
	case e.node.Is(source.Null) && prop.Type == catalog.Map && prop.Schema != nil && prop.Default == nil:
		empty := e
		empty.node = source.NewMap(e.place()) // null is an empty map, which may lack what is required
		empty.at, empty.data = e.place(), true
		c.mapValue(path, prop, empty)
	default:
		c.computed(e.node, e.data)
		v := valueOf(e.node)
		switch {
		case v == nil:
			if v = value.From(prop.Default); v == nil {
				v = hot.ZeroProperty(prop.Type)
			}
		case a.convert != nil:
			var ok bool
			if v, ok = a.convert(v); !ok {
				c.emit(c.via(wrongText(e.place(), path, a, e.node), e))
				return
			}
		}
		c.constraints(path, prop, v, e)
	}
}

// brokenCall points at the key that keeps a map from being a call, where that is why it is a map.
func (p *Pass) brokenCall(e entry, d diag.Diagnostic) diag.Diagnostic {
	if e.data || !e.node.Is(source.Map) || len(e.node.Pairs) < 2 {
		return d
	}
	name := ""
	var extra *source.Node
	for _, pair := range e.node.Pairs {
		if key := hot.KeyText(pair.Key); p.Version.HasFunction(key) && name == "" {
			name = key
		} else if extra == nil {
			extra = pair.Key
		}
	}
	if name == "" || extra == nil {
		return d
	}
	d.Location = extra.At()
	d.Message += ": with this key beside " + name + " the map is data and no call"
	return d.With("keep %s as the only key", name)
}

func (c *propertyChecker) mapValue(path []string, prop *catalog.Property, e entry) {
	if prop.Schema == nil {
		c.computed(e.node, e.data)
	} else {
		c.nested(path, e, prop.Schema)
	}
	if len(prop.Constraints) > 0 {
		if v, ok := c.p.whole(e); ok {
			c.constraints(path, prop, v, e)
		}
	}
}

func (c *propertyChecker) listValue(path []string, prop *catalog.Property, e entry) {
	if prop.Items == nil {
		c.computed(e.node, e.data)
	}
	for i, item := range e.node.Items {
		if prop.Items == nil {
			break
		}
		f := c.fact(item, e.data)
		if f.absent {
			continue
		}
		if prop.Items.Unimplemented && !c.lenient {
			c.emit(c.via(unimplementedProperty(e.at, path[len(path)-1], c.what), e))
			break
		}
		if f.via == nil {
			f.via = e.via
		}
		at := item
		if e.data {
			at = e.at
		}
		c.value(append(slices.Clip(path), fmt.Sprint(i)), prop.Items, entry{key: e.key, at: at, fact: f})
	}
	if len(prop.Constraints) > 0 {
		if v, ok := c.p.whole(e); ok {
			c.constraints(path, prop, v, e)
		}
	}
}

// whole is the value of an entry with everything in it, if that is known.
func (p *Pass) whole(e entry) (any, bool) {
	if !p.hasCalls(e.node, e.data) {
		return valueOf(e.node), true
	}
	v, err := p.scope.Eval(e.node)
	return v, err == nil && !unknownWithin(v)
}

func unknownWithin(v any) bool {
	if isUnknown(v) {
		return true
	}
	if items, ok := value.Seq(v); ok {
		return slices.ContainsFunc(items, unknownWithin)
	}
	if m, ok := v.(*value.Map); ok {
		for _, x := range m.All() {
			if unknownWithin(x) {
				return true
			}
		}
	}
	return false
}

// computed resolves what stands below a value without schema, since Heat does and can fail at it.
func (c *propertyChecker) computed(n *source.Node, data bool) {
	if data {
		return
	}
	for _, item := range n.Items {
		c.below(item)
	}
	for _, pair := range n.Pairs {
		c.below(pair.Value)
	}
}

func (c *propertyChecker) below(n *source.Node) {
	f := c.p.resolve(n, c.emit)
	if f.node != nil {
		c.computed(f.node, f.data)
	}
}

// choices checks the outcomes of a condition that is not known: what no outcome can pass is an error, what one
// cannot is a warning.
func (c *propertyChecker) choices(path []string, prop *catalog.Property, e entry) {
	found := make([]diag.List, len(e.choices))
	refused := 0
	for i, ch := range e.choices {
		if ch.absent {
			continue
		}
		sub := *c
		sub.emit = func(d diag.Diagnostic) { found[i].Add(d) }
		sub.value(path, prop, entry{key: e.key, at: e.at, fact: ch.fact})
		if found[i].HasErrors() {
			refused++
		}
	}
	for i, list := range found {
		for _, d := range list {
			if d.Severity == diag.Error && refused < len(e.choices) {
				d.Severity = diag.Warning
				d.Message += ", where " + e.choices[i].when
			}
			c.emit(d)
		}
	}
}

// place is where a finding about the value is shown: at the author's value, or where a call stands.
func (e entry) place() *source.Node {
	if e.data || len(e.via) > 0 || e.node == nil {
		return e.at
	}
	return e.node
}

// via adds the way that the value took.
func (c *propertyChecker) via(d diag.Diagnostic, e entry) diag.Diagnostic {
	d.Trail = append(d.Trail, e.via...)
	return d
}

// replaced reports whether another property takes the value of this one, which then is not checked itself.
func (c *propertyChecker) replaced(path []string, name string) bool {
	return c.renames != nil && c.renames.old[name] && c.renames.replaced[schemaPath(path, name)]
}

// replacement finds the given property whose value Heat puts in the place of the one at path.
func (c *propertyChecker) replacement(path []string, given *entries) (*entry, string) {
	last := len(path) - 1
	if c.renames == nil || !c.renames.new[path[last]] {
		return nil, ""
	}
	for _, name := range c.renames.sources[schemaPath(path[:last], path[last])] {
		if e := given.get(name); e != nil {
			return e, name
		}
	}
	return nil, ""
}

// inside finds the key of a map beside the property that says the same thing, such as policies.retry beside retry.
func (c *propertyChecker) inside(path []string, given *entries) *source.Node {
	last := len(path) - 1
	if c.renames == nil || !c.renames.new[path[last]] {
		return nil
	}
	for _, in := range c.renames.inside[schemaPath(path[:last], path[last])] {
		if e := given.get(in[0]); e != nil && e.node.Is(source.Map) {
			if pair := e.node.Pair(in[1]); pair != nil && hot.Truthy(pair.Value) {
				return pair.Key
			}
		}
	}
	return nil
}
