package hot

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

func environmentNotMap(root *source.Node) diag.Diagnostic {
	return diag.Errorf(at(root), "not-a-mapping", "the document is %s, but an environment is a map of sections", article(root.Kind))
}

func unknownEnvironmentSection(key *source.Node, name string) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(key), "unknown-environment-section", "unknown section %q in an environment", name), name, EnvironmentSections)
}

func emptyEnvironmentSection(key *source.Node, name string) diag.Diagnostic {
	return diag.Errorf(at(key), "empty-environment-section", "section %q is empty, and Heat refuses that in an environment", name).
		With("remove it, or write %s: {}", name)
}

func environmentSectionKind(p *source.Pair, want string) diag.Diagnostic {
	return diag.Errorf(at(p.Value), "environment-section-type", "section %q must be %s, not %s", KeyText(p.Key), want, article(p.Value.Kind))
}

func unknownStrategy(n *source.Node) diag.Diagnostic {
	return didYouMean(diag.Warnf(at(n), "merge-strategy", "unknown merge strategy, so Heat takes the default; there are %s",
		strings.Join(mergeStrategies, ", ")), n.Str(), mergeStrategies)
}

func eventSinksKind(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "event-sink", "event_sinks must be a list, not %s", article(n.Kind))
}

func eventSinkKind(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "event-sink", "an event sink must be a map with type and target, not %s", article(n.Kind))
}

func eventSinkType(n *source.Node) diag.Diagnostic {
	loc := at(n)
	if t := n.Get("type"); !t.IsNull() {
		loc = at(t)
	}
	return diag.Errorf(loc, "event-sink", "the type of an event sink must be zaqar-queue: Heat has no other")
}

func eventSinkTarget(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "event-sink", "an event sink needs a target, the name of the queue")
}

func eventSinkKey(key *source.Node, name string) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(key), "event-sink", "unknown key %q in an event sink", name), name, []string{"type", "target", "ttl"})
}

func registryResourcesKind(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "registry-value", "resources in a resource_registry must be a map from resource name to its entries, not %s", article(n.Kind))
}

func registryResourceKind(p source.Pair) diag.Diagnostic {
	return diag.Errorf(at(p.Value), "registry-value", "the entry for resource %q must be a map, not %s", KeyText(p.Key), article(p.Value.Kind))
}

// registryValue: Heat loads a map in this place and fails only when a resource is of that type.
func registryValue(p source.Pair) diag.Diagnostic {
	if p.Value.Is(source.Map) {
		return diag.Warnf(at(p.Value), "registry-value", "%q must stand for a type or a template, not for a map", KeyText(p.Key))
	}
	return diag.Errorf(at(p.Value), "registry-value", "%q must stand for a type or a template, not for %s", KeyText(p.Key), article(p.Value.Kind))
}

// registryNull: to Heat null takes an earlier entry away, but the stock client fails on it before it asks Heat.
func registryNull(p source.Pair) diag.Diagnostic {
	return diag.Errorf(at(p.Key), "registry-value", "%q stands for nothing: Heat would drop an earlier entry, but its client fails on it", KeyText(p.Key)).
		With("leave the entry out, or let the type stand for OS::Heat::None")
}

func badHook(n *source.Node) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(n), "registry-hook", "unknown hook; there are %s", strings.Join(hookTypes, ", ")), n.Str(), hookTypes)
}

func badRestrictedAction(n *source.Node) diag.Diagnostic {
	return didYouMean(diag.Errorf(at(n), "registry-hook", "unknown restricted action; there are %s", strings.Join(restrictedActions, ", ")),
		n.Str(), restrictedActions)
}

func secondListSection(n, first *source.Node, section string) diag.Diagnostic {
	return diag.Errorf(at(n), "environment-merge", "two environments have a section %q, and Heat cannot merge them", section).
		Via(at(first), "the first one")
}

func conflictingStrategy(key *source.Node, first, second string) diag.Diagnostic {
	return diag.Errorf(at(key), "environment-merge", "this environment wants to %s parameter %q, an earlier one to %s it",
		strings.ReplaceAll(second, "_", " "), key.Text, strings.ReplaceAll(first, "_", " "))
}

func mapOverOther(p source.Pair, before *source.Node) diag.Diagnostic {
	return diag.Errorf(at(p.Value), "environment-merge", "%q is a map here and %s in an earlier environment; Heat's client cannot merge that",
		KeyText(p.Key), article(before.Kind)).Via(at(before), "the earlier value")
}

// droppedParameter is no error: Heat says nothing.
func droppedParameter(key *source.Node) diag.Diagnostic {
	return diag.Warnf(at(key), "dropped-parameter", "no template has the parameter %q, so Heat drops it while it merges the environments", key.Text)
}

func cannotMerge(p source.Pair, param *Parameter, strategy, why string) diag.Diagnostic {
	return diag.Errorf(at(p.Value), "environment-merge", "parameter %q of type %s cannot be %sd: %s",
		p.Key.Text, param.Type, strings.ReplaceAll(strategy, "_", " "), why)
}

func registryLoop(r *Resource) diag.Diagnostic {
	return diag.Errorf(at(r.Type), "registry-loop", "the resource_registry leads from type %q back to itself", r.Type.Text)
}

func nestedCircle(r *Resource, s, above *Stack) diag.Diagnostic {
	d := diag.Errorf(at(r.Type), "nested-circle", "template %q nests itself", r.Type.Text)
	for p := s; p != above && p.Resource != nil; p = p.Parent {
		d = d.Via(at(p.Resource.Type), "nested as resource %q", p.Resource.Name.Text)
	}
	return d
}

func nestedTooDeep(r *Resource) diag.Diagnostic {
	return diag.Errorf(at(r.Type), "nested-too-deep", "resource %q nests deeper than the %d levels that Heat allows", r.Name.Text, MaxNestedDepth)
}

func nestedTooManyResources(r *Resource) diag.Diagnostic {
	return diag.Errorf(at(r.Type), "too-many-resources", "with what resource %q nests, the stack has more than the %d resources that Heat allows",
		r.Name.Text, MaxResources)
}
