package function

import "github.com/hotloom/hotloom/compiler/source"

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

func oneOf(words ...string) func(*checker, Call) {
	return func(k *checker, c Call) {
		if _, isCall := k.find(c.Arg); isCall {
			return
		}
		for _, w := range words {
			if c.Arg.Is(source.String) && c.Arg.Text == w {
				return
			}
		}
		k.add(argumentWord(c, words))
	}
}
