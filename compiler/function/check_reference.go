package function

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// reference checks one name that a call uses. k.certain says whether Heat surely validates the place.
func (k *checker) reference(r Reference) {
	switch r.Kind {
	case Parameter:
		k.parameterRef(r)
	case Resource, Attribute:
		k.resourceRef(r)
	case ParameterOrResource:
		if k.scope.Template.Resource(r.Target.Str()) != nil {
			k.resourceRef(r)
		} else {
			k.parameterRef(r) // what is no resource's name is looked for among parameters, calls included
		}
	}
}

// name is the name that a node stands for, if it is a string or a call that can be computed now. Heat computes names
// of resources as soon as it looks for dependencies, so that what cannot be computed is refused even in outputs.
func (k *checker) name(n *source.Node, kind RefKind) (string, bool) {
	if c, isCall := k.find(n); isCall {
		v, err := k.whenValidated(n)
		switch {
		case kind == Parameter:
		case err != nil:
			k.add(finding(err, n))
		case v == nil && kind == Attribute:
			k.add(nameIsNull(c, "the name of a resource", n))
		}
		s, ok := v.(string)
		return s, ok && err == nil
	}
	return n.Str(), n.Is(source.String)
}

// parameterRef finds parameters that do not exist. Heat notices when it resolves the value: for properties when a
// stack is created, for metadata and outputs later, when that is no error of the template any more.
func (k *checker) parameterRef(r Reference) {
	name, ok := k.name(r.Target, r.Kind)
	if !ok && r.Kind == ParameterOrResource {
		name = hot.KeyText(r.Target)
	} else if !ok || k.scope.Template.Parameter(name) != nil || isPseudo(k.version, name) {
		return
	}
	if k.reportedOutside() {
		return
	}
	d := unknownParameter(r.Target, name, k.scope.Template)
	resolvedEarly := k.place == inDeletionPolicy || k.place == inExternalID || !k.scope.nested() && (k.place == inProperties || k.place == inUpdatePolicy || k.place == inComponent)
	if !resolvedEarly || k.place == inProperties && k.placeholder() {
		d.Severity = diag.Warning
	}
	k.add(d)
}

// placeholder reports whether the resource is one whose properties Heat never looks at.
func (k *checker) placeholder() bool {
	t := k.scope.TypeOf(k.from)
	return t != nil && t.Placeholder
}

// resourceRef finds resources that do not exist or are disabled, and notes dependencies.
func (k *checker) resourceRef(r Reference) {
	name, ok := k.name(r.Target, r.Kind)
	if !ok {
		k.resourceNameKind(r)
		return
	}
	if k.place == inDeletionPolicy {
		k.add(referenceInDeletionPolicy(r.Call))
		return
	}
	t := k.scope.Template
	target := t.Resource(name)
	inNothing := k.place == inOutput && r.Kind != Attribute // get_resource in an output is resolved when it is read
	if inNothing && k.reportedOutside() && (target == nil || k.scope.Enabled(target) == False) {
		return
	}
	switch {
	case target == nil:
		d := unknownResource(r.Target, name, t)
		if inNothing {
			d.Severity = diag.Warning
		}
		k.add(d)
	case k.scope.Enabled(target) == False:
		if !k.certain {
			return // the condition that selects this may be the resource's own
		}
		d := disabledResource(r.Target, target)
		if inNothing {
			d.Severity = diag.Warning
		}
		k.add(d)
	default:
		k.dependency(r, target)
	}
}

// resourceNameKind finds what can be no name. Heat fails on lists and maps wherever they stand.
func (k *checker) resourceNameKind(r Reference) {
	n := r.Target
	if _, isCall := k.find(n); isCall {
		return
	}
	d := resourceNameKind(r.Call, n)
	if k.place == inOutput && r.Kind != Attribute && !n.Is(source.List) && !n.Is(source.Map) {
		d.Severity = diag.Warning
	}
	k.add(d)
}

// dependency notes that the resource needs the target first. Reading a component's output is no dependency between
// resources: what it becomes, weave decides.
func (k *checker) dependency(r Reference, target *hot.Resource) {
	if r.Kind == Attribute {
		k.attributeRead(r, target)
	}
	if k.place != inProperties && k.place != inMetadata || k.scope.adopted(k.from) || k.scope.Enabled(k.from) == False {
		return
	}
	why := "get_resource"
	if r.Kind == Attribute {
		if len(r.Path) > 0 && r.Path[0].Str() == "components" && len(target.Components) > 0 {
			return
		}
		why = "get_attr"
	}
	k.graph.add(edge{
		from: k.from, to: target, at: r.Target, why: why,
		certain: k.certain && k.scope.Enabled(target) == True,
	})
}
