package function

import "github.com/hotloom/hotloom/compiler/value"

// mapMerge merges maps, later ones win; mapReplace renames keys and replaces values. All is checked when they are
// resolved.
var mapMerge = Function{Name: "map_merge", Usage: "{map_merge: [map, …]}", Eval: evalMapMerge, Early: earlyItems[*value.Map]("a map")}

var mapReplace = Function{
	Eval:  evalMapReplace,
	Early: earlyItems[*value.Map]("a map"),
	Name:  "map_replace",
	Usage: "{map_replace: [map, {keys: {OLD: NEW, …}, values: {OLD: NEW, …}}]}",
}

// asMaps reads a list of maps in which null is an empty one.
func asMaps(c Call, arg Value) ([]*value.Map, error) {
	list, ok := arg.([]any)
	if !ok {
		return nil, c.fail("takes a list of maps, not %s", describe(arg))
	}
	maps := make([]*value.Map, len(list))
	for i, item := range list {
		switch item := item.(type) {
		case nil:
			maps[i] = value.NewMap(0)
		case *value.Map:
			maps[i] = item
		default:
			return nil, c.fail("item %d must be a map, not %s", i+1, describe(item))
		}
	}
	return maps, nil
}

func evalMapMerge(_ *Scope, c Call, arg Value) (Value, error) {
	if s, ok := arg.(string); ok && s == "" {
		return value.NewMap(0), nil // to Python an empty text is a list without items
	}
	maps, err := asMaps(c, arg)
	if err != nil {
		return nil, err
	}
	out := value.NewMap(0)
	for _, m := range maps {
		for k, v := range m.All() {
			if err := out.Set(k, v); err != nil {
				return nil, c.fail("%v", err)
			}
		}
	}
	return out, nil
}

func evalMapReplace(_ *Scope, c Call, arg Value) (Value, error) {
	if list, ok := arg.([]any); !ok || len(list) != 2 {
		return nil, c.fail("takes a map and a map of keys and values")
	}
	maps, err := asMaps(c, arg)
	if err != nil {
		return nil, err
	}
	in, by := maps[0], maps[1]
	replacements := map[string]*value.Map{"keys": value.NewMap(0), "values": value.NewMap(0)}
	for k, v := range by.All() {
		name, _ := k.(string)
		if replacements[name] == nil {
			return nil, c.fail("the second map has keys and values only, not %s", value.Str(k))
		}
		switch v := v.(type) {
		case nil:
		case *value.Map:
			replacements[name] = v
		default:
			return nil, c.fail("%s must be a map, not %s", name, describe(v))
		}
	}
	out := value.NewMap(in.Len())
	for k, v := range in.All() {
		key, ok := replacements["keys"].Get(k)
		switch {
		case !ok || key == nil:
			key = k
		default:
			if _, there := in.Get(key); there && !value.Equal(key, k) {
				return nil, c.fail("the new key %s is in the map already", value.Str(key))
			}
			if _, there := out.Get(key); there {
				return nil, c.fail("two keys become %s", value.Str(key))
			}
		}
		if _, err := value.Hash(v); err == nil {
			if r, ok := replacements["values"].Get(v); ok {
				v = r
			}
		}
		if err := out.Set(key, v); err != nil {
			return nil, c.fail("%v", err)
		}
	}
	return out, nil
}
