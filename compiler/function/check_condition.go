package function

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// conditionDefinition checks a definition as Heat does whether it is used or not: its calls, and that it is a boolean
// or a call at all.
func (k checker) conditionDefinition(c *hot.Condition) {
	k.place, k.functions = inCondition, k.scope.table.conditions
	k.parsed, k.validated = true, true
	before := len(*k.found)
	k.value(c.Value)
	if _, isCall := k.find(c.Value); isCall || c.Value.Is(source.Bool) || (*k.found)[before:].HasErrors() {
		return
	}
	if p := c.Value.Single(); p != nil && k.version.HasRemoved(hot.KeyText(p.Key)) {
		return // reported as removed
	}
	k.certain = true
	k.add(k.scope.conditionDefinition(c))
}

// conditionUse checks a condition where it is used: under a condition key, or in an if.
func (k checker) conditionUse(n *source.Node, certain bool) {
	k.place, k.functions = inCondition, k.scope.table.conditions
	k.parsed, k.validated = certain, certain // a removed function does not come to a truth value
	before := len(*k.found)
	k.value(n)
	if (*k.found)[before:].HasErrors() || k.functions == nil {
		return
	}
	k.certain = certain
	if !certain {
		if n.Is(source.String) && k.scope.Template.Condition(n.Text) == nil {
			k.add(unknownCondition(n, k.scope.Template))
		}
		return
	}
	if _, err := k.scope.Truth(n); err != nil {
		k.add(finding(err, n))
	}
}

// unusedCondition looks into a definition that nothing has used: Heat never computes it.
func (k checker) unusedCondition(c *hot.Condition) {
	if k.scope.conditions[c.Name.Text] != nil {
		return
	}
	if _, isCall := find(k.scope.table.conditions, c.Value); !isCall {
		return
	}
	if _, err := k.scope.Condition(c.Name.Text); err != nil {
		d := finding(err, c.Value)
		for _, known := range *k.found {
			if known.Location == d.Location && known.Rule == d.Rule {
				return
			}
		}
		k.found.Add(unusedConditionName(d))
	}
}
