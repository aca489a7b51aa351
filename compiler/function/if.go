package function

import "github.com/hotloom/hotloom/compiler/source"

// ifThree picks one of two values by a condition. It is a macro: Heat looks only at the value that is picked.
var ifThree = Function{
	Name:  "if",
	Usage: "{if: [CONDITION, value if true, value if false]}",
	Shape: shapeIf(3),
	Refs:  conditionRefs(func(c Call) []*source.Node { return []*source.Node{c.arg(0)} }),
	Macro: evalIf,
}

// ifNullable may lack the second value: then a false condition drops the item, entry or property.
var ifNullable = Function{
	Name:  "if",
	Since: "2021-04-16",
	Usage: "{if: [CONDITION, value if true, value if false]} or {if: [CONDITION, value if true]}",
	Shape: shapeIf(2),
	Refs:  ifThree.Refs,
	Macro: evalIf,
}

// fnIf is the CFN form.
var fnIf = Function{
	Name:  "Fn::If",
	Usage: "{Fn::If: [CONDITION, value if true, value if false]}",
	Shape: shapeIf(3),
	Refs:  ifThree.Refs,
	Macro: evalIf,
}

func shapeIf(least int) func(*checker, Call) {
	return func(k *checker, c Call) {
		if !c.Arg.Is(source.List) || len(c.Arg.Items) < least || len(c.Arg.Items) > 3 {
			k.add(argumentKind(c, "a list of a condition, the value if it is true, and the value if it is false"))
		}
	}
}

func evalIf(s *Scope, c Call) (Value, error) {
	if !c.Arg.Is(source.List) || len(c.Arg.Items) < 2 || len(c.Arg.Items) > 3 {
		return nil, c.fail("needs a condition and its values")
	}
	truth, err := s.Truth(c.Arg.Items[0])
	switch {
	case err != nil:
		return nil, err
	case truth == Maybe:
		return s.undecided(c.Arg.Items[0]), nil
	case truth == True:
		return s.eval(s.table.values, c.Arg.Items[1])
	case len(c.Arg.Items) == 2:
		return Omitted{}, nil
	}
	return s.eval(s.table.values, c.Arg.Items[2])
}
