package flow

import (
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// State is the state of an execution, a task or an action, in Mistral's words.
type State string

// The states. Only tasks are Waiting, Delayed or Skipped.
const (
	Idle      State = "IDLE"
	Waiting   State = "WAITING"
	Running   State = "RUNNING"
	Delayed   State = "DELAYED"
	Paused    State = "PAUSED"
	Success   State = "SUCCESS"
	Failed    State = "ERROR"
	Cancelled State = "CANCELLED"
	Skipped   State = "SKIPPED"
)

// Completed says whether nothing follows a state.
func (s State) Completed() bool {
	return s == Success || s == Failed || s == Cancelled || s == Skipped
}

// changes are the state changes that Mistral allows; staying in a state is always allowed.
var changes = map[State][]State{
	Idle:      {Running, Failed, Cancelled},
	Waiting:   {Running},
	Running:   {Paused, Delayed, Success, Failed, Cancelled},
	Delayed:   {Running, Failed, Cancelled},
	Paused:    {Running, Failed, Cancelled},
	Cancelled: {Running},
	Failed:    {Running, Skipped},
}

func allowed(from, to State) bool {
	if from == to {
		return true
	}
	for _, s := range changes[from] {
		if s == to {
			return true
		}
	}
	return false
}

// Execution is one execution of a workflow.
type Execution struct {
	ID         string
	Seq        int64  // order of creation in the run
	Definition string // key of the definition it runs, for Definitions.Load
	Name       string // full name of the workflow
	Namespace  string
	Spec       *workflow.Workflow

	State       State
	Info        *string // state_info; nil is null
	Description string
	Input       *value.Map
	Output      *value.Map
	Context     *value.Map // vars, globals, __execution
	Params      *value.Map

	ParentTask string // task that it is the action of, or ""
	Index      int    // with-items index in that task
	Accepted   bool   // counts as a result of that task
	Backlog    []savedCommand
	Created    time.Time
	Updated    time.Time

	tasks  []*Task // in order of creation
	byName map[string][]*Task
	open   int // tasks that are not completed
	parent *Task
}

// Tasks gives the task executions in order of creation.
func (e *Execution) Tasks() []*Task { return e.tasks }

// Next is one task that followed a task, and by which clause.
type Next struct{ Task, Event string }

// Task is one execution of a task.
type Task struct {
	ID        string
	Seq       int64
	Execution string
	Name      string
	Key       string // unique key of a join, or ""

	State     State
	Info      *string
	InContext *value.Map
	Published *value.Map // nil is null
	// PublishedGlobal is what the task published for the whole workflow; nil is nothing.
	PublishedGlobal *value.Map
	Next            []Next // nil until decided
	ErrorHandled    bool
	Processed       bool
	Runtime         Runtime
	Created         time.Time
	Updated         time.Time
	Started         time.Time
	Finished        time.Time

	exec    *Execution
	spec    *workflow.Task
	actions []*Action
	subs    []*Execution
	looking bool // a refresh of its state is due in this Apply
}

// Runtime is what policies and with-items remember about a task.
type Runtime struct {
	WaitedBefore bool       `json:"waited_before,omitempty"`
	WaitedAfter  bool       `json:"waited_after,omitempty"`
	Retries      *int       `json:"retries,omitempty"`
	Concurrency  *int       `json:"concurrency,omitempty"`
	Items        *ItemState `json:"items,omitempty"`
}

// ItemState counts the items of a with-items task. Capacity is how many more may run at once; nil without a limit.
type ItemState struct {
	Count    int  `json:"count"`
	Capacity *int `json:"capacity"`
}

// Actions gives the action executions in order of creation; a task that runs a workflow has Subs instead.
func (t *Task) Actions() []*Action { return t.actions }

// Subs gives the sub-workflow executions in order of creation.
func (t *Task) Subs() []*Execution { return t.subs }

// Spec is the task's definition.
func (t *Task) Spec() *workflow.Task { return t.spec }

// Type is ACTION or WORKFLOW.
func (t *Task) Type() string {
	if t.spec.Workflow != "" {
		return "WORKFLOW"
	}
	return "ACTION"
}

// Action is one execution of an action.
type Action struct {
	ID        string
	Seq       int64
	Task      string
	Name      string // as found: an ad-hoc action's own name
	Index     int
	State     State
	Input     *value.Map
	Output    any
	HasOutput bool // false until it is complete, or after keep-result: false
	Accepted  bool
	SafeRerun bool
	Sync      bool
	// Base is the action to execute with BaseInput: the end of an ad-hoc chain, or the action itself.
	Base      string
	BaseInput *value.Map
	Target    string
	Timeout   time.Duration // 0 is none
	// Token is what the action wants to be told when it is run again after an interruption; "" where it said nothing.
	Token   string
	Created time.Time
	Updated time.Time

	task *Task
}

// child is what a task runs: an action or a sub-workflow.
type child interface {
	childState() State
	childAccepted() bool
	setAccepted(r *Run, accepted bool)
	childIndex() int
	order() int64
}

func (a *Action) childState() State    { return a.State }
func (e *Execution) childState() State { return e.State }

func (a *Action) childAccepted() bool    { return a.Accepted }
func (e *Execution) childAccepted() bool { return e.Accepted }

func (a *Action) childIndex() int    { return a.Index }
func (e *Execution) childIndex() int { return e.Index }

func (a *Action) order() int64    { return a.Seq }
func (e *Execution) order() int64 { return e.Seq }

func (a *Action) setAccepted(r *Run, accepted bool) {
	a.Accepted = accepted
	r.touchAction(a)
}

func (e *Execution) setAccepted(r *Run, accepted bool) {
	e.Accepted = accepted
	r.touchExecution(e)
}

func (t *Task) children() []child {
	out := make([]child, 0, len(t.actions)+len(t.subs))
	for _, a := range t.actions {
		out = append(out, a)
	}
	for _, e := range t.subs {
		out = append(out, e)
	}
	return out
}

// TimerKind is what a timer does when it fires.
type TimerKind string

// The timers: of wait-before and retry, of wait-after, of timeout, and the second look at a join.
const (
	TimerContinue TimerKind = "continue"
	TimerComplete TimerKind = "complete"
	TimerTimeout  TimerKind = "timeout"
	TimerRefresh  TimerKind = "refresh"
)

// Timer is something to be done to a task at a time.
type Timer struct {
	ID    string
	Task  string
	Kind  TimerKind
	At    time.Time
	State State   // of TimerComplete: the state to complete with
	Info  *string // and its info
	Delay string  // of TimerTimeout: the seconds, as the message shows them
}
