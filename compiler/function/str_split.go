package function

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// strSplit splits a text, and picks one part where an index is given.
var strSplit = Function{
	Eval:  evalSplit,
	Name:  "str_split",
	Usage: "{str_split: [DELIMITER, TEXT]} or {str_split: [DELIMITER, TEXT, index]}",
	Shape: func(k *checker, c Call) {
		if c.Arg.Is(source.String) || k.isMap(c.Arg) {
			k.add(argumentKind(c, "a list of a delimiter and a text"))
		}
	},
}

// fnSplit is the CFN form.
var fnSplit = Function{
	Eval:  evalFnSplit,
	Name:  "Fn::Split",
	Usage: "{Fn::Split: [DELIMITER, TEXT]}",
	Shape: func(k *checker, c Call) {
		if !k.isList(c.Arg) || len(c.Arg.Items) != 2 {
			k.add(argumentKind(c, "a list of a delimiter and a text"))
		}
	},
}

func evalSplit(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) < 2 {
		return nil, c.fail("takes a delimiter and a text")
	}
	if args[1] == nil {
		return nil, nil
	}
	text, okText := args[1].(string)
	delimiter, okDelimiter := args[0].(string)
	if !okText || args[0] != nil && (!okDelimiter || delimiter == "") {
		return nil, c.fail("takes a delimiter that is not empty and a text, not %s and %s", describe(args[0]), describe(args[1]))
	}
	split := strings.Split(text, delimiter)
	if args[0] == nil {
		split = value.SplitBlanks(text, -1, false)
	}
	parts := []any{}
	for _, s := range split {
		parts = append(parts, s)
	}
	if len(args) == 2 {
		return parts, nil
	}
	at, err := value.ToInt(args[2])
	if err != nil {
		return nil, c.fail("the index must be a number, not %s", describe(args[2]))
	}
	i, _ := value.Int(at)
	if i < 0 {
		i += len(parts)
	}
	if i < 0 || i >= len(parts) {
		return nil, c.fail("there is no part %s: the text has %d", value.Str(at), len(parts))
	}
	return parts[i], nil
}

// evalFnSplit is Fn::Split.
func evalFnSplit(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 2 {
		return nil, c.fail("takes a delimiter and a text")
	}
	text, okText := args[1].(string)
	delimiter, okDelimiter := args[0].(string)
	if !okText || !okDelimiter || delimiter == "" {
		return nil, c.fail("takes a delimiter that is not empty and a text")
	}
	out := []any{}
	for _, s := range strings.Split(text, delimiter) {
		out = append(out, s)
	}
	return out, nil
}
