package lint

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

var propertyKinds = map[hot.ParameterType]catalog.Kind{
	hot.String: catalog.String, hot.Number: catalog.Number, hot.Boolean: catalog.Boolean,
	hot.CommaDelimitedList: catalog.List, hot.JSON: catalog.Map,
}

// nestedType makes a type of a nested template: its parameters are the properties, its outputs the attributes. A
// parameter that has a default, in the template or in the environment's parameter_defaults, is not required.
func nestedType(r *hot.Resource, t *hot.Template, env *hot.Environment) *catalog.Type {
	out := &catalog.Type{
		Name: r.Type.Text, Loose: true, DynamicAttributes: true, Handles: []string{"create", "update", "delete", "suspend", "resume", "check"},
		Properties: make(map[string]*catalog.Property, len(t.Parameters)),
		Attributes: make(map[string]*catalog.Attribute, len(t.Outputs)),
	}
	for _, def := range t.Parameters {
		kind, ok := propertyKinds[def.Type]
		if !ok {
			kind = catalog.Anything
		}
		out.Properties[def.Name.Text] = &catalog.Property{
			Type: kind, Update: true,
			Required:    def.Default.IsNull() && env.Default(def.Name.Text).IsNull(),
			Constraints: propertyConstraints(def),
		}
	}
	for _, o := range t.Outputs {
		out.Attributes[o.Name.Text] = &catalog.Attribute{}
	}
	return out
}

// propertyConstraints gives a parameter's constraints the form of a property's.
func propertyConstraints(def *hot.Parameter) []catalog.Constraint {
	var out []catalog.Constraint
	for _, c := range def.Constraints {
		var con catalog.Constraint
		switch c.Kind {
		case "range":
			con.Range = boundsOf(c.Value)
		case "length":
			con.Length = boundsOf(c.Value)
		case "modulo":
			step, okStep := numberAt(c.Value, "step")
			offset, okOffset := numberAt(c.Value, "offset")
			if !okStep || !okOffset {
				continue
			}
			con.Modulo = &catalog.Modulo{Step: step, Offset: offset}
		case "allowed_values":
			con.AllowedValues, _ = hot.ValueOf(c.Value).([]any)
		case "allowed_pattern":
			con.AllowedPattern = &c.Value.Text
		case "custom_constraint":
			con.Custom = c.Value.Str()
		}
		con.Description = c.Description.Str()
		out = append(out, con)
	}
	return out
}

func boundsOf(n *source.Node) *catalog.Bounds {
	var b catalog.Bounds
	if v, ok := numberAt(n, "min"); ok {
		b.Min = &v
	}
	if v, ok := numberAt(n, "max"); ok {
		b.Max = &v
	}
	return &b
}

func numberAt(n *source.Node, key string) (float64, bool) {
	v, ok := toNumber(hot.ValueOf(n.Get(key)))
	if !ok || v == nil {
		return 0, false
	}
	f, err := value.ToFloat(v)
	return f, err == nil
}
