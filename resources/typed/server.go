package typed

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/resources"
)

// server is the resources.Provider of a Provider.
type server struct {
	provider    Provider
	description *resources.Description
	types       map[string]*resourceType

	mu    sync.Mutex
	works map[string]*work // by key
	ended []string         // keys of those that have ended, oldest first

	closed  bool
	running sync.WaitGroup
}

var _ resources.Provider = (*server)(nil)

func (s *server) Describe(context.Context) (*resources.Description, error) { return s.description, nil }

func (s *server) typeOf(of *resources.Instance) (*resourceType, error) {
	if t := s.types[of.Type]; t != nil {
		return t, nil
	}
	return nil, resources.Errorf(resources.Unsupported, "provider %s has no type %s", s.provider.Name, of.Type)
}

// value makes a struct with properties and attributes filled in.
func (t *resourceType) value(of *resources.Instance) (Resource, reflect.Value) {
	r := t.fresh()
	v := reflect.ValueOf(r).Elem()
	if stored, ok := of.Data[attributesKey].(map[string]any); ok {
		t.layout.restore(v, stored)
	}
	t.layout.fill(v, of.Properties)
	return r, v
}

func (s *server) Validate(_ context.Context, of *resources.Instance) ([]resources.Fault, error) {
	t, err := s.typeOf(of)
	if err != nil {
		return nil, err
	}
	values, faults := resources.CheckValues(t.schema.Properties, of.Properties, of.Unknown...)
	if len(faults) > 0 {
		return faults, nil
	}
	checked := *of
	checked.Properties = values
	r, _ := t.value(&checked)
	if v, ok := r.(Validator); ok {
		return v.Validate(context.Background(), newCall(of)), nil
	}
	return nil, nil
}

func (s *server) Attributes(ctx context.Context, of *resources.Instance, names []string) (resources.Values, error) {
	t, err := s.typeOf(of)
	if err != nil {
		return nil, err
	}
	r, v := t.value(of)
	c := newCall(of)
	if reader, ok := r.(Reader); ok {
		if err := reader.Read(ctx, c); err != nil {
			return nil, err
		}
	}
	all, err := t.layout.collect(v)
	if err != nil {
		return nil, err
	}
	for name, v := range c.attributes {
		all[name] = v
	}
	if len(names) == 0 {
		return all, nil
	}
	out := make(resources.Values, len(names))
	for _, name := range names {
		if v, ok := all[name]; ok {
			out[name] = v
		} else if !t.schema.DynamicAttributes {
			return nil, resources.InvalidAt([]string{name}, "%s has no such attribute", of.Type)
		}
	}
	return out, nil
}

