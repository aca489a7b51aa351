package hot

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
)

func (l *loader) resources(section *source.Node) {
	l.definitions(section, func(name, def *source.Node) {
		r := &Resource{Name: name, Node: def}
		l.t.Resources = append(l.t.Resources, r)
		if strings.Contains(name.Text, "/") {
			l.add(resourceNameSlash(r))
		}
		if !def.Is(source.Map) {
			l.add(resourceKind(r))
			return
		}
		l.resource(r)
	})
}

func (l *loader) resource(r *Resource) {
	for _, p := range r.Node.Pairs {
		key := KeyText(p.Key)
		if l.v.Format == HOT && key == "components" {
			r.ComponentsNode = p.Value
			r.Components = l.components(p.Value)
			continue
		}
		if !contains(l.v.ResourceKeys, key) {
			if l.v.Format == HOT { // Heat ignores unknown keys of CFN resources
				l.add(unknownResourceKey(r, p.Key, key, l.v))
			}
			continue
		}
		l.field(r, key, p.Value)
	}
	switch {
	case r.Type == nil || !Truthy(r.Type):
		l.add(resourceWithoutType(r, l.d.rType))
	case !r.Type.Is(source.String):
		l.add(resourceField(r, l.d.rType, r.Type, "a string"))
	}
	if Truthy(r.ExternalID) && len(r.DependsOn) > 0 {
		l.add(externalDepends(r))
	}
}

// field takes over one key. Map-like keys may be one function call as a whole, which is a map too.
func (l *loader) field(r *Resource, key string, value *source.Node) {
	switch key {
	case l.d.rType:
		r.Type = value
	case l.d.rProperties:
		r.Properties = l.mapField(r, key, value)
	case l.d.rMetadata:
		r.Metadata = l.mapField(r, key, value)
	case l.d.rUpdatePolicy:
		r.UpdatePolicy = l.mapField(r, key, value)
	case l.d.rDependsOn:
		r.DependsOnNode = value
		r.DependsOn = l.dependsOn(r, key, value)
	case l.d.rDeletionPolicy:
		l.deletionPolicy(r, key, value)
	case l.d.rDescription:
		r.Description = value
		if !value.Is(source.String) {
			l.add(resourceField(r, key, value, "a string"))
		}
	case l.d.rExternalID:
		r.ExternalID = value
		if !value.Is(source.String) && !mayBeCall(value) {
			l.add(resourceField(r, key, value, "a string"))
		}
	case l.d.rCondition:
		r.Condition = value
		if !value.Is(source.String) && !value.Is(source.Bool) && !mayBeCall(value) {
			l.add(resourceField(r, key, value, "the name of a condition, a boolean or a condition function"))
		}
	}
}

func (l *loader) mapField(r *Resource, key string, value *source.Node) *source.Node {
	if !value.Is(source.Map) {
		l.add(resourceField(r, key, value, "a map"))
		return nil
	}
	return value
}

func (l *loader) deletionPolicy(r *Resource, key string, value *source.Node) {
	r.DeletionPolicy = value
	switch {
	case value.Is(source.String):
		if !contains(l.v.DeletionPolicies(), value.Text) {
			l.add(badDeletionPolicy(r, l.v))
		}
	case !mayBeCall(value):
		l.add(resourceField(r, key, value, "a string"))
	}
}

func (l *loader) dependsOn(r *Resource, key string, value *source.Node) []*source.Node {
	switch value.Kind {
	case source.String:
		return []*source.Node{value}
	case source.List:
		var names []*source.Node
		for _, item := range value.Items {
			if !item.Is(source.String) {
				l.add(dependsOnItem(r, item))
				continue
			}
			names = append(names, item)
		}
		return names
	}
	l.add(resourceField(r, key, value, "the name of a resource or a list of names"))
	return nil
}

// mayBeCall reports whether a value has the shape of a function call; whether it is one, compiler/function says.
func mayBeCall(n *source.Node) bool { return n.Single() != nil }
