package function

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// listJoinOne joins one list of strings.
var listJoinOne = Function{
	Eval:  evalJoin(true),
	Early: earlyJoin(true),
	Name:  "list_join",
	Usage: "{list_join: [DELIMITER, [item, …]]}",
	Shape: shapeJoinOne,
}

// listJoin joins the items of several lists; maps and lists among them become JSON.
var listJoin = Function{
	Eval:  evalJoin(false),
	Early: earlyJoin(false),
	Name:  "list_join",
	Since: "2015-10-15",
	Usage: "{list_join: [DELIMITER, [item, …], …]}",
	Shape: shapeJoin,
}

// fnJoin is the CFN form.
var fnJoin = Function{
	Eval:  evalJoin(true),
	Early: earlyJoin(true),
	Name:  "Fn::Join",
	Usage: "{Fn::Join: [DELIMITER, [item, …]]}",
	Shape: shapeJoinOne,
}

func shapeJoinOne(k *checker, c Call) {
	if !k.isList(c.Arg) || len(c.Arg.Items) != 2 {
		k.add(argumentKind(c, "a list of a delimiter and a list"))
	}
}

func shapeJoin(k *checker, c Call) {
	if !k.isList(c.Arg) || len(c.Arg.Items) < 2 {
		k.add(argumentKind(c, "a list of a delimiter and one or more lists"))
	}
}

// isList reports whether n is a list, not a call.
func (k *checker) isList(n *source.Node) bool { return n.Is(source.List) }

// isMap reports whether n is a map that is no call.
func (k *checker) isMap(n *source.Node) bool {
	if !n.Is(source.Map) {
		return false
	}
	_, isCall := k.find(n)
	return !isCall
}

// evalJoin is list_join: strict takes texts only, else maps and lists become JSON.
func evalJoin(strict bool) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		args := arg.([]any)
		var items []any
		for _, list := range args[1:] {
			if !strict && !value.Truth(list) || list == nil {
				continue
			}
			l, ok := list.([]any)
			if !ok {
				return nil, c.fail("works on lists, not on %s", describe(list))
			}
			items = append(items, l...)
		}
		delimiter, ok := args[0].(string)
		if !ok {
			return nil, c.fail("the delimiter must be a string, not %s", describe(args[0]))
		}
		parts := make([]string, len(items))
		for i, item := range items {
			text, ok := joinText(item, strict)
			if !ok {
				return nil, c.fail("item %d must be a string, not %s", i+1, describe(item))
			}
			parts[i] = text
		}
		return strings.Join(parts, delimiter), nil
	}
}

// earlyJoin finds a delimiter, lists and items that cannot be joined, whatever the others come to.
func earlyJoin(strict bool) func(Call, Value) error {
	return func(c Call, arg Value) error {
		args, _ := arg.([]any)
		for i, a := range args {
			list, _ := a.([]any)
			switch {
			case i == 0:
				if !mayBeText(a) {
					return c.fail("the delimiter must be a string, not %s", what(a))
				}
				continue
			case !mayBe[[]any](a) && (strict || isUnknown(a) || value.Truth(a)):
				return c.fail("works on lists, not on %s", what(a))
			}
			for _, item := range list {
				if _, ok := joinText(item, strict); !ok && (strict && !isUnknown(item) || unknownIn(item) == nil || isUnknown(item) && !mayBeText(item)) {
					return c.fail("an item must be a string, not %s", what(item))
				}
			}
		}
		return nil
	}
}

func joinText(item any, strict bool) (string, bool) {
	switch item := item.(type) {
	case nil:
		return "", true
	case string:
		return item, true
	case []any, *value.Map:
		if !strict {
			text, err := value.JSON(item, value.JSONOptions{SortKeys: true})
			return text, err == nil
		}
	}
	return "", false
}
