package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// This file has one function for each message about properties.

func unknownProperty(key *source.Node, name, owner string, schema map[string]*catalog.Property, p *Pass) diag.Diagnostic {
	d := diag.Errorf(key.At(), "unknown-property", "%s has no property %q", owner, name)
	if near := diag.Nearest(name, slices.Sorted(maps.Keys(schema))); near != "" {
		return d.With("did you mean %q?", near)
	}
	if len(schema) > 0 && len(schema) <= 12 {
		return d.With("it has %s", strings.Join(slices.Sorted(maps.Keys(schema)), ", "))
	}
	return d
}

func unimplementedProperty(key *source.Node, name, owner string) diag.Diagnostic {
	return diag.Errorf(key.At(), "unimplemented-property", "property %q of %s is not implemented, and Heat refuses it", name, owner).
		With("remove it")
}

func bothProperties(key *source.Node, name, old string, oldKey *source.Node) diag.Diagnostic {
	return diag.Errorf(oldKey.At(), "conflicting-properties", "%q is the old name of %q, and both are given", old, name).
		With("remove %q", old).Via(key.At(), "the new name")
}

func missingProperty(at *source.Node, path []string, owner string, prop *catalog.Property, p *Pass) diag.Diagnostic {
	name := path[len(path)-1]
	d := diag.Errorf(firstLine(at), "missing-required-property", "%s needs the property %q", owner, name)
	if len(path) > 1 {
		d.Message = strings.Join(path[:len(path)-1], ".") + " needs the entry \"" + name + "\""
	}
	if prop.Type != "" {
		d = d.With("add %s: with %s", name, acceptances[prop.Type].name)
	}
	return d
}

// firstLine is the start of a map, so that what is missing in it is not shown as all of it.
func firstLine(n *source.Node) diag.Location {
	loc := n.At()
	if len(n.Pairs) > 0 && n.Pairs[0].Key.File == n.File {
		loc = n.Pairs[0].Key.At()
	}
	return loc
}

func wrongKind(at *source.Node, path []string, a acceptance, got, why string) diag.Diagnostic {
	d := diag.Errorf(at.At(), "property-type", "%s must be %s, not %s", strings.Join(path, "."), a.name, got)
	if why != "" {
		d.Message += " (" + why + ")"
	}
	return d
}

func wrongText(at *source.Node, path []string, a acceptance, n *source.Node) diag.Diagnostic {
	return diag.Errorf(at.At(), "property-type", "%s must be %s, and %s is none", strings.Join(path, "."), a.name, describe(n))
}

func constraintViolated(at *source.Node, path []string, n *source.Node, problem string) diag.Diagnostic {
	shown := "the value"
	if n != nil && n.Kind != source.Map && n.Kind != source.List {
		shown = describe(n)
	}
	return diag.Errorf(at.At(), "constraint-violated", "%s: %s %s", strings.Join(path, "."), shown, problem)
}
