package function

// digest hashes a text; all is checked when it is resolved.
var digest = Function{
	Eval:  evalDigest,
	Early: earlyDigest,
	Name:  "digest",
	Usage: "{digest: [ALGORITHM, TEXT]}",
}
