package hot

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
)

// componentKeys are the keys of a component (DESIGN §2.1). In the list form `name` is one more.
var componentKeys = []string{
	"component_type", "params", "depends_on", "condition", "timeout", "actions", "on_failure", "metadata",
}

// components reads a resource's `components`: a map from name to definition, or a list of one-key maps or of maps with
// `name`, which also says the order on that host.
func (l *loader) components(n *source.Node) []*Component {
	var list []*Component
	add := func(name, def *source.Node, keys []string) {
		if !name.Is(source.String) {
			name = source.NewString(name, KeyText(name))
		}
		if why := componentName(name.Text); why != "" {
			l.add(badComponentName(name, why))
		}
		if i := slices.IndexFunc(list, func(c *Component) bool { return c.Name.Text == name.Text }); i >= 0 {
			l.add(duplicateComponent(name, list[i].Name))
			return
		}
		list = append(list, l.component(name, def, keys))
	}
	switch n.Kind {
	case source.Null:
	case source.Map:
		for _, p := range n.Pairs {
			add(p.Key, p.Value, componentKeys)
		}
	case source.List:
		for _, item := range n.Items {
			if name := item.Get("name"); name != nil && item.Is(source.Map) {
				add(name, item, append(slices.Clone(componentKeys), "name"))
			} else if p := item.Single(); p != nil && p.Value.Is(source.Map) {
				add(p.Key, p.Value, componentKeys)
			} else {
				l.add(componentItem(item))
			}
		}
	default:
		l.add(componentsKind(n))
	}
	return list
}

// componentName says what is wrong with a name, or "". Names become parts of step ids (HOST.COMPONENT), of resource
// names in the output, and of file names on the host.
func componentName(name string) string {
	switch {
	case name == "":
		return "is empty"
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "":
		return "has characters other than letters, digits, _ and -"
	}
	return ""
}

func (l *loader) component(name, def *source.Node, keys []string) *Component {
	c := &Component{Name: name, Node: def, Timeout: DefaultTimeout}
	if !def.Is(source.Map) {
		l.add(componentKind(c))
		return c
	}
	for _, p := range def.Pairs {
		switch key := KeyText(p.Key); key {
		case "component_type":
			c.Type = p.Value
		case "params":
			c.Params = l.componentMap(c, key, p.Value)
		case "metadata":
			c.Metadata = l.componentMap(c, key, p.Value)
		case "depends_on":
			c.DependsOn = l.componentNames(c, key, p.Value)
		case "condition":
			c.Condition = p.Value
			if !p.Value.Is(source.String) && !p.Value.Is(source.Bool) && !mayBeCall(p.Value) {
				l.add(componentField(c, key, p.Value, "the name of a condition, a boolean or a condition function"))
			}
		case "timeout":
			l.timeout(c, p.Value)
		case "actions":
			c.Actions = l.componentNames(c, key, p.Value)
			for _, a := range c.Actions {
				if !contains(Actions, a.Text) {
					l.add(unknownAction(a))
				}
			}
		case "on_failure":
			l.onFailure(c, p.Value)
		default:
			if !contains(keys, key) {
				l.add(unknownComponentKey(c, p.Key, key))
			}
		}
	}
	switch {
	case c.Type == nil:
		l.add(componentWithoutType(c))
	case !c.Type.Is(source.String):
		l.add(componentField(c, "component_type", c.Type, "the name of a component type"))
	}
	return c
}

func (l *loader) componentMap(c *Component, key string, n *source.Node) *source.Node {
	if n.IsNull() {
		return nil
	}
	if !n.Is(source.Map) {
		l.add(componentField(c, key, n, "a map"))
		return nil
	}
	return n
}

func (l *loader) componentNames(c *Component, key string, n *source.Node) []*source.Node {
	items := n.Items
	switch n.Kind {
	case source.Null:
		return nil
	case source.String:
		items = []*source.Node{n}
	case source.List:
	default:
		l.add(componentField(c, key, n, "a name or a list of names"))
		return nil
	}
	var names []*source.Node
	for _, item := range items {
		if !item.Is(source.String) {
			l.add(componentField(c, "an entry of "+key, item, "a name"))
			continue
		}
		names = append(names, item)
	}
	return names
}

func (l *loader) timeout(c *Component, n *source.Node) {
	seconds, ok := n.Int64()
	if !ok || seconds < 1 {
		l.add(componentField(c, "timeout", n, "a positive whole number of seconds"))
		return
	}
	c.Timeout, c.TimeoutAt = seconds, n
}

func (l *loader) onFailure(c *Component, n *source.Node) {
	switch n.Str() {
	case "fail":
		c.OnFailure = Fail
	case "continue":
		c.OnFailure = Continue
	default:
		l.add(badOnFailure(c, n))
	}
}
