package function

// and and or join conditions. Heat looks at them from the left and stops as soon as the result is certain, so that a
// wrong name behind that place passes.
var and = Function{
	Name:   "and",
	In:     InCondition,
	Usage:  "{and: [CONDITION, CONDITION, …]}",
	Shape:  shapeJoined,
	Refs:   conditionRefs(listed),
	Truths: listed,
	Join:   joinUntil(False),
}

var or = Function{
	Name:   "or",
	In:     InCondition,
	Usage:  "{or: [CONDITION, CONDITION, …]}",
	Shape:  shapeJoined,
	Refs:   conditionRefs(listed),
	Truths: listed,
	Join:   joinUntil(True),
}

// fnAnd and fnOr are the CFN forms.
var fnAnd = Function{
	Name:   "Fn::And",
	In:     InCondition,
	Usage:  "{Fn::And: [CONDITION, CONDITION, …]}",
	Shape:  shapeJoined,
	Refs:   conditionRefs(listed),
	Truths: listed,
	Join:   joinUntil(False),
}

var fnOr = Function{
	Name:   "Fn::Or",
	In:     InCondition,
	Usage:  "{Fn::Or: [CONDITION, CONDITION, …]}",
	Shape:  shapeJoined,
	Refs:   conditionRefs(listed),
	Truths: listed,
	Join:   joinUntil(True),
}

func shapeJoined(k *checker, c Call) {
	switch {
	case !k.isList(c.Arg):
		k.add(argumentKind(c, "a list of conditions"))
	case len(c.Arg.Items) < 2:
		k.add(argumentCount(c, "two conditions at least"))
	}
}

// joinUntil goes on until one condition is what decides. Behind a condition that is not known an error need not show,
// so it is not one.
func joinUntil(decides Truth) func(func() (Truth, bool, error)) (Truth, error) {
	return func(next func() (Truth, bool, error)) (Truth, error) {
		result := decides.not()
		for {
			t, ok, err := next()
			switch {
			case !ok:
				return result, nil
			case err != nil && result == Maybe:
				return Maybe, nil
			case err != nil:
				return Maybe, err
			case t == decides:
				return decides, nil
			case t == Maybe:
				result = Maybe
			}
		}
	}
}
