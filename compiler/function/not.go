package function

import "github.com/hotloom/hotloom/compiler/source"

// not inverts a condition.
var not = Function{
	Name:  "not",
	In:    InCondition,
	Usage: "{not: CONDITION}",
	Shape: func(k *checker, c Call) {
		if c.Arg.IsNull() {
			k.add(argumentKind(c, "a condition"))
		}
	},
	Refs:   conditionRefs(func(c Call) []*source.Node { return []*source.Node{c.Arg} }),
	Truths: func(c Call) []*source.Node { return []*source.Node{c.Arg} },
	Join:   joinNot,
}

// fnNot is the CFN form, which takes a list of one.
var fnNot = Function{
	Name:  "Fn::Not",
	In:    InCondition,
	Usage: "{Fn::Not: [CONDITION]}",
	Shape: func(k *checker, c Call) {
		if !k.isList(c.Arg) || len(c.Arg.Items) != 1 {
			k.add(argumentKind(c, "a list of one condition"))
		}
	},
	Refs:   conditionRefs(listed),
	Truths: listed,
	Join:   joinNot,
}

func joinNot(next func() (Truth, bool, error)) (Truth, error) {
	t, _, err := next()
	return t.not(), err
}

// listed is the items of a list argument.
func listed(c Call) []*source.Node {
	if c.Arg.Is(source.List) {
		return c.Arg.Items
	}
	return nil
}
