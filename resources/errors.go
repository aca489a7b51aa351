package resources

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what a host can do about an error.
type Kind string

// The kinds of errors.
const (
	Permanent   Kind = "permanent"   // trying again changes nothing
	Invalid     Kind = "invalid"     // the input is wrong; Faults say where
	Retryable   Kind = "retryable"   // may go well later: start again with the same key, not before After
	NotFound    Kind = "not-found"   // the thing does not exist (any more); a delete then counts as done
	Cancelled   Kind = "cancelled"   // it was asked to stop, or its deadline has passed
	Unsupported Kind = "unsupported" // the provider has no such type, tool, action, or the type no such lifecycle step
	Interrupted Kind = "interrupted" // the provider ended in the middle, and nobody knows how far it came
)

// Error is a failed operation.
type Error struct {
	Kind    Kind          `json:"kind"`
	Message string        `json:"message"`
	Faults  []Fault       `json:"faults,omitempty"`
	After   time.Duration `json:"after,omitempty"` // of a Retryable one
	// Data is the error result of an action, or the outputs of a tool that failed (deploy_stderr, …).
	Data any `json:"data,omitempty"`

	cause error
}

// Fault is what is wrong with one value of the input.
type Fault struct {
	// Path leads to the value: names of properties and entries, positions in lists in decimal. Empty: the whole.
	Path    []string `json:"path,omitempty"`
	Message string   `json:"message"`
}

func (f Fault) String() string {
	if len(f.Path) == 0 {
		return f.Message
	}
	return strings.Join(f.Path, ".") + ": " + f.Message
}

func (e *Error) Error() string {
	if len(e.Faults) == 0 {
		return e.Message
	}
	parts := make([]string, 0, len(e.Faults)+1)
	if e.Message != "" {
		parts = append(parts, e.Message)
	}
	for _, f := range e.Faults {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, "; ")
}

// Unwrap is the cause, where it is known in this process.
func (e *Error) Unwrap() error { return e.cause }

// Errorf makes an error of a kind; %w keeps a cause.
func Errorf(k Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: k, Message: err.Error(), cause: errors.Unwrap(err)}
}

// InvalidAt is an error about one value of the input.
func InvalidAt(path []string, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Faults: []Fault{{Path: path, Message: fmt.Sprintf(format, args...)}}}
}

// RetryAfter is an error that may pass.
func RetryAfter(after time.Duration, format string, args ...any) *Error {
	e := Errorf(Retryable, format, args...)
	e.After = after
	return e
}

// AsError gives an error as an *Error: what is none of them is permanent. Nil stays nil.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		if err == error(e) {
			return e
		}
		wrapped := *e // keep the words that were put around it
		if len(e.Faults) == 0 {
			wrapped.Message = err.Error()
		}
		wrapped.cause = err
		return &wrapped
	}
	return &Error{Kind: Permanent, Message: err.Error(), cause: err}
}

// IsKind reports whether an error is of a kind.
func IsKind(err error, k Kind) bool {
	e := AsError(err)
	return e != nil && e.Kind == k
}
