package function

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// strReplaceText replaces placeholders in a text by strings and numbers.
var strReplaceText = Function{
	Eval:  evalReplace(replaceMode{}),
	Early: earlyReplace(replaceMode{}),
	Name:  "str_replace",
	Usage: "{str_replace: {template: TEXT, params: {PLACEHOLDER: value, …}}}",
	Shape: shapeReplace,
}

// strReplace takes maps and lists as values, too: they become JSON.
var strReplace = Function{
	Eval:  evalReplace(replaceMode{json: true}),
	Early: earlyReplace(replaceMode{json: true}),
	Name:  "str_replace",
	Since: "2015-10-15",
	Usage: strReplaceText.Usage,
	Shape: shapeReplace,
}

// strReplaceStrict refuses placeholders that do not occur in the text.
var strReplaceStrict = Function{
	Eval:  evalReplace(replaceMode{json: true, strict: true}),
	Early: earlyReplace(replaceMode{json: true, strict: true}),
	Name:  "str_replace_strict",
	Usage: "{str_replace_strict: {template: TEXT, params: {PLACEHOLDER: value, …}}}",
	Shape: shapeReplace,
}

// strReplaceVstrict refuses empty values, too.
var strReplaceVstrict = Function{
	Eval:  evalReplace(replaceMode{json: true, strict: true, nonEmpty: true}),
	Early: earlyReplace(replaceMode{json: true, strict: true, nonEmpty: true}),
	Name:  "str_replace_vstrict",
	Usage: "{str_replace_vstrict: {template: TEXT, params: {PLACEHOLDER: value, …}}}",
	Shape: shapeReplace,
}

// fnReplace is the CFN form.
var fnReplace = Function{
	Eval:  evalFnReplace,
	Name:  "Fn::Replace",
	Usage: "{Fn::Replace: [{PLACEHOLDER: value, …}, TEXT]}",
	Shape: shapeFnReplace,
}

func shapeReplace(k *checker, c Call) {
	if !k.isMap(c.Arg) {
		k.add(argumentKind(c, "a map with template and params"))
		return
	}
	params := c.Arg.Get("params")
	for _, key := range []string{"template", "params"} {
		if c.Arg.Pair(key) == nil {
			k.add(argumentKeyMissing(c, key, []string{"template", "params"}))
		}
	}
	if params != nil && !params.Is(source.Map) {
		k.add(argumentPart(c, "params", params, "a map"))
	}
}

func shapeFnReplace(k *checker, c Call) {
	if !k.isList(c.Arg) || len(c.Arg.Items) != 2 {
		k.add(argumentKind(c, "a list of a map and a text"))
		return
	}
	if m := c.Arg.Items[0]; !m.Is(source.Map) {
		k.add(argumentPart(c, "the first item", m, "a map"))
	}
}

// replaceMode is how strict a form of str_replace is.
type replaceMode struct{ json, strict, nonEmpty bool }

func evalReplace(mode replaceMode) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		m, ok := arg.(*value.Map)
		if !ok {
			return nil, c.fail("takes a map")
		}
		template, _ := m.GetStr("template")
		params, _ := m.GetStr("params")
		return replace(c, template, params, mode)
	}
}

// earlyReplace finds params that cannot be replaced, whatever the others come to.
func earlyReplace(mode replaceMode) func(Call, Value) error {
	return func(c Call, arg Value) error {
		m, _ := arg.(*value.Map)
		if m == nil {
			return nil
		}
		template, _ := m.GetStr("template")
		params, _ := m.GetStr("params")
		known, _ := params.(*value.Map)
		text, isText := template.(string)
		switch {
		case !mayBeText(template):
			return c.fail("the template must be a string, not %s", describe(template))
		case !mayBe[*value.Map](params):
			return c.fail("params must be a map, not %s", what(params))
		case known == nil:
			return nil
		}
		for k, v := range known.All() {
			if _, why := replacementText(v, mode); why != "" && (!mode.json && !isUnknown(v) || unknownIn(v) == nil) {
				return c.fail("param %s %s", value.Str(k), why)
			}
			if mode.strict && isText && !strings.Contains(text, value.Str(k)) {
				return c.fail("these params are not in the template: %s", value.Str(k))
			}
		}
		return nil
	}
}

// evalFnReplace is the CFN form: a map and a text.
func evalFnReplace(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 2 {
		return nil, c.fail("takes a map and a text")
	}
	return replace(c, args[1], args[0], replaceMode{})
}

func replace(c Call, template, params any, mode replaceMode) (Value, error) {
	text, ok := template.(string)
	if !ok {
		return nil, c.fail("the template must be a string, not %s", describe(template))
	}
	m, ok := params.(*value.Map)
	if !ok {
		return nil, c.fail("params must be a map, not %s", describe(params))
	}
	keys := make([]string, 0, m.Len())
	values := make(map[string]string, m.Len())
	for k, v := range m.All() {
		key := value.Str(k)
		replacement, why := replacementText(v, mode)
		if why != "" {
			return nil, c.fail("param %s %s", key, why)
		}
		keys = append(keys, key)
		values[key] = replacement
	}
	slices.SortFunc(keys, func(a, b string) int { // longer ones first, so that they win over their parts
		if d := value.RuneLen(b) - value.RuneLen(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	if slices.Contains(keys, "") {
		return nil, c.fail("a placeholder is empty")
	}
	missing := map[string]bool{}
	for _, k := range keys {
		missing[k] = true
	}
	out := replaceAll(text, keys, values, missing)
	if mode.strict && len(missing) > 0 {
		var left []string
		for _, k := range keys {
			if missing[k] {
				left = append(left, k)
			}
		}
		return nil, c.fail("these params are not in the template: %s", strings.Join(left, ", "))
	}
	return out, nil
}

// replaceAll replaces the first placeholder everywhere and the others in what lies between, so that replaced text is
// not looked at again.
func replaceAll(text string, keys []string, values map[string]string, missing map[string]bool) string {
	if len(keys) == 0 {
		return text
	}
	parts := strings.Split(text, keys[0])
	if len(parts) > 1 {
		delete(missing, keys[0])
	}
	for i, part := range parts {
		parts[i] = replaceAll(part, keys[1:], values, missing)
	}
	return strings.Join(parts, values[keys[0]])
}

func replacementText(v any, mode replaceMode) (text, why string) {
	switch v := v.(type) {
	case nil:
	case []any, *value.Map:
		if !mode.json {
			return "", "must be a string or number, not " + describe(v)
		}
		if n, _ := value.Len(v); n > 0 || !mode.nonEmpty {
			text, err := value.JSON(v, value.JSONOptions{SortKeys: true})
			if err != nil {
				return "", err.Error()
			}
			return text, ""
		}
	default:
		text = value.Str(v)
	}
	if text == "" && mode.nonEmpty {
		return "", "is empty"
	}
	return text, ""
}
