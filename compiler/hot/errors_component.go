package hot

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// These messages are about hotloom's own additions. They are errors because no target can realise what they are about.

func componentsKind(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "component", "components must be a map from name to definition or a list, not %s", article(n.Kind))
}

func componentItem(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "component", "an item of components must be a map with one name as its key, or with the key \"name\"")
}

func badComponentName(n *source.Node, why string) diag.Diagnostic {
	return diag.Errorf(at(n), "component-name", "the component name %q %s", n.Text, why)
}

func duplicateComponent(n, first *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "component-name", "component %q is there twice on one host", n.Text).Via(at(first), "the first one")
}

func componentKind(c *Component) diag.Diagnostic {
	return diag.Errorf(at(c.Node), "component", "component %q must be a map with a component_type, not %s", c.Name.Text, article(c.Node.Kind))
}

func componentWithoutType(c *Component) diag.Diagnostic {
	d := diag.Errorf(at(c.Name), "component", "component %q has no component_type", c.Name.Text)
	for _, p := range c.Node.Pairs {
		if key := KeyText(p.Key); key == "type" || diag.Nearest(key, []string{"component_type"}) != "" {
			d.Location = at(p.Key)
			return d.With("did you mean \"component_type\"?")
		}
	}
	return d
}

func componentField(c *Component, key string, n *source.Node, want string) diag.Diagnostic {
	return diag.Errorf(at(n), "component", "%s of component %q must be %s, not %s", key, c.Name.Text, want, written(n))
}

// written is a short value as the author wrote it, or its type.
func written(n *source.Node) string {
	if n.Is(source.Int) || n.Is(source.Float) || n.Is(source.Bool) {
		return n.Text
	}
	return article(n.Kind)
}

func unknownComponentKey(c *Component, key *source.Node, name string) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(key), "unknown-component-key", "unknown key %q in component %q", name, c.Name.Text), name, componentKeys)
}

func unknownAction(n *source.Node) diag.Diagnostic {
	name := KeyText(n)
	return didYouMean(diag.Errorf(at(n), "component-action", "unknown action %q; there are %s", name, strings.Join(Actions, ", ")), name, Actions)
}

func badOnFailure(c *Component, n *source.Node) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(n), "component", "on_failure of component %q must be fail or continue", c.Name.Text),
		n.Text, []string{"fail", "continue"})
}

func componentTypeKind(t *ComponentType) diag.Diagnostic {
	return diag.Errorf(at(t.Node), "component-type", "component type %q must be a map with a tool, not %s", t.Name.Str(), article(t.Node.Kind))
}

func componentTypeField(t *ComponentType, key string, n *source.Node, want string) diag.Diagnostic {
	return diag.Errorf(at(n), "component-type", "%s of component type %q must be %s, not %s", key, t.Name.Str(), want, written(n))
}

func unknownTypeKey(t *ComponentType, key *source.Node, name string) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(key), "component-type", "unknown key %q in component type %q", name, t.Name.Str()), name, typeKeys)
}

func typeWithoutTool(t *ComponentType) diag.Diagnostic {
	return diag.Errorf(at(t.Name), "component-type", "component type %q has no tool", t.Name.Str()).With("add for example tool: script")
}

func secondConfig(t *ComponentType, key *source.Node, action string, first *source.Node) diag.Diagnostic {
	return diag.Errorf(at(key), "component-type", "component type %q has two configs for %s", t.Name.Str(), action).
		Via(at(first), "the first one")
}

func duplicateIO(t *ComponentType, section string, n, first *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "component-type", "%q is there twice in the %s of component type %q", n.Text, section, t.Name.Str()).
		Via(at(first), "the first one")
}

func unknownIOKey(t *ComponentType, section string, name, key *source.Node, text string, keys []string) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(key), "component-type", "unknown key %q of %q in the %s of component type %q",
		text, name.Text, section, t.Name.Str()), text, keys)
}

func badIOType(t *ComponentType, name, n *source.Node) diag.Diagnostic {
	d := diag.Errorf(at(n), "component-type", "%q of component type %q has an unknown type; there are %s", name.Text, t.Name.Str(), strings.Join(cfnTypes, ", "))
	if i := slices.Index(hotTypes, n.Str()); i >= 0 {
		return d.With("write %s", cfnTypes[i])
	}
	return didYouMean(d, n.Str(), cfnTypes)
}
