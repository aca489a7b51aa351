package plugins

import (
	"fmt"

	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// maxDepth bounds nested schemas, which a message could nest without end.
const maxDepth = 32

// each converts the values of a map; an empty map is nil. The error names the key.
func each[A, B any](in map[string]A, convert func(A) (B, error)) (map[string]B, error) {
	if len(in) == 0 {
		return nil, nil
	}
	out := make(map[string]B, len(in))
	for name, v := range in {
		w, err := convert(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = w
	}
	return out, nil
}

func sure[A, B any](convert func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return convert(a), nil }
}

func descriptionToProto(d *resources.Description) (*proto.Description, error) {
	types, err := each(d.Types, typeToProto)
	if err != nil {
		return nil, err
	}
	tools, err := each(d.Tools, toolToProto)
	if err != nil {
		return nil, err
	}
	actions, err := each(d.Actions, func(a *resources.ActionType) (*proto.ActionType, error) {
		inputs, err := each(a.Inputs, propertyToProto)
		return &proto.ActionType{Description: a.Description, Inputs: inputs, Open: a.Open, Repeatable: a.Repeatable}, err
	})
	return &proto.Description{
		Name: d.Name, Version: d.Version, Summary: d.Summary, Types: types, Tools: tools, Actions: actions,
	}, err
}

func descriptionFromProto(d *proto.Description) (*resources.Description, error) {
	types, err := each(d.GetTypes(), typeFromProto)
	if err != nil {
		return nil, err
	}
	for name, t := range types {
		t.Name = name
	}
	tools, err := each(d.GetTools(), toolFromProto)
	if err != nil {
		return nil, err
	}
	actions, err := each(d.GetActions(), func(a *proto.ActionType) (*resources.ActionType, error) {
		inputs, err := each(a.GetInputs(), propertyFromProto(0))
		return &resources.ActionType{
			Description: a.GetDescription(), Inputs: inputs, Open: a.GetOpen(), Repeatable: a.GetRepeatable(),
		}, err
	})
	return &resources.Description{
		Name: d.GetName(), Version: d.GetVersion(), Summary: d.GetSummary(), Types: types, Tools: tools, Actions: actions,
	}, err
}

func typeToProto(t *catalog.Type) (*proto.ResourceType, error) {
	properties, err := each(t.Properties, propertyToProto)
	if err != nil {
		return nil, err
	}
	policy, err := each(t.UpdatePolicy, propertyToProto)
	if err != nil {
		return nil, err
	}
	attributes, err := each(t.Attributes, sure(func(a *catalog.Attribute) *proto.Attribute {
		return &proto.Attribute{
			Type: string(a.Type), Description: a.Description, Secret: a.Secret, NoCache: a.NoCache, Support: supportToProto(a.Support),
		}
	}))
	return &proto.ResourceType{
		Description: t.Description, Properties: properties, Attributes: attributes, UpdatePolicy: policy,
		Support: supportToProto(t.Support), Handles: t.Handles, Snapshot: t.Snapshot, Ref: t.Ref,
		DynamicAttributes: t.DynamicAttributes, OwnValidate: t.OwnValidate, NameLimit: int32(t.NameLimit),
	}, err
}

func typeFromProto(t *proto.ResourceType) (*catalog.Type, error) {
	properties, err := each(t.GetProperties(), propertyFromProto(0))
	if err != nil {
		return nil, err
	}
	policy, err := each(t.GetUpdatePolicy(), propertyFromProto(0))
	if err != nil {
		return nil, err
	}
	attributes, err := each(t.GetAttributes(), sure(func(a *proto.Attribute) *catalog.Attribute {
		return &catalog.Attribute{
			Type: catalog.Kind(a.GetType()), Description: a.GetDescription(), Secret: a.GetSecret(), NoCache: a.GetNoCache(),
			Support: supportFromProto(a.GetSupport()),
		}
	}))
	handles := t.GetHandles()
	if handles == nil {
		handles = []string{} // nil would mean unknown
	}
	return &catalog.Type{
		Description: t.GetDescription(), Properties: properties, Attributes: attributes, UpdatePolicy: policy,
		Support: supportFromProto(t.GetSupport()), Handles: handles, Snapshot: t.GetSnapshot(), Ref: t.GetRef(),
		DynamicAttributes: t.GetDynamicAttributes(), OwnValidate: t.GetOwnValidate(), NameLimit: int(t.GetNameLimit()),
	}, err
}

func propertyToProto(p *catalog.Property) (*proto.Property, error) {
	def, err := valueToJSON(p.Default)
	if err != nil {
		return nil, fmt.Errorf("default: %w", err)
	}
	out := &proto.Property{
		Type: string(p.Type), Description: p.Description, Required: p.Required, UpdateAllowed: p.Update,
		Immutable: p.Immutable, Unimplemented: p.Unimplemented, Secret: p.Secret, Default: def, Support: supportToProto(p.Support),
	}
	for _, c := range p.Constraints {
		con, err := constraintToProto(c)
		if err != nil {
			return nil, err
		}
		out.Constraints = append(out.Constraints, con)
	}
	if p.Items != nil {
		if out.Items, err = propertyToProto(p.Items); err != nil {
			return nil, err
		}
	}
	out.Schema, err = each(p.Schema, propertyToProto)
	return out, err
}

func propertyFromProto(depth int) func(*proto.Property) (*catalog.Property, error) {
	return func(p *proto.Property) (*catalog.Property, error) {
		if depth > maxDepth {
			return nil, fmt.Errorf("a schema is nested more than %d levels deep", maxDepth)
		}
		def, err := valueFromJSON(p.GetDefault())
		if err != nil {
			return nil, fmt.Errorf("default: %w", err)
		}
		out := &catalog.Property{
			Type: catalog.Kind(p.GetType()), Description: p.GetDescription(), Required: p.GetRequired(), Update: p.GetUpdateAllowed(),
			Immutable: p.GetImmutable(), Unimplemented: p.GetUnimplemented(), Secret: p.GetSecret(), Default: def,
			Support: supportFromProto(p.GetSupport()),
		}
		for _, c := range p.GetConstraints() {
			con, err := constraintFromProto(c)
			if err != nil {
				return nil, err
			}
			out.Constraints = append(out.Constraints, con)
		}
		below := propertyFromProto(depth + 1)
		if p.GetItems() != nil {
			if out.Items, err = below(p.GetItems()); err != nil {
				return nil, err
			}
		}
		out.Schema, err = each(p.GetSchema(), below)
		return out, err
	}
}

func constraintToProto(c catalog.Constraint) (*proto.Constraint, error) {
	out := &proto.Constraint{Description: c.Description}
	switch {
	case c.AllowedValues != nil:
		values := &proto.Values{}
		for _, v := range c.AllowedValues {
			text, err := valueToJSON(v)
			if err != nil {
				return nil, fmt.Errorf("allowed_values: %w", err)
			}
			values.Values = append(values.Values, text)
		}
		out.Kind = &proto.Constraint_AllowedValues{AllowedValues: values}
	case c.AllowedPattern != nil:
		out.Kind = &proto.Constraint_AllowedPattern{AllowedPattern: *c.AllowedPattern}
	case c.Range != nil:
		out.Kind = &proto.Constraint_Range{Range: &proto.Bounds{Min: c.Range.Min, Max: c.Range.Max}}
	case c.Length != nil:
		out.Kind = &proto.Constraint_Length{Length: &proto.Bounds{Min: c.Length.Min, Max: c.Length.Max}}
	case c.Modulo != nil:
		out.Kind = &proto.Constraint_Modulo{Modulo: &proto.Modulo{Step: c.Modulo.Step, Offset: c.Modulo.Offset}}
	case c.Custom != "":
		out.Kind = &proto.Constraint_Custom{Custom: c.Custom}
	}
	return out, nil
}

func constraintFromProto(c *proto.Constraint) (catalog.Constraint, error) {
	out := catalog.Constraint{Description: c.GetDescription()}
	switch k := c.GetKind().(type) {
	case *proto.Constraint_AllowedValues:
		out.AllowedValues = []any{}
		for _, text := range k.AllowedValues.GetValues() {
			v, err := valueFromJSON(text)
			if err != nil {
				return out, fmt.Errorf("allowed_values: %w", err)
			}
			out.AllowedValues = append(out.AllowedValues, v)
		}
	case *proto.Constraint_AllowedPattern:
		out.AllowedPattern = &k.AllowedPattern
	case *proto.Constraint_Range:
		out.Range = &catalog.Bounds{Min: k.Range.Min, Max: k.Range.Max}
	case *proto.Constraint_Length:
		out.Length = &catalog.Bounds{Min: k.Length.Min, Max: k.Length.Max}
	case *proto.Constraint_Modulo:
		out.Modulo = &catalog.Modulo{Step: k.Modulo.GetStep(), Offset: k.Modulo.GetOffset()}
	case *proto.Constraint_Custom:
		out.Custom = k.Custom
	default:
		return out, fmt.Errorf("a constraint of an unknown kind")
	}
	return out, nil
}

func supportToProto(s catalog.Support) *proto.Support {
	if s.IsZero() {
		return nil
	}
	return &proto.Support{Status: string(s.Status), Version: s.Version, Message: s.Message, Replacement: s.Replacement}
}

func supportFromProto(s *proto.Support) catalog.Support {
	return catalog.Support{
		Status: catalog.Status(s.GetStatus()), Version: s.GetVersion(), Message: s.GetMessage(), Replacement: s.GetReplacement(),
	}
}

func toolToProto(t *resources.Tool) (*proto.Tool, error) {
	options, err := each(t.Options, propertyToProto)
	out := &proto.Tool{Description: t.Description, Options: options, Config: string(t.Config), Program: t.Program}
	for _, a := range t.Actions {
		out.Actions = append(out.Actions, string(a))
	}
	for _, e := range t.Exits {
		out.Exits = append(out.Exits, &proto.Exit{Code: int32(e.Code), Ok: e.OK, Meaning: e.Meaning})
	}
	return out, err
}

func toolFromProto(t *proto.Tool) (*resources.Tool, error) {
	options, err := each(t.GetOptions(), propertyFromProto(0))
	out := &resources.Tool{
		Description: t.GetDescription(), Options: options, Config: catalog.Kind(t.GetConfig()), Program: t.GetProgram(),
	}
	for _, a := range t.GetActions() {
		out.Actions = append(out.Actions, resources.Action(a))
	}
	for _, e := range t.GetExits() {
		out.Exits = append(out.Exits, resources.Exit{Code: int(e.GetCode()), OK: e.GetOk(), Meaning: e.GetMeaning()})
	}
	return out, err
}
