package function

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// RefKind says what a reference names.
type RefKind uint8

// The kinds of references. CFN's Ref names a parameter or a resource and is reported as ParameterOrResource.
const (
	Parameter RefKind = iota
	Resource
	Attribute
	File
	Condition
	ParameterOrResource
)

var refKindNames = [...]string{"parameter", "resource", "attribute", "file", "condition", "parameter or resource"}

func (k RefKind) String() string { return refKindNames[k] }

// Reference is one name used in a value. Target is the String node with the name; Path is what follows it: attribute
// and path of get_attr, path of get_param.
type Reference struct {
	Kind   RefKind
	Call   Call
	Target *source.Node
	Path   []*source.Node
}

// References lists the names that n uses, in document order. Names that are themselves computed by calls are left out.
func References(v *hot.Version, n *source.Node) []Reference {
	var out []Reference
	Walk(v, n, collect(&out))
	return out
}

// ConditionReferences lists the names that a condition uses: parameters, and other conditions. A condition that is
// just a name has that name, with the zero Call.
func ConditionReferences(v *hot.Version, n *source.Node) []Reference {
	var out []Reference
	if n.Is(source.String) {
		return []Reference{{Kind: Condition, Target: n}}
	}
	WalkCondition(v, n, collect(&out))
	return out
}

func collect(out *[]Reference) func(Call) bool {
	return func(c Call) bool {
		if c.Function.Refs != nil {
			c.Function.Refs(c, func(r Reference) {
				if r.Target.Is(source.String) {
					*out = append(*out, r)
				}
			})
		}
		return true
	}
}

// nameRef yields the call's whole argument as a name.
func nameRef(kind RefKind) func(Call, func(Reference)) {
	return func(c Call, yield func(Reference)) { yield(Reference{Kind: kind, Call: c, Target: c.Arg}) }
}

// pathRef yields the call's argument as a name, or as a list of a name and a path.
func pathRef(kind RefKind) func(Call, func(Reference)) {
	return func(c Call, yield func(Reference)) {
		if c.Arg.Is(source.List) {
			if len(c.Arg.Items) > 0 {
				yield(Reference{Kind: kind, Call: c, Target: c.Arg.Items[0], Path: c.Arg.Items[1:]})
			}
			return
		}
		yield(Reference{Kind: kind, Call: c, Target: c.Arg})
	}
}

// conditionRefs yields those of the given nodes that are names of conditions.
func conditionRefs(pick func(Call) []*source.Node) func(Call, func(Reference)) {
	return func(c Call, yield func(Reference)) {
		for _, n := range pick(c) {
			yield(Reference{Kind: Condition, Call: c, Target: n})
		}
	}
}
