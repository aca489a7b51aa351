package local

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// ProviderTypes are the resource types of a provider.
func ProviderTypes(p resources.Provider, types map[string]*catalog.Type) Types {
	out := Types{}
	for name, t := range types {
		out[name] = providerType{p, t}
	}
	return out
}

// providerType makes resources by a provider. What is needed to go on with an operation is kept before it is awaited, so
// that a stack whose hotloom was killed asks the provider what has become of it.
type providerType struct {
	provider resources.Provider
	schema   *catalog.Type
}

var (
	_ Remover = providerType{}
	_ Resumer = providerType{}
)

// What a record keeps for a provider, beside the id and the attributes.
const (
	keptData       = "provider-data"
	keptProperties = "provider-properties"
	keptOperation  = "provider-operation" // while it goes on
)

// ofProvider reports whether a record is of a resource that a provider made, or was making.
func ofProvider(rec *Record) bool {
	for _, name := range []string{keptData, keptProperties, keptOperation} {
		if _, kept := rec.Properties[name]; kept {
			return true
		}
	}
	return false
}

// patience is how long one call waits for news.
const patience = 10 * time.Second

// Make implements Type.
func (t providerType) Make(ctx context.Context, i *Instance) error {
	rec := i.Record
	properties, err := plainMap(i.Properties)
	if err != nil {
		return err
	}
	checked, faults := resources.CheckValues(t.schema.Properties, properties)
	if len(faults) == 0 && t.schema.OwnValidate {
		of := &resources.Instance{Type: rec.Type, Name: i.Node.Key, Stack: i.runtime.state.Info().Name, Properties: checked}
		if faults, err = t.provider.Validate(ctx, of); err != nil {
			return i.faulty(err)
		}
	}
	if len(faults) > 0 {
		return i.faulty(&resources.Error{Kind: resources.Invalid, Faults: faults})
	}
	op, err := t.begun(ctx, i, checked)
	if err != nil {
		return err
	}
	r, err := t.carry(ctx, i.runtime, rec, op)
	if err != nil {
		return i.faulty(err)
	}
	if r.Replace {
		if err := t.undo(ctx, i.runtime, rec); err != nil {
			return err
		}
		if _, err = t.carry(ctx, i.runtime, rec, t.operation(i.runtime, rec, resources.Create, checked)); err != nil {
			return i.faulty(err)
		}
	}
	rec.keep(keptProperties, value.From(checked))
	i.identify()
	return t.attributes(ctx, i.runtime, rec, checked)
}

// operation is a new operation on the resource of a record.
func (t providerType) operation(r *Runtime, rec *Record, action resources.Action, properties resources.Values) *resources.Operation {
	data, _ := keptValues(rec, keptData) // what cannot be read is none
	return &resources.Operation{
		Key: newUUID(), Action: action, Wait: patience,
		Resource: &resources.Instance{
			Type: rec.Type, Name: rec.Key, Stack: r.state.Info().Name, PhysicalName: r.state.Info().Name + "-" + rec.Key,
			Properties: properties, ID: rec.ID, Data: data,
		},
	}
}

// Resumes implements Resumer: an operation that was interrupted can be asked for.
func (t providerType) Resumes(rec *Record) bool {
	_, kept := rec.Properties[keptOperation]
	return kept
}

// begun gives the operation that makes an instance what it is to be: one that was interrupted, or a new one. One that was
// interrupted and is not wanted any more is brought to an end first.
func (t providerType) begun(ctx context.Context, i *Instance, properties resources.Values) (*resources.Operation, error) {
	rec := i.Record
	left, err := interrupted(rec)
	if err != nil {
		return nil, err
	}
	if left != nil {
		if left.Action == resources.Action(i.Action) && reflect.DeepEqual(left.Resource.Properties, properties) {
			left.Repeated = left.Token == ""
			return left, nil
		}
		if i.Action == create {
			err = t.undo(ctx, i.runtime, rec)
		} else {
			err = t.settle(ctx, i.runtime, rec)
		}
		if err != nil {
			return nil, err
		}
	}
	op := t.operation(i.runtime, rec, resources.Action(i.Action), properties)
	if i.Action == create {
		rec.keep(keptProperties, value.From(properties)) // for a deletion, should the creation fail
		return op, nil
	}
	op.Prior, err = keptValues(rec, keptProperties)
	return op, err
}

// undo removes what a record stands for, and makes it as if there had been nothing.
func (t providerType) undo(ctx context.Context, r *Runtime, rec *Record) error {
	if err := t.Remove(ctx, r, rec); err != nil {
		return err
	}
	rec.ID = ""
	delete(rec.Properties, keptData)
	return nil
}

