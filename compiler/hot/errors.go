package hot

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// This file has one function for each message about a template's structure. Those about parameters, components and
// environments stand in files of their own.

func at(n *source.Node) diag.Location { return n.At() }

// didYouMean adds the nearest candidate as the suggestion, if there is one.
func didYouMean(d diag.Diagnostic, word string, candidates []string) diag.Diagnostic {
	if near := diag.Nearest(word, candidates); near != "" {
		return d.With("did you mean %q?", near)
	}
	return d
}

func article(k source.Kind) string {
	switch k {
	case source.Null:
		return "nothing"
	case source.Int:
		return "an integer"
	}
	return "a " + k.String()
}

func notAMapping(root *source.Node) diag.Diagnostic {
	return diag.Errorf(at(root), "not-a-mapping", "the document is %s, but a template is a map of sections", article(root.Kind))
}

func missingVersion(root *source.Node) diag.Diagnostic {
	loc := at(root)
	if root != nil && len(root.Pairs) > 0 {
		loc = at(root.Pairs[0].Key)
		for _, p := range root.Pairs {
			if near := diag.Nearest(KeyText(p.Key), []string{HOTKey, AWSKey, HeatKey}); near != "" {
				return diag.Errorf(at(p.Key), "missing-version", "the template has no version: %q is no version key", KeyText(p.Key)).
					With("did you mean %q?", near)
			}
		}
	}
	return diag.Errorf(loc, "missing-version", "the template has no version").With("add %s: %s", HOTKey, Newest.Name)
}

func versionKind(p *source.Pair) diag.Diagnostic {
	return diag.Errorf(at(p.Value), "missing-version", "the version must be a string, not %s", article(p.Value.Kind)).
		With("write %s: %s", p.Key.Text, "'"+p.Value.Text+"' in quotes, as one of "+strings.Join(versionNames(p.Key.Text), ", "))
}

func ambiguousVersion(present []source.Pair) diag.Diagnostic {
	d := diag.Errorf(at(present[1].Key), "ambiguous-version", "the template has two versions, %s and %s",
		present[0].Key.Text, present[1].Key.Text).With("remove one of them")
	return d.Via(at(present[0].Key), "the other version")
}

func unknownVersion(p source.Pair) diag.Diagnostic {
	names := versionNames(p.Key.Text)
	d := diag.Errorf(at(p.Value), "unknown-version", "unknown %s %q; Heat knows %s", p.Key.Text, p.Value.Text, strings.Join(names, ", "))
	return didYouMean(d, p.Value.Text, names)
}

func versionNames(key string) []string {
	var names []string
	for _, v := range Versions {
		if v.Key == key {
			names = append(append(names, v.Name), v.Aliases...)
		}
	}
	slices.Sort(names)
	return names
}

func unknownSection(key *source.Node, name string, v *Version) diag.Diagnostic {
	d := diag.Errorf(at(key), "unknown-section", "unknown section %q", name)
	if first := firstWith(v, func(w *Version) bool { return contains(w.Sections, name) }); first != nil {
		d.Message = "section \"" + name + "\" is not in version " + v.Name
		return d.With("raise %s to %s or later", v.Key, first.Name)
	}
	candidates := v.Sections
	if v.Format == HOT {
		candidates = append(slices.Clone(candidates), componentTypesSection)
	}
	return didYouMean(d, name, candidates)
}

// firstWith is the oldest version of v's format that is newer than v and has the property, or nil.
func firstWith(v *Version, has func(*Version) bool) *Version {
	for _, w := range Versions {
		if w.Format == v.Format && w.Since > v.Since && has(w) {
			return w
		}
	}
	return nil
}

func sectionKind(p *source.Pair, want source.Kind) diag.Diagnostic {
	return diag.Errorf(at(p.Value), "section-type", "section %q must be %s, not %s", KeyText(p.Key), article(want), article(p.Value.Kind))
}

func templateTooLarge(root *source.Node, size, limit int) diag.Diagnostic {
	return diag.Errorf(at(root), "template-too-large", "the template is %d characters as Heat counts them, %d are allowed", size, limit).
		With("move scripts into files, or parts into nested templates")
}

func tooManyResources(key *source.Node, n, limit int) diag.Diagnostic {
	return diag.Errorf(at(key), "too-many-resources", "%d resources, but Heat allows %d in a stack", n, limit)
}

