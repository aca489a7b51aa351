package function

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
