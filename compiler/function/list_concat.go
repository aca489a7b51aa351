package function

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

// listConcat joins lists, listConcatUnique drops repeated items. All is checked when they are resolved.
var listConcat = Function{Name: "list_concat", Usage: "{list_concat: [list, …]}", Eval: evalConcat(false), Early: earlyItems[[]any]("a list")}

var listConcatUnique = Function{Name: "list_concat_unique", Usage: "{list_concat_unique: [list, …]}", Eval: evalConcat(true), Early: earlyItems[[]any]("a list")}

// evalConcat is list_concat, and list_concat_unique where unique is set.
func evalConcat(unique bool) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		lists, ok := arg.([]any)
		if !ok {
			return nil, c.fail("takes a list of lists, not %s", describe(arg))
		}
		out := []any{}
		for i, list := range lists {
			items, ok := list.([]any)
			if !ok && list != nil {
				return nil, c.fail("item %d must be a list, not %s", i+1, describe(list))
			}
			for _, item := range items {
				if !unique || !slices.ContainsFunc(out, func(x any) bool { return value.Equal(x, item) }) {
					out = append(out, item)
				}
			}
		}
		return out, nil
	}
}
