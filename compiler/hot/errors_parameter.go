package hot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

func parameterKind(p *Parameter) diag.Diagnostic {
	return diag.Errorf(at(p.Node), "parameter-definition", "parameter %q must be a map with a type, not %s", p.Name.Text, article(p.Node.Kind))
}

func unknownParameterKey(p *Parameter, key *source.Node, name string, v *Version) diag.Diagnostic {
	d := diag.Errorf(at(key), "unknown-parameter-key", "unknown key %q in parameter %q", name, p.Name.Text)
	if first := firstWith(v, func(w *Version) bool { return contains(w.ParameterKeys, name) }); first != nil {
		d.Message = fmt.Sprintf("key %q of a parameter is not in version %s", name, v.Name)
		return d.With("raise %s to %s or later", v.Key, first.Name)
	}
	if v.Format == HOT && contains(constraintKeys, name) {
		return d.With("write it as an item of the list \"constraints\"")
	}
	return didYouMean(d, name, v.ParameterKeys)
}

func parameterTags(p *Parameter) diag.Diagnostic {
	return diag.Errorf(at(p.Tags), "parameter-tags", "the tags of parameter %q must be a list, not %s", p.Name.Text, article(p.Tags.Kind))
}

func parameterWithoutType(p *Parameter, key string) diag.Diagnostic {
	d := diag.Errorf(at(p.Name), "parameter-type-missing", "parameter %q has no %s", p.Name.Text, key)
	for _, pair := range p.Node.Pairs {
		if k := KeyText(pair.Key); k != "tags" && diag.Nearest(k, []string{key}) != "" {
			return d.With("did you mean %q for the key %q?", key, k)
		}
	}
	return d
}

func badParameterType(p *Parameter, names []string) diag.Diagnostic {
	text := value.Str(ValueOf(p.TypeNode))
	d := diag.Errorf(at(p.TypeNode), "parameter-type", "parameter %q has the unknown type %q; there are %s", p.Name.Text, text, strings.Join(names, ", "))
	others := map[string]string{
		"list": names[2], "array": names[2], "map": names[3], "object": names[3], "int": names[1], "integer": names[1],
		"float": names[1], "bool": names[4],
	}
	if other := others[strings.ToLower(text)]; other != "" {
		return d.With("did you mean %q?", other)
	}
	return didYouMean(d, text, names)
}

func constraintsKind(p *Parameter, n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "constraint-definition", "the constraints of parameter %q must be a list, not %s", p.Name.Text, article(n.Kind)).
		With("put each constraint on a line of its own that begins with \"- \"")
}

func constraintKind(p *Parameter, item *source.Node) diag.Diagnostic {
	return diag.Errorf(at(item), "constraint-definition", "a constraint of parameter %q must be a map, not %s", p.Name.Text, article(item.Kind))
}

func unknownConstraint(p *Parameter, key *source.Node, name string) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(key), "constraint-definition", "unknown key %q in a constraint of parameter %q", name, p.Name.Text),
		name, constraintKeys)
}

func noConstraint(p *Parameter, item *source.Node, v *Version) diag.Diagnostic {
	d := diag.Errorf(at(item), "constraint-definition", "an item of the constraints of parameter %q says none", p.Name.Text)
	if pair := item.Pair("modulo"); pair != nil {
		d.Location = at(pair.Key)
		d.Message = fmt.Sprintf("version %s does not know the constraint \"modulo\" of parameter %q", v.Name, p.Name.Text)
		return d.With("raise %s to 2017-02-24 or later", v.Key)
	}
	return d.With("add one of %s", strings.Join(v.Constraints, ", "))
}

func ignoredConstraint(p *Parameter, key *source.Node, kind string) diag.Diagnostic {
	return diag.Warnf(at(key), "ignored-constraint", "Heat ignores %q here: of each item of the constraints of %q one kind counts, and that is %q",
		key.Text, p.Name.Text, kind).With("make it an item of its own")
}

func constraintValueKind(p *Parameter, c *Constraint, want string) diag.Diagnostic {
	return diag.Errorf(at(c.Value), "constraint-definition", "%s of parameter %q must be %s, not %s", c.Kind, p.Name.Text, want, article(c.Value.Kind))
}

func unknownBound(p *Parameter, c *Constraint, key *source.Node, name, first, second string) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(key), "constraint-definition", "unknown key %q in %s of parameter %q; there are %s and %s",
		name, c.Kind, p.Name.Text, first, second), name, []string{first, second})
}

