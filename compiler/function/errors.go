package function

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
	"github.com/hotloom/hotloom/resources/catalog"
)

// This file has one function for each message.

func didYouMean(d diag.Diagnostic, word string, candidates []string) diag.Diagnostic {
	if near := diag.Nearest(word, candidates); near != "" {
		return d.With("did you mean %q?", near)
	}
	return d
}

func article(n *source.Node) string {
	switch {
	case n.IsNull():
		return "nothing"
	case n.Kind == source.Int:
		return "an integer"
	case n.Single() != nil:
		return "a map with the key " + hot.KeyText(n.Pairs[0].Key)
	}
	return "a " + n.Kind.String()
}

func argumentKind(c Call, want string) diag.Diagnostic {
	got := article(c.Arg)
	if c.Arg.Is(source.List) {
		got = fmt.Sprintf("a list of %d items", len(c.Arg.Items))
	}
	return diag.Errorf(c.Name.At(), "function-argument", "%s takes %s, not %s", c.Name.Text, want, got).With("write %s", c.Function.Usage)
}

func argumentCount(c Call, want string) diag.Diagnostic {
	return diag.Errorf(c.Name.At(), "function-argument", "%s takes %s, and this list has %d", c.Name.Text, want, len(c.Arg.Items)).
		With("write %s", c.Function.Usage)
}

func argumentPart(c Call, part string, n *source.Node, want string) diag.Diagnostic {
	loc := n.At()
	if n.IsNull() {
		loc = c.Name.At()
	}
	return diag.Errorf(loc, "function-argument", "%s of %s must be %s, not %s", part, c.Name.Text, want, article(n)).
		With("write %s", c.Function.Usage)
}

func argumentKeyMissing(c Call, key string, known []string) diag.Diagnostic {
	d := diag.Errorf(c.Name.At(), "function-argument", "%s has no %s", c.Name.Text, key)
	for _, p := range c.Arg.Pairs {
		k := hot.KeyText(p.Key)
		if !slices.Contains(known, k) && diag.Nearest(k, []string{key}) != "" {
			d.Location = p.Key.At()
			return d.With("did you mean %q for the key %q?", key, k)
		}
	}
	return d.With("write %s", c.Function.Usage)
}

func argumentKeyUnknown(c Call, n *source.Node, key string, known []string) diag.Diagnostic {
	return didYouMean(diag.Errorf(n.At(), "function-argument", "%s does not take the key %q", c.Name.Text, key), key, known)
}

// yaqlSyntax points into the expression.
func yaqlSyntax(n *source.Node, err *yaql.SyntaxError) diag.Diagnostic {
	return diag.Errorf(n.Inside(value.Offset(n.Text, err.Position)), "yaql-syntax", "the YAQL expression is wrong here: %s", err.Message)
}

// yaqlFunction is a warning: Heat finds it when it computes the value, if it comes to the call.
func yaqlFunction(n *source.Node, f yaql.Function) diag.Diagnostic {
	d := diag.Warnf(n.Inside(value.Offset(n.Text, f.Start)), "yaql-function", "Heat's YAQL has no function %q", f.Name)
	return didYouMean(d, f.Name, yaql.Names(yaql.Heat, f.Method))
}

func argumentWord(c Call, words []string) diag.Diagnostic {
	return didYouMean(diag.Errorf(c.Name.At(), "function-argument", "%s takes one of %s", c.Name.Text, strings.Join(words, ", ")), c.Arg.Str(), words)
}

func removedFunction(key *source.Node, v *hot.Version) diag.Diagnostic {
	d := diag.Errorf(key.At(), "removed-function", "version %s has no %s any more", v.Name, key.Text)
	if instead := successors[key.Text]; instead != "" {
		return d.With("use %s", instead)
	}
	return d
}

// successors are the functions of later versions that do what removed ones did.
var successors = map[string]string{
	"Ref": "get_param or get_resource", "Fn::Join": "list_join", "Fn::Replace": "str_replace", "Fn::Split": "str_split",
	"Fn::Select": "get_param, get_attr or str_split with a path or index", "Fn::ResourceFacade": "resource_facade",
	"Fn::Base64": "the text itself: Fn::Base64 never changed it",
}

