package preview

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// compare decides on a resource that both sides have, in the order in which Heat's update of a resource does.
func (l *level) compare(d *decision, before, after *definition) {
	if old, _ := before.part("external_id"); true {
		now, node := after.part("external_id")
		switch {
		case l.diff(old, now).verdict != same:
			l.comparer.refuse(l.at(d, node, "external_id"), "external_id of "+d.Path+" cannot change: Heat ends the update there")
			return
		case now != absent{}:
			return // Heat leaves external resources alone
		}
	}
	if before.class() != after.class() {
		d.Action = Replace
		d.Causes = []Cause{{
			What: "type", Replaces: true, Before: before.typeName, After: after.typeName, Place: l.at(d, section(after.node, "type"), "type"),
			Advice: "a resource cannot change its type; under another name it would be one more resource",
		}}
		return
	}
	if after.typ != nil && after.typ.Placeholder {
		return // does nothing, whatever is said of it
	}
	_, isGroup := groups[after.ruleName()]
	if after.template == nil && !isGroup && l.failed(d) { // stacks decide for what is in them
		return
	}
	changed := l.properties(d, before, after)
	for _, part := range []string{"metadata", "depends_on", "deletion_policy", "update_policy", "condition"} {
		l.record(d, before, after, part)
	}
	if after.template != nil {
		l.template(d, before, after)
		return
	}
	l.judge(d, before, after, changed)
	if l.group(d, before, after) {
		return
	}
	l.restricted(d, after)
}

// at is the place of a part of a resource.
func (l *level) at(d *decision, n *source.Node, part string) Place {
	p := d.Place
	p.Path += "." + part
	if n != nil {
		p.At = n.At()
	}
	return p
}

// failed says that Heat replaces what has failed. Some types look at the real thing first.
func (l *level) failed(d *decision) bool {
	state := l.comparer.States[d.Path]
	action, status, _ := strings.Cut(state, "_")
	if status != "FAILED" && state != "INIT_COMPLETE" && state != "DELETE_COMPLETE" {
		return false
	}
	d.Action, d.Possible = Replace, status == "FAILED" && action != "CHECK" && looksFirst[d.Type]
	advice := ""
	if d.Possible {
		advice = "Heat keeps it if the cloud says that it works"
	}
	d.Causes = []Cause{{What: "state", Replaces: true, Possible: d.Possible, Before: state, Place: d.Place, Advice: advice}}
	return true
}

