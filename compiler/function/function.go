// Package function is the intrinsic and condition functions of every template version: which maps are calls, what
// arguments they take, what they refer to.
package function

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Function is one intrinsic function, or one form of it that began with a version.
type Function struct {
	Name string
}

// Call is one intrinsic function call found in a value: a map of exactly one key that the version knows.
type Call struct {
	Function *Function
	Node     *source.Node // the map
	Name     *source.Node // the key as written
	Arg      *source.Node
}

// Find reports whether n is itself a call in the given version (nil: the newest). {ref: X}, the spelling of 2013, is
// a get_resource call in every version; that is hotloom's own addition.
func Find(v *hot.Version, n *source.Node) (Call, bool) { return Call{}, false }

// Walk calls visit for the calls in n, parents first, in document order. Where visit returns false the argument of
// that call is not entered.
func Walk(v *hot.Version, n *source.Node, visit func(Call) bool) {}

// RefKind says what a reference names.
type RefKind uint8

// The kinds of references.
const (
	Parameter RefKind = iota
	Resource
	Attribute
	File
	Condition
)

// Reference is one name used in a value. Target is the node with the name; Path what follows it: attribute and path
// of get_attr, path of get_param.
type Reference struct {
	Kind   RefKind
	Call   Call
	Target *source.Node
	Path   []*source.Node
}

// References lists the names that n uses, in document order; names that are themselves calls are left out.
func References(v *hot.Version, n *source.Node) []Reference { return nil }
