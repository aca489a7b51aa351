package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine"
)

// applyNode makes a node, updates it, or leaves it as it is.
func (r *Runtime) applyNode(ctx context.Context, n *target.Node, key string, in *value.Map) (any, error) {
	if n == nil {
		return nil, fmt.Errorf("the plan has no node %s", key)
	}
	there, err := r.enabled(n)
	if err != nil {
		return nil, r.fail(r.begin(n, create), n, err)
	}
	if !there {
		return nil, r.removeRecord(ctx, key)
	}
	switch n.Kind {
	case target.Step:
		err = r.applyStep(ctx, n)
	case target.Host:
		err = r.applyHost(n)
	case target.Workflow:
		result, _ := in.GetStr("result")
		err = r.finishWorkflow(n, result)
	case target.Resource:
		err = r.applyResource(ctx, n)
	default:
		err = r.applyJoin(n)
	}
	return nil, err
}

// enabled reports whether the conditions of a node, its component and the stacks around it hold. The plan has left out
// what is certain not to be there; in nested templates a condition may read what is known only now.
func (r *Runtime) enabled(n *target.Node) (bool, error) {
	r.eval.Lock()
	defer r.eval.Unlock()
	var conditions []*source.Node
	if n.Resource != nil {
		conditions = append(conditions, n.Resource.Condition)
	}
	if n.Component != nil {
		conditions = append(conditions, n.Component.Host.Resource.Condition, n.Component.Decl.Condition)
	}
	scope, err := r.scope(n.Stack)
	if err != nil {
		return false, err
	}
	for _, c := range conditions {
		if c == nil {
			continue
		}
		truth, err := scope.Truth(c)
		if err != nil {
			return false, fault(c.At(), "%v", err)
		}
		if truth == function.False {
			return false, nil
		}
	}
	return true, nil
}

// begin notes that an action on a node has begun, and tells it.
func (r *Runtime) begin(n *target.Node, action string) *Record {
	rec := r.state.Record(n.Key)
	if rec == nil {
		rec = &Record{Key: n.Key}
	}
	rec.Kind, rec.Type, rec.After = string(n.Kind), n.Type, n.After
	rec.Status, rec.Reason, rec.Started, rec.Ended = action+inProgress, "", time.Now().UTC(), time.Time{}
	return rec
}

// start keeps the record that an action has begun with.
func (r *Runtime) start(rec *Record, n *target.Node) error {
	if err := r.state.Put(rec); err != nil {
		return err
	}
	r.event(n.Key, n.Kind, rec.Status, "")
	return nil
}

// finish keeps the record of what is complete.
func (r *Runtime) finish(rec *Record, n *target.Node, message string) error {
	rec.Status, rec.Ended = actionOf(rec.Status)+complete, time.Now().UTC()
	r.keepSecrets(rec)
	if err := r.state.Put(rec); err != nil {
		return err
	}
	r.event(n.Key, n.Kind, rec.Status, message)
	return nil
}

// fail keeps why an action on a node failed, and gives that. What was interrupted stays in progress.
func (r *Runtime) fail(rec *Record, n *target.Node, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, engine.ErrClosed) {
		return err
	}
	err = located(n, err)
	rec.Status, rec.Reason, rec.Ended = actionOf(rec.Status)+failed, r.redact.text(err.Error()), time.Now().UTC()
	if kept := r.state.Put(rec); kept != nil {
		return errors.Join(err, kept)
	}
	r.event(n.Key, n.Kind, rec.Status, err.Error())
	return err
}

// actionOf is the action in a status.
func actionOf(status string) string {
	for _, a := range []string{create, update, remove} {
		if len(status) > len(a) && status[:len(a)] == a {
			return a
		}
	}
	return create
}

// unchanged leaves a node as it is. Its place in the order may have changed.
func (r *Runtime) unchanged(rec *Record, n *target.Node) error {
	if !slices.Equal(rec.After, n.After) {
		if err := r.state.Change(rec.Key, func(rec *Record) error { rec.After = n.After; return nil }); err != nil {
			return err
		}
	}
	r.event(n.Key, n.Kind, Unchanged, "")
	return nil
}

