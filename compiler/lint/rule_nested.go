package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

var nestedOutput = &Rule{
	ID: "nested-output-unknown", Severity: diag.Warning, Check: &Check{"nested-output", checkNestedOutputs},
	Summary: "get_attr reads an output that the nested template does not have.",
	Heat:    "Accepted: any attribute name of a nested template passes. The value is an error when it is read.",
}

func checkNestedOutputs(p *Pass) {
	for _, child := range p.Stack.Children {
		r := child.Resource
		t := p.typeOf(r)
		for _, u := range p.index.resources[r.Name.Text] {
			if u.Kind != function.Attribute || len(u.Path) == 0 || !u.Path[0].Is(source.String) {
				continue
			}
			name := u.Path[0].Text
			if t.Attributes[name] != nil || name == "show" || strings.HasPrefix(name, "resource.") {
				continue
			}
			d := diag.Warnf(u.Path[0].At(), "nested-output-unknown", "the template of %q has no output %q", r.Name.Text, name)
			if near := diag.Nearest(name, slices.Collect(maps.Keys(t.Attributes))); near != "" {
				d = d.With("did you mean %q?", near)
			}
			p.report(d.Via(child.Template.Root.At(), "the nested template"))
		}
	}
}

var groupMember = &Rule{
	ID: "group-member", Severity: diag.Error, Check: &Check{"group-members", checkGroupMembers},
	Summary: "The definition of a group's members is not a resource that Heat takes.",
	Heat: "Refused at create, when the members are checked without their values: a type that does not exist, a property that the type " +
		"does not have, a definition without type. A group without members is not checked.",
}

// groups says where the types that multiply a resource have its definition.
var groups = map[string]string{"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}

func checkGroupMembers(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || r.Properties == nil {
			continue
		}
		emit, exists := p.whereEnabled(r)
		if t.Name == "OS::Heat::Stack" && exists {
			p.remoteStack(r, emit)
		}
		if groups[t.Name] == "" {
			continue
		}
		def := r.Properties.Get(groups[t.Name])
		if !exists || !def.Is(source.Map) || p.isCall(def) {
			continue
		}
		if !p.surelyMembers(t.Name, r.Properties) {
			quiet := emit
			emit = func(d diag.Diagnostic) {
				if d.Severity == diag.Error {
					d.Severity = diag.Warning
				}
				quiet(d)
			}
		}
		p.member(r, def, emit)
	}
}

// remoteStack checks the template of a stack that is made through an API of Heat. That API is the one to refuse it, a
// cloud asked, so that everything is a warning here.
func (p *Pass) remoteStack(r *hot.Resource, emit func(diag.Diagnostic)) {
	call, isCall := function.Find(p.Version, r.Properties.Get("template"))
	if !isCall || call.Function.Name != "get_file" || !call.Arg.Is(source.String) {
		return
	}
	stack := &hot.Resource{Name: r.Name, Node: r.Node, Type: r.Type, Properties: r.Properties.Get("parameters")}
	p.members(stack, call.Arg, func(d diag.Diagnostic) {
		d.Severity = max(d.Severity, diag.Warning)
		emit(d)
	})
}

// surelyMembers reports whether a group is known to have members: a ResourceGroup without count has one, an
// AutoScalingGroup starts with desired_capacity, or with min_size.
func (p *Pass) surelyMembers(group string, properties *source.Node) bool {
	if group == "OS::Heat::ResourceGroup" {
		count := properties.Get("count")
		return count == nil || p.surelySome(count)
	}
	return p.surelySome(properties.Get("desired_capacity")) || p.surelySome(properties.Get("min_size"))
}

// surelySome reports whether a value is known to be a number that is not 0.
func (p *Pass) surelySome(n *source.Node) bool {
	if n == nil {
		return false
	}
	f := p.resolve(n, discard)
	if f.node == nil {
		return false
	}
	v, ok := toInteger(valueOf(f.node))
	return ok && v != nil && v != int64(0)
}