// carry carries an operation to its end.
func (t providerType) carry(ctx context.Context, r *Runtime, rec *Record, op *resources.Operation) (*resources.Result, error) {
	res, err := resources.Carrier{
		Provider: t.provider,
		Keep:     func(op *resources.Operation) error { return t.remember(r, rec, op) },
		Progress: func(e resources.Event) { r.event(rec.Key, "resource", rec.Status, e.Message) },
	}.Carry(ctx, op)
	if err != nil && ctx.Err() != nil {
		return nil, err // what runs goes on: it is asked for when the stack goes on
	}
	rec.Properties = maps.Clone(rec.Properties)
	delete(rec.Properties, keptOperation)
	return res, errors.Join(err, r.state.Put(take(rec, op)))
}

// remember keeps an operation that goes on.
func (t providerType) remember(r *Runtime, rec *Record, op *resources.Operation) error {
	text, err := json.Marshal(op)
	if err != nil {
		return err
	}
	rec.keep(keptOperation, string(text))
	return r.state.Put(take(rec, op))
}

// take makes what an operation knows of a resource the record's.
func take(rec *Record, op *resources.Operation) *Record {
	rec.ID = op.Resource.ID
	if op.Resource.Data != nil {
		rec.keep(keptData, value.From(op.Resource.Data))
	}
	return rec
}

// keep keeps a value for later operations.
func (r *Record) keep(name string, v any) {
	r.Properties = maps.Clone(r.Properties) // others may be reading the old one
	if r.Properties == nil {
		r.Properties = map[string]Value{}
	}
	r.Properties[name] = Value{v}
}

// attributes reads the attributes of a resource that was made.
func (t providerType) attributes(ctx context.Context, r *Runtime, rec *Record, properties resources.Values) error {
	op := t.operation(r, rec, resources.Check, properties)
	all, err := t.provider.Attributes(ctx, op.Resource, nil)
	if err != nil {
		return err
	}
	rec.Attributes, rec.Secret = newValues(), nil
	for _, name := range slices.Sorted(maps.Keys(all)) {
		rec.Attributes.SetStr(name, value.From(all[name]))
		if a := t.schema.Attributes[name]; a != nil && a.Secret {
			rec.Secret = append(rec.Secret, name)
		}
	}
	return nil
}

// Remove implements Remover. An operation that was interrupted is brought to an end first: only then it is known what
// there is to remove.
func (t providerType) Remove(ctx context.Context, r *Runtime, rec *Record) error {
	op, err := interrupted(rec)
	if err != nil {
		return err
	}
	if op != nil && op.Action == resources.Delete {
		op.Repeated = op.Token == ""
		_, err := t.carry(ctx, r, rec, op)
		return err
	}
	if err := t.settle(ctx, r, rec); err != nil {
		return err
	}
	properties, err := keptValues(rec, keptProperties)
	if err != nil {
		return err
	}
	_, err = t.carry(ctx, r, rec, t.operation(r, rec, resources.Delete, properties))
	return err
}

// settle cancels an operation that was interrupted, and waits for its end.
func (t providerType) settle(ctx context.Context, r *Runtime, rec *Record) error {
	op, err := interrupted(rec)
	if op == nil || err != nil {
		return err
	}
	op.Repeated = op.Token == ""
	if err := t.provider.Cancel(ctx, op); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if _, err := t.carry(ctx, r, rec, op); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil // that it failed is all right: what there is goes, or is changed
}

// interrupted is the operation in whose middle hotloom was killed; nil where there is none.
func interrupted(rec *Record) (*resources.Operation, error) {
	text, ok := rec.Properties[keptOperation].V.(string)
	if !ok {
		return nil, nil
	}
	return resources.DecodeOperation([]byte(text))
}

// faulty puts what is wrong with a property at its place in the template.
func (i *Instance) faulty(err error) error {
	for _, f := range resources.AsError(err).Faults {
		if len(f.Path) > 0 && i.Node.Properties.Get(f.Path[0]) != nil {
			return fault(i.Node.Properties.Get(f.Path[0]).At(), "%s: %w", i.Node.Key, err)
		}
	}
	return err
}

// plainMap turns a map of the expression languages into plain values.
func plainMap(m *value.Map) (resources.Values, error) {
	text, err := value.JSON(m, value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	return resources.DecodeValues([]byte(text))
}

// keptValues are values that a record keeps; nil where there are none.
func keptValues(rec *Record, name string) (resources.Values, error) {
	m, ok := rec.Properties[name].V.(*value.Map)
	if !ok {
		return nil, nil
	}
	return plainMap(m)
}