// applyJoin completes what is nothing but the sum of others: a group, a nested stack, a handle.
func (r *Runtime) applyJoin(n *target.Node) error {
	if rec := r.state.Record(n.Key); rec.made() {
		return r.unchanged(rec, n)
	}
	if n.Kind == target.Nested {
		r.eval.Lock()
		_, err := r.scope(n.Inner)
		r.eval.Unlock()
		if err != nil {
			return r.fail(r.begin(n, create), n, err)
		}
	}
	rec := r.begin(n, create)
	rec.ID = newUUID()
	return r.finish(rec, n, "")
}

// properties computes the properties of a resource.
func (r *Runtime) properties(n *target.Node) (*value.Map, error) {
	v, err := r.value(n, n.Properties)
	if err != nil {
		return nil, err
	}
	m, ok := v.(*value.Map)
	if !ok {
		if v != nil {
			return nil, fault(n.Properties.At(), "the properties of %s are no map", n.Key)
		}
		m = value.NewMap(0)
	}
	return m, nil
}

// applyResource makes or updates a resource by its type.
func (r *Runtime) applyResource(ctx context.Context, n *target.Node) error {
	old := r.state.Record(n.Key)
	typ := r.types[n.Type]
	if typ == nil && r.opts.Stub {
		typ = stub{}
	}
	if typ == nil {
		return r.fail(r.begin(n, create), n, fmt.Errorf("a resource of type %s can not be made on this machine", n.Type))
	}
	properties, err := r.properties(n)
	if err != nil {
		return r.fail(r.begin(n, create), n, err)
	}
	metadata, err := r.value(n, n.Metadata)
	if err != nil {
		return r.fail(r.begin(n, create), n, err)
	}
	parts := map[string]string{}
	for k, v := range properties.All() {
		parts[value.Str(k)] = r.state.digest(v)
	}
	if metadata != nil {
		parts["/metadata"] = r.state.digest(metadata)
	}
	action, resumes := create, false
	switch {
	case old == nil:
	case old.Type == n.Type && old.Status == create+inProgress && resumable(typ, old):
		resumes = true
	case old.Type != n.Type || !old.made() && !old.updating():
		err = r.discard(ctx, old) // a failed one is replaced, as Heat does
	case old.made() && maps.Equal(old.Parts, parts):
		return r.unchanged(old, n)
	case r.replaces(n, typ, old, parts):
		err = r.discard(ctx, old)
	default:
		action = update
	}
	if err != nil {
		return r.fail(r.begin(n, create), n, err)
	}
	rec := r.begin(n, action)
	if action == create && !resumes {
		serial := rec.Serial
		rec = &Record{
			Key: rec.Key, Kind: rec.Kind, Type: rec.Type, After: rec.After, Status: rec.Status, Started: rec.Started, Serial: serial,
		}
	}
	if err := r.start(rec, n); err != nil {
		return err
	}
	i := &Instance{Node: n, Action: action, Properties: properties, Record: rec, runtime: r}
	if err := typ.Make(ctx, i); err != nil {
		return r.fail(rec, n, err)
	}
	rec.Parts = parts
	return r.finish(rec, n, i.message)
}

func resumable(typ Type, rec *Record) bool {
	r, ok := typ.(Resumer)
	return ok && r.Resumes(rec)
}

// replaces reports whether a change has to make a new resource: a property changed that Heat does not update.
func (r *Runtime) replaces(n *target.Node, typ Type, old *Record, parts map[string]string) bool {
	if _, isStub := typ.(stub); isStub {
		return false
	}
	definition := r.project.Catalog.Type(n.Type)
	if definition == nil {
		return false
	}
	for name := range union(old.Parts, parts) {
		if old.Parts[name] == parts[name] {
			continue
		}
		if p := definition.Properties[name]; p != nil && !p.Update {
			return true
		}
	}
	return false
}

func union(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, b)
	return out
}
