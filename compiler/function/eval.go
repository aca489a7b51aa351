package function

import (
	"errors"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// Value is a value as package value has it, or contains *Unknown where something is known only later.
type Value = any

// Unknown is a value that is known only later, such as an attribute of a resource that does not exist yet. What is made
// of it is unknown as well, for the same reasons.
type Unknown struct {
	Why string // what is waited for
	// Refused says why Heat would not create the stack as things are: nothing else will give the value. Empty for what
	// the stack's own creation gives.
	Refused string
	// Parameter says that a parameter's value is all that is missing.
	Parameter bool
	// Form is what kind of value it is, whatever it comes to.
	Form Form
}

// Form is the kind of a value that is not known.
type Form uint8

// The forms. Open may be of any kind.
const (
	Open Form = iota
	Text
	Number
	Boolean
)

var formNames = [...]string{"a value that is not known", "a string", "a number", "a boolean"}

// HasUnknown reports whether a part of a value is known only later.
func HasUnknown(v Value) bool { return unknownIn(v) != nil }

func isParameterUnknown(v Value) bool {
	u := unknownIn(v)
	return u != nil && u.Parameter
}

// Omitted is what an if without second value comes to when its condition is false: the list item, entry or property
// that holds it is left out.
type Omitted struct{}

// Fault is an evaluation that Heat would end with an error.
type Fault struct{ diag.Diagnostic }

func (f *Fault) Error() string { return f.Message }

// finding turns an evaluation's error into a finding; errors of other kinds do not occur.
func finding(err error, at *source.Node) diag.Diagnostic {
	var f *Fault
	if errors.As(err, &f) {
		return f.Diagnostic
	}
	return diag.Errorf(at.At(), "function-argument", "%v", err)
}

// Eval computes a value.
func (s *Scope) Eval(n *source.Node) (Value, error) {
	v, err := s.eval(s.table.values, n)
	if _, omitted := v.(Omitted); omitted {
		return nil, err
	}
	return v, err
}

// EvalCondition computes a value that stands where conditions do.
func (s *Scope) EvalCondition(n *source.Node) (Value, error) { return s.eval(s.table.conditions, n) }

func (s *Scope) eval(functions map[string]*Function, n *source.Node) (Value, error) {
	if c, ok := find(functions, n); ok {
		return s.call(functions, c)
	}
	switch {
	case n.Is(source.List):
		list := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			v, err := s.eval(functions, item)
			if err != nil {
				return nil, err
			}
			if _, omitted := v.(Omitted); !omitted {
				list = append(list, v)
			}
		}
		return list, nil
	case n.Is(source.Map):
		m := value.NewMap(len(n.Pairs))
		for _, p := range n.Pairs {
			v, err := s.eval(functions, p.Value)
			if err != nil {
				return nil, err
			}
			if _, omitted := v.(Omitted); !omitted {
				m.SetStr(hot.KeyText(p.Key), v)
			}
		}
		return m, nil
	}
	return hot.ValueOf(n), nil
}

func (s *Scope) call(functions map[string]*Function, c Call) (Value, error) {
	f := c.Function
	if s.Before != nil {
		if v, ok := s.Before(c); ok {
			return v, nil
		}
	}
	switch {
	case f.Macro != nil:
		return f.Macro(s, c)
	case f.Join != nil:
		t, err := s.join(c)
		if err != nil || t == Maybe {
			return s.undecided(c.Node), err
		}
		return t == True, nil
	}
	if shaped := s.shape(functions, c); len(shaped) > 0 {
		return nil, &Fault{Diagnostic: shaped[0]}
	}
	arg, err := s.eval(functions, c.Arg)
	if err != nil {
		return nil, err
	}
	if u := unknownIn(arg); u != nil {
		if f.Early != nil {
			err = f.Early(c, arg)
		}
		return together(u, arg), err
	}
	if f.Eval == nil {
		return s.later(c, arg), nil
	}
	return f.Eval(s, c, arg)
}

// later is what a function comes to that asks for something of the stack.
func (s *Scope) later(c Call, arg Value) *Unknown {
	parts, isList := arg.([]any)
	if !isList || len(parts) == 0 {
		parts = []any{arg}
	}
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = value.Str(p)
	}
	name := strings.Join(words, ".")
	switch c.Function.Name {
	case "get_resource":
		return &Unknown{Why: "the id of resource " + name, Refused: s.absent(arg)}
	case "get_attr", "Fn::GetAtt":
		return &Unknown{Why: "attribute " + name, Refused: s.absent(parts[0])}
	case "get_file":
		return &Unknown{Why: "the content of file " + name}
	case "resource_facade", "Fn::ResourceFacade":
		u := &Unknown{Why: "the " + name + " of the resource that the template stands for"}
		if !s.nested() {
			u.Refused = c.Function.Name + ": the template stands for no resource"
		}
		return u
	}
	return &Unknown{Why: c.Function.Name + " of " + name}
}

// absent says why there is no resource of the name, or "".
func (s *Scope) absent(name any) string {
	text, _ := name.(string)
	switch r := s.Template.Resource(text); {
	case r == nil:
		return "there is no resource " + value.Str(name)
	case s.Enabled(r) == False:
		return "the condition of resource " + text + " is false, so that it does not exist"
	}
	return ""
}

// together is the first unknown of a value with the reasons of all.
func together(first *Unknown, v Value) *Unknown {
	out := *first
	seen := map[string]bool{out.Why: true}
	eachUnknown(v, func(u *Unknown) bool {
		if !seen[u.Why] && len(seen) < maxReasons {
			out.Why += ", " + u.Why
			seen[u.Why] = true
		}
		out.Parameter = out.Parameter && u.Parameter
		if out.Refused == "" {
			out.Refused = u.Refused
		}
		return true
	})
	if len(seen) == 1 && out == *first {
		return first
	}
	out.Form = Open
	return &out
}

// maxReasons bounds how many names an unknown value carries.
const maxReasons = 20

// shape checks the call's argument before it is evaluated, so that Eval functions can rely on it.
func (s *Scope) shape(functions map[string]*Function, c Call) diag.List {
	if c.Function.Shape == nil {
		return nil
	}
	var found diag.List
	c.Function.Shape(&checker{scope: s, version: s.version, functions: functions, found: &found}, c)
	return found
}

// unknownIn finds the first unknown within a value, or nil.
func unknownIn(v Value) (first *Unknown) {
	eachUnknown(v, func(u *Unknown) bool { first = u; return false })
	return first
}

// eachUnknown visits the unknowns within a value until visit returns false.
func eachUnknown(v Value, visit func(*Unknown) bool) bool {
	switch v := v.(type) {
	case *Unknown:
		return visit(v)
	case []any:
		for _, x := range v {
			if !eachUnknown(x, visit) {
				return false
			}
		}
	case *value.Map:
		for _, x := range v.All() {
			if !eachUnknown(x, visit) {
				return false
			}
		}
	}
	return true
}

// Refused says why Heat would refuse to create a stack with the value, or "".
func Refused(v Value) (why string) {
	eachUnknown(v, func(u *Unknown) bool { why = u.Refused; return why == "" })
	return why
}

// describe names a value in a message without showing it.
func describe(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case []any:
		return "a list"
	case *value.Map:
		return "a map"
	}
	return "a number"
}

// unpacked is what Python's unpacking of a value gives: items, letters or keys.
func unpacked(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case string:
		var letters []any
		for _, r := range v {
			letters = append(letters, string(r))
		}
		return letters
	case *value.Map:
		return v.Keys()
	}
	return nil
}
