package function

import "slices"

// resourceFacade gives, in a nested template, a section of the resource that the template stands for.
var resourceFacade = Function{
	Name:  "resource_facade",
	Usage: "{resource_facade: metadata | deletion_policy | update_policy}",
	Shape: oneOf("metadata", "deletion_policy", "update_policy"),
}

// fnResourceFacade is the CFN form.
var fnResourceFacade = Function{
	Name:  "Fn::ResourceFacade",
	Usage: "{Fn::ResourceFacade: Metadata | DeletionPolicy | UpdatePolicy}",
	Shape: oneOf("Metadata", "DeletionPolicy", "UpdatePolicy"),
}

// oneOf takes nothing but the given words. Heat compares them with what a call in their place comes to.
func oneOf(words ...string) func(*checker, Call) {
	return func(k *checker, c Call) {
		v, err := Value(c.Arg.Str()), error(nil)
		if _, isCall := k.find(c.Arg); isCall && k.scope != nil {
			if v, err = k.scope.Eval(c.Arg); err == nil && isParameterUnknown(v) {
				return
			}
		}
		if s, isString := v.(string); err != nil || !isString || !slices.Contains(words, s) {
			k.add(argumentWord(c, words))
		}
	}
}
