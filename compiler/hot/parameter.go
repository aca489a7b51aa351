package hot

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// ParameterType is the type of a parameter. CFN's type names are read as HOT's.
type ParameterType string

// The parameter types.
const (
	String             ParameterType = "string"
	Number             ParameterType = "number"
	CommaDelimitedList ParameterType = "comma_delimited_list"
	JSON               ParameterType = "json"
	Boolean            ParameterType = "boolean"
)

// hotTypes and cfnTypes are the type names of the formats. They are case-sensitive.
var (
	hotTypes = []string{"string", "number", "comma_delimited_list", "json", "boolean"}
	cfnTypes = []string{"String", "Number", "CommaDelimitedList", "Json", "Boolean"}
)

// ParameterTypes lists the names of the types that parameters have in the version.
func (v *Version) ParameterTypes() []string {
	if v.Format == CFN {
		return cfnTypes
	}
	return hotTypes
}

func (l *loader) parameters(section *source.Node) {
	l.definitions(section, func(name, def *source.Node) {
		p := &Parameter{Name: name, Node: def}
		l.t.Parameters = append(l.t.Parameters, p)
		if !def.Is(source.Map) {
			l.add(parameterKind(p))
			return
		}
		for _, pair := range def.Pairs {
			if key := KeyText(pair.Key); !contains(l.v.ParameterKeys, key) {
				l.add(unknownParameterKey(p, pair.Key, key, l.v))
			}
		}
		if l.v.Format == CFN {
			l.cfnParameter(p)
		} else {
			l.hotParameter(p)
		}
		l.constraintTypes(p)
		l.checkDefault(p)
	})
}

func (l *loader) hotParameter(p *Parameter) {
	l.parameterType(p, "type")
	p.Label = p.Node.Get("label")
	p.Description = p.Node.Get("description")
	p.Default = p.Node.Get("default")
	p.Hidden = Truthy(p.Node.Get("hidden"))
	p.Immutable = Truthy(p.Node.Get("immutable"))
	if contains(l.v.ParameterKeys, "tags") {
		p.Tags = p.Node.Get("tags")
		if p.Tags != nil && !p.Tags.Is(source.List) {
			l.add(parameterTags(p))
		}
	}
	l.constraints(p, p.Node.Get("constraints"))
}

func (l *loader) parameterType(p *Parameter, key string) {
	p.TypeNode = p.Node.Get(key)
	if p.TypeNode == nil {
		l.add(parameterWithoutType(p, key))
		return
	}
	names := l.v.ParameterTypes()
	for i, name := range names {
		if p.TypeNode.Str() == name {
			p.Type = ParameterType(hotTypes[i])
			return
		}
	}
	l.add(badParameterType(p, names))
}

// cfnParameter reads the flat constraint keys of CFN as constraints.
func (l *loader) cfnParameter(p *Parameter) {
	l.parameterType(p, "Type")
	p.Label = p.Node.Get("Label")
	p.Description = p.Node.Get("Description")
	p.Default = p.Node.Get("Default")
	if echo := p.Node.Get("NoEcho"); echo != nil {
		p.Hidden = strings.EqualFold(value.Str(ValueOf(echo)), "true")
	}
	bounds := func(kind, minKey, maxKey string) {
		low, high := p.Node.Pair(minKey), p.Node.Pair(maxKey)
		if low == nil && high == nil {
			return
		}
		def := source.NewMap(p.Node)
		if low != nil {
			def.Start, def.End = low.Key.Start, low.Value.End
			def.Pairs = append(def.Pairs, source.Pair{Key: source.NewString(low.Key, "min"), Value: low.Value})
		}
		if high != nil {
			if low == nil {
				def.Start, def.End = high.Key.Start, high.Value.End
			}
			def.Pairs = append(def.Pairs, source.Pair{Key: source.NewString(high.Key, "max"), Value: high.Value})
		}
		l.constraint(p, &Constraint{Kind: kind, Node: def, Value: def})
	}
	bounds("range", "MinValue", "MaxValue")
	bounds("length", "MinLength", "MaxLength")
	for key, kind := range map[string]string{"AllowedValues": "allowed_values", "AllowedPattern": "allowed_pattern"} {
		if pair := p.Node.Pair(key); pair != nil {
			l.constraint(p, &Constraint{Kind: kind, Node: pair.Value, Value: pair.Value})
		}
	}
	for _, c := range p.Constraints {
		c.Description = p.Node.Get("ConstraintDescription")
	}
}
