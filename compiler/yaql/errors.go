package yaql

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// Error is why an expression could not be evaluated. Class is the name of the YAQL or Python exception that the
// original raises, Message its text. Limit says that one of the limits of Options was passed. Start and End are the
// part of the expression that failed, in characters; both are 0 where no part is to blame.
type Error struct {
	Class, Message string
	Limit          bool
	Start, End     int
}

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Class
	}
	return e.Message
}

func fail(class, format string, args ...any) error {
	return value.Errorf(class, format, args...)
}

func errNoFunction(name string) error {
	return fail("NoFunctionRegisteredException", "Unknown function \"%s\"", name)
}

func errNoMethod(name string, recv any) error {
	return fail("NoMethodRegisteredException", "Unknown method \"%s\" for receiver %s", name, shown(recv))
}

func errNoMatch(name string, r receiver) error {
	if r.given {
		return fail("NoMatchingMethodException", "No method \"%s\" for receiver %s matches supplied arguments", name, shown(r.val))
	}
	return fail("NoMatchingFunctionException", "No function \"%s\" matches supplied arguments", name)
}

func errAmbiguous(name string, r receiver) error {
	if r.given {
		return fail("AmbiguousMethodException", "Ambiguous method \"%s\" for receiver %s", name, shown(r.val))
	}
	return fail("AmbiguousFunctionException", "Ambiguous function \"%s\"", name)
}

func errArgument(name string) error {
	return fail("ArgumentException", "Invalid argument %s", name)
}

func errMapping() error {
	return fail("MappingTranslationException", "Cannot convert mapping to keyword argument")
}

func errTooMany(n int) error {
	return fail("CollectionTooLargeException", "Collection length exceeds %d elements", n)
}

func errQuota() error {
	return fail("MemoryQuotaExceededException", "Expression consumed too much memory")
}

func errKey(key any) error {
	return &value.Error{Class: "KeyError", Msg: value.Repr(key)}
}

// errStop is the StopIteration of a collection that has too few items, or, with a message, too many.
func errStop(msg string) error { return &value.Error{Class: "StopIteration", Msg: msg} }

// errLimit is a limit of ours: the original would go on until something gives way.
type errLimit struct{ msg string }

func (e *errLimit) Error() string { return e.msg }

func limitf(format string, args ...any) error { return &errLimit{fmt.Sprintf(format, args...)} }

// asError gives the exported form of an error met in evaluation.
func asError(err error) error {
	var own *Error
	var py *value.Error
	var limit *errLimit
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &py):
		limits := py.Class == "CollectionTooLargeException" || py.Class == "MemoryQuotaExceededException" ||
			py.Class == "RecursionError" || py.Class == "MemoryError"
		return &Error{Class: py.Class, Message: py.Msg, Limit: limits}
	case errors.As(err, &limit):
		return &Error{Class: "LimitError", Message: limit.msg, Limit: true}
	case errors.Is(err, value.ErrBudget):
		return &Error{Class: "LimitError", Message: msgSteps, Limit: true}
	}
	return err
}

const msgSteps = "expression takes too many steps"

// shown is a value as error texts show it, cut where it gets long.
func shown(v any) string {
	const most = 2000
	s, err := (&value.Meter{Left: 20_000}).Str(v)
	if err != nil || len(s) > most {
		s = value.Slice(s, 0, most) + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}
