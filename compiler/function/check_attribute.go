package function

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// When Heat validates a get_attr it computes the names of its resource and attribute, in metadata and outputs too, and
// the path to find out which attributes are read. No resource has been made by then.

// pathIsComputed reports whether Heat computes the path of a get_attr early; the oldest version applies it to the value.
func (k *checker) pathIsComputed() bool { return k.version.AtLeast("2014-10-16") }

// reportedOutside reports whether the call around the place fails if the place does, which says so.
func (k *checker) reportedOutside() bool {
	return k.computed && k.certain && (k.place == inOutput || k.place == inMetadata)
}

// whenValidated is what a call comes to when Heat validates the template: attributes are null, and references to
// resources are their names. What is not known without Heat is an *Unknown.
func (k *checker) whenValidated(n *source.Node) (Value, error) {
	if d := k.missingResource(n); d != nil {
		return nil, &Fault{Diagnostic: *d}
	}
	v, err := k.scope.Eval(n)
	c, isCall := k.find(n)
	if _, later := v.(*Unknown); err != nil || !later || !isCall || c.Function.Refs == nil {
		return v, err
	}
	c.Function.Refs(c, func(r Reference) {
		switch target := k.scope.Template.Resource(r.Target.Str()); {
		case target == nil:
		case r.Kind == Attribute:
			v = nil
		case r.Kind == Resource || r.Kind == ParameterOrResource:
			v = target.Name.Text
		}
	})
	return v, nil
}

// missingResource finds a get_resource to nothing.
func (k *checker) missingResource(n *source.Node) (found *diag.Diagnostic) {
	visit := func(r Reference) {
		if r.Kind != Resource || !r.Target.Is(source.String) {
			return
		}
		target := k.scope.Template.Resource(r.Target.Text)
		var d diag.Diagnostic
		switch {
		case target == nil:
			d = unknownResource(r.Target, r.Target.Text, k.scope.Template)
		case k.scope.Enabled(target) == False:
			d = disabledResource(r.Target, target)
		default:
			return
		}
		found = &d
	}
	w := walker{table: k.scope.table, visit: func(c Call) bool {
		if c.Function.Refs != nil {
			c.Function.Refs(c, visit)
		}
		return found == nil && !isIf(c) // which branch counts is for the condition to say
	}}
	w.value(n)
	return found
}

// computedName checks the name of an attribute, or a step of the path into it, that is computed. A step that fails does
// so in attributeRead.
func (k *checker) computedName(c Call, r *hot.Resource, n *source.Node, isAttribute bool) bool {
	v, err := k.whenValidated(n)
	name, isText := v.(string)
	_, isMap := v.(*value.Map)
	_, isList := v.([]any)
	switch {
	case err != nil && isAttribute:
		k.add(finding(err, n))
	case err != nil || unknownIn(v) != nil:
		return true
	case v == nil && isAttribute:
		k.add(nameIsNull(c, "the attribute", n))
	case isMap || isList || isAttribute && !isText:
		k.add(diag.Errorf(n.At(), "function-argument", "the attribute of %s must be a name, and this comes to %s", c.Name.Text, describe(v)))
	case isAttribute:
		ok, t := k.scope.hasAttribute(r, name)
		if !ok {
			k.add(unknownAttribute(r, source.NewString(n, name), t))
		}
		return ok
	default:
		return true
	}
	return false
}

// attributeRead notes where an attribute is read. Heat computes only those attributes of a resource that properties,
// metadata or outputs read; one that an update policy or external id alone reads is unknown to it, and so is one that
// is only read with a path that cannot be computed.
func (k *checker) attributeRead(r Reference, target *hot.Resource) {
	read := attributeRead{resource: target.Name.Text, at: r.Call}
	if len(r.Path) > 0 {
		name, ok := k.name(r.Path[0], Parameter)
		if !ok && !r.Path[0].IsNull() {
			return
		}
		read.attribute = name
	}
	if k.place == inUpdatePolicy || k.place == inExternalID {
		if read.attribute != "" && k.validated {
			read.failure = attributeInPolicy(read)
			k.graph.lostReads = append(k.graph.lostReads, read)
		}
		return
	}
	if d := k.brokenPath(r.Path); d != nil {
		read.failure, read.anyway = *d, true
		k.graph.lostReads = append(k.graph.lostReads, read)
		return
	}
	if k.parsed {
		k.graph.reads[[2]string{read.resource, read.attribute}] = true
	}
}

// brokenPath finds what fails in a path that is computed, where nothing else reports it.
func (k *checker) brokenPath(path []*source.Node) *diag.Diagnostic {
	if len(path) < 2 || !k.pathIsComputed() || !k.certain || k.place != inOutput && k.place != inMetadata {
		return nil
	}
	for _, n := range path[1:] {
		if _, isCall := k.find(n); !isCall {
			continue
		}
		if _, err := k.whenValidated(n); err != nil {
			d := finding(err, n)
			return &d
		}
	}
	return nil
}
