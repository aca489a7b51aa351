package function

// fnGetAtt is CFN's get_attr, without a path.
var fnGetAtt = Function{
	Name:  "Fn::GetAtt",
	Usage: "{Fn::GetAtt: [RESOURCE, ATTRIBUTE]}",
	Shape: func(k *checker, c Call) {
		if !k.unpacks(c.Arg, 2) {
			k.add(argumentKind(c, "a list of a resource and an attribute"))
		}
	},
	Validate: checkAttribute,
	Refs:     attributeRef,
	Computes: true,
}
