package function

import "github.com/hotloom/hotloom/compiler/source"

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
