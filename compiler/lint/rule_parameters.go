package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var ungroupedParameter = &Rule{
	ID: "ungrouped-parameter", Severity: diag.Info, Check: &Check{"ungrouped-parameter", checkGroups},
	Summary: "The template has parameter groups, and a parameter is in none.",
	Heat:    "Accepted; forms show the parameter apart from the others.",
}

var undescribedParameter = &Rule{
	ID: "undescribed-parameter", Severity: diag.Info, Check: &Check{"undescribed-parameter", checkDescriptions}, Off: true,
	Summary: "A parameter has no description.",
	Heat:    "Accepted; forms show the bare name.",
}

var immutableParameter = &Rule{
	ID: "immutable-parameter", Severity: diag.Info, Check: &Check{"immutable-parameter", checkImmutable},
	Summary: "A parameter is immutable and has a default, which can then never be changed in the template.",
	Heat:    "An update with another value is refused, and a new default is one for all stacks that took the old.",
}

var numberAsText = &Rule{
	ID: "default-of-other-type", Severity: diag.Info, Check: &Check{"default-of-other-type", checkDefaultTypes},
	Summary: "The default of a parameter is of another type than the parameter and is converted.",
	Heat:    `A string parameter makes text of anything, in Python's way: true becomes "True", a map its repr.`,
}

func checkGroups(p *Pass) {
	if len(p.Template.ParameterGroups) == 0 {
		return
	}
	grouped := map[string]bool{}
	for _, g := range p.Template.ParameterGroups {
		for _, n := range g.Parameters {
			grouped[n.Text] = true
		}
	}
	for _, def := range p.Template.Parameters {
		if !grouped[def.Name.Text] {
			p.report(diag.Infof(def.Name.At(), "ungrouped-parameter", "parameter %q is in no group", def.Name.Text))
		}
	}
}

func checkDescriptions(p *Pass) {
	for _, def := range p.Template.Parameters {
		if def.Description.IsNull() && def.Label.IsNull() {
			p.report(diag.Infof(def.Name.At(), "undescribed-parameter", "parameter %q has no description", def.Name.Text))
		}
	}
}

func checkImmutable(p *Pass) {
	for _, def := range p.Template.Parameters {
		if def.Immutable && !def.Default.IsNull() {
			p.report(diag.Infof(def.Default.At(), "immutable-parameter", "parameter %q is immutable, so this default cannot be changed for existing stacks",
				def.Name.Text))
		}
	}
}

func checkDefaultTypes(p *Pass) {
	for _, def := range p.Template.Parameters {
		if def.Type != hot.String || def.Default == nil {
			continue
		}
		switch d := def.Default; {
		case d.Is(source.Bool):
			p.report(diag.Infof(d.At(), "default-of-other-type", "the string parameter %q becomes %q", def.Name.Text,
				map[bool]string{true: "True", false: "False"}[d.Scalar == true]).With("quote it, or make the parameter a boolean"))
		case d.Is(source.Map), d.Is(source.List):
			p.report(diag.Warnf(d.At(), "default-of-other-type", "the string parameter %q becomes the Python text of %s", def.Name.Text, article(d.Kind)).
				With("make the parameter json or comma_delimited_list"))
		}
	}
}
