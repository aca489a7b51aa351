package function

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

const repeatUsage = "{repeat: {template: anything, for_each: {VARIABLE: list, …}}}"

// repeatLists copies its template for each combination of items of lists.
var repeatLists = Function{Name: "repeat", Usage: repeatUsage, Shape: shapeRepeat, Validate: validateRepeat, Eval: evalRepeat(false, false), Early: earlyRepeat(false)}

// repeatMaps takes maps, too, and goes over their keys.
var repeatMaps = Function{Name: "repeat", Since: "2016-10-14", Usage: repeatUsage, Shape: shapeRepeat, Validate: validateRepeat, Eval: evalRepeat(true, false), Early: earlyRepeat(true)}

// repeatPermutations takes the key permutations: false lets the lists go in step.
var repeatPermutations = Function{
	Eval:     evalRepeat(true, true),
	Early:    earlyRepeat(true),
	Name:     "repeat",
	Since:    "2017-09-01",
	Usage:    "{repeat: {template: anything, for_each: {VARIABLE: list, …}, permutations: true | false}}",
	Shape:    shapeRepeatPermutations,
	Validate: validateRepeat,
}

func shapeRepeat(k *checker, c Call) {
	if !k.isMap(c.Arg) {
		k.add(argumentKind(c, "a map with template and for_each"))
		return
	}
	for _, key := range []string{"for_each", "template"} {
		if c.Arg.Pair(key) == nil {
			k.add(argumentKeyMissing(c, key, []string{"for_each", "template", "permutations"}))
		}
	}
}

func shapeRepeatPermutations(k *checker, c Call) {
	shapeRepeat(k, c)
	if k.isMap(c.Arg) {
		if p := c.Arg.Get("permutations"); p != nil && !p.Is(source.Bool) {
			k.add(argumentPart(c, "permutations", p, "true or false"))
		}
	}
}

func validateRepeat(k *checker, c Call) {
	if each := c.Arg.Get("for_each"); each != nil && k.isMap(c.Arg) && !each.Is(source.Map) {
		k.add(argumentPart(c, "for_each", each, "a map from variable to list"))
	}
}

// evalRepeat copies the template; maps says whether keys of maps can be gone over, steps whether permutations counts.
func evalRepeat(maps, steps bool) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		m := arg.(*value.Map)
		template, _ := m.GetStr("template")
		each, _ := m.GetStr("for_each")
		variables, ok := each.(*value.Map)
		if !ok || variables.Len() == 0 {
			return nil, c.fail("for_each must be a map with a variable at least")
		}
		nested := true
		if p, given := m.GetStr("permutations"); given && steps {
			nested = p != false
		}
		var names []string
		var lists [][]any
		lengths := map[int]bool{}
		for k, v := range variables.All() {
			list, err := loopItems(c, value.Str(k), v, maps && nested)
			if err != nil {
				return nil, err
			}
			names, lists = append(names, value.Str(k)), append(lists, list)
			if v != nil {
				lengths[len(list)] = true
			}
		}
		if !nested && len(lengths) > 1 {
			return nil, c.fail("the lists must be of one length where permutations is false")
		}
		out := []any{}
		err := combinations(lists, nested, func(items []any) error {
			copied, err := substitute(c, template, names, items)
			out = append(out, copied)
			return err
		})
		return out, err
	}
}

// earlyRepeat finds values that cannot be gone over, whatever the others come to.
func earlyRepeat(maps bool) func(Call, Value) error {
	return func(c Call, arg Value) error {
		m, _ := arg.(*value.Map)
		if m == nil {
			return nil
		}
		each, _ := m.GetStr("for_each")
		variables, _ := each.(*value.Map)
		if variables == nil {
			return nil
		}
		for k, v := range variables.All() {
			_, isMap := v.(*value.Map)
			if v != nil && !mayBe[[]any](v) && !(maps && isMap) {
				return c.fail("the values of %s must be a list, not %s", value.Str(k), what(v))
			}
		}
		return nil
	}
}

func loopItems(c Call, name string, v any, maps bool) ([]any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		return v, nil
	case *value.Map:
		if maps {
			return v.Keys(), nil
		}
	}
	return nil, c.fail("the values of %s must be a list, not %s", name, describe(v))
}

// maxCopies bounds what repeat makes; Heat has no bound but the size of a template.
const maxCopies = 100_000

func combinations(lists [][]any, nested bool, visit func([]any) error) error {
	if !nested {
		n := 0
		if len(lists) > 0 {
			n = len(lists[0])
		}
		for _, l := range lists {
			n = min(n, len(l))
		}
		for i := range n {
			items := make([]any, len(lists))
			for j, l := range lists {
				items[j] = l[i]
			}
			if err := visit(items); err != nil {
				return err
			}
		}
		return nil
	}
	total := 1
	for _, l := range lists {
		if total *= len(l); total > maxCopies || total == 0 {
			break
		}
	}
	for k := range min(total, maxCopies) {
		items := make([]any, len(lists))
		for j := len(lists) - 1; j >= 0; j-- {
			items[j] = lists[j][k%len(lists[j])]
			k /= len(lists[j])
		}
		if err := visit(items); err != nil {
			return err
		}
	}
	return nil
}

// substitute puts the items in the place of the variables, one variable after the other. Only where a text is does
// Python ask for the item to be one.
func substitute(c Call, template any, names []string, items []any) (any, error) {
	switch t := template.(type) {
	case string:
		for i, name := range names {
			text, ok := items[i].(string)
			if !ok {
				return nil, c.fail("the values of %s must be strings, not %s", name, describe(items[i]))
			}
			t = strings.ReplaceAll(t, name, text)
		}
		return t, nil
	case []any:
		out := make([]any, len(t))
		for i, x := range t {
			v, err := substitute(c, x, names, items)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	case *value.Map:
		out := value.NewMap(t.Len())
		for k, x := range t.All() {
			key, err := substitute(c, k, names, items)
			if err != nil {
				return nil, err
			}
			v, err := substitute(c, x, names, items)
			if err != nil {
				return nil, err
			}
			if err := out.Set(key, v); err != nil {
				return nil, c.fail("%v", err)
			}
		}
		return out, nil
	}
	return template, nil
}
