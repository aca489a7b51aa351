package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog/constraint"
)

var unsatisfiable = &Rule{
	ID: "unsatisfiable-constraint", Severity: diag.Error, Check: &Check{"parameter-constraints", checkParameterConstraints},
	Summary: "A constraint of a parameter lets no value pass.",
	Heat: "Refused at create, whatever the value: a range whose minimum is above its maximum, an empty list of allowed values, " +
		"a custom constraint that Heat does not have.",
}

// checkParameterConstraints judges constraints that no value passes, and custom constraints on the values there are,
// which the reader of templates leaves alone.
func checkParameterConstraints(p *Pass) {
	for _, def := range p.Template.Parameters {
		for _, c := range def.Constraints {
			if why := p.unsatisfiable(def, c); why != "" {
				p.report(diag.Errorf(c.Value.At(), "unsatisfiable-constraint", "no value of parameter %q can pass: %s", def.Name.Text, why))
				continue
			}
			if v, ok := p.scope.Params[def.Name.Text]; ok && c.Kind == "custom_constraint" {
				p.customConstraint(def, c, v)
			}
		}
	}
}

func (p *Pass) unsatisfiable(def *hot.Parameter, c *hot.Constraint) string {
	switch c.Kind {
	case "range", "length":
		b := boundsOf(c.Value)
		if b.Min != nil && b.Max != nil && *b.Min > *b.Max {
			return "min is greater than max"
		}
		if c.Kind == "length" && b.Max != nil && *b.Max < 0 {
			return "a length is never negative"
		}
	case "allowed_values":
		if c.Value.Is(source.List) && len(c.Value.Items) == 0 {
			return "the list of allowed values is empty"
		}
		for _, item := range c.Value.Items {
			if _, err := hot.Convert(def.Type, hot.ValueOf(item)); err != nil && (def.Type == hot.Number || def.Type == hot.Boolean) {
				return "the allowed value " + describe(item) + " " + err.Error()
			}
		}
	case "custom_constraint":
		if !c.Value.Is(source.String) {
			return "the custom constraint must be a name, not " + article(c.Value.Kind)
		}
		if _, known := p.Catalog.Constraint(c.Value.Text); !known {
			return "Heat has no custom constraint " + quote(c.Value.Text)
		}
	}
	return ""
}

// customConstraint checks a parameter's value.
func (p *Pass) customConstraint(def *hot.Parameter, c *hot.Constraint, v any) {
	given := p.given(def)
	if given == nil || p.Stack.Parent != nil {
		return
	}
	problem := p.violatesCustom(c.Value.Text, v)
	if !value.Truth(v) && constraint.PassesEmpty(c.Value.Text) {
		problem = "" // Heat does not look at false and 0 either
	}
	if problem != "" {
		p.report(diag.Errorf(given.At(), "parameter-value", "the value of parameter %q %s", def.Name.Text, problem))
	}
}
