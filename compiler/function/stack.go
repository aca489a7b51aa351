package function

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// ForStack makes the scope of a root stack, whose registry says what resource types stand for.
func ForStack(s *hot.Stack, params hot.Values, types *catalog.Catalog) *Scope {
	scope := NewScope(s.Template, params)
	scope.Stack = s
	scope.TypeOf = func(r *hot.Resource) *catalog.Type {
		if !r.Type.Is(source.String) || r.IsWorkflowHandle() || r.IsOwnWorkflow() {
			return nil // what is not Heat's is not in the catalog
		}
		res := s.Environment.Registry.Resolve(r.Type, r.Name.Text, types.Knows)
		if res.Template != nil {
			return nil
		}
		return types.Type(res.Type)
	}
	scope.types = types
	return scope
}

// Child makes the scope of a stack that is nested in this one's: its parameters come from the resource's properties,
// as far as those are known, else from the environment's parameter_defaults and from defaults. Whether the properties
// fit is for those who check properties to say.
func (s *Scope) Child(c *hot.Stack) *Scope {
	given := &hot.Environment{Defaults: c.Environment.Defaults}
	later := map[string]bool{}
	for _, p := range c.Template.Parameters {
		n := c.Resource.Properties.Get(p.Name.Text)
		if n == nil {
			continue
		}
		v, err := s.Eval(n)
		if err == nil && v == nil {
			continue // null is as if not given
		}
		v, ok := nestedValue(p, v)
		if err != nil || !ok {
			later[p.Name.Text] = true
			continue
		}
		given.Parameters = append(given.Parameters, source.Pair{Key: p.Name, Value: hot.NodeOf(n, v)})
	}
	params, _ := c.Template.Resolve(given)
	for name := range later {
		delete(params, name)
	}
	types := s.types
	if types == nil {
		types = catalog.Default()
	}
	return ForStack(c, params, types)
}

// nestedValue is a property's value as the nested template's parameter gets it: lists travel as text. ok is false for
// what is not known yet.
func nestedValue(p *hot.Parameter, v any) (out any, ok bool) {
	list, isList := v.([]any)
	if unknownIn(v) != nil {
		return nil, false
	}
	if !isList || p.Type != hot.CommaDelimitedList {
		return v, true
	}
	parts := make([]string, len(list))
	for i, item := range list {
		if _, isMap := item.(*value.Map); isMap {
			return nil, false // becomes AWS's member list, which nothing reads before the stack exists
		}
		if item != nil {
			parts[i] = value.Str(item)
		}
	}
	return strings.Join(parts, ","), true
}
