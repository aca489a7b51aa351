package function

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// contains asks whether a value is in a list, or a text in a text.
var contains = Function{
	Name:  "contains",
	In:    InValue | InCondition,
	Usage: "{contains: [value, list or text]}",
	Shape: func(k *checker, c Call) {
		switch {
		case !k.isList(c.Arg):
			k.add(argumentKind(c, "a list of a value and a list"))
		case len(c.Arg.Items) != 2:
			k.add(argumentCount(c, "exactly two items"))
		}
	},
	Eval: func(_ *Scope, c Call, arg Value) (Value, error) {
		args := arg.([]any)
		switch seq := args[1].(type) {
		case []any:
			for _, x := range seq {
				if value.Equal(x, args[0]) {
					return true, nil
				}
			}
			return false, nil
		case string:
			s, ok := args[0].(string)
			if !ok {
				return nil, c.fail("only a string can be looked for in a string, not %s", describe(args[0]))
			}
			return strings.Contains(seq, s), nil
		}
		return nil, c.fail("the second item must be a list or a string, not %s", describe(args[1]))
	},
}
