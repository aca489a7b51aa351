package function

import "github.com/hotloom/hotloom/compiler/value"

// getParam takes a parameter's name, or a list of the name and a path into the value. Nothing is checked before it is
// resolved; a step of the path that fails gives empty text.
var getParam = Function{
	Name:  "get_param",
	In:    InValue | InCondition,
	Usage: "{get_param: NAME} or {get_param: [NAME, key or index, …]}",
	Refs:  pathRef(Parameter),
	Eval:  evalGetParam,
}

func evalGetParam(s *Scope, c Call, arg Value) (Value, error) {
	name, path := arg, []any(nil)
	switch list, isList := arg.([]any); {
	case !value.Truth(arg):
		return nil, c.fail("needs the name of a parameter")
	case isList:
		name, path = list[0], list[1:]
	}
	text, ok := name.(string)
	if !ok {
		return nil, c.fail("the name of a parameter must be a string, not %s", describe(name))
	}
	v, err := s.parameter(c, text)
	if err != nil {
		return nil, err
	}
	for _, key := range path {
		if _, later := v.(*Unknown); later {
			return v, nil
		}
		if v, ok = step(v, key); !ok {
			return "", nil
		}
	}
	return v, nil
}

// step goes from a map or list to one of its items as get_param does.
func step(v, key any) (any, bool) {
	switch v := v.(type) {
	case *value.Map:
		return v.Get(key)
	case []any:
		return item(v, key)
	case string: // a string is a sequence to Python
		letters := []rune(v)
		i, ok := index(key, len(letters))
		if !ok {
			return nil, false
		}
		return string(letters[i]), true
	}
	return nil, false
}

func item(list []any, key any) (any, bool) {
	i, ok := index(key, len(list))
	if !ok {
		return nil, false
	}
	return list[i], true
}

// index reads an index of a sequence: an integer or text of one, negative ones from the end.
func index(key any, length int) (int, bool) {
	if s, ok := key.(string); ok {
		parsed, err := value.ParseInt(s)
		if err != nil {
			return 0, false
		}
		key = parsed
	}
	i, ok := value.Int(key)
	if !ok {
		return 0, false
	}
	if i < 0 {
		i += length
	}
	return i, i >= 0 && i < length
}
