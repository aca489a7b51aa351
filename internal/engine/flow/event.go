package flow

import (
	"fmt"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// Event is something that happens to a run.
type Event interface{ apply(r *Run) error }

// Command is something to do once the changes are stored.
type Command interface{ command() }

// RunAction starts an action that is stored as RUNNING.
type RunAction struct{ Action *Action }

// StartTimer sets a timer.
type StartTimer struct{ Timer *Timer }

// StopTimer drops a timer.
type StopTimer struct{ ID string }

// StateChanged tells observers about a task or an execution (Task is nil) that changed its state.
type StateChanged struct {
	Execution *Execution
	Task      *Task
	From, To  State
	Info      string
	At        time.Time
}

func (RunAction) command()    {}
func (StartTimer) command()   {}
func (StopTimer) command()    {}
func (StateChanged) command() {}

// Start creates the root execution and starts it.
type Start struct {
	Workflow    string
	Namespace   string
	Input       *value.Map // nil is empty
	Params      *value.Map // nil is empty
	Description string
}

// ActionDone brings the result of an action.
type ActionDone struct {
	Action string
	Result Result
}

// ActionToken keeps what an action that runs needs to go on after an interruption. It is news to nobody.
type ActionToken struct{ Action, Token string }

// Result is what an action came to: Data, or an Error other than nil, or a cancellation.
type Result struct {
	Data   any
	Error  any
	Cancel bool
}

// ActionUpdate pauses (PAUSED) or resumes (RUNNING) an asynchronous action.
type ActionUpdate struct {
	Action string
	State  State
}

// TimerFired says that a timer's time has come.
type TimerFired struct{ Timer string }

// Pause, Resume and Stop act on an execution; Env of Resume is merged into the environment. Stop's State is SUCCESS,
// ERROR or CANCELLED.
type (
	Pause  struct{ Execution string }
	Resume struct {
		Execution string
		Env       *value.Map
	}
	Stop struct {
		Execution string
		State     State
		Message   *string
	}
)

// Rerun runs a failed task again; without Reset, of a with-items task only the items that failed. Skip goes on as if
// it need not have run.
type (
	Rerun struct {
		Task  string
		Reset bool
		Env   *value.Map
	}
	Skip struct{ Task string }
)

// Env is what an Apply needs from outside: the time, and identifiers.
type Env struct {
	Now   time.Time
	NewID func() string
}

// Refusal is an error of the caller: an event that cannot be applied to the run as it is.
type Refusal struct{ Message string }

func (e *Refusal) Error() string { return e.Message }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Apply changes the run by an event. The changes must be stored before the commands are carried out. After an error
// the run is in no defined state and must be restored from what is stored.
func (r *Run) Apply(ev Event, env Env) (Changes, []Command, error) {
	r.now, r.ids = env.Now, env.NewID
	r.changed, r.commands, r.started = Changes{}, nil, 0
	r.after, r.last, r.jobs = nil, nil, nil
	err := ev.apply(r)
	if err == nil {
		err = r.settle()
	}
	return r.changed, r.commands, err
}

// maxSteps ends an Apply that would go on for ever, which only a workflow that starts itself can do.
const maxSteps = 1_000_000

// settle does what the event left to do.
func (r *Run) settle() error {
	for range maxSteps {
		var queue *[]func()
		switch {
		case len(r.after) > 0:
			queue = &r.after
		case len(r.last) > 0:
			queue = &r.last
		case len(r.jobs) > 0:
			queue = &r.jobs
		default:
			return nil
		}
		f := (*queue)[0]
		*queue = (*queue)[1:]
		f()
	}
	return fmt.Errorf("run %s: one event leads to more than %d steps", r.ID, maxSteps)
}

func (r *Run) startTimer(t *Timer) {
	t.ID = r.ids()
	r.timers[t.ID] = t
	r.changed.Timers = append(r.changed.Timers, t)
	r.commands = append(r.commands, StartTimer{t})
}

func (r *Run) stopTimer(id string) {
	if r.timers[id] == nil {
		return
	}
	delete(r.timers, id)
	r.changed.Stopped = append(r.changed.Stopped, id)
	r.commands = append(r.commands, StopTimer{id})
}

func (ev TimerFired) apply(r *Run) error {
	t := r.timers[ev.Timer]
	if t == nil {
		return nil // fired once already
	}
	r.stopTimer(t.ID)
	task := r.tasks[t.Task]
	switch t.Kind {
	case TimerContinue:
		r.continueTask(task)
	case TimerComplete:
		r.completeTask(task, t.State, t.Info)
	case TimerTimeout:
		if !task.State.Completed() {
			r.completeTask(task, Failed, textp("Task timed out [timeout(s)="+t.Delay+"]."))
		}
	case TimerRefresh:
		r.refresh(task)
	default:
		return fmt.Errorf("run %s: timer of unknown kind %q", r.ID, t.Kind)
	}
	return nil
}

func textp(s string) *string { return &s }

func info(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
