package heat

import (
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// typeSpec is a resource type in the words of Heat's classes: property and attribute specifications are the arguments of
// heat.engine.properties.Schema and heat.engine.attributes.Schema.
type typeSpec struct {
	Description string                    `json:"description"`
	Properties  map[string]*propertySpec  `json:"properties"`
	Attributes  map[string]map[string]any `json:"attributes"`
	Steps       []string                  `json:"steps"`
	OwnValidate bool                      `json:"own_validate"`
	Reference   string                    `json:"reference"`
	NameLimit   int                       `json:"name_limit"`
	Support     map[string]string         `json:"support_status"`
}

type propertySpec struct {
	Type        string                   `json:"data_type"`
	Description string                   `json:"description,omitempty"`
	Default     any                      `json:"default,omitempty"`
	Schema      map[string]*propertySpec `json:"schema,omitempty"` // of a map's entries
	Items       *propertySpec            `json:"items,omitempty"`  // of a list's items
	Required    bool                     `json:"required,omitempty"`
	Constraints [][2]any                 `json:"constraints,omitempty"` // class and arguments
	Implemented bool                     `json:"implemented"`
	Update      bool                     `json:"update_allowed,omitempty"`
	Immutable   bool                     `json:"immutable,omitempty"`
	Support     map[string]string        `json:"support_status,omitempty"`
}

// specOf puts a type into Heat's words.
func specOf(t *catalog.Type) *typeSpec {
	spec := &typeSpec{
		Description: t.Description, Properties: specs(t.Properties), Attributes: map[string]map[string]any{},
		Steps: slices.Clone(t.Handles), OwnValidate: t.OwnValidate, Reference: t.Ref, NameLimit: t.NameLimit, Support: support(t.Support),
	}
	if spec.Description == "" {
		spec.Description = t.Name + ", a resource type of a provider of hotloom."
	}
	if spec.NameLimit == 0 {
		spec.NameLimit = 255
	}
	for name, a := range t.Attributes {
		out := map[string]any{"description": a.Description, "cache_mode": "cache_local", "support_status": support(a.Support)}
		if a.NoCache {
			out["cache_mode"] = "cache_none"
		}
		if a.Type != "" && a.Type != catalog.Number { // which Heat knows for properties only
			out["type"] = heatName(a.Type)
		}
		spec.Attributes[name] = out
	}
	return spec
}

func specs(properties map[string]*catalog.Property) map[string]*propertySpec {
	out := make(map[string]*propertySpec, len(properties))
	for name, p := range properties {
		out[name] = propertyOf(p)
	}
	return out
}

func propertyOf(p *catalog.Property) *propertySpec {
	out := &propertySpec{
		Type: heatName(p.Type), Description: p.Description, Default: p.Default, Required: p.Required && p.Default == nil,
		Implemented: !p.Unimplemented, Update: p.Update, Immutable: p.Immutable, Support: support(p.Support),
	}
	if p.Schema != nil {
		out.Schema = specs(p.Schema)
	}
	if p.Items != nil {
		out.Items = propertyOf(p.Items)
	}
	for _, c := range p.Constraints {
		out.Constraints = append(out.Constraints, constraintOf(c))
	}
	return out
}

// heatName is a kind by the name that Heat's classes have for it.
func heatName(k catalog.Kind) string {
	return strings.ToUpper(string(k)[:1]) + string(k)[1:]
}

func constraintOf(c catalog.Constraint) [2]any {
	args := map[string]any{}
	if c.Description != "" {
		args["description"] = c.Description
	}
	bounds := func(b *catalog.Bounds) {
		if b.Min != nil {
			args["min"] = *b.Min
		}
		if b.Max != nil {
			args["max"] = *b.Max
		}
	}
	switch {
	case c.Range != nil:
		bounds(c.Range)
		return [2]any{"Range", args}
	case c.Length != nil:
		bounds(c.Length)
		return [2]any{"Length", args}
	case c.Modulo != nil:
		args["step"], args["offset"] = c.Modulo.Step, c.Modulo.Offset
		return [2]any{"Modulo", args}
	case c.AllowedValues != nil:
		args["allowed"] = c.AllowedValues
		return [2]any{"AllowedValues", args}
	case c.AllowedPattern != nil:
		args["pattern"] = *c.AllowedPattern
		return [2]any{"AllowedPattern", args}
	}
	args["name"] = c.Custom
	return [2]any{"CustomConstraint", args}
}

func support(s catalog.Support) map[string]string {
	out := map[string]string{"status": string(catalog.Supported)}
	if s.Status != "" {
		out["status"] = string(s.Status)
	}
	if s.Version != "" {
		out["version"] = s.Version
	}
	message := s.Message
	if len(s.Replacement) > 0 && message == "" {
		message = "Use " + strings.Join(s.Replacement, " or ") + " instead."
	}
	if message != "" {
		out["message"] = message
	}
	return out
}

// loadable are the types of a description that Heat can load; what is wrong with the others is in faults. Heat checks a
// schema when it makes the class.
func loadable(d *resources.Description) (types map[string]*catalog.Type, faults []string) {
	types = map[string]*catalog.Type{}
	all := d.Faults()
	for _, name := range slices.Sorted(maps.Keys(d.Types)) {
		bad := false
		for _, f := range all {
			if strings.HasPrefix(f, name+":") || strings.HasPrefix(f, name+".") || strings.HasPrefix(f, name+" ") {
				bad, faults = true, append(faults, f)
			}
		}
		if !bad {
			types[name] = d.Types[name]
		}
	}
	return types, faults
}