func resourceKind(r *Resource) diag.Diagnostic {
	return diag.Errorf(at(r.Node), "resource-type-missing", "resource %q must be a map with a type, not %s", r.Name.Text, article(r.Node.Kind))
}

func resourceWithoutType(r *Resource, key string) diag.Diagnostic {
	loc := at(r.Name)
	if r.Type != nil {
		loc = at(r.Type)
	}
	return diag.Errorf(loc, "resource-type-missing", "resource %q has no %s", r.Name.Text, key)
}

func resourceNameSlash(r *Resource) diag.Diagnostic {
	return diag.Errorf(at(r.Name), "resource-name", "the resource name %q contains a slash", r.Name.Text)
}

func unknownResourceKey(r *Resource, key *source.Node, name string, v *Version) diag.Diagnostic {
	d := diag.Errorf(at(key), "unknown-resource-key", "unknown key %q in resource %q", name, r.Name.Text)
	if first := firstWith(v, func(w *Version) bool { return contains(w.ResourceKeys, name) }); first != nil {
		d.Message = "key \"" + name + "\" of a resource is not in version " + v.Name
		return d.With("raise %s to %s or later", v.Key, first.Name)
	}
	return didYouMean(d, name, append(slices.Clone(v.ResourceKeys), "components"))
}

func resourceField(r *Resource, key string, value *source.Node, want string) diag.Diagnostic {
	return diag.Errorf(at(value), "resource-key-type", "%s of resource %q must be %s, not %s", key, r.Name.Text, want, article(value.Kind))
}

func dependsOnItem(r *Resource, item *source.Node) diag.Diagnostic {
	return diag.Errorf(at(item), "resource-key-type", "an entry in the dependencies of resource %q must be the name of a resource, not %s",
		r.Name.Text, article(item.Kind))
}

func badDeletionPolicy(r *Resource, v *Version) diag.Diagnostic {
	d := diag.Errorf(at(r.DeletionPolicy), "deletion-policy", "invalid deletion policy %q of resource %q; version %s knows %s",
		r.DeletionPolicy.Text, r.Name.Text, v.Name, strings.Join(v.DeletionPolicies(), ", "))
	return didYouMean(d, r.DeletionPolicy.Text, v.DeletionPolicies())
}

func externalDepends(r *Resource) diag.Diagnostic {
	return diag.Errorf(at(r.DependsOnNode), "external-depends", "resource %q has an external_id, and then Heat allows no depends_on", r.Name.Text)
}

func conditionsKind(p *source.Pair) diag.Diagnostic {
	return diag.Errorf(at(p.Key), "section-type", "section %q must be a map, not %s", KeyText(p.Key), article(p.Value.Kind)).
		With("remove the section if there is no condition")
}

func outputKind(o *Output) diag.Diagnostic {
	return diag.Errorf(at(o.Node), "output-type", "output %q must be a map with a value, not %s", o.Name.Text, article(o.Node.Kind))
}

func outputWithoutValue(o *Output, key string) diag.Diagnostic {
	d := diag.Errorf(at(o.Name), "output-value-missing", "output %q has no %s", o.Name.Text, key)
	for _, p := range o.Node.Pairs {
		if diag.Nearest(KeyText(p.Key), []string{key}) != "" {
			d.Location = at(p.Key)
			return d.With("did you mean %q?", key)
		}
	}
	return d
}

func unknownOutputKey(o *Output, key *source.Node, name string, v *Version) diag.Diagnostic {
	d := diag.Warnf(at(key), "unknown-output-key", "unknown key %q in output %q: Heat ignores it, but refuses it in a nested template",
		name, o.Name.Text)
	return didYouMean(d, name, v.OutputKeys)
}

func groupKind(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "parameter-group", "a parameter group must be a map, not %s", article(n.Kind))
}

func groupWithoutParameters(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "parameter-group", "a parameter group needs the key \"parameters\"")
}

func groupParametersKind(n *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "parameter-group", "the parameters of a group must be a list of names, not %s", article(n.Kind))
}

func groupUnknown(n *source.Node, names []string) diag.Diagnostic {
	text := value.Str(ValueOf(n))
	return didYouMean(diag.Errorf(at(n), "parameter-group", "a group names %q, which is no parameter", text), text, names)
}

func groupTwice(n, first *source.Node) diag.Diagnostic {
	return diag.Errorf(at(n), "parameter-group", "parameter %q is in two groups", value.Str(ValueOf(n))).Via(at(first), "the first mention")
}
