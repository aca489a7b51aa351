package lsp

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// hotNames says how HOT spells what CFN spells otherwise.
var hotNames = map[string]string{
	"Parameters": "parameters", "Conditions": "conditions", "Resources": "resources", "Outputs": "outputs",
	"Type": "type", "Properties": "properties", "Metadata": "metadata", "DependsOn": "depends_on",
	"DeletionPolicy": "deletion_policy", "UpdatePolicy": "update_policy", "Condition": "condition", "Value": "value",
}

// hotSteps is a path in HOT's spelling: sections, and the keys of what they define.
func hotSteps(v *hot.Version, steps []string) []string {
	if v.Format != hot.CFN {
		return steps
	}
	out := slices.Clone(steps)
	for _, i := range []int{0, 2} {
		if i < len(out) {
			out[i] = cmp.Or(hotNames[out[i]], out[i])
		}
	}
	return out
}

// templateRules says, when first asked, what may stand where in a template, apart from function calls.
var templateRules = sync.OnceValue(func() []rule {
	return []rule{
		{at: pattern{}, keys: (*place).sections},
		{at: path(hot.HOTKey), vals: (*place).versions},
		{at: path("parameter_groups/*i"), keys: fixedKeys("of a group", "label", "description", "parameters")},
		{at: path("parameter_groups/*i/parameters/*i"), vals: (*place).parameters},
		{at: path("parameters"), keys: there((*place).parameters)},
		{at: path("parameters/*k"), keys: func(p *place) []offer { return keyWords("of a parameter", p.m.version().ParameterKeys...) }},
		{at: path("parameters/*k/type"), vals: func(p *place) []offer { return values("type of a parameter", p.m.version().ParameterTypes()...) }},
		{at: path("parameters/*k/hidden"), vals: truths},
		{at: path("parameters/*k/immutable"), vals: truths},
		{at: path("parameters/*k/constraints/*i"), keys: func(p *place) []offer {
			return append(keyWords("constraint", p.m.version().Constraints...), keyWords("said where it is violated", "description")...)
		}},
		{at: path("parameters/*k/constraints/*i/range"), keys: fixedKeys("bound", "min", "max")},
		{at: path("parameters/*k/constraints/*i/length"), keys: fixedKeys("bound", "min", "max")},
		{at: path("parameters/*k/constraints/*i/modulo"), keys: fixedKeys("of modulo", "step", "offset")},
		{at: path("parameters/*k/constraints/*i/custom_constraint"), vals: func(p *place) []offer {
			return values("custom constraint", p.m.Catalog.Constraints()...)
		}},
		{at: path("conditions"), keys: there((*place).conditions)},
		{at: path("resources"), keys: there((*place).resources)},
		{at: path("resources/*k"), keys: (*place).resourceKeys},
		{at: path("resources/*k/type"), vals: (*place).resourceTypes},
		{at: path("resources/*k/condition"), vals: (*place).conditions},
		{at: path("resources/*k/depends_on"), vals: (*place).resources},
		{at: path("resources/*k/depends_on/*i"), vals: (*place).resources},
		{at: path("resources/*k/deletion_policy"), vals: func(p *place) []offer {
			return values("deletion policy", p.m.version().DeletionPolicies()...)
		}},
		{at: path("resources/*k/update_policy"), keys: func(p *place) []offer {
			if t := p.m.typeOf(p.m.Template.Resource(p.arg(0))); t != nil {
				return propertyOffers(t.UpdatePolicy)
			}
			return nil
		}},
		{at: path("resources/*k/properties/**"), keys: (*place).propertyKeys, vals: (*place).propertyValues},
		{at: path("resources/*k/components"), keys: there((*place).components)},
		{at: path("resources/*k/components/*"), keys: fixedKeys("of a component", hot.ComponentKeys()...)},
		{at: path("resources/*k/components/*/component_type"), vals: (*place).componentTypes},
		{at: path("resources/*k/components/*/params"), keys: (*place).componentParams},
		{at: path("resources/*k/components/*/params/*k"), vals: (*place).componentParam},
		{at: path("resources/*k/components/*/depends_on"), vals: (*place).componentTargets},
		{at: path("resources/*k/components/*/depends_on/*i"), vals: (*place).componentTargets},
		{at: path("resources/*k/components/*/condition"), vals: (*place).conditions},
		{at: path("resources/*k/components/*/actions/*i"), vals: fixedValues("lifecycle action", hot.Actions...)},
		{at: path("resources/*k/components/*/on_failure"), vals: fixedValues("where the step fails", "fail", "continue")},
		{at: path("outputs/*k"), keys: func(p *place) []offer { return keyWords("of an output", p.m.version().OutputKeys...) }},
		{at: path("outputs/*k/condition"), vals: (*place).conditions},
		{at: path("component_types"), keys: there((*place).componentTypes)},
		{at: path("component_types/*k"), keys: fixedKeys("of a component type", hot.ComponentTypeKeys()...)},
		{at: path("component_types/*k/inputs/*"), keys: fixedKeys("of an input", hot.InputKeys()...)},
		{at: path("component_types/*k/outputs/*"), keys: fixedKeys("of an output", hot.OutputKeys()...)},
		{at: path("component_types/*k/inputs/*/type"), vals: fixedValues("type", hot.IOTypes()...)},
		{at: path("component_types/*k/outputs/*/type"), vals: fixedValues("type", hot.IOTypes()...)},
		{at: path("component_types/*k/configs"), keys: fixedKeys("lifecycle action", hot.Actions...)},
	}
})

