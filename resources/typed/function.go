package typed

import (
	"context"
	"fmt"
	"reflect"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Actions are workflow actions by name.
type Actions map[string]Action

// Action is one workflow action. Func makes one of a function.
type Action struct {
	Description string
	Repeatable  bool // running it twice is as good as once: it runs again where the provider was killed in the middle
	Open        bool // takes inputs that it does not declare
	// Cancel stops work that the function has left with Call.Later; Call.Token says which, and the function is then asked
	// how it ended. Nil: there is nothing to stop, and the function is not called again.
	Cancel func(ctx context.Context, c *Call) error

	inputs map[string]*catalog.Property
	run    func(ctx context.Context, c *Call, input resources.Values) (any, error)
	err    error
}

// Func makes an action of a function whose inputs are the fields of a struct with `hot` tags. What it returns is the
// action's result. Where it leaves work with Call.Later, it is called again with the same inputs and that Call.Token, in
// whichever process is there then, until it returns without Later.
func Func[In any](description string, fn func(ctx context.Context, in In, c *Call) (any, error)) Action {
	l, err := layoutOf(reflect.TypeFor[In]())
	if err != nil {
		return Action{err: err}
	}
	return Action{
		Description: description, inputs: l.properties,
		run: func(ctx context.Context, c *Call, input resources.Values) (any, error) {
			var in In
			l.fill(reflect.ValueOf(&in).Elem(), input)
			return fn(ctx, in, c)
		},
	}
}

// Tools are tools by the name that a component type's `tool` gives.
type Tools map[string]Tool

// Tool is one tool.
type Tool struct {
	resources.Tool
	// Repeatable: running it twice is as good as once; it runs again where the provider was killed in the middle.
	Repeatable bool
	// Run gives the outputs: the declared ones, and deploy_stdout, deploy_stderr and deploy_status_code. With an error,
	// what it gives becomes the error's data.
	Run func(ctx context.Context, c *Call, run *resources.ToolRun) (resources.Values, error)
}

// resourceType is one type with what was found out about it.
type resourceType struct {
	name   string
	fresh  func() Resource
	layout *layout
	schema *catalog.Type
}

func (s *server) describe() error {
	d := s.description
	d.Types = map[string]*catalog.Type{}
	for name, fresh := range s.provider.Types {
		t, err := newResourceType(name, fresh)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s.types[name], d.Types[name] = t, t.schema
	}
	d.Tools = map[string]*resources.Tool{}
	for name, t := range s.provider.Tools {
		if t.Run == nil {
			return fmt.Errorf("tool %s has no Run", name)
		}
		d.Tools[name] = &t.Tool
	}
	d.Actions = map[string]*resources.ActionType{}
	for name, a := range s.provider.Actions {
		if a.err != nil {
			return fmt.Errorf("action %s: %w", name, a.err)
		}
		if a.run == nil {
			return fmt.Errorf("action %s: make it with Func", name)
		}
		d.Actions[name] = &resources.ActionType{
			Description: a.Description, Inputs: a.inputs, Open: a.Open, Repeatable: a.Repeatable,
		}
	}
	return nil
}

func newResourceType(name string, fresh func() Resource) (*resourceType, error) {
	r := fresh()
	v := reflect.ValueOf(r)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("%T is no pointer to a struct", r)
	}
	l, err := layoutOf(v.Elem().Type())
	if err != nil {
		return nil, err
	}
	t := &catalog.Type{Name: name, Properties: l.properties, Attributes: l.attributes, Handles: handles(r)}
	_, t.OwnValidate = r.(Validator)
	_, t.Snapshot = r.(Snapshotter)
	if d, ok := r.(Describer); ok {
		d.Describe(t)
	}
	return &resourceType{name: name, fresh: fresh, layout: l, schema: t}, nil
}

// handles are the lifecycle steps that a resource has code for.
func handles(r Resource) []string {
	steps := []string{"create", "delete"}
	add := func(has bool, names ...string) {
		if has {
			steps = append(steps, names...)
		}
	}
	_, ok := r.(Updater)
	add(ok, "update")
	_, ok = r.(Checker)
	add(ok, "check")
	_, ok = r.(Suspender)
	add(ok, "suspend", "resume")
	_, ok = r.(Signaler)
	add(ok, "signal")
	_, ok = r.(Snapshotter)
	add(ok, "snapshot", "restore", "delete_snapshot")
	return steps
}
