package conformance

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/hotloom/hotloom/resources"
)

// testAction runs an action of workflows, in the place of an engine.
func testAction(t *testing.T, start func(*testing.T) resources.Provider, d *resources.Description, e Example) {
	t.Helper()
	typ := d.Actions[e.Action]
	if typ == nil {
		t.Errorf("the provider has no action %s", e.Action)
		return
	}
	if e.Timeout == 0 {
		e.Timeout = time.Minute
	}
	carry := func(t *testing.T, p resources.Provider, key string, input resources.Values) (*resources.Result, error) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), e.Timeout)
		defer cancel()
		return resources.Carrier{Provider: p}.Carry(ctx, &resources.Operation{
			Key: key, Action: resources.Run, Wait: time.Second, Call: &resources.Call{Name: e.Action, Input: input},
		})
	}
	t.Run(e.Action, func(t *testing.T) {
		t.Run("run and run again", func(t *testing.T) {
			p := connect(t, start(t))
			first, err := carry(t, p, "conformance run", e.Properties)
			if err != nil {
				t.Fatal(err)
			}
			if second, err := carry(t, p, "conformance run", e.Properties); err != nil || !reflect.DeepEqual(first.Output, second.Output) {
				t.Errorf("started again under the same key: %+v %v, want the end of the first", second, err)
			}
		})
		t.Run("unknown input", func(t *testing.T) {
			if typ.Open {
				t.Skip("the action takes inputs of any name")
			}
			input := resources.Values{"hotloom-no-such-input": "x"}
			for name, v := range e.Properties {
				input[name] = v
			}
			if _, err := carry(t, connect(t, start(t)), "conformance unknown input", input); !resources.IsKind(err, resources.Invalid) {
				t.Errorf("an input that does not exist: %v, want an error of kind %s", err, resources.Invalid)
			}
		})
		t.Run("lost provider", func(t *testing.T) {
			op := &resources.Operation{
				Key: "conformance lost", Action: resources.Run, Wait: time.Second, Repeated: true, Call: &resources.Call{Name: e.Action, Input: e.Properties},
			}
			ctx, cancel := context.WithTimeout(t.Context(), e.Timeout)
			defer cancel()
			_, err := resources.Carrier{Provider: connect(t, start(t))}.Carry(ctx, op)
			switch {
			case typ.Repeatable && err != nil:
				t.Errorf("run again in the next process: %v, want success of what is repeatable", err)
			case !typ.Repeatable && err != nil && !resources.IsKind(err, resources.Interrupted):
				t.Errorf("run again in the next process: %v, want success or an error of kind %s", err, resources.Interrupted)
			}
		})
	})
}
