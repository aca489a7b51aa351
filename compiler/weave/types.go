package weave

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// typeNames are the names of all component types that can be used, for suggestions.
func (w *weaver) typeNames() []string {
	var names []string
	for _, t := range w.t.ComponentTypes {
		names = append(names, t.Name.Str())
	}
	for _, place := range w.opts.Types {
		names = append(names, place.Names()...)
	}
	names = append(names, builtins...)
	slices.Sort(names)
	return slices.Compact(names)
}

// findType finds a component type by name, once.
func (w *weaver) findType(name string) *hot.ComponentType {
	t, known := w.types[name]
	if known {
		return t
	}
	t = w.t.ComponentType(name)
	for _, place := range w.opts.Types {
		if t != nil {
			break
		}
		var found diag.List
		t, found = place.Find(name)
		w.found.Add(found...)
	}
	if t == nil {
		t = builtinTypes()[name]
	}
	w.types[name] = t
	if t != nil {
		w.defaults(t)
	}
	return t
}

// defaults checks the defaults of a type's inputs.
func (w *weaver) defaults(t *hot.ComponentType) {
	for _, in := range t.Inputs {
		if in.Default == nil {
			continue
		}
		if why := mismatch(in.Type, in.Default); why != "" {
			w.add(badDefault(t, in, why))
		}
	}
}

// mismatch says why a literal is no value of an input's type, or "". Null is a value of every type.
func mismatch(typ string, n *source.Node) string {
	if n.IsNull() {
		return ""
	}
	if typ == "String" {
		if n.Is(source.Map) || n.Is(source.List) || n.Is(source.Set) {
			return "is a " + n.Kind.String()
		}
		return ""
	}
	as, ok := inputTypes[typ]
	if !ok {
		return "" // said by compiler/hot
	}
	if _, err := hot.Convert(as, hot.ValueOf(n)); err != nil {
		return err.Error()
	}
	return ""
}

// inputTypes are the parameter types that read values as the input types of the same meaning do.
var inputTypes = map[string]hot.ParameterType{
	"Number": hot.Number, "Boolean": hot.Boolean, "CommaDelimitedList": hot.CommaDelimitedList, "Json": hot.JSON,
}
