package action

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources"
)

const (
	// providerWait is how long one call of a provider waits for news.
	providerWait = 10 * time.Second
	// providerGrace is how long a provider has to end what was cancelled.
	providerGrace = 10 * time.Second
)

// Provided are the workflow actions of a provider. They are started and asked for: what runs goes on under its token when
// the engine was killed in the middle, and a provider hears of a timeout and of its workflow's cancellation.
func Provided(name string, p resources.Provider, types map[string]*resources.ActionType) []Definition {
	out := make([]Definition, 0, len(types))
	for _, called := range slices.Sorted(maps.Keys(types)) {
		t := types[called]
		a := provided{name: called, provider: p, schema: t}
		out = append(out, Definition{
			Name: called, Class: "provider " + name, Repr: "<" + called + " of provider " + name + ">",
			Inputs: providedInputs(t), Open: t.Open, Repeatable: t.Repeatable, Resumable: true, Check: a.check, Run: a.run,
		})
	}
	return out
}

// providedInputs are the inputs of a provider's action.
func providedInputs(t *resources.ActionType) []Input {
	var out []Input
	for _, a := range t.Arguments() {
		out = append(out, Input{Name: a.Name, Required: a.Required, Default: value.From(a.Default)})
	}
	return out
}

type provided struct {
	name     string
	provider resources.Provider
	schema   *resources.ActionType
}

// input turns a task's input into plain values, checked against the schema. Those by other names are the provider's to
// judge.
func (a provided) input(in *value.Map) (resources.Values, error) {
	text, err := value.JSON(in, value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	given, err := resources.DecodeValues([]byte(text))
	if err != nil {
		return nil, err
	}
	declared := resources.Values{}
	for name, v := range given {
		if a.schema.Inputs[name] != nil {
			declared[name] = v
		}
	}
	checked, faults := resources.CheckValues(a.schema.Inputs, declared)
	if len(faults) > 0 {
		return nil, &resources.Error{Kind: resources.Invalid, Faults: faults}
	}
	for name, v := range given {
		if a.schema.Inputs[name] == nil {
			checked[name] = v
		}
	}
	return checked, nil
}

func (a provided) check(in *value.Map) error {
	_, err := a.input(in)
	return err
}

func (a provided) run(ctx context.Context, in *value.Map, call Call) (any, error) {
	input, err := a.input(in)
	if err != nil {
		return nil, err
	}
	op := &resources.Operation{
		Key: "action " + call.ActionID, Action: resources.Run, Token: call.Token, Wait: providerWait,
		Repeated: call.Resumed && call.Token == "" && !call.SafeRerun,
		Call: &resources.Call{
			Name: a.name, Input: input, Workflow: call.Workflow, ExecutionID: call.ExecutionID, TaskID: call.TaskID,
		},
	}
	if deadline, ok := ctx.Deadline(); ok {
		op.Deadline = deadline
	}
	kept := call.Token
	carrier := resources.Carrier{Provider: a.provider, Keep: func(op *resources.Operation) error {
		if op.Token == kept || call.Keep == nil {
			return nil
		}
		kept = op.Token
		return call.Keep(ctx, op.Token)
	}}
	r, err := carrier.Carry(ctx, op)
	if call.Resumed && call.SafeRerun && resources.IsKind(err, resources.Interrupted) && ctx.Err() == nil {
		op.Token = "" // lost, and the task says that it may run once more
		r, err = carrier.Carry(ctx, op)
	}
	if err == nil {
		return value.From(r.Output), nil
	}
	var stop *Stop
	if ctx.Err() != nil && errors.As(context.Cause(ctx), &stop) {
		return nil, a.cancel(ctx, op, stop)
	}
	if data := resources.AsError(err).Data; data != nil {
		return nil, &Failure{Data: value.From(data)}
	}
	return nil, err
}

// cancel asks the provider to stop, and waits for a moment until it has.
func (a provided) cancel(ctx context.Context, op *resources.Operation, why *Stop) error {
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), providerGrace)
	defer end()
	if op.Deadline.Before(time.Now()) {
		op.Deadline = time.Time{} // it has passed, and what is left is to hear of the end
	}
	err := a.provider.Cancel(ctx, op)
	if err == nil && op.Token != "" {
		_, err = resources.Carrier{Provider: a.provider}.Carry(ctx, op)
	}
	switch {
	case err == nil || resources.IsKind(err, resources.Cancelled) || resources.IsKind(err, resources.NotFound):
		return why
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w; the provider was told, and has not stopped within %v", why, providerGrace)
	}
	return fmt.Errorf("%w; stopping it: %w", why, err)
}