func functionInCondition(key *source.Node, v *hot.Version) diag.Diagnostic {
	return diag.Errorf(key.At(), "function-in-condition", "%s cannot be used in a condition; version %s allows %s there",
		key.Text, v.Name, strings.Join(v.ConditionFunctions, ", "))
}

// functionNotInVersion is a warning: Heat takes the map for plain data.
func functionNotInVersion(key *source.Node, v *hot.Version, first *hot.Version) diag.Diagnostic {
	d := diag.Warnf(key.At(), "function-not-in-version", "version %s does not know the function %s, so this is a plain map", v.Name, key.Text)
	if first.Format == v.Format {
		return d.With("raise %s to %s or later", v.Key, first.Name)
	}
	return d
}

func conditionFunctionInValue(key *source.Node) diag.Diagnostic {
	return diag.Warnf(key.At(), "condition-function-in-value", "%s is a function only in conditions; here it is a plain map", key.Text).
		With("define a condition and use if")
}

func misspeltFunction(key *source.Node, near string) diag.Diagnostic {
	return diag.Warnf(key.At(), "misspelt-function", "%q is no function, so this is a plain map", hot.KeyText(key)).With("did you mean %q?", near)
}

func unknownParameter(n *source.Node, name string, t *hot.Template) diag.Diagnostic {
	if n.Is(source.List) && len(n.Items) > 0 {
		n = n.Items[0]
	}
	var names []string
	for _, p := range t.Parameters {
		names = append(names, p.Name.Text)
	}
	return didYouMean(diag.Errorf(n.At(), "unknown-parameter", "there is no parameter %q", name), name, append(names, t.VersionOf().PseudoParameters()...))
}

func unknownResource(n *source.Node, name string, t *hot.Template) diag.Diagnostic {
	var names []string
	for _, r := range t.Resources {
		names = append(names, r.Name.Text)
	}
	d := diag.Errorf(n.At(), "unknown-resource", "there is no resource %q", name)
	if p := t.Parameter(name); p != nil {
		return d.With("%q is a parameter: use get_param", name)
	}
	return didYouMean(d, name, names)
}

func disabledResource(n *source.Node, r *hot.Resource) diag.Diagnostic {
	return diag.Errorf(n.At(), "disabled-resource", "resource %q does not exist, because its condition is false", r.Name.Text).
		With("put the use into an if with the same condition").Via(r.Condition.At(), "the condition of %q", r.Name.Text)
}

func resourceNameKind(c Call, n *source.Node) diag.Diagnostic {
	loc := n.At()
	if n.IsNull() {
		loc = c.Name.At()
	}
	return diag.Errorf(loc, "function-argument", "%s takes the name of a resource, not %s", c.Name.Text, article(n)).
		With("write %s", c.Function.Usage)
}

// nameIsNull is about a name that comes from an attribute: nothing has attributes when Heat validates.
func nameIsNull(c Call, part string, n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), "function-argument", "%s in %s is null when Heat checks the template, because attributes are not known by then", part, c.Name.Text).
		With("write the name, or take it from a parameter")
}

func unknownAttribute(r *hot.Resource, n *source.Node, t *catalog.Type) diag.Diagnostic {
	name := hot.KeyText(n)
	return didYouMean(diag.Errorf(n.At(), "unknown-attribute", "resource %q of type %s has no attribute %q", r.Name.Text, r.Type.Str(), name),
		name, slices.Sorted(maps.Keys(t.Attributes)))
}

func unknownCondition(n *source.Node, t *hot.Template) diag.Diagnostic {
	var names []string
	for _, c := range t.Conditions {
		names = append(names, c.Name.Text)
	}
	return didYouMean(diag.Errorf(n.At(), "unknown-condition", "there is no condition %q", n.Text), n.Text, names)
}

func conditionNotBool(n *source.Node, v Value) diag.Diagnostic {
	return diag.Errorf(n.At(), "condition-value", "a condition must come to true or false, and this comes to %s", describe(v)).
		With("compare with equals")
}

