package function

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Scope is what a template's functions are computed in: its parameters' values, conditions and resources. It is not
// safe for concurrent use.
type Scope struct {
	Template *hot.Template
	// Params are the values of parameters as far as they are known. A parameter of the template that is absent
	// here is one whose value is not known.
	Params hot.Values
	// TypeOf tells a resource's type, nil where it is not known or is a nested template.
	TypeOf func(*hot.Resource) *catalog.Type

	// Before, where set, says what a call comes to while Heat validates and nothing exists, and whether it says so: null
	// for an attribute, a name for most resources. Without it such calls are unknown.
	Before func(Call) (Value, bool)

	// ReadFile, where set, gives the content of a file that get_file names. Without it contents are unknown.
	ReadFile func(name *source.Node) (string, error)

	// Stack is where the template stands; nil for a template on its own.
	Stack *hot.Stack

	types      *catalog.Catalog
	version    *hot.Version
	table      table
	conditions map[string]*condState
	running    []*hot.Condition // the conditions that are being computed
}

// NewScope makes a scope. params may be nil: then no parameter's value is known.
func NewScope(t *hot.Template, params hot.Values) *Scope {
	v := t.VersionOf()
	return &Scope{
		Template: t, Params: params, TypeOf: func(r *hot.Resource) *catalog.Type { return catalog.Default().Type(r.Type.Str()) },
		version: v, table: functionsOf(v), conditions: map[string]*condState{},
	}
}

// hasAttribute reports whether Heat, before anything exists, takes the name for an attribute of the resource. Of types
// that it does not know, or that compute their attributes, it takes every name.
func (s *Scope) hasAttribute(r *hot.Resource, name string) (ok bool, t *catalog.Type) {
	t = s.TypeOf(r)
	if t == nil || t.DynamicAttributes || t.Placeholder {
		return true, t
	}
	_, ok = t.Attributes[name]
	return ok, t
}

// forms are what is known of parameters without a value; lists and maps may be given in several ways.
var forms = map[hot.ParameterType]Form{hot.String: Text, hot.Number: Number, hot.Boolean: Boolean}

// parameter is a parameter's value.
func (s *Scope) parameter(c Call, name string) (Value, error) {
	if v, ok := s.Params[name]; ok {
		return v, nil
	}
	def := s.Template.Parameter(name)
	switch {
	case def != nil:
		return &Unknown{
			Why: "parameter " + name, Refused: "parameter " + name + " has no value", Parameter: true, Form: forms[def.Type],
		}, nil
	case name == "AWS::Region" && s.version.Format == hot.CFN:
		return "ap-southeast-1", nil // Heat has no other
	case isPseudo(s.version, name):
		return &Unknown{Why: name, Parameter: true, Form: Text}, nil
	}
	return nil, &Fault{Diagnostic: unknownParameter(c.Arg, name, s.Template)}
}

// nested reports whether the template stands below another one. Heat checks such templates without looking at the
// values of properties before it creates anything.
func (s *Scope) nested() bool { return s.Stack != nil && s.Stack.Parent != nil }

func isPseudo(v *hot.Version, name string) bool {
	for _, p := range v.PseudoParameters() {
		if p == name {
			return true
		}
	}
	return false
}
