package function

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

// filter drops items of a list.
var filter = Function{
	Macro: evalFilter,
	Name:  "filter",
	Usage: "{filter: [values, list]}",
	Shape: func(k *checker, c Call) {
		switch {
		case !k.isList(c.Arg):
			k.add(argumentKind(c, "a list of the values to drop and a list"))
		case len(c.Arg.Items) != 2:
			k.add(argumentCount(c, "exactly two items"))
		}
	},
}

// evalFilter looks at the values to drop only where there is something to drop.
func evalFilter(s *Scope, c Call) (Value, error) {
	if shaped := s.shape(s.table.values, c); len(shaped) > 0 {
		return nil, &Fault{Diagnostic: shaped[0]}
	}
	list, err := s.Eval(c.Arg.Items[1])
	if err != nil || isUnknown(list) || !value.Truth(list) {
		return list, err
	}
	sequence, ok := list.([]any)
	if !ok {
		return nil, c.fail("works on lists only, not on %s", describe(list))
	}
	values, err := s.Eval(c.Arg.Items[0])
	if err != nil || isUnknown(values) {
		return values, err
	}
	if !value.Truth(values) {
		return sequence, nil
	}
	drop, ok := values.([]any)
	if !ok {
		return nil, c.fail("the values to drop must be a list, not %s", describe(values))
	}
	if u := unknownIn([]any{sequence, drop}); u != nil {
		return u, nil
	}
	out := []any{}
	for _, item := range sequence {
		if !slices.ContainsFunc(drop, func(x any) bool { return value.Equal(x, item) }) {
			out = append(out, item)
		}
	}
	return out, nil
}
