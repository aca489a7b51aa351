package function

import "github.com/hotloom/hotloom/compiler/value"

// equals compares two values with Python's ==, so that text is not equal to a number.
var equals = Function{
	Name:  "equals",
	In:    InCondition,
	Usage: "{equals: [value, value]}",
	Shape: shapeEquals,
	Eval:  evalEquals,
}

// fnEquals is the CFN form.
var fnEquals = Function{
	Name:  "Fn::Equals",
	In:    InCondition,
	Usage: "{Fn::Equals: [value, value]}",
	Shape: shapeEquals,
	Eval:  evalEquals,
}

func shapeEquals(k *checker, c Call) {
	if !k.isList(c.Arg) || len(c.Arg.Items) != 2 {
		k.add(argumentKind(c, "a list of two values"))
	}
}

func evalEquals(_ *Scope, _ Call, arg Value) (Value, error) {
	args := arg.([]any)
	return value.Equal(args[0], args[1]), nil
}
