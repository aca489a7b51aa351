package function

import "github.com/hotloom/hotloom/compiler/source"

// fnMemberListToMap makes a map of AWS's enumerated lists.
var fnMemberListToMap = Function{
	Eval:  evalMemberList,
	Name:  "Fn::MemberListToMap",
	Usage: "{Fn::MemberListToMap: [KEY NAME, VALUE NAME, list]}",
	Shape: func(k *checker, c Call) {
		if !k.unpacks(c.Arg, 3) {
			k.add(argumentKind(c, "a list of a key's name, a value's name and a list"))
			return
		}
		if !k.isList(c.Arg) {
			return
		}
		for i, what := range []string{"the key's name", "the value's name"} {
			if n := c.Arg.Items[i]; !n.Is(source.String) {
				k.add(argumentPart(c, what, n, "a string"))
			}
		}
	},
}
