package function

import (
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// ref is CFN's Ref to a parameter or a resource; a resource's name goes first.
var ref = Function{
	Name:  "Ref",
	Usage: "{Ref: NAME}",
	Shape: shapeRef,
	Refs:  nameRef(ParameterOrResource),
	Eval: func(s *Scope, c Call, arg Value) (Value, error) {
		name, ok := arg.(string)
		if ok && s.Template.Resource(name) != nil {
			return &Unknown{Why: "the id of resource " + name, Refused: s.absent(name)}, nil
		}
		return evalParamRef(s, c, arg)
	},
}

// paramRef is Ref in conditions, where it names parameters only.
var paramRef = Function{
	Name:  "Ref",
	In:    InCondition,
	Usage: "{Ref: NAME}",
	Refs:  nameRef(Parameter),
	Eval:  evalParamRef,
}

func evalParamRef(s *Scope, c Call, arg Value) (Value, error) {
	name, ok := arg.(string)
	if !ok {
		return nil, c.fail("the name must be a string, not %s", value.TypeName(arg))
	}
	return s.parameter(c, name)
}

// shapeRef: Heat looks the argument up among the resources' names as it is, so that it must be hashable, and calls are
// not.
func shapeRef(k *checker, c Call) {
	if c.Arg.Is(source.List) || c.Arg.Is(source.Map) {
		k.add(argumentKind(c, "the name of a parameter or resource"))
	}
}
