package resources

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/resources/catalog"
)

var (
	providerName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	typeName     = regexp.MustCompile(`^[A-Za-z0-9_]+(::[A-Za-z0-9_]+)+$`)
)

// steps are the lifecycle steps that Type.Handles may name.
var steps = []string{
	"create", "update", "delete", "check", "suspend", "resume", "signal", "snapshot", "restore", "delete_snapshot", "snapshot_delete",
}

// Faults finds what a Heat would refuse when it loads the description's types, and what no host could use. Heat checks a
// schema when its class is made, so that one fault would keep the whole engine from starting.
func (d *Description) Faults() []string {
	f := &schemaFaults{}
	if !providerName.MatchString(d.Name) {
		f.add("provider", "its name %q is not made of lower-case letters, digits and -", d.Name)
	}
	if d.Version == "" {
		f.add("provider", "it has no version")
	}
	if len(d.Types)+len(d.Tools)+len(d.Actions) == 0 {
		f.add("provider", "it offers nothing")
	}
	for _, name := range slices.Sorted(maps.Keys(d.Types)) {
		f.resourceType(name, d.Types[name])
	}
	for _, name := range slices.Sorted(maps.Keys(d.Tools)) {
		f.properties("tool "+name, d.Tools[name].Options)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Actions)) {
		if !strings.Contains(name, ".") {
			f.add("action "+name, "its name has no namespace: NAMESPACE.NAME")
		}
		f.properties("action "+name, d.Actions[name].Inputs)
	}
	return f.found
}

type schemaFaults struct{ found []string }

func (f *schemaFaults) add(at, format string, args ...any) {
	f.found = append(f.found, at+": "+fmt.Sprintf(format, args...))
}

func (f *schemaFaults) resourceType(name string, t *catalog.Type) {
	if !typeName.MatchString(name) {
		f.add(name, "a resource type is named NAMESPACE::NAME")
	}
	for _, h := range t.Handles {
		if !slices.Contains(steps, h) {
			f.add(name, "there is no lifecycle step %q", h)
		}
	}
	f.properties(name, t.Properties)
	f.properties(name+" update_policy", t.UpdatePolicy)
	for _, a := range slices.Sorted(maps.Keys(t.Attributes)) {
		if a == "show" {
			f.add(name+"."+a, "Heat has an attribute of that name for every resource")
		}
		if k := t.Attributes[a].Type; k != "" && !slices.Contains(attributeKinds, k) {
			f.add(name+"."+a, "an attribute cannot be of type %q", k)
		}
	}
}

var (
	attributeKinds = []catalog.Kind{catalog.String, catalog.Integer, catalog.Number, catalog.Boolean, catalog.List, catalog.Map}
	propertyKinds  = append(slices.Clone(attributeKinds), catalog.Anything)
)

func (f *schemaFaults) properties(at string, schema map[string]*catalog.Property) {
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		f.property(at+"."+name, schema[name])
	}
}

// property mirrors heat.engine.constraints.Schema and its Constraints.
func (f *schemaFaults) property(at string, p *catalog.Property) {
	switch {
	case !slices.Contains(propertyKinds, p.Type):
		f.add(at, "a property cannot be of type %q", p.Type)
	case p.Update && p.Immutable:
		f.add(at, "it is update_allowed and immutable at once")
	case p.Schema != nil && p.Type != catalog.Map:
		f.add(at, "only a map has entries")
	case p.Items != nil && p.Type != catalog.List:
		f.add(at, "only a list has items")
	case p.Required && p.Default != nil:
		f.add(at, "it is required and has a default")
	}
	for _, c := range p.Constraints {
		f.constraint(at, p.Type, c)
	}
	if p.Default != nil {
		if _, faults := CheckValues(map[string]*catalog.Property{"default": p}, Values{"default": p.Default}); len(faults) > 0 {
			f.add(at, "%s", faults[0])
		}
	}
	f.properties(at, p.Schema)
	if p.Items != nil {
		f.property(at+".*", p.Items)
	}
}

// constraint mirrors which types of values each kind of constraint may stand on.
func (f *schemaFaults) constraint(at string, k catalog.Kind, c catalog.Constraint) {
	allow := func(what string, kinds ...catalog.Kind) {
		if k != catalog.Anything && !slices.Contains(kinds, k) {
			f.add(at, "a value of type %s cannot have the constraint %s", k, what)
		}
	}
	switch {
	case c.Range != nil:
		allow("range", catalog.Integer, catalog.Number)
		f.bounds(at, "range", c.Range)
	case c.Length != nil:
		allow("length", catalog.String, catalog.List, catalog.Map)
		f.bounds(at, "length", c.Length)
	case c.Modulo != nil:
		allow("modulo", catalog.Integer, catalog.Number)
		if c.Modulo.Step == 0 {
			f.add(at, "the step of modulo is 0")
		}
	case c.AllowedValues != nil:
		allow("allowed_values", catalog.String, catalog.Integer, catalog.Number, catalog.Boolean, catalog.List)
	case c.AllowedPattern != nil:
		allow("allowed_pattern", catalog.String)
		if _, err := hot.CompilePattern(*c.AllowedPattern); err != nil {
			f.add(at, "allowed_pattern: %v", err)
		}
	case c.Custom == "":
		f.add(at, "a constraint without a kind")
	}
}

func (f *schemaFaults) bounds(at, what string, b *catalog.Bounds) {
	if b.Min == nil && b.Max == nil || b.Min != nil && b.Max != nil && *b.Min > *b.Max {
		f.add(at, "%s allows nothing or everything", what)
	}
}
