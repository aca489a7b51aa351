package function

// fnBase64 gives its text unchanged.
var fnBase64 = Function{Name: "Fn::Base64", Usage: "{Fn::Base64: TEXT}", Eval: evalFnBase64}
