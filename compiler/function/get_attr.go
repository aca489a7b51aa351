package function

import (
	"github.com/hotloom/hotloom/compiler/source"
)

// getAttrWhole is get_attr of 2013-05-23: the attribute is fetched whole and the path applied then.
var getAttrWhole = Function{
	Name:     "get_attr",
	Usage:    "{get_attr: [RESOURCE, ATTRIBUTE, key or index, …]}",
	Shape:    shapeGetAttr,
	Validate: checkAttribute,
	Refs:     attributeRef,
}

// getAttr hands the path to the resource.
var getAttr = Function{
	Name:     "get_attr",
	Since:    "2014-10-16",
	Usage:    getAttrWhole.Usage,
	Shape:    shapeGetAttr,
	Validate: checkAttribute,
	Refs:     attributeRef,
	Computes: true,
}

// getAttrAll takes a resource's name alone, too: then it gives all attributes.
var getAttrAll = Function{
	Name:     "get_attr",
	Since:    "2015-10-15",
	Usage:    "{get_attr: [RESOURCE, ATTRIBUTE, key or index, …]} or {get_attr: [RESOURCE]}",
	Shape:    shapeGetAttrAll,
	Validate: checkAttribute,
	Refs:     attributeRef,
	Computes: true,
}

func shapeGetAttr(k *checker, c Call) {
	switch {
	case !k.isList(c.Arg):
		k.add(argumentKind(c, "a list of a resource and an attribute"))
	case len(c.Arg.Items) < 2:
		k.add(argumentCount(c, "a resource and an attribute at least"))
	}
}

// shapeGetAttrAll: Heat takes the first letter of a one-letter text for the resource; longer text and anything else
// that is not a list is refused.
func shapeGetAttrAll(k *checker, c Call) {
	switch {
	case k.isList(c.Arg):
		if len(c.Arg.Items) == 0 {
			k.add(argumentCount(c, "a resource at least"))
		}
	case c.Arg.Is(source.String) && len([]rune(c.Arg.Text)) == 1:
	default:
		k.add(argumentKind(c, "a list of a resource and an attribute"))
	}
}

func attributeRef(c Call, yield func(Reference)) {
	switch {
	case c.Arg.Is(source.List) && len(c.Arg.Items) > 0:
		yield(Reference{Kind: Attribute, Call: c, Target: c.Arg.Items[0], Path: c.Arg.Items[1:]})
	case c.Arg.Is(source.String):
		yield(Reference{Kind: Attribute, Call: c, Target: c.Arg})
	}
}

// checkAttribute finds names of attributes that the resource's type does not have.
func checkAttribute(k *checker, c Call) {
	name, attribute := c.arg(0), c.arg(1)
	if !name.Is(source.String) || attribute == nil {
		return
	}
	r := k.scope.Template.Resource(name.Text)
	if r == nil || k.scope.Enabled(r) == False {
		return // reported as a reference
	}
	if attribute.Is(source.Null) {
		if !k.version.AtLeast("2015-10-15") {
			k.add(argumentPart(c, "the attribute", attribute, "a string"))
		}
		return // later versions take null as if not given
	}
	for i, n := range c.Arg.Items[1:] {
		if i > 0 && !k.pathIsComputed() {
			break
		}
		if _, isCall := k.find(n); isCall {
			if !k.computedName(c, r, n, i == 0) {
				return
			}
			continue
		}
		if n.Is(source.Map) || n.Is(source.List) || i == 0 && !n.Is(source.String) {
			k.add(argumentPart(c, "the attribute", n, "a name"))
			return
		}
	}
	if _, isCall := k.find(attribute); isCall {
		return
	}
	if attribute.Str() == "components" && len(r.Components) > 0 {
		return
	}
	if ok, t := k.scope.hasAttribute(r, attribute.Str()); !ok {
		k.add(unknownAttribute(r, attribute, t))
	}
}
