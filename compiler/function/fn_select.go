package function

import "github.com/hotloom/hotloom/compiler/value"

// fnSelect picks an item of a list or map.
var fnSelect = Function{
	Eval:  evalFnSelect,
	Name:  "Fn::Select",
	Usage: "{Fn::Select: [index or key, list or map]}",
	Shape: func(k *checker, c Call) {
		if !k.unpacks(c.Arg, 2) {
			k.add(argumentKind(c, "a list of an index and a collection"))
		}
	},
}

// evalFnSelect picks an item; what is not there is empty text.
func evalFnSelect(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 2 {
		return nil, c.fail("takes an index and a collection")
	}
	collection := args[1]
	if text, isText := collection.(string); isText {
		parsed, err := value.ParseJSON(text)
		if err != nil {
			return nil, c.fail("the text is no JSON")
		}
		collection = parsed
	}
	switch items := collection.(type) {
	case nil:
		return "", nil
	case *value.Map:
		if _, isText := args[0].(string); !isText {
			return nil, c.fail("an item of a map is named by a string, not by %s", describe(args[0]))
		}
		if v, ok := items.Get(args[0]); ok {
			return v, nil
		}
		return "", nil
	case []any:
		n, err := value.ToInt(args[0])
		if err != nil {
			return nil, c.fail("an item of a list is named by a number, not by %s", describe(args[0]))
		}
		if v, ok := item(items, n); ok {
			return v, nil
		}
		return "", nil
	}
	return nil, c.fail("works on lists and maps, not on %s", describe(collection))
}
