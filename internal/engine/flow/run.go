package flow

import (
	"fmt"
	"sort"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// Definitions finds what a run refers to by name, in a namespace and then in the default one.
type Definitions interface {
	// Workflow gives a workflow and the key it can be loaded by later, or nil.
	Workflow(name, namespace string) (spec *workflow.Workflow, key string)
	// Load gives the workflow of a key as it was when the key was given.
	Load(key string) *workflow.Workflow
	// AdHoc gives an ad-hoc action, or nil.
	AdHoc(name, namespace string) *workflow.Action
	// Environment gives the variables of a stored environment.
	Environment(name string) (vars *value.Map, ok bool)
	// Action describes a built-in action.
	Action(name string) (ActionInfo, bool)
	// Executions answers executions() and tasks() about executions of other runs. It may give nothing.
	Executions() []*Execution
}

// ActionInfo is what the interpreter must know about an action.
type ActionInfo struct {
	Name   string
	Class  string // Mistral's Python class, for its messages
	Repr   string // how Mistral's messages show an instance
	Async  bool
	Inputs []Input
	// Open says that inputs besides those listed are accepted.
	Open bool
	// Check refuses inputs that cannot be run with; nil checks nothing.
	Check func(in *value.Map) error
}

// Input is one input of an action.
type Input struct {
	Name     string
	Required bool
}

// Run is one root execution with all that belongs to it.
type Run struct {
	ID         string
	executions []*Execution
	byID       map[string]*Execution
	tasks      map[string]*Task
	actions    map[string]*Action
	timers     map[string]*Timer
	seq        int64

	now  time.Time
	ids  func() string
	defs Definitions

	after    []func() // Mistral's transaction after the transaction
	last     []func() // after that: results to parents
	jobs     []func() // its scheduler's jobs without delay
	commands []Command
	changed  Changes
	started  int // sub-workflows, in this Apply
}

// Changes are the entities that an Apply made or changed, each once.
type Changes struct {
	Executions []*Execution
	Tasks      []*Task
	Actions    []*Action
	Timers     []*Timer
	Stopped    []string // ids of timers that are done with
	seen       map[any]bool
	// Inputs marks tasks whose InContext changed, and new entities.
	Fresh map[any]bool
}

func (c *Changes) mark(e any) bool {
	if c.seen == nil {
		c.seen = map[any]bool{}
	}
	if c.seen[e] {
		return false
	}
	c.seen[e] = true
	return true
}

func (c *Changes) fresh(e any) {
	if c.Fresh == nil {
		c.Fresh = map[any]bool{}
	}
	c.Fresh[e] = true
}

func (r *Run) touchExecution(e *Execution) {
	e.Updated = r.now
	if r.changed.mark(e) {
		r.changed.Executions = append(r.changed.Executions, e)
	}
}

func (r *Run) touchTask(t *Task) {
	t.Updated = r.now
	if r.changed.mark(t) {
		r.changed.Tasks = append(r.changed.Tasks, t)
	}
}

func (r *Run) touchAction(a *Action) {
	a.Updated = r.now
	if r.changed.mark(a) {
		r.changed.Actions = append(r.changed.Actions, a)
	}
}

// NewRun makes an empty run; the first event must be Start with the run's id.
func NewRun(id string, defs Definitions) *Run {
	return &Run{
		ID: id, defs: defs, byID: map[string]*Execution{}, tasks: map[string]*Task{}, actions: map[string]*Action{},
		timers: map[string]*Timer{},
	}
}

// Restore makes a run of stored entities, given in any order.
func Restore(id string, defs Definitions, executions []*Execution, tasks []*Task, actions []*Action, timers []*Timer) (*Run, error) {
	r := NewRun(id, defs)
	sort.Slice(executions, func(i, j int) bool { return executions[i].Seq < executions[j].Seq })
	sort.Slice(tasks, func(i, j int) bool { return tasks[i].Seq < tasks[j].Seq })
	sort.Slice(actions, func(i, j int) bool { return actions[i].Seq < actions[j].Seq })
	for _, e := range executions {
		if e.Spec = defs.Load(e.Definition); e.Spec == nil {
			return nil, fmt.Errorf("execution %s: its definition %s is gone", e.ID, e.Definition)
		}
		r.add(e)
	}
	for _, t := range tasks {
		e := r.byID[t.Execution]
		if e == nil {
			return nil, fmt.Errorf("task %s: its execution %s is gone", t.ID, t.Execution)
		}
		if t.spec = e.Spec.Task(t.Name); t.spec == nil {
			return nil, fmt.Errorf("task %s: workflow %s has no task %q", t.ID, e.Name, t.Name)
		}
		r.addTask(e, t)
	}
	for _, e := range executions {
		if e.ParentTask == "" {
			continue
		}
		t := r.tasks[e.ParentTask]
		if t == nil {
			return nil, fmt.Errorf("execution %s: its parent task %s is gone", e.ID, e.ParentTask)
		}
		e.parent = t
		t.subs = append(t.subs, e)
	}
	for _, a := range actions {
		t := r.tasks[a.Task]
		if t == nil {
			return nil, fmt.Errorf("action %s: its task %s is gone", a.ID, a.Task)
		}
		r.addAction(t, a)
	}
	for _, tm := range timers {
		r.timers[tm.ID] = tm
	}
	return r, nil
}

func (r *Run) add(e *Execution) {
	e.byName = map[string][]*Task{}
	r.executions = append(r.executions, e)
	r.byID[e.ID] = e
	r.seq = max(r.seq, e.Seq)
}

func (r *Run) addTask(e *Execution, t *Task) {
	t.exec = e
	e.tasks = append(e.tasks, t)
	e.byName[t.Name] = append(e.byName[t.Name], t)
	if !t.State.Completed() {
		e.open++
	}
	r.tasks[t.ID] = t
	r.seq = max(r.seq, t.Seq)
}

func (r *Run) addAction(t *Task, a *Action) {
	a.task = t
	t.actions = append(t.actions, a)
	r.actions[a.ID] = a
	r.seq = max(r.seq, a.Seq)
}

func (r *Run) next() int64 {
	r.seq++
	return r.seq
}

// Root is the root execution.
func (r *Run) Root() *Execution { return r.byID[r.ID] }

// Execution finds an execution of the run by id, or nil.
func (r *Run) Execution(id string) *Execution { return r.byID[id] }

// Executions gives all executions in order of creation.
func (r *Run) Executions() []*Execution { return r.executions }

// Task finds a task execution by id, or nil.
func (r *Run) Task(id string) *Task { return r.tasks[id] }

// Action finds an action execution by id, or nil.
func (r *Run) Action(id string) *Action { return r.actions[id] }

// Timers gives the timers that wait.
func (r *Run) Timers() []*Timer {
	out := make([]*Timer, 0, len(r.timers))
	for _, t := range r.timers {
		out = append(out, t)
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].At.Before(out[j].At) || out[i].At.Equal(out[j].At) && out[i].ID < out[j].ID
	})
	return out
}

// Unfinished gives the actions that an executor has to run or is running, in order of creation.
func (r *Run) Unfinished() []*Action {
	var out []*Action
	for _, a := range r.actions {
		if a.State == Running {
			out = append(out, a)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Seq < out[j].Seq })
	return out
}

// Done says whether nothing more can happen by itself: the root is completed and no action is left running.
func (r *Run) Done() bool {
	root := r.Root()
	return root != nil && root.State.Completed()
}

// ExecutionOf is the execution that an action belongs to.
func (r *Run) ExecutionOf(a *Action) *Execution { return a.task.exec }