// SetAttribute gives a value to an attribute that no field stands for, for types with dynamic attributes.
func (c *Call) SetAttribute(name string, v any) {
	plain, err := resources.Plain(v)
	if err != nil {
		plain = nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.attributes == nil {
		c.attributes = resources.Values{}
	}
	c.attributes[name] = plain
}

// method finds what an operation runs, and whether it is safe to run it again.
func (s *server) method(op *resources.Operation) (run func(context.Context, *Call) error, again bool, err error) {
	switch {
	case op.Resource != nil:
		return s.resourceMethod(op)
	case op.Tool != nil:
		t, ok := s.provider.Tools[op.Tool.Tool]
		if !ok {
			return nil, false, resources.Errorf(resources.Unsupported, "provider %s has no tool %s", s.provider.Name, op.Tool.Tool)
		}
		if len(t.Actions) > 0 && !slices.Contains(t.Actions, op.Action) {
			return nil, false, resources.Errorf(resources.Unsupported, "tool %s has no action %s", op.Tool.Tool, op.Action)
		}
		options, faults := resources.CheckValues(t.Options, op.Tool.Options)
		if len(faults) > 0 {
			return nil, false, invalid(faults)
		}
		tool := *op.Tool
		tool.Options = options
		return func(ctx context.Context, c *Call) error {
			outputs, err := t.Run(ctx, c, &tool)
			if err == nil {
				c.SetOutput(outputs)
				return nil
			}
			e := *resources.AsError(err)
			if e.Data == nil && outputs != nil {
				e.Data = outputs
			}
			return &e
		}, t.Repeatable, nil
	case op.Call != nil:
		a, ok := s.provider.Actions[op.Call.Name]
		if !ok {
			return nil, false, resources.Errorf(resources.Unsupported, "provider %s has no action %s", s.provider.Name, op.Call.Name)
		}
		declared, extra := op.Call.Input, resources.Values{}
		if a.Open {
			declared = resources.Values{}
			for name, v := range op.Call.Input {
				if a.inputs[name] != nil {
					declared[name] = v
				} else {
					extra[name] = v
				}
			}
		}
		input, faults := resources.CheckValues(a.inputs, declared)
		if len(faults) > 0 {
			return nil, false, invalid(faults)
		}
		for name, v := range extra {
			input[name] = v
		}
		token, left := authorToken(op.Token)
		return func(ctx context.Context, c *Call) error {
			c.Token = token
			out, err := a.run(ctx, c, input)
			if err == nil {
				c.SetOutput(out)
			}
			return err
		}, a.Repeatable || left, nil
	}
	return nil, false, resources.Errorf(resources.Permanent, "the operation is about nothing")
}

func invalid(faults []resources.Fault) error {
	return &resources.Error{Kind: resources.Invalid, Faults: faults}
}

func (s *server) resourceMethod(op *resources.Operation) (run func(context.Context, *Call) error, again bool, err error) {
	t, err := s.typeOf(op.Resource)
	if err != nil {
		return nil, false, err
	}
	of := *op.Resource
	// What is there is deleted, suspended and so on also where its properties fit the schema no more.
	values, faults := resources.CheckValues(t.schema.Properties, of.Properties)
	switch {
	case len(faults) == 0:
		of.Properties = values
	case op.Action == resources.Create || op.Action == resources.Update:
		return nil, false, invalid(faults)
	}
	r, v := t.value(&of)
	step := actionMethod(r, op)
	if op.Token != "" || op.Repeated {
		again = op.Action == resources.Delete || op.Action == resources.Check
		if rec, ok := r.(Recoverer); ok && !again {
			step, again = rec.Recover, true
		}
	}
	if token, ok := authorToken(op.Token); ok {
		p, isPoller := r.(Poller)
		if !isPoller {
			return nil, false, resources.Errorf(resources.Permanent, "%s left work with Later, but has no Poll", t.name)
		}
		again = true
		step = func(ctx context.Context, c *Call) error { c.Token = token; return p.Poll(ctx, c) }
	}
	if step == nil {
		return nil, false, resources.Errorf(resources.Unsupported, "%s cannot %s", t.name, strings.ToLower(string(op.Action)))
	}
	return func(ctx context.Context, c *Call) error {
		err := step(ctx, c)
		if collectErr := c.take(t, v); err == nil {
			err = collectErr
		}
		return err
	}, again, nil
}

// take keeps the attributes that a method has left in the struct.
func (c *Call) take(t *resourceType, v reflect.Value) error {
	attributes, err := t.layout.collect(v)
	if err != nil || c.Action == resources.Delete {
		return err
	}
	c.mu.Lock()
	for name, v := range c.attributes {
		if attributes == nil {
			attributes = resources.Values{}
		}
		attributes[name] = v
	}
	c.attributes = attributes
	c.mu.Unlock()
	if attributes != nil {
		c.Set(attributesKey, attributes)
	}
	return nil
}

// actionMethod is the method for an action, nil where the resource has none.
func actionMethod(r Resource, op *resources.Operation) func(context.Context, *Call) error {
	switch op.Action {
	case resources.Create:
		return r.Create
	case resources.Delete:
		return r.Delete
	case resources.Update:
		if u, ok := r.(Updater); ok {
			return u.Update
		}
		return func(_ context.Context, c *Call) error { c.Replace(); return nil }
	case resources.Check:
		if k, ok := r.(Checker); ok {
			return k.Check
		}
		if k, ok := r.(Reader); ok {
			return k.Read
		}
	case resources.Suspend, resources.Resume:
		if k, ok := r.(Suspender); ok && op.Action == resources.Suspend {
			return k.Suspend
		} else if ok {
			return k.Resume
		}
	case resources.Signal:
		if k, ok := r.(Signaler); ok {
			return func(ctx context.Context, c *Call) error { return k.Signal(ctx, c, op.Details) }
		}
	case resources.Snapshot:
		if k, ok := r.(Snapshotter); ok {
			return k.Snapshot
		}
	case resources.Restore, resources.DeleteSnapshot:
		if k, ok := r.(Snapshotter); ok {
			f := k.Restore
			if op.Action == resources.DeleteSnapshot {
				f = k.DeleteSnapshot
			}
			return func(ctx context.Context, c *Call) error { return f(ctx, c, op.Saved) }
		}
	}
	return nil
}
