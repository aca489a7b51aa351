package function

// fnBase64 gives its text unchanged.
var fnBase64 = Function{Name: "Fn::Base64", Usage: "{Fn::Base64: TEXT}", Eval: evalFnBase64}

func evalFnBase64(_ *Scope, c Call, arg Value) (Value, error) {
	if _, ok := arg.(string); !ok {
		return nil, c.fail("takes a string, not %s", describe(arg))
	}
	return arg, nil
}
