package hot

import (
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// violated says why v breaks the constraint, completing the sentence "the value …"; "" if it does not. v is what was
// given, before conversion, except that lists and JSON text are read. Constraints that ask a service, and those that
// the type does not take, hold.
func (c *Constraint) violated(t ParameterType, v any) string {
	if !c.fits(t) {
		return ""
	}
	switch c.Kind {
	case "length":
		n, ok := value.Len(v)
		if !ok {
			return "is a " + plainType(v) + ", which has no length, but its length is constrained"
		}
		return c.outside(int64(n), fmt.Sprintf("has length %d, but %s is required", n, c.boundsText()))
	case "range":
		n, err := strToNum(v)
		if err != nil {
			return "is not a number"
		}
		return c.outside(n, "is out of range: "+c.boundsText()+" is required")
	case "modulo":
		n, err := strToNum(v)
		if err != nil {
			return "is not a number"
		}
		if m, err := value.Mod(n, c.first); err != nil || !value.Equal(m, c.second) {
			return fmt.Sprintf("is not a multiple of %s with an offset of %s", value.Str(c.first), value.Str(c.second))
		}
	case "allowed_values":
		return c.notAllowed(t, v)
	case "allowed_pattern":
		s, ok := v.(string)
		if !ok {
			return "is a " + plainType(v) + ", but a pattern takes only strings"
		}
		if whole, err := c.pattern.Whole(s); err == nil && !whole { // a pattern that takes too long proves nothing
			return fmt.Sprintf("does not match the pattern %q", c.Value.Text)
		}
	}
	return ""
}

// outside answers msg if n is not within min and max.
func (c *Constraint) outside(n any, msg string) string {
	if c.first != nil {
		if order, ok, err := value.Compare(n, c.first); err == nil && ok && order < 0 {
			return msg
		}
	}
	if c.second != nil {
		if order, ok, err := value.Compare(n, c.second); err == nil && ok && order > 0 {
			return msg
		}
	}
	return ""
}

func (c *Constraint) boundsText() string {
	switch {
	case c.second == nil:
		return "at least " + value.Str(c.first)
	case c.first == nil:
		return "at most " + value.Str(c.second)
	}
	return value.Str(c.first) + " to " + value.Str(c.second)
}

// notAllowed compares as Heat does: the items of a list as they are, anything else after conversion to the type.
func (c *Constraint) notAllowed(t ParameterType, v any) string {
	allowed, _ := ValueOf(c.Value).([]any)
	if list, ok := v.([]any); ok {
		for _, item := range list {
			if !among(item, allowed) {
				return fmt.Sprintf("has %s, which is not allowed: %s", value.Repr(item), listText(allowed))
			}
		}
		return ""
	}
	converted := make([]any, len(allowed))
	for i, a := range allowed {
		x, err := Convert(t, a)
		if err != nil {
			return fmt.Sprintf("cannot be compared: the allowed value %s %s", value.Repr(a), err)
		}
		converted[i] = x
	}
	x, err := Convert(t, v)
	if err != nil {
		return err.Error()
	}
	if !among(x, converted) {
		return "is not allowed: " + listText(allowed)
	}
	return ""
}

func among(v any, list []any) bool {
	for _, x := range list {
		if value.Equal(v, x) {
			return true
		}
	}
	return false
}

// listText shows the first of many values.
func listText(list []any) string {
	const most = 12
	parts := make([]string, 0, most+1)
	for i, v := range list {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, value.Str(v))
	}
	return strings.Join(parts, ", ")
}

// plainType names a value's type in the words of the language.
func plainType(v any) string {
	switch v.(type) {
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "list"
	case *value.Map:
		return "map"
	case nil:
		return "null"
	}
	return "number"
}

// checkDefault finds a default that breaks a constraint, as Heat does while it reads the template. Whether the default
// is of the parameter's type matters only where it is used: see Resolve.
func (l *loader) checkDefault(p *Parameter) {
	if p.Default.IsNull() || p.Type == "" {
		return
	}
	v := ValueOf(p.Default)
	if p.Type == CommaDelimitedList {
		switch given := v.(type) {
		case string: // here Heat takes empty text for one empty item
			list := []any{}
			for _, item := range strings.Split(given, ",") {
				list = append(list, item)
			}
			v = list
		case []any:
			v, _ = Convert(p.Type, given)
		default:
			l.add(defaultNotList(p))
			return
		}
	}
	for _, c := range p.Constraints {
		if why := c.violated(p.Type, v); why != "" {
			l.add(invalidDefault(p, c, why))
			return
		}
	}
}

// Values is what the parameters of a template come to, converted to their types. A parameter without value is absent.
type Values map[string]any

// Resolve gives each parameter its value: the environment's, else that of its parameter_defaults, else the default.
// Null counts as not given. It finds names that the template does not define, which Heat refuses always, and values
// of a wrong type or against a constraint, which it refuses when a stack is created. A faulty value is left out.
// env may be nil.
func (t *Template) Resolve(env *Environment) (Values, diag.List) {
	var found diag.List
	out := make(Values, len(t.Parameters))
	if env != nil {
		for _, p := range env.Parameters {
			if t.Parameter(p.Key.Text) == nil {
				found.Add(unknownUserParameter(p.Key, t))
			}
		}
	}
	for _, p := range t.Parameters {
		if p.Type == "" {
			continue
		}
		node, given := p.given(env)
		if node == nil {
			continue
		}
		v, d, ok := p.Check(node, given)
		if !ok {
			found.Add(d)
			continue
		}
		if given == ByUser {
			found.Add(p.hiddenDefault(env)...)
		}
		out[p.Name.Text] = v
	}
	return out, found
}

// hiddenDefault finds a value of parameter_defaults that breaks a constraint although parameters has another one: it
// takes the place of the template's default, which Heat checks in any case.
func (p *Parameter) hiddenDefault(env *Environment) diag.List {
	n := env.Default(p.Name.Text)
	if n.IsNull() {
		return nil
	}
	for _, c := range p.Constraints {
		if why := c.violated(p.Type, ValueOf(n)); why != "" {
			return diag.List{badValue(p, n, ByEnvironment, c, why)}
		}
	}
	return nil
}

// Origin says who gave a parameter its value.
type Origin uint8

// The origins.
const (
	ByUser        Origin = iota // an environment's parameters, or the command line
	ByEnvironment               // parameter_defaults
	ByDefault                   // the template
)

func (p *Parameter) given(env *Environment) (*source.Node, Origin) {
	if env != nil {
		if n := env.Parameter(p.Name.Text); !n.IsNull() {
			return n, ByUser
		}
		if n := env.Default(p.Name.Text); !n.IsNull() {
			return n, ByEnvironment
		}
	}
	if !p.Default.IsNull() {
		return p.Default, ByDefault
	}
	return nil, ByDefault
}

// Check converts a value that is given for the parameter and holds it against the constraints. ok is false if Heat
// refuses it, and then the finding says why.
func (p *Parameter) Check(given *source.Node, by Origin) (v any, d diag.Diagnostic, ok bool) {
	raw := ValueOf(given)
	v, err := Convert(p.Type, raw)
	if err != nil {
		return nil, badValue(p, given, by, nil, err.Error()), false
	}
	tested := raw
	if p.Type == CommaDelimitedList || p.Type == JSON {
		tested = v
	}
	for _, c := range p.Constraints {
		if why := c.violated(p.Type, tested); why != "" {
			return nil, badValue(p, given, by, c, why), false
		}
	}
	return v, diag.Diagnostic{}, true
}