func truths(*place) []offer { return values("", "true", "false") }

// there are names of what is defined at the place itself.
func there(names func(*place) []offer) func(*place) []offer {
	return func(p *place) []offer {
		out := names(p)
		for i := range out {
			out[i].there = true
		}
		return out
	}
}

func (p *place) template() []offer {
	p.steps = hotSteps(p.m.version(), p.path)
	if out, inCall := p.inCall(); inCall {
		return out
	}
	return append(p.byRules(templateRules()), p.calls()...)
}

func (p *place) sections() []offer {
	v := p.m.version()
	names := slices.Clone(v.Sections)
	if v.Format == hot.HOT {
		names = append(names, "component_types")
	}
	return keyWords("section", names...)
}

func (p *place) versions() []offer {
	var out []offer
	for _, v := range slices.Backward(hot.Versions) {
		if v.Key != hot.HOTKey {
			continue
		}
		doc := "Template version " + v.Name
		for _, a := range v.Aliases {
			doc += ", also called " + a
		}
		out = append(out, offer{name: v.Name, kind: itemValue, detail: strings.Join(v.Aliases, ", "), doc: doc + "."})
		for _, a := range v.Aliases {
			out = append(out, offer{name: a, kind: itemValue, detail: v.Name, doc: doc + "."})
		}
	}
	return out
}

func (p *place) parameters() []offer {
	var out []offer
	for _, def := range p.m.Template.Parameters {
		out = append(out, offer{name: def.Name.Text, kind: itemVariable, detail: string(def.Type), doc: describeParameter(def)})
	}
	return out
}

func (p *place) conditions() []offer {
	var out []offer
	for _, c := range p.m.Template.Conditions {
		out = append(out, offer{name: c.Name.Text, kind: itemValue, detail: "condition", doc: describeCondition(c)})
	}
	return out
}

// resources are the names of all resources but the one that the place is in.
func (p *place) resources() []offer {
	var out []offer
	for _, r := range p.m.Template.Resources {
		if len(p.steps) > 2 && p.steps[0] == "resources" && p.steps[1] == r.Name.Text {
			continue
		}
		out = append(out, offer{name: r.Name.Text, kind: itemVariable, detail: r.Type.Str(), doc: p.m.describeResource(r)})
	}
	return out
}

func (p *place) resourceKeys() []offer {
	v := p.m.version()
	names := slices.Clone(v.ResourceKeys)
	if v.Format == hot.HOT {
		names = append(names, "components")
	}
	out := keyWords("of a resource", names...)
	for i := range out {
		out[i].required = out[i].name == "type" || out[i].name == "Type"
	}
	return out
}

// resourceTypes are Heat's, those of providers, those that the environment maps, and templates beside this one.
func (p *place) resourceTypes() []offer {
	var out []offer
	for _, name := range p.m.Catalog.Names() {
		out = append(out, offer{name: name, kind: itemClass, resource: name})
	}
	if p.m.Stack != nil {
		for _, m := range p.m.Stack.Environment.Registry.Mappings() {
			if m.Value.Is(source.String) && !p.m.Catalog.Knows(m.Key.Text) && !strings.HasSuffix(m.Key.Text, "*") {
				out = append(out, offer{name: m.Key.Text, kind: itemClass, detail: m.Value.Text, doc: "The environment maps it to `" + m.Value.Text + "`."})
			}
		}
	}
	return append(out, p.files(hot.IsTemplateName)...)
}

