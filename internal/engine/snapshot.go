package engine

import (
	"fmt"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

// Snapshot is an execution as it was stored at one moment, with its tasks and what is below them.
type Snapshot struct {
	ID, Workflow   string
	State          flow.State
	Info           *string
	Input, Output  *value.Map
	Params         *value.Map
	Created, Ended time.Time // Ended is the time of the last change
	Tasks          []TaskSnapshot
}

// TaskSnapshot is a task execution.
type TaskSnapshot struct {
	ID, Name, Type             string
	State                      flow.State
	Info                       *string
	Result                     any // nil if there is none
	HasResult                  bool
	Published, PublishedGlobal *value.Map
	Retries                    int
	Expected                   int // of a with-items task, the number of items
	Created, Started, Finished time.Time
	Actions                    []ActionSnapshot
	Workflows                  []*Snapshot
}

// ActionSnapshot is an action execution.
type ActionSnapshot struct {
	ID, Name string
	State    flow.State
	Input    *value.Map
	Output   any
	Index    int
	Accepted bool
}

// Show gives an execution as it is stored.
func (e *Engine) Show(id string) (*Snapshot, error) { return show(e.store, e.defs, id) }

func show(s *store.Store, defs flow.Definitions, id string) (*Snapshot, error) {
	run, err := s.RunOf(id)
	if err != nil {
		return nil, err
	}
	var r *flow.Run
	if run != "" {
		if r, err = s.LoadRun(run, defs); err != nil {
			return nil, err
		}
	}
	if r == nil || r.Execution(id) == nil {
		return nil, &Refusal{Message: fmt.Sprintf("execution %s does not exist", id)}
	}
	return snapshot(r.Execution(id)), nil
}

func snapshot(e *flow.Execution) *Snapshot {
	s := &Snapshot{
		ID: e.ID, Workflow: e.Name, State: e.State, Info: e.Info, Input: e.Input, Output: e.Output, Params: e.Params,
		Created: e.Created, Ended: e.Updated,
	}
	for _, t := range e.Tasks() {
		ts := TaskSnapshot{
			ID: t.ID, Name: t.Name, Type: t.Type(), State: t.State, Info: t.Info, Published: t.Published,
			PublishedGlobal: t.PublishedGlobal, Created: t.Created, Started: t.Started, Finished: t.Finished,
		}
		if t.State.Completed() {
			ts.Result, ts.HasResult = t.Result(), true
		}
		if t.Runtime.Retries != nil {
			ts.Retries = *t.Runtime.Retries
		}
		if t.Runtime.Items != nil {
			ts.Expected = t.Runtime.Items.Count
		}
		for _, a := range t.Actions() {
			ts.Actions = append(ts.Actions, ActionSnapshot{
				ID: a.ID, Name: a.Name, State: a.State, Input: a.Input, Output: a.Output, Index: a.Index, Accepted: a.Accepted,
			})
		}
		for _, sub := range t.Subs() {
			ts.Workflows = append(ts.Workflows, snapshot(sub))
		}
		s.Tasks = append(s.Tasks, ts)
	}
	return s
}

// Report is the snapshot in the shape of `workflow run --format json`: state, state_info, output and tasks, and with
// them what else is known.
func (s *Snapshot) Report() *value.Map {
	tasks := make([]any, len(s.Tasks))
	for i, t := range s.Tasks {
		tasks[i] = t.report()
	}
	var output any // a map that is nil is not nothing
	if s.Output != nil {
		output = s.Output
	}
	return value.MapOf("id", s.ID, "workflow", s.Workflow, "state", string(s.State), "state_info", optional(s.Info),
		"output", output, "tasks", tasks, "created_at", s.Created.UTC().Format(time.RFC3339Nano), "updated_at", s.Ended.UTC().Format(time.RFC3339Nano))
}

// Unfinished gives the actions that have not ended.
func (t TaskSnapshot) Unfinished() []ActionSnapshot {
	var out []ActionSnapshot
	for _, a := range t.Actions {
		if !a.State.Completed() {
			out = append(out, a)
		}
	}
	return out
}

// Items says how many actions or sub-workflows of a task have ended and count, and how many there are to be.
func (t TaskSnapshot) Items() (done, all int) {
	for _, a := range t.Actions {
		if a.Accepted && a.State.Completed() {
			done++
		}
	}
	for _, w := range t.Workflows {
		if w.State.Completed() {
			done++
		}
	}
	return done, max(t.Expected, len(t.Workflows))
}

func (t TaskSnapshot) report() *value.Map {
	m := value.MapOf("id", t.ID, "name", t.Name, "type", t.Type, "state", string(t.State))
	if t.Info != nil {
		m.SetStr("state_info", *t.Info)
	}
	if t.HasResult {
		m.SetStr("result", t.Result)
	}
	m.SetStr("published", nil)
	if t.Published != nil {
		m.SetStr("published", t.Published)
	}
	if t.PublishedGlobal != nil {
		m.SetStr("published_global", t.PublishedGlobal)
	}
	if t.Retries > 0 {
		m.SetStr("retries", int64(t.Retries))
	}
	if !t.Started.IsZero() {
		m.SetStr("started_at", t.Started.UTC().Format(time.RFC3339Nano))
	}
	if !t.Finished.IsZero() {
		m.SetStr("finished_at", t.Finished.UTC().Format(time.RFC3339Nano))
	}
	if open := t.Unfinished(); len(open) > 0 {
		list := make([]any, len(open))
		for i, a := range open {
			list[i] = value.MapOf("id", a.ID, "name", a.Name, "state", string(a.State), "index", int64(a.Index))
		}
		m.SetStr("unfinished_actions", list)
	}
	if len(t.Workflows) > 0 {
		subs := make([]any, len(t.Workflows))
		for i, w := range t.Workflows {
			subs[i] = w.Report()
		}
		m.SetStr("workflows", subs)
	}
	return m
}

// JSON is the report as JSON text.
func (s *Snapshot) JSON() (string, error) {
	return value.JSON(s.Report(), value.JSONOptions{Indent: 2, Unicode: true})
}

func optional(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// Viewer reads a state folder that another process may be working in.
type Viewer struct {
	store *store.Store
	defs  *definitions
}

// View opens a state folder for reading.
func View(dir string) (*Viewer, error) {
	s, err := store.View(dir)
	if err != nil {
		return nil, err
	}
	none, err := action.NewRegistry()
	if err != nil {
		return nil, err
	}
	return &Viewer{s, newDefinitions(s, none)}, nil
}

// List lists the root executions, the newest first.
func (v *Viewer) List() ([]Summary, error) { return v.store.Runs(false) }

// Show gives an execution as it is stored.
func (v *Viewer) Show(id string) (*Snapshot, error) { return show(v.store, v.defs, id) }

// Close closes the folder.
func (v *Viewer) Close() error { return v.store.Close() }
