package function

import "github.com/hotloom/hotloom/compiler/source"

const repeatUsage = "{repeat: {template: anything, for_each: {VARIABLE: list, …}}}"

// repeatLists copies its template for each combination of items of lists.
var repeatLists = Function{Name: "repeat", Usage: repeatUsage, Shape: shapeRepeat, Validate: validateRepeat, Eval: evalRepeat(false, false), Early: earlyRepeat(false)}

// repeatMaps takes maps, too, and goes over their keys.
var repeatMaps = Function{Name: "repeat", Since: "2016-10-14", Usage: repeatUsage, Shape: shapeRepeat, Validate: validateRepeat, Eval: evalRepeat(true, false), Early: earlyRepeat(true)}

// repeatPermutations takes the key permutations: false lets the lists go in step.
var repeatPermutations = Function{
	Eval:     evalRepeat(true, true),
	Early:    earlyRepeat(true),
	Name:     "repeat",
	Since:    "2017-09-01",
	Usage:    "{repeat: {template: anything, for_each: {VARIABLE: list, …}, permutations: true | false}}",
	Shape:    shapeRepeatPermutations,
	Validate: validateRepeat,
}

func shapeRepeat(k *checker, c Call) {
	if !k.isMap(c.Arg) {
		k.add(argumentKind(c, "a map with template and for_each"))
		return
	}
	for _, key := range []string{"for_each", "template"} {
		if c.Arg.Pair(key) == nil {
			k.add(argumentKeyMissing(c, key, []string{"for_each", "template", "permutations"}))
		}
	}
}

func shapeRepeatPermutations(k *checker, c Call) {
	shapeRepeat(k, c)
	if k.isMap(c.Arg) {
		if p := c.Arg.Get("permutations"); p != nil && !p.Is(source.Bool) {
			k.add(argumentPart(c, "permutations", p, "true or false"))
		}
	}
}

func validateRepeat(k *checker, c Call) {
	if each := c.Arg.Get("for_each"); each != nil && k.isMap(c.Arg) && !each.Is(source.Map) {
		k.add(argumentPart(c, "for_each", each, "a map from variable to list"))
	}
}
