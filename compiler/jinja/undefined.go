package jinja

import (
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
)

// undefined is Jinja's StrictUndefined: it may be passed around and tested, but not used.
type undefined struct {
	message string
	class   string // of the error, if not UndefinedError
	lenient bool   // Jinja's plain Undefined, which `x if y` gives without an else: empty text, false
}

func (u *undefined) err() error {
	class := u.class
	if class == "" {
		class = "UndefinedError"
	}
	return value.Errorf(class, "%s", u.message)
}

// Repr is what shows inside a list.
func (u *undefined) Repr() string { return "Undefined" }

// TypeName makes it look like Jinja's type where it is shown.
func (u *undefined) TypeName() string { return "StrictUndefined" }

func undefinedName(name string) *undefined {
	return &undefined{message: fmt.Sprintf("%s is undefined", value.Repr(name))}
}

// undefinedOf is what a missing attribute or item gives.
func (e *evaluator) undefinedOf(of, key any) *undefined {
	object := e.typeOf(of)
	if name, ok := key.(string); ok {
		return &undefined{message: fmt.Sprintf("%s has no attribute %s", value.Repr(object), value.Repr(name))}
	}
	return &undefined{message: fmt.Sprintf("%s has no element %s", object, value.Repr(key))}
}

func (e *evaluator) typeOf(v any) string {
	if v == nil {
		return "None"
	}
	if m, ok := v.(*value.Map); ok {
		if name, ok := e.ctx.TypeNames[m]; ok {
			return name + " object"
		}
	}
	return value.TypeName(v) + " object"
}
