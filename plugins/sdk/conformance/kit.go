package conformance

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// kit is what the tests of one type have in common.
type kit struct {
	start  func(*testing.T) resources.Provider
	e      Example
	typ    *catalog.Type
	count  int
	secret resources.Scrubber // what nothing may show
}

func (k *kit) properties(t *testing.T) resources.Values {
	if k.e.Fresh != nil {
		return k.e.Fresh(t)
	}
	return maps.Clone(k.e.Properties)
}

func (k *kit) operation(t *testing.T, action resources.Action) *resources.Operation {
	t.Helper()
	k.count++
	values, faults := resources.CheckValues(k.typ.Properties, k.properties(t))
	if len(faults) > 0 {
		t.Fatalf("the example's properties do not fit the schema: %v", faults)
	}
	k.secret.AddMarked(k.typ.Properties, values)
	return &resources.Operation{
		Key: fmt.Sprintf("conformance-%d", k.count), Action: action, Wait: time.Second, Deadline: time.Now().Add(k.e.Timeout),
		Resource: &resources.Instance{
			Type: k.e.Type, Name: "example", Stack: "conformance", StackID: "6a8c0f9e-0000-4000-8000-000000000000",
			PhysicalName: "conformance-example", Properties: values,
		},
	}
}

// then is another action on the resource of an operation: one of those that are tested, an Update with the example's.
func (k *kit) then(t *testing.T, op *resources.Operation, action resources.Action) *resources.Operation {
	t.Helper()
	k.count++
	next := *op
	instance := *op.Resource
	next.Resource, next.Action, next.Key, next.Token = &instance, action, fmt.Sprintf("conformance-%d", k.count), ""
	next.Repeated, next.Wait, next.Deadline = false, time.Second, time.Now().Add(k.e.Timeout)
	if action == resources.Update {
		values, faults := resources.CheckValues(k.typ.Properties, k.e.Update)
		if len(faults) > 0 {
			t.Fatalf("the example's update does not fit the schema: %v", faults)
		}
		k.secret.AddMarked(k.typ.Properties, values)
		next.Prior, instance.Properties = op.Resource.Properties, values
	}
	return &next
}

// run starts an operation and polls it to its end.
func (k *kit) run(t *testing.T, p resources.Provider, op *resources.Operation) (*resources.Result, error) {
	t.Helper()
	op.Token = ""
	return k.finish(t, p, op)
}

// finish goes on with an operation: it starts what has no token, and polls to the end.
func (k *kit) finish(t *testing.T, p resources.Provider, op *resources.Operation) (r *resources.Result, err error) {
	t.Helper()
	if op.Token == "" {
		r, err = p.Start(t.Context(), op)
	} else {
		r, err = p.Poll(t.Context(), op)
	}
	for k.look(t, op, r, err); err == nil && !r.Done; k.look(t, op, r, err) {
		if time.Now().After(op.Deadline.Add(10 * time.Second)) {
			t.Fatalf("%s goes on after its deadline", op.Action)
		}
		op.Follow(r)
		r, err = p.Poll(t.Context(), op)
	}
	op.Follow(r)
	op.Token = ""
	return r, k.secret.Error(err)
}

func (k *kit) create(t *testing.T, p resources.Provider) *resources.Operation {
	t.Helper()
	op := k.operation(t, resources.Create)
	r, err := k.run(t, p, op)
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	if op.Resource.ID == "" {
		t.Error("create gave no id: call SetID")
	}
	for name := range r.Attributes {
		if k.typ.Attributes[name] == nil && !k.typ.DynamicAttributes {
			t.Errorf("create gave attribute %s, which the schema does not have", name)
		}
	}
	k.exist(t, "after its create", 1)
	return op
}

// delete deletes the resource, of which nothing may be left.
func (k *kit) delete(t *testing.T, p resources.Provider, op *resources.Operation) {
	t.Helper()
	if _, err := k.run(t, p, k.then(t, op, resources.Delete)); err != nil {
		t.Errorf("delete: %v", err)
	}
	k.exist(t, "after its delete", 0)
}

// exist compares how many things there are with how many there may be at most.
func (k *kit) exist(t *testing.T, when string, most int) {
	t.Helper()
	if k.e.Left == nil {
		return
	}
	if left := k.e.Left(t); len(left) > most {
		t.Errorf("%s there are %d of the resource's things, want at most %d: %v", when, len(left), most, left)
	}
}
