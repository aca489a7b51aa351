package function

// filter drops items of a list.
var filter = Function{
	Macro: evalFilter,
	Name:  "filter",
	Usage: "{filter: [values, list]}",
	Shape: func(k *checker, c Call) {
		switch {
		case !k.isList(c.Arg):
			k.add(argumentKind(c, "a list of the values to drop and a list"))
		case len(c.Arg.Items) != 2:
			k.add(argumentCount(c, "exactly two items"))
		}
	},
}
