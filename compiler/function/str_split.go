package function

import "github.com/hotloom/hotloom/compiler/source"

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