func badBound(p *Parameter, c *Constraint, key string, n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "constraint-definition", "%s in %s of parameter %q must be a number, not %s",
		key, c.Kind, p.Name.Text, value.Repr(ValueOf(n)))
}

func noBound(p *Parameter, c *Constraint) diag.Diagnostic {
	return diag.Errorf(at(c.Value), "constraint-definition", "%s of parameter %q needs min, max or both", c.Kind, p.Name.Text)
}

func fractionalLength(p *Parameter, c *Constraint) diag.Diagnostic {
	return diag.Errorf(at(c.Value), "constraint-definition", "the length of parameter %q must have whole numbers", p.Name.Text)
}

func moduloIncomplete(p *Parameter, c *Constraint) diag.Diagnostic {
	return diag.Errorf(at(c.Value), "constraint-definition", "modulo of parameter %q needs step and offset", p.Name.Text)
}

func moduloRule(p *Parameter, c *Constraint, what string) diag.Diagnostic {
	return diag.Errorf(at(c.Value), "constraint-definition", "modulo of parameter %q: %s", p.Name.Text, what)
}

func badPattern(p *Parameter, c *Constraint, err error) diag.Diagnostic {
	return diag.Errorf(at(c.Value), "constraint-definition", "the pattern %q of parameter %q is no regular expression: %v", c.Value.Text, p.Name.Text, err)
}

// constraintDescription is a warning: template-validate fails with an internal error while it writes its answer, but a
// stack can be created.
func constraintDescription(p *Parameter, c *Constraint) diag.Diagnostic {
	return diag.Warnf(at(c.Description), "constraint-description", "the description of a constraint of %q is %s; Heat's template-validate fails on that",
		p.Name.Text, article(c.Description.Kind)).With("put it in quotes")
}

func constraintOnType(p *Parameter, c *Constraint) diag.Diagnostic {
	var names []string
	for _, t := range constraintOn[c.Kind] {
		names = append(names, string(t))
	}
	loc := at(c.Node)
	if pair := c.Node.Pair(c.Kind); pair != nil {
		loc = at(pair.Key)
	}
	return diag.Errorf(loc, "constraint-type", "%s constrains parameters of type %s, and %q is of type %s",
		c.Kind, strings.Join(names, ", "), p.Name.Text, p.Type).Via(at(p.TypeNode), "the type of %q", p.Name.Text)
}

func defaultNotList(p *Parameter) diag.Diagnostic {
	return diag.Errorf(at(p.Default), "invalid-default", "the default of parameter %q must be a list or a text of items separated by commas, not %s",
		p.Name.Text, article(p.Default.Kind))
}

func invalidDefault(p *Parameter, c *Constraint, why string) diag.Diagnostic {
	return diag.Errorf(at(p.Default), "invalid-default", "the default%s of parameter %q %s", shown(p, p.Default), p.Name.Text, masked(p, why)).
		Via(at(c.Node), "the constraint")
}

// badValue is found only when a stack is created.
func badValue(p *Parameter, given *source.Node, by Origin, c *Constraint, why string) diag.Diagnostic {
	what := "the value"
	if by == ByDefault {
		what = "the default"
	}
	d := diag.Errorf(at(given), "parameter-value", "%s%s of parameter %q %s", what, shown(p, given), p.Name.Text, masked(p, why))
	if c != nil {
		return d.Via(at(c.Node), "the constraint")
	}
	if by != ByDefault {
		return d.Via(at(p.TypeNode), "the type of %q", p.Name.Text)
	}
	return d
}

// shown is the value for a message, unless it is secret or long.
func shown(p *Parameter, n *source.Node) string {
	const longest = 60
	if p.Hidden {
		return ""
	}
	text := value.Repr(ValueOf(n))
	if len(text) > longest {
		return ""
	}
	return " " + text
}

// masked is why, unless a secret value could be seen in it.
func masked(p *Parameter, why string) string {
	if p.Hidden && strings.HasPrefix(why, "has '") {
		return "has an item that is not allowed"
	}
	return why
}

func unknownUserParameter(key *source.Node, t *Template) diag.Diagnostic {
	var names []string
	for _, p := range t.Parameters {
		names = append(names, p.Name.Text)
	}
	slices.Sort(names)
	return didYouMean(diag.Errorf(at(key), "unknown-environment-parameter", "the template has no parameter %q", key.Text), key.Text, names)
}
