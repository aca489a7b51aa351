package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

var unusedParameter = &Rule{
	ID: "unused-parameter", Severity: diag.Warning, Check: &Check{"unused-parameter", checkUnusedParameters},
	Summary: "A parameter is defined and never used.",
	Heat:    "Heat asks for its value all the same if it has no default.",
}

func checkUnusedParameters(p *Pass) {
	if p.computedNames() {
		return
	}
	for _, def := range p.Template.Parameters {
		if len(p.index.parameters[def.Name.Text]) == 0 {
			p.report(diag.Warnf(def.Name.At(), "unused-parameter", "parameter %q is never used", def.Name.Text).With("remove it"))
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
