package hot

import (
	"math/big"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// Constraint is one item of a parameter's constraints, or what CFN writes as separate keys.
type Constraint struct {
	Kind        string       // length, range, modulo, allowed_values, allowed_pattern, custom_constraint
	Node        *source.Node // the item
	Value       *source.Node // what stands under the kind's key
	Description *source.Node // replaces Heat's own error text

	first, second any // numbers: min and max, or step and offset; nil where absent
	pattern       *Pattern
}

// constraintKeys are the keys of an item in every version; those that a version does not know count for nothing.
var constraintKeys = []string{
	"description", "length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint",
}

// constraintOn says on which types a constraint is allowed.
var constraintOn = map[string][]ParameterType{
	"length":            {String, CommaDelimitedList, JSON},
	"range":             {Number},
	"modulo":            {Number},
	"allowed_values":    {String, Number, Boolean, CommaDelimitedList},
	"allowed_pattern":   {String},
	"custom_constraint": {String, Number, Boolean, CommaDelimitedList},
}

func (l *loader) constraints(p *Parameter, list *source.Node) {
	if list.IsNull() {
		return
	}
	if !list.Is(source.List) {
		l.add(constraintsKind(p, list))
		return
	}
	for _, item := range list.Items {
		if !item.Is(source.Map) {
			l.add(constraintKind(p, item))
			continue
		}
		known := true
		for _, pair := range item.Pairs {
			if key := KeyText(pair.Key); !contains(constraintKeys, key) {
				l.add(unknownConstraint(p, pair.Key, key))
				known = false
			}
		}
		if c := l.pickConstraint(p, item); c != nil {
			l.constraint(p, c)
		} else if known {
			l.add(noConstraint(p, item, l.v))
		}
	}
}

// pickConstraint finds the one key of an item that counts: Heat looks for the kinds in a fixed order and ignores
// what else is there.
func (l *loader) pickConstraint(p *Parameter, item *source.Node) *Constraint {
	var c *Constraint
	for _, kind := range l.v.Constraints {
		pair := item.Pair(kind)
		switch {
		case pair == nil:
		case c == nil:
			c = &Constraint{Kind: kind, Node: item, Value: pair.Value, Description: item.Get("description")}
		default:
			l.add(ignoredConstraint(p, pair.Key, c.Kind))
		}
	}
	return c
}

// constraint checks the shape of one and, if that is right, adds it.
func (l *loader) constraint(p *Parameter, c *Constraint) {
	ok := true
	switch c.Kind {
	case "range":
		ok = l.bounds(p, c, "min", "max") && l.oneBound(p, c)
	case "length":
		ok = l.bounds(p, c, "min", "max") && l.oneBound(p, c) && l.wholeBounds(p, c)
	case "modulo":
		ok = l.bounds(p, c, "step", "offset") && l.modulo(p, c)
	case "allowed_values":
		if ok = c.Value.Is(source.List); !ok {
			l.add(constraintValueKind(p, c, "a list"))
		}
	case "allowed_pattern":
		ok = l.patternShape(p, c)
	}
	if ok {
		p.Constraints = append(p.Constraints, c)
	}
	if c.Description != nil && !c.Description.Is(source.String) && Truthy(c.Description) {
		l.add(constraintDescription(p, c))
	}
}

// bounds reads the two numbers of a range, length or modulo.
func (l *loader) bounds(p *Parameter, c *Constraint, first, second string) bool {
	if !c.Value.Is(source.Map) {
		l.add(constraintValueKind(p, c, "a map with "+first+" and "+second))
		return false
	}
	ok := true
	for _, pair := range c.Value.Pairs {
		key := KeyText(pair.Key)
		if key != first && key != second {
			l.add(unknownBound(p, c, pair.Key, key, first, second))
			ok = false
			continue
		}
		if pair.Value.IsNull() {
			continue
		}
		n, err := strToNum(ValueOf(pair.Value))
		switch {
		case err != nil:
			l.add(badBound(p, c, key, pair.Value))
			ok = false
		case key == first:
			c.first = n
		default:
			c.second = n
		}
	}
	return ok
}

func (l *loader) oneBound(p *Parameter, c *Constraint) bool {
	if c.first == nil && c.second == nil {
		l.add(noBound(p, c))
		return false
	}
	return true
}

func (l *loader) wholeBounds(p *Parameter, c *Constraint) bool {
	for _, n := range []any{c.first, c.second} {
		if _, isFloat := n.(float64); isFloat {
			l.add(fractionalLength(p, c))
			return false
		}
	}
	return true
}

func (l *loader) modulo(p *Parameter, c *Constraint) bool {
	if c.first == nil || c.second == nil {
		l.add(moduloIncomplete(p, c))
		return false
	}
	step, okStep := wholeNumber(c.first)
	offset, okOffset := wholeNumber(c.second)
	switch {
	case !okStep || !okOffset:
		l.add(moduloRule(p, c, "step and offset must be whole numbers"))
	case step.Sign() == 0:
		l.add(moduloRule(p, c, "step must not be 0"))
	case offset.CmpAbs(step) >= 0:
		l.add(moduloRule(p, c, "offset must be smaller than step, both taken without sign"))
	case step.Sign()*offset.Sign() < 0:
		l.add(moduloRule(p, c, "step and offset must have the same sign"))
	default:
		return true
	}
	return false
}

// wholeNumber is int(n) where that equals n.
func wholeNumber(n any) (*big.Int, bool) {
	i, err := value.ToInt(n)
	if err != nil || !value.Equal(i, n) {
		return nil, false
	}
	return value.Big(i), true
}

func (l *loader) patternShape(p *Parameter, c *Constraint) bool {
	if !c.Value.Is(source.String) {
		l.add(constraintValueKind(p, c, "a string"))
		return false
	}
	pattern, err := CompilePattern(c.Value.Text)
	if err != nil {
		l.add(badPattern(p, c, err))
		return false
	}
	c.pattern = pattern
	return true
}

// constraintTypes finds constraints that the parameter's type does not take.
func (l *loader) constraintTypes(p *Parameter) {
	if p.Type == "" {
		return
	}
	for _, c := range p.Constraints {
		if !c.fits(p.Type) {
			l.add(constraintOnType(p, c))
		}
	}
}

func (c *Constraint) fits(t ParameterType) bool {
	for _, on := range constraintOn[c.Kind] {
		if on == t {
			return true
		}
	}
	return false
}
