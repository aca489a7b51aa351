package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/source"
)

var constantCondition = &Rule{
	ID: "constant-condition", Severity: diag.Info, Check: &Check{"constant-condition", checkConstantConditions},
	Summary: "A condition does not depend on any parameter.",
	Heat:    "Accepted; it is always true or always false.",
}

var sameBranches = &Rule{
	ID: "same-branches", Severity: diag.Warning, Check: &Check{"same-branches", checkBranches},
	Summary: "Both values of an if are equal.",
	Heat:    "Accepted; the condition decides nothing.",
}

var nullableIf = &Rule{
	ID: "if-without-else", Severity: diag.Info, Check: &Check{"if-without-else", checkNullableIf},
	Summary: "An if has no second value, which Heat before 22.0.0 cannot update.",
	Heat: "Accepted from version 2021-04-16 on. In Heat 19 an update of a stack whose condition is false fails with a TypeError " +
		"(story 2011108, mended in 2024).",
}

func checkConstantConditions(p *Pass) {
	known := map[string]bool{}
	for _, c := range p.Template.Conditions {
		if p.constantName(c.Name.Text, known) {
			p.report(diag.Infof(c.Name.At(), "constant-condition", "condition %q is the same for all values of the parameters", c.Name.Text))
		}
	}
}

// constantName looks at each condition once; known holds what it found, and false while it looks.
func (p *Pass) constantName(name string, known map[string]bool) bool {
	c := p.Template.Condition(name)
	if constant, done := known[name]; done || c == nil {
		return constant
	}
	known[name] = false
	known[name] = p.constant(c.Value, known)
	return known[name]
}

func (p *Pass) constant(n *source.Node, known map[string]bool) bool {
	if n.Is(source.Bool) {
		return true
	}
	if _, isCall := function.FindCondition(p.Version, n); !isCall && !n.Is(source.String) {
		return false
	}
	for _, r := range function.ConditionReferences(p.Version, n) {
		if r.Kind != function.Condition || !p.constantName(r.Target.Text, known) {
			return false
		}
	}
	computed := false
	function.WalkCondition(p.Version, n, func(c function.Call) bool {
		computed = computed || c.Function.Name == "get_param" || c.Function.Name == "Ref" || c.Function.Name == "yaql"
		return !computed
	})
	return !computed
}

func checkBranches(p *Pass) {
	for _, c := range p.index.calls {
		if name := c.Function.Name; (name == "if" || name == "Fn::If") && c.Arg.Is(source.List) && len(c.Arg.Items) == 3 &&
			source.Equal(c.Arg.Items[1], c.Arg.Items[2]) {
			p.report(diag.Warnf(c.Name.At(), "same-branches", "both values are equal, so the condition decides nothing"))
		}
	}
}

func checkNullableIf(p *Pass) {
	if p.release() >= 22 {
		return
	}
	for _, c := range p.index.calls {
		if c.Function.Name == "if" && c.Arg.Is(source.List) && len(c.Arg.Items) == 2 {
			p.report(diag.Infof(c.Name.At(), "if-without-else", "Heat 19 fails to update a stack where this condition is false").
				With("give the second value, such as null or an empty list"))
		}
	}
}