func (s *Scope) conditionDefinition(c *hot.Condition) diag.Diagnostic {
	loc := c.Value.At()
	if c.Value.IsNull() {
		loc = c.Name.At()
	}
	d := diag.Errorf(loc, "condition-definition", "condition %q must be true, false or a condition function, not %s", c.Name.Text, article(c.Value))
	if p := c.Value.Single(); p != nil {
		for _, v := range hot.Versions {
			if v.Format == s.version.Format && v.Since > s.version.Since && v.HasConditionFunction(hot.KeyText(p.Key)) {
				d.Location = p.Key.At()
				return d.With("raise %s to %s or later", v.Key, v.Name)
			}
		}
		return didYouMean(d, hot.KeyText(p.Key), s.version.ConditionFunctions)
	}
	if c.Value.Is(source.String) && s.Template.Condition(c.Value.Text) != nil {
		return d.With("write {and: [%s, %s]}, or use %s itself", c.Value.Text, c.Value.Text, c.Value.Text)
	}
	return d
}

// conditionCycle names the whole cycle that leads back to a condition that is being computed, beginning with the one
// that stands first in the template, so that every way into the cycle gives the same finding.
func (s *Scope) conditionCycle(name string) diag.Diagnostic {
	start := slices.IndexFunc(s.running, func(c *hot.Condition) bool { return c.Name.Text == name })
	cycle := slices.Clone(s.running[start:])
	first := 0
	for i, c := range cycle {
		if c.Name.Start.Before(cycle[first].Name.Start) {
			first = i
		}
	}
	cycle = append(cycle[first:], cycle[:first]...)
	names := make([]string, 0, len(cycle)+1)
	for _, c := range cycle {
		names = append(names, c.Name.Text)
	}
	names = append(names, names[0])
	d := diag.Errorf(cycle[0].Name.At(), "circular-condition", "conditions that need each other: %s", strings.Join(names, " → "))
	for i, c := range cycle {
		d = d.Via(c.Value.At(), "%s needs %s", c.Name.Text, names[i+1])
	}
	return d
}

func unusedConditionName(d diag.Diagnostic) diag.Diagnostic {
	d.Severity = diag.Warning
	d.Message += "; nothing uses this condition, so Heat does not notice"
	return d
}

func wholeSectionCall(r *hot.Resource, key string, c Call) diag.Diagnostic {
	return diag.Errorf(c.Name.At(), "section-function", "Heat cannot have all %s of resource %q come from a function", key, r.Name.Text).
		With("call %s for single properties", c.Name.Text)
}

func keyKind(r *hot.Resource, key string, n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), "resource-key-type", "the %s of resource %q must be a string or a function call, not %s", key, r.Name.Text, article(n))
}

func referenceInDeletionPolicy(c Call) diag.Diagnostic {
	return diag.Errorf(c.Name.At(), "early-reference", "Heat resolves a deletion policy while it reads the template, when %s knows no resources yet", c.Name.Text).
		With("use get_param or a plain value")
}

func attributeInPolicy(r attributeRead) diag.Diagnostic {
	return diag.Errorf(r.at.Name.At(), "early-reference", "Heat does not know attribute %q of %q here, because no property, metadata or output reads it",
		r.attribute, r.resource).With("use get_param or a plain value")
}

func deletionPolicyValue(r *hot.Resource, v Value, version *hot.Version) diag.Diagnostic {
	got := describe(v)
	if s, isString := v.(string); isString {
		got = fmt.Sprintf("%q", s)
	}
	return diag.Errorf(r.DeletionPolicy.At(), "deletion-policy", "the deletion policy of resource %q comes to %s; version %s knows %s",
		r.Name.Text, got, version.Name, strings.Join(version.DeletionPolicies(), ", "))
}

func duplicateName(r *hot.Resource, other *source.Node) diag.Diagnostic {
	if other == nil {
		return diag.Errorf(r.Name.At(), "duplicate-name", "%q is a parameter that every stack has; a resource needs another name", r.Name.Text)
	}
	return diag.Errorf(other.At(), "duplicate-name", "%q is a resource too; a parameter needs another name", r.Name.Text).
		Via(r.Name.At(), "the resource")
}

// possible turns an error into a warning where it shows only under some values.
func possible(d diag.Diagnostic) diag.Diagnostic {
	if d.Severity == diag.Error {
		d.Severity = diag.Warning
		d.Message += ", if the condition around it selects this"
	}
	return d
}
