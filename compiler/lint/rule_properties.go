package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/resources/catalog"
)

var properties = &Check{"properties", checkProperties}

var unknownPropertyRule = &Rule{
	ID: "unknown-property", Severity: diag.Error, Check: properties,
	Summary: "A resource or one of its nested maps has a property that its type does not know.",
	Heat:    "Refused at template-validate for properties of the resource itself, and at create below that.",
}

var missingRequired = &Rule{
	ID: "missing-required-property", Severity: diag.Error, Check: properties,
	Summary: "A property that the type requires is not given.",
	Heat:    `Refused at create: "Property x not assigned". A property whose old name is given counts as given.`,
}

var propertyType = &Rule{
	ID: "property-type", Severity: diag.Error, Check: properties,
	Summary: "The value of a property cannot be converted to the property's type.",
	Heat: "Refused at create. A string takes booleans and integers; a boolean takes the texts true and false; an integer and a " +
		"number take text that Python's int() and float() read; lists and maps take nothing else. A value is followed through " +
		"parameters, conditions and functions.",
}

var constraintViolatedRule = &Rule{
	ID: "constraint-violated", Severity: diag.Error, Check: properties,
	Summary: "The value of a property breaks a constraint of its schema.",
	Heat: "Refused at create: allowed values, patterns, ranges, lengths, and the custom constraints that need no service. A value " +
		"that refers to another resource is not checked before that exists.",
}

var unimplemented = &Rule{
	ID: "unimplemented-property", Severity: diag.Error, Check: properties,
	Summary: "A property exists in the schema, but Heat has no code for it.",
	Heat:    `Refused at template-validate: "Property x not implemented yet".`,
}

var conflicting = &Rule{
	ID: "conflicting-properties", Severity: diag.Error, Check: properties,
	Summary: "Two properties exclude each other, and both are given.",
	Heat:    "Refused at create: a property and its old name, or properties of which a type's own check takes one only.",
}

// checkProperties holds the properties and the update policy of each resource against its type.
func checkProperties(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || hot.Truthy(r.ExternalID) || isOwn(r) {
			continue
		}
		emit, exists := p.whereEnabled(r)
		if !exists {
			continue
		}
		p.checkUpdatePolicy(r, t, emit)
		if t.Placeholder {
			continue // takes all properties
		}
		if _, isCall := function.Find(p.Version, r.Properties); isCall {
			continue // compiler/function refuses it
		}
		c := &propertyChecker{p: p, what: t.Name, loose: t.Loose, renames: renamesOf(t), emit: emit}
		n := r.Properties
		if n == nil {
			n = r.Name
		}
		c.top(n, t.Properties)
	}
}

func (p *Pass) checkUpdatePolicy(r *hot.Resource, t *catalog.Type, emit func(diag.Diagnostic)) {
	if r.UpdatePolicy == nil || t.Captured && t.UpdatePolicy == nil {
		return
	}
	if call, ok := function.Find(p.Version, r.UpdatePolicy); ok {
		emit(diag.Errorf(call.Name.At(), "section-function", "update_policy of resource %q is one call of %s, and Heat needs a map",
			r.Name.Text, call.Name.Text))
		return
	}
	c := &propertyChecker{p: p, what: "the update policy of " + t.Name, emit: emit}
	c.top(r.UpdatePolicy, t.UpdatePolicy)
}

// whereEnabled gives where to report findings about a resource: nowhere if its condition is false, and as warnings if
// its condition is not known, since Heat then looks at the resource for some values of the parameters only.
func (p *Pass) whereEnabled(r *hot.Resource) (emit func(diag.Diagnostic), exists bool) {
	switch p.scope.Enabled(r) {
	case function.False:
		return nil, false
	case function.Maybe:
		return func(d diag.Diagnostic) {
			if d.Severity == diag.Error {
				d.Severity = diag.Warning
				d.Message += ", where the condition of the resource holds"
			}
			p.report(d)
		}, true
	}
	return p.report, true
}
