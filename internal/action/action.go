// Package action holds the actions that workflows run: the registry, and the std.* actions with inputs and results as
// OpenStack Mistral's.
//
// An action is a function from inputs to a result that may take its time and touch the world; it keeps no state, and
// ends when its context does. Sets of actions from elsewhere (OpenStack services, providers) are added to a Registry
// by the commands.
package action

import (
	"context"
	"fmt"
	"sort"

	"github.com/hotloom/hotloom/compiler/value"
)

// Definition is one action.
type Definition struct {
	Name   string
	Class  string // Mistral's Python class, which its messages show
	Repr   string // how its messages show an instance; "" for the usual <CLASS object>
	Inputs []Input
	Open   bool // takes further inputs by any name
	Async  bool // the result comes later, through Engine.CompleteAction
	// Repeatable says that running it twice is as good as once, so that it may run again after a crash whatever the
	// task's safe-rerun says.
	Repeatable bool
	// Resumable says that a run that was interrupted can be gone on with, by running it again with Call.Resumed and the
	// token that it kept last.
	Resumable bool
	// Check refuses inputs that Mistral's constructor refuses, before the action runs; nil checks nothing.
	Check func(in *value.Map) error
	Run   Func
}

// Input is a declared input.
type Input struct {
	Name     string
	Required bool
	Default  any
}

// Func runs an action with its inputs, until it has a result or its context ends: with a *Stop as the cause, the action is
// to stop for good; with any other, the process ends, and a Resumable one may leave its work going. A result must consist of plain values (see compiler/value). An error is shown
// as Mistral shows an exception, except for a *Failure, whose Data is the error result itself.
type Func func(ctx context.Context, in *value.Map, call Call) (any, error)

// Call says which execution an action belongs to.
type Call struct {
	Workflow    string
	ExecutionID string
	TaskID      string
	ActionID    string
	CallbackURL string
	Target      string

	SafeRerun bool   // the task says that to run it twice is as good as once
	Resumed   bool   // an earlier process has begun it
	Token     string // what it kept last, in whichever process
	// Keep keeps a token for a Resumable action; it returns when that is durable. It may be nil.
	Keep func(ctx context.Context, token string) error
}

// Stop is the cause for which a context of an action ends that is to stop: its time is over, or its workflow was cancelled.
type Stop struct{ Reason string }

func (s *Stop) Error() string { return s.Reason }

// Failure is an error with data: the action's error result.
type Failure struct{ Data any }

func (f *Failure) Error() string { return value.Str(f.Data) }

// Registry finds actions by name.
type Registry struct{ byName map[string]*Definition }

// NewRegistry makes a registry of sets of actions. A name that stands twice is an error.
func NewRegistry(sets ...[]Definition) (*Registry, error) {
	r := &Registry{byName: map[string]*Definition{}}
	for _, set := range sets {
		for i := range set {
			d := &set[i]
			if r.byName[d.Name] != nil {
				return nil, fmt.Errorf("action %s is registered twice", d.Name)
			}
			r.byName[d.Name] = d
		}
	}
	return r, nil
}

// With gives a registry that has more actions.
func (r *Registry) With(more []Definition) (*Registry, error) {
	out, err := NewRegistry(more)
	if err != nil {
		return nil, err
	}
	for name, d := range r.byName {
		if out.byName[name] != nil {
			return nil, fmt.Errorf("action %s is registered twice", name)
		}
		out.byName[name] = d
	}
	return out, nil
}

// Find gives an action, or nil.
func (r *Registry) Find(name string) *Definition { return r.byName[name] }

// Names lists the actions in order.
func (r *Registry) Names() []string {
	out := make([]string, 0, len(r.byName))
	for name := range r.byName {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}

func required(names ...string) []Input {
	out := make([]Input, len(names))
	for i, name := range names {
		out[i] = Input{Name: name, Required: true}
	}
	return out
}

func with(inputs []Input, names ...string) []Input {
	for _, name := range names {
		inputs = append(inputs, Input{Name: name})
	}
	return inputs
}
