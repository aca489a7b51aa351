package function

// getResource takes a resource's name and gives its reference id.
var getResource = Function{
	Name:  "get_resource",
	Usage: "{get_resource: NAME}",
	Refs:  nameRef(Resource),
}