// properties finds the properties that differ, as Heat sees them: converted to their types, with defaults.
func (l *level) properties(d *decision, before, after *definition) map[string]difference {
	changed := map[string]difference{}
	schema := after.schema()
	x, y := translated(before), translated(after)
	names := slices.Collect(maps.Keys(schema))
	if schema == nil {
		for _, m := range []*value.Map{x, y} {
			for key := range m.All() {
				names = append(names, value.Str(key))
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		p := schema[name]
		e := l.diff(property(p, x, name), property(p, y, name))
		if e.verdict != same {
			e.path = append([]string{name}, e.path...)
			changed[name] = e
		}
	}
	if len(changed) == 0 {
		raw := l.diff(before.properties, after.properties)
		if raw.verdict == differs {
			l.note(d, before, after, "property", raw, true)
		}
	}
	return changed
}

// schema is the schema of the properties, nil where it is not known.
func (d *definition) schema() map[string]*catalog.Property {
	switch {
	case d.typ != nil:
		return d.typ.Properties
	case d.child == nil:
		return nil
	}
	out := map[string]*catalog.Property{}
	for _, p := range d.child.Template.Parameters {
		out[p.Name.Text] = &catalog.Property{Type: catalog.Anything, Update: true, Secret: p.Hidden}
	}
	return out
}

// record notes what differs in the definition beside the properties.
func (l *level) record(d *decision, before, after *definition, part string) {
	x, _ := before.part(part)
	y, _ := after.part(part)
	if e := l.diff(x, y); e.verdict != same {
		l.note(d, before, after, part, e, part != "metadata")
	}
}

// note adds a cause for an update in place.
func (l *level) note(d *decision, before, after *definition, what string, e difference, onlyRecorded bool) {
	if d.Action == Keep {
		d.Action, d.Recorded, d.Possible = Update, onlyRecorded, e.verdict == maybe
	} else {
		d.Recorded = d.Recorded && onlyRecorded
		d.Possible = d.Possible && e.verdict == maybe
	}
	d.Causes = append(d.Causes, l.cause(d, before, after, what, e))
}

// cause tells of a difference.
func (l *level) cause(d *decision, before, after *definition, what string, e difference) Cause {
	c := Cause{What: what, Before: e.before, After: e.after, Possible: e.verdict == maybe}
	key, n := what, after.node
	c.Property = strings.Join(e.path, ".")
	if what == "property" {
		key = "properties"
		if p := after.schema()[first(e.path)]; p != nil {
			c.Secret = p.Secret
		}
	}
	part, old := section(n, key), section(before.node, key)
	heatPath := key
	for _, step := range e.path {
		next := child(part, step)
		if next == nil {
			break
		}
		heatPath += "." + step
		part, old = next, child(old, step)
	}
	c.Place = l.at(d, part, heatPath)
	if part == nil {
		c.Place = l.at(d, nil, key)
	}
	c.Sources = l.sources(before.half, after.half, old, part)
	for _, s := range e.sources {
		if !slices.ContainsFunc(c.Sources, func(t Source) bool { return t.Kind == s.Kind && t.Name == s.Name }) {
			c.Sources = append(c.Sources, s)
		}
	}
	c.Secret = c.Secret || l.comparer.secret(c.Before) || l.comparer.secret(c.After)
	for i := range c.Sources {
		s := &c.Sources[i]
		s.Secret = s.Secret || l.comparer.secret(s.Before) || l.comparer.secret(s.After)
		c.Secret = c.Secret || s.Secret
	}
	return c
}

// section is a part of a resource's definition under the name that HOT has for it, or CFN.
func section(n *source.Node, key string) *source.Node {
	if part := n.Get(key); part != nil {
		return part
	}
	return n.Get(map[string]string{
		"properties": "Properties", "metadata": "Metadata", "depends_on": "DependsOn", "deletion_policy": "DeletionPolicy",
		"update_policy": "UpdatePolicy", "condition": "Condition", "type": "Type",
	}[key])
}

func first(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return path[0]
}

func child(n *source.Node, step string) *source.Node {
	switch {
	case n.Is(source.Map):
		return n.Get(step)
	case n.Is(source.List):
		for i, item := range n.Items {
			if fmt.Sprint(i) == step {
				return item
			}
		}
	}
	return nil
}

// judge decides on a resource of a plug-in's type by the properties that differ.
func (l *level) judge(d *decision, before, after *definition, changed map[string]difference) {
	j := &judgement{level: l, before: before, after: after, changed: changed, certain: map[string]bool{}, all: map[string]bool{}}
	for name, e := range changed {
		j.all[name] = true
		if e.verdict == differs {
			j.certain[name] = true
		}
		d.properties[name] = true
	}
	rule := l.comparer.rules[after.ruleName()]
	if rule.always != nil {
		if c, ok := rule.always(j); ok {
			l.always(d, after, c)
			if c.Replaces {
				return
			}
		}
	}
	strongest := j.action(rule, j.all)
	if strongest == Keep {
		return
	}
	sure := j.action(rule, j.certain)
	if d.Action == Update && !d.Possible {
		sure = max(sure, Update)
	}
	ignored := strongest == Update && rule.ignored != nil && rule.ignored(j)
	d.Recorded = ignored && (d.Action == Keep || d.Recorded)
	d.Action = max(d.Action, strongest)
	d.Possible = d.Action > sure
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		e := changed[name]
		c := l.cause(d, before, after, "property", e)
		c.Replaces = j.replaces(rule, name)
		if p := after.schema()[name]; p != nil && p.Immutable && e.verdict == differs {
			l.comparer.refuse(c.Place, fmt.Sprintf("property %s of %s (%s) cannot change: Heat ends the update there", c.Property, d.Path, d.Type))
		}
		if c.Replaces {
			c.Advice = l.advice(j, rule, name, c)
		}
		d.Causes = append(d.Causes, c)
	}
	slices.SortStableFunc(d.Causes, func(a, b Cause) int { return order(a) - order(b) })
}

// always takes in what makes Heat act whatever else differs.
func (l *level) always(d *decision, after *definition, c Cause) {
	c.Place = l.at(d, nil, "properties")
	if c.Property != "" {
		c.Place = l.at(d, section(after.node, "properties").Get(c.Property), "properties."+c.Property)
	}
	d.Action, d.Possible, d.Recorded = max(d.Action, Update), false, false
	if c.Replaces {
		d.Action = Replace
	}
	d.Causes = append(d.Causes, c)
}

func order(c Cause) int {
	switch {
	case c.Replaces && !c.Possible:
		return 0
	case c.Replaces:
		return 1
	case !c.Possible:
		return 2
	}
	return 3
}

// ruleName is the type's name in the table of rules.
func (d *definition) ruleName() string {
	if d.typ != nil {
		return d.typ.Name
	}
	return d.typeName
}

// template decides on a resource that is a nested stack by what happens in it. Heat updates such stacks always; where
// nothing happens in one, that is nothing to tell.
func (l *level) template(d *decision, before, after *definition) {
	if before.child == nil || after.child == nil {
		return // not readable, as is told elsewhere
	}
	below := l.nested(d, before, after)
	d.below = below
	d.inside = below.run()
	l.within(d)
	for name := range d.properties {
		delete(d.properties, name)
	}
}

// within has a resource be updated where something happens inside it.
func (l *level) within(d *decision) {
	certain, recorded, any := false, true, false
	for _, c := range d.inside {
		if c.Action != Keep {
			any = true
			certain = certain || !c.Possible
			recorded = recorded && c.Recorded
		}
	}
	if !any {
		return
	}
	if d.Action == Keep {
		d.Action, d.Possible, d.Recorded = Update, !certain, recorded
	} else {
		d.Possible, d.Recorded = d.Possible && !certain, d.Recorded && recorded
	}
}

// restricted finds what the environment forbids.
func (l *level) restricted(d *decision, after *definition) {
	forbidden := restrictions(after.half.stack.Environment, d.Name)
	if d.Action == Replace && forbidden["replace"] || d.Action == Update && forbidden["update"] {
		l.comparer.refuse(d.Place, fmt.Sprintf("the environment's restricted_actions forbid to %s %s: Heat ends the update there", d.Action, d.Path))
	}
}

func restrictions(env *hot.Environment, name string) map[string]bool {
	out := map[string]bool{}
	n := env.Registry.Node.Get("resources").Get(name).Get("restricted_actions")
	for _, item := range append([]*source.Node{n}, itemsOf(n)...) {
		if s := item.Str(); s != "" {
			out[s] = true
		}
	}
	return out
}

func itemsOf(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
