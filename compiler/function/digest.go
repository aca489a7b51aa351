package function

// digest hashes a text; all is checked when it is resolved.
var digest = Function{
	Name:  "digest",
	Usage: "{digest: [ALGORITHM, TEXT]}",
}
