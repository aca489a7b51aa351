package function

// listConcat joins lists, listConcatUnique drops repeated items. All is checked when they are resolved.
var listConcat = Function{Name: "list_concat", Usage: "{list_concat: [list, …]}"}

var listConcatUnique = Function{Name: "list_concat_unique", Usage: "{list_concat_unique: [list, …]}"}