func (p *Pass) member(group *hot.Resource, def *source.Node, emit func(diag.Diagnostic)) {
	typ := def.Get("type")
	if typ == nil {
		emit(diag.Errorf(def.At(), "group-member", "the definition of the members has no type").With("add type: and the type of a member"))
		return
	}
	if !typ.Is(source.String) {
		return // the schema of the group says what is wrong
	}
	member := &hot.Resource{Name: group.Name, Node: def, Type: typ, Properties: def.Get("properties")}
	if props := member.Properties; props != nil && !props.IsNull() && !props.Is(source.Map) && p.typeOf(group).Name == "OS::Heat::AutoScalingGroup" {
		// The schema of OS::Heat::ResourceGroup says so of its own.
		emit(diag.Errorf(props.At(), "group-member", "the properties of the members must be a map, not %s", describe(props)))
	}
	res := p.resolved(member)
	if res.Template != nil {
		p.memberTemplate(member, res.Template, emit)
		return
	}
	t := p.Catalog.Type(res.Type)
	if t == nil {
		d := diag.Errorf(typ.At(), "unknown-resource-type", "unknown resource type %q", typ.Text)
		if near := p.nearestType(typ.Text); near != "" {
			d = d.With("did you mean %q?", near)
		}
		if severity, report := p.unknownType(typ.Text); report {
			d.Severity = max(d.Severity, severity)
			emit(d)
		}
		return
	}
	if t.Placeholder || !member.Properties.Is(source.Map) || p.isCall(member.Properties) {
		return
	}
	for _, pair := range member.Properties.Pairs {
		name := hot.KeyText(pair.Key)
		if t.Properties[name] == nil {
			d := unknownProperty(pair.Key, name, t.Name, t.Properties, p)
			d.Rule = "group-member"
			emit(d)
		}
	}
	p.demands(member, t, emit)
	p.memberValues(group, member, t, emit)
}

// memberValues warns of values that the members' type does not take. Heat notices when it makes the members, which is
// when the group is being created. Values with the index of the member are not known here.
func (p *Pass) memberValues(group, member *hot.Resource, t *catalog.Type, emit func(diag.Diagnostic)) {
	index := "%index%"
	if n := group.Properties.Get("index_var"); n.Is(source.String) {
		index = n.Text
	}
	known, schema := source.NewMap(member.Properties), maps.Clone(t.Properties)
	for _, pair := range member.Properties.Pairs {
		name := hot.KeyText(pair.Key)
		if schema[name] == nil || mentions(pair.Value, index) {
			delete(schema, name)
			continue
		}
		known.Pairs = append(known.Pairs, pair)
	}
	c := &propertyChecker{p: p, what: t.Name, loose: t.Loose, renames: renamesOf(t), emit: func(d diag.Diagnostic) {
		d.Severity = max(d.Severity, diag.Warning)
		emit(d)
	}}
	c.top(known, schema)
}

// mentions reports whether a text in n contains a word.
func mentions(n *source.Node, word string) bool {
	return n.Is(source.String) && strings.Contains(n.Text, word) ||
		slices.ContainsFunc(n.Items, func(item *source.Node) bool { return mentions(item, word) }) ||
		slices.ContainsFunc(n.Pairs, func(p source.Pair) bool { return mentions(p.Key, word) || mentions(p.Value, word) })
}

// memberTemplate checks what is given to a nested template as the member of a group.
func (p *Pass) memberTemplate(member *hot.Resource, name *source.Node, emit func(diag.Diagnostic)) {
	p.members(member, name, emit)
	child, ok := p.nested(name)
	if !ok || !member.Properties.Is(source.Map) || p.isCall(member.Properties) {
		return
	}
	t := nestedType(member, child, p.Stack.Environment)
	for _, pair := range member.Properties.Pairs {
		if key := hot.KeyText(pair.Key); t.Properties[key] == nil {
			d := unknownProperty(pair.Key, key, "the template "+name.Text, t.Properties, p)
			d.Rule = "group-member"
			emit(d)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(t.Properties)) {
		if t.Properties[key].Required && member.Properties.Pair(key) == nil {
			d := missingProperty(member.Properties, []string{key}, "the template "+name.Text, t.Properties[key], p)
			d.Rule, d.Severity = "group-member", diag.Warning // found only when the members are made
			emit(d)
		}
	}
}
