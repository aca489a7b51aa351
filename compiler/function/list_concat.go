package function

// listConcat joins lists, listConcatUnique drops repeated items. All is checked when they are resolved.
var listConcat = Function{Name: "list_concat", Usage: "{list_concat: [list, …]}", Eval: evalConcat(false), Early: earlyItems[[]any]("a list")}

var listConcatUnique = Function{Name: "list_concat_unique", Usage: "{list_concat_unique: [list, …]}", Eval: evalConcat(true), Early: earlyItems[[]any]("a list")}
