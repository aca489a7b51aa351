package function

// getFile takes the name of a file and gives its content.
var getFile = Function{
	Name:  "get_file",
	Usage: "{get_file: NAME}",
	Refs:  nameRef(File),
}
