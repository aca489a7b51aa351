// Package local makes stacks on this machine: it carries out the plans of compiler/emit/local with the embedded workflow
// engine. Hosts are folders of this machine, or machines that are logged in to by SSH; resource types that ask no cloud
// are provided; software is run by tools.
//
// What was made stands in a Record for each node, written before the engine is told. So whatever is done is done once:
// a node whose record says that it is complete, and made from the same, is left alone, whether hotloom was killed
// meanwhile or comes with another template.
package local

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
)

// Event is one thing that happened to a node. Its JSON is that of `hotloom up --format json`.
type Event struct {
	Time    time.Time `json:"time"`
	Node    string    `json:"node"`
	Kind    string    `json:"kind"`
	State   string    `json:"state"` // Heat's: CREATE_IN_PROGRESS, …; or UNCHANGED
	Message string    `json:"message,omitempty"`
}

// Unchanged is the state of a node that is left as it is.
const Unchanged = "UNCHANGED"

// Options of a Runtime. Nil registries are the standard ones.
type Options struct {
	Tools    Tools
	Types    Types
	SSH      action.Config
	Actions  []action.Definition // what workflows may call besides std.*
	Parallel int                 // how many scripts run at once; 0 is 8
	Bindings Bindings            // what --host said
	Stub     bool                // types that are not there do nothing
	Abandon  bool                // of Down: run no DELETE step
	// Force, where it is closed after an interruption, ends what runs instead of letting it come to its end.
	Force  <-chan struct{}
	Events func(Event) // called from many goroutines, one at a time
}

const defaultParallel = 8

func (o Options) withDefaults() Options {
	if o.Tools == nil {
		o.Tools = StandardTools()
	}
	if o.Types == nil {
		o.Types = StandardTypes()
	}
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	if o.Events == nil {
		o.Events = func(Event) {}
	}
	return o
}

// Provides says what a machine with these options has, for the plan.
func (o Options) Provides(kind, name string) bool {
	o = o.withDefaults()
	if kind == "tool" {
		return o.Tools[name] != nil
	}
	return o.Types[name] != nil
}

// Runtime carries out one plan on one stack.
type Runtime struct {
	state *State
	opts  Options
	tools Tools
	types Types
	ssh   action.Config

	project   *project.Project // nil where only records are removed, as are plan and workflows
	plan      *target.Plan
	workflows map[string]*workflow.Workflow // by key of the node
	digest    string                        // of the plan

	redact   redactor
	room     chan struct{}  // how many scripts may run
	ready    chan struct{}  // closed when actions may begin
	stopping chan struct{}  // closed when no further script may begin
	running  sync.WaitGroup // scripts; grows under mu, and not once stopping is closed

	mu    sync.Mutex
	locks map[string]chan struct{} // of hosts, by key
	waits map[string]chan struct{} // of wait condition handles: closed when a signal comes

	eval    sync.Mutex // guards what is below: scopes are not safe for concurrent use
	scopes  map[*target.Stack]*function.Scope
	reading *target.Node // whose values are being computed

	tell    sync.Mutex
	changed int
	signals *signalServer
}

func newRuntime(s *State, o Options) *Runtime {
	o = o.withDefaults()
	return &Runtime{
		state: s, opts: o, tools: o.Tools, types: o.Types, ssh: o.SSH,
		room: make(chan struct{}, o.Parallel), ready: make(chan struct{}), stopping: make(chan struct{}),
		locks: map[string]chan struct{}{}, waits: map[string]chan struct{}{}, scopes: map[*target.Stack]*function.Scope{},
	}
}

// allow lets actions of a plan begin.
func (r *Runtime) allow(p *Prepared, digest string) {
	r.digest = digest
	if p != nil {
		r.project, r.plan, r.workflows = p.unit.Project, p.plan, p.workflows
	}
	if p := r.project; p != nil {
		for _, param := range p.Template.Parameters {
			if v, ok := p.Values[param.Name.Text]; ok && param.Hidden && v != nil {
				r.redact.hide(value.Str(v))
			}
		}
	}
	for _, rec := range r.state.Records() {
		r.keepSecrets(rec)
	}
	close(r.ready)
}

// keepSecrets has what is secret in a record shown to nobody.
func (r *Runtime) keepSecrets(rec *Record) {
	for _, name := range rec.Secret {
		if text, ok := rec.Attributes.Get(name).(string); ok {
			if rec.Kind == string(target.Step) {
				r.redact.hide(text)
			}
			r.redact.add(text)
		}
	}
	for _, job := range rec.Later {
		for _, in := range job.Inputs {
			if in.Secret {
				r.redact.hide(spelled(in))
			}
		}
	}
}

// event tells what happened to a node.
func (r *Runtime) event(key string, kind target.Kind, state, message string) {
	r.tell.Lock()
	defer r.tell.Unlock()
	if state != Unchanged {
		r.changed++
	}
	r.opts.Events(Event{Time: time.Now().UTC(), Node: key, Kind: string(kind), State: state, Message: r.redact.text(message)})
}

// placed is an error that says where in the author's files it comes from.
type placed struct {
	at  diag.Location
	err error
}

func (p *placed) Error() string { return p.at.String() + ": " + p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

// fault says what is wrong with a value, at its place.
func fault(at diag.Location, format string, args ...any) error {
	return &placed{at, fmt.Errorf(format, args...)}
}

// located says of an error where the node stands that it is about, unless it has a place already.
func located(n *target.Node, err error) error {
	var p *placed
	var f *failure
	at := n.Location()
	switch {
	case errors.As(err, &p) || at.Path == "":
		return err
	case errors.As(err, &f): // names what failed
		return &placed{at, err}
	}
	return &placed{at, fmt.Errorf("%s: %w", n.Key, err)}
}

// actions are the engine's that carry out a plan.
func (r *Runtime) actions() []action.Definition {
	def := func(name string, run func(context.Context, *target.Node, string, *value.Map) (any, error), inputs ...string) action.Definition {
		d := action.Definition{
			Name: name, Class: "hotloom", Repeatable: true,
			Inputs: []action.Input{{Name: "node", Required: true}, {Name: "plan", Required: true}},
			Run: func(ctx context.Context, in *value.Map, _ action.Call) (any, error) {
				select {
				case <-r.ready:
				case <-ctx.Done():
					return nil, context.Cause(ctx)
				}
				select {
				case <-r.stopping: // it begins when the stack goes on
					<-ctx.Done()
					return nil, context.Cause(ctx)
				default:
				}
				plan, _ := in.GetStr("plan")
				key, _ := in.GetStr("node")
				if plan != r.digest {
					return nil, &action.Failure{Data: "another plan is being carried out now"}
				}
				var n *target.Node
				if r.plan != nil {
					n = r.plan.Node(value.Str(key))
				}
				out, err := run(ctx, n, value.Str(key), in)
				if err != nil && ctx.Err() == nil {
					return nil, &action.Failure{Data: r.redact.text(err.Error())}
				}
				return out, err
			},
		}
		for _, name := range inputs {
			d.Inputs = append(d.Inputs, action.Input{Name: name})
		}
		return d
	}
	return []action.Definition{
		def(target.ApplyAction, r.applyNode, "result"),
		def(target.RunAction, r.decideWorkflow),
		def(target.RemoveAction, r.removeNode),
	}
}