// definition is the properties that a resource, or a group's member within its properties, takes, and the steps below
// them.
func (p *place) definition() (properties map[string]*catalog.Property, steps []string) {
	r := p.m.Template.Resource(p.arg(0))
	steps = p.args[min(1, len(p.args)):]
	if r == nil {
		return nil, steps
	}
	if len(steps) >= 2 && (steps[0] == "resource_def" || steps[0] == "resource") && steps[1] == "properties" {
		t := p.m.Catalog.Type(r.Properties.Get(steps[0]).Get("type").Str())
		if t == nil {
			return nil, steps[2:]
		}
		return t.Properties, steps[2:]
	}
	if t := p.m.nested(r); t != nil {
		return parameterProperties(t), steps
	}
	if t := p.m.typeOf(r); t != nil {
		return t.Properties, steps
	}
	return nil, steps
}

// parameterProperties are the properties of the resource that a nested template makes.
func parameterProperties(t *hot.Template) map[string]*catalog.Property {
	kinds := map[hot.ParameterType]catalog.Kind{
		hot.String: catalog.String, hot.Number: catalog.Number, hot.Boolean: catalog.Boolean, hot.JSON: catalog.Map, hot.CommaDelimitedList: catalog.List,
	}
	out := map[string]*catalog.Property{}
	for _, p := range t.Parameters {
		q := &catalog.Property{Type: kinds[p.Type], Description: p.Description.Str(), Secret: p.Hidden, Required: p.Default == nil, Update: !p.Immutable, Immutable: p.Immutable}
		if p.Default != nil && !p.Hidden {
			q.Default = hot.ValueOf(p.Default)
		}
		out[p.Name.Text] = q
	}
	return out
}

// schema walks down to the properties at some steps; the branches of an if stand for what it gives.
func schema(properties map[string]*catalog.Property, steps []string) (self *catalog.Property, below map[string]*catalog.Property) {
	below = properties
	for i := 0; i < len(steps); i++ {
		switch step := steps[i]; {
		case (step == "if" || step == "Fn::If") && i+1 < len(steps) && (steps[i+1] == "[1]" || steps[i+1] == "[2]"):
			i++
			continue
		case isItem(step):
			if self == nil || self.Items == nil {
				return nil, nil
			}
			self = self.Items
		default:
			self = below[step]
		}
		if self == nil {
			return nil, nil
		}
		below = self.Schema
	}
	return self, below
}

func (p *place) propertyKeys() []offer {
	properties, steps := p.definition()
	if len(steps) == 1 && (steps[0] == "resource_def" || steps[0] == "resource") {
		return append(p.propertyOffers(properties, steps), keyWords("of a member", "type", "properties", "metadata")...)
	}
	return p.propertyOffers(properties, steps)
}

func (p *place) propertyOffers(properties map[string]*catalog.Property, steps []string) []offer {
	_, below := schema(properties, steps)
	return propertyOffers(below)
}

func propertyOffers(properties map[string]*catalog.Property) []offer {
	var out []offer
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		q := properties[name]
		o := offer{
			name: name, kind: itemProperty, detail: string(q.Type), doc: describeProperty(name, q),
			required: q.Required, deprecated: q.Support.Old() || q.Unimplemented,
		}
		if q.Type == catalog.Map || q.Type == catalog.List {
			o.shape = nested
		}
		if q.Required {
			o.detail += ", required"
		}
		out = append(out, o)
	}
	return out
}

func (p *place) propertyValues() []offer {
	properties, steps := p.definition()
	if n := len(steps); n == 2 && (steps[0] == "resource_def" || steps[0] == "resource") && steps[1] == "type" {
		return p.resourceTypes()
	}
	self, _ := schema(properties, steps)
	if self == nil {
		return nil
	}
	if self.Type == catalog.Boolean {
		return truths(p)
	}
	var out []offer
	for _, c := range self.Constraints {
		for _, v := range c.AllowedValues {
			o := values("allowed value", shown(v))[0]
			_, o.text = v.(string)
			out = append(out, o)
		}
	}
	return out
}
