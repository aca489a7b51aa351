package hot

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// typeKeys are the keys of a component type (DESIGN §2.2).
var typeKeys = []string{"tool", "inputs", "outputs", "options", "configs", "config", "description"}

// ioKeys are the keys of an input or output.
var (
	inputKeys  = []string{"type", "default", "description", "hidden"}
	outputKeys = []string{"type", "description", "hidden", "error_output"}
)

// LoadComponentTypes reads a file of component types: one with a section component_types, or one that is a single
// definition and gets the given name.
func LoadComponentTypes(root, name *source.Node) ([]*ComponentType, diag.List) {
	l := &loader{t: &Template{Root: root}, v: Newest, d: &hotDialect}
	var types []*ComponentType
	if section := root.Get(componentTypesSection); section != nil {
		if section.Is(source.Map) {
			types = l.componentTypes(section)
		} else {
			l.add(sectionKind(root.Pair(componentTypesSection), source.Map))
		}
	} else {
		types = []*ComponentType{l.componentType(name, root)}
	}
	l.found.Sort()
	return types, l.found
}

func (l *loader) componentTypes(section *source.Node) []*ComponentType {
	var types []*ComponentType
	l.definitions(section, func(name, def *source.Node) { types = append(types, l.componentType(name, def)) })
	return types
}

func (l *loader) componentType(name, def *source.Node) *ComponentType {
	t := &ComponentType{Name: name, Node: def}
	if !def.Is(source.Map) {
		l.add(componentTypeKind(t))
		return t
	}
	for _, p := range def.Pairs {
		switch key := KeyText(p.Key); key {
		case "tool":
			t.Tool = p.Value
			if !p.Value.Is(source.String) || p.Value.Text == "" {
				l.add(componentTypeField(t, key, p.Value, "the name of a tool"))
			}
		case "inputs":
			t.Inputs = l.ios(t, key, p.Value, inputKeys)
		case "outputs":
			t.Outputs = l.ios(t, key, p.Value, outputKeys)
		case "options":
			if !p.Value.IsNull() && !p.Value.Is(source.Map) {
				l.add(componentTypeField(t, key, p.Value, "a map"))
				continue
			}
			t.Options = p.Value
		case "config":
			l.config(t, p.Key, []string{"CREATE", "UPDATE"}, p.Value)
		case "configs":
			l.configs(t, p.Value)
		default:
			if !contains(typeKeys, key) {
				l.add(unknownTypeKey(t, p.Key, key))
			}
		}
	}
	if t.Tool == nil {
		l.add(typeWithoutTool(t))
	}
	return t
}

func (l *loader) configs(t *ComponentType, n *source.Node) {
	if n.IsNull() {
		return
	}
	if !n.Is(source.Map) {
		l.add(componentTypeField(t, "configs", n, "a map from lifecycle action to config"))
		return
	}
	for _, p := range n.Pairs {
		action := KeyText(p.Key)
		if !contains(Actions, action) {
			l.add(unknownAction(p.Key))
			continue
		}
		l.config(t, p.Key, []string{action}, p.Value)
	}
}

// config adds what runs at the given actions. An action has one config only.
func (l *loader) config(t *ComponentType, key *source.Node, actions []string, n *source.Node) {
	if !n.Is(source.String) && !n.Is(source.Map) {
		l.add(componentTypeField(t, "the config for "+KeyText(key), n, "text, a map or a call of get_file"))
		return
	}
	for _, c := range t.Configs {
		for _, a := range actions {
			if contains(c.Actions, a) {
				l.add(secondConfig(t, key, a, c.At))
				return
			}
		}
	}
	t.Configs = append(t.Configs, &Config{Actions: actions, Node: n, At: key})
}

// ios reads inputs or outputs: a map from name to definition, or Heat's list of maps with `name`.
func (l *loader) ios(t *ComponentType, section string, n *source.Node, keys []string) []*IO {
	var list []*IO
	switch n.Kind {
	case source.Null:
	case source.Map:
		l.definitions(n, func(name, def *source.Node) { list = append(list, l.io(t, section, name, def, keys)) })
	case source.List:
		keys = append([]string{"name"}, keys...)
		for _, item := range n.Items {
			name := item.Get("name")
			if !item.Is(source.Map) || !name.Is(source.String) {
				l.add(componentTypeField(t, "an entry of "+section, item, "a map with name"))
				continue
			}
			list = append(list, l.io(t, section, name, item, keys))
		}
	default:
		l.add(componentTypeField(t, section, n, "a map from name to definition"))
	}
	seen := map[string]*IO{}
	for _, io := range list {
		if first := seen[io.Name.Text]; first != nil {
			l.add(duplicateIO(t, section, io.Name, first.Name))
		}
		seen[io.Name.Text] = io
	}
	return list
}

func (l *loader) io(t *ComponentType, section string, name, def *source.Node, keys []string) *IO {
	io := &IO{Name: name, Node: def, Type: "String"}
	if def.IsNull() {
		return io
	}
	if !def.Is(source.Map) {
		l.add(componentTypeField(t, name.Text+" in "+section, def, "a map with type"))
		return io
	}
	for _, p := range def.Pairs {
		key := KeyText(p.Key)
		if !contains(keys, key) {
			l.add(unknownIOKey(t, section, name, p.Key, key, keys))
			continue
		}
		switch key {
		case "type":
			if !contains(cfnTypes, p.Value.Str()) {
				l.add(badIOType(t, name, p.Value))
				continue
			}
			io.Type = p.Value.Text
		case "default":
			io.Default = p.Value
		case "description":
			io.Description = p.Value
		case "hidden":
			io.Hidden = l.ioBool(t, name, key, p.Value)
		case "error_output":
			io.ErrorOutput = l.ioBool(t, name, key, p.Value)
		}
	}
	return io
}

func (l *loader) ioBool(t *ComponentType, name *source.Node, key string, n *source.Node) bool {
	if !n.Is(source.Bool) {
		l.add(componentTypeField(t, key+" of "+name.Text, n, "true or false"))
	}
	return Truthy(n)
}
