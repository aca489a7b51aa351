package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

var unusedParameter = &Rule{
	ID: "unused-parameter", Severity: diag.Warning, Tag: Unnecessary, Check: &Check{"unused-parameter", checkUnusedParameters},
	Summary: "A parameter without default is defined and never used.",
	Heat:    "Heat asks for its value all the same.",
}

var unusedCondition = &Rule{
	ID: "unused-condition", Severity: diag.Warning, Tag: Unnecessary, Check: &Check{"unused-condition", checkUnusedConditions},
	Summary: "A condition is defined and never used.",
	Heat:    "Its form is checked, but its value is never computed: what is wrong in it stays hidden.",
}

func checkUnusedConditions(p *Pass) {
	for _, c := range p.Template.Conditions {
		if len(p.index.named[c.Name.Text]) == 0 {
			p.report(diag.Warnf(c.Name.At(), "unused-condition", "condition %q is never used", c.Name.Text).With("remove it"))
		}
	}
}

var unusedOptional = &Rule{
	ID: "unused-optional-parameter", Severity: diag.Info, Tag: Unnecessary, Check: &Check{"unused-optional-parameter", checkUnusedOptional}, Off: true,
	Summary: "A parameter with a default is defined and never used.",
	Heat:    "Accepted. Templates that stand in for each other, as in TripleO, share a list of parameters that not each of them uses.",
}

func checkUnusedParameters(p *Pass) {
	if p.computedNames() {
		return
	}
	for _, def := range p.Template.Parameters {
		if def.Default.IsNull() && len(p.index.parameters[def.Name.Text]) == 0 {
			p.report(diag.Warnf(def.Name.At(), "unused-parameter", "parameter %q is never used, and Heat asks for its value", def.Name.Text).
				With("remove it"))
		}
	}
}

func checkUnusedOptional(p *Pass) {
	if p.computedNames() {
		return
	}
	for _, def := range p.Template.Parameters {
		if !def.Default.IsNull() && len(p.index.parameters[def.Name.Text]) == 0 {
			p.report(diag.Infof(def.Name.At(), "unused-optional-parameter", "parameter %q is never used", def.Name.Text).With("remove it"))
		}
	}
}

// computedNames reports whether get_param takes a computed name somewhere, so that uses cannot be counted.
func (p *Pass) computedNames() bool {
	for _, c := range p.index.calls {
		if c.Function.Name == "get_param" {
			name := c.Arg
			if name.Is(source.List) && len(name.Items) > 0 {
				name = name.Items[0]
			}
			if !name.Is(source.String) {
				return true
			}
		}
	}
	return false
}
