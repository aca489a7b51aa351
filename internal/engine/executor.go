package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// job is an action to run, with all that it needs: the run itself belongs to the scheduler.
type job struct {
	run   string
	id    string
	def   *action.Definition
	input *value.Map
	call  action.Call
	limit time.Duration // 0 is none
	shown string

	execution string
	stopped   *action.Stop    // before it began
	ctx       context.Context // of a resumable one that runs
}

func (j *job) resumable() bool { return j.def != nil && j.def.Resumable }

// job takes from a run what is needed to run an action.
func (e *Engine) job(run *flow.Run, a *flow.Action) job {
	exec := run.ExecutionOf(a)
	return job{
		run: run.ID, id: a.ID, def: e.opts.Actions.Find(a.Base), input: a.BaseInput, shown: e.shown(a), limit: a.Timeout, execution: exec.ID,
		call: action.Call{
			Workflow: exec.Name, ExecutionID: exec.ID, TaskID: a.Task, ActionID: a.ID, Target: a.Target,
			CallbackURL: e.opts.CallbackBase + "/v2/action_executions/" + a.ID,
			SafeRerun:   a.SafeRerun, Token: a.Token,
			Keep: func(ctx context.Context, token string) error {
				return e.send(ctx, message{run: run.ID, ev: flow.ActionToken{Action: a.ID, Token: token}})
			},
		},
	}
}

// resumed is the job of an action that an earlier process has begun.
func (e *Engine) resumed(run *flow.Run, a *flow.Action) job {
	j := e.job(run, a)
	j.call.Resumed = true
	return j
}

// shown is how Mistral's messages name an action's instance.
func (e *Engine) shown(a *flow.Action) string {
	if a.Name != a.Base {
		return "<mistral.actions.adhoc.AdHocAction object>"
	}
	if d := e.opts.Actions.Find(a.Base); d != nil && d.Repr != "" {
		return d.Repr
	} else if d != nil {
		return "<" + d.Class + " object>"
	}
	return a.Base
}

// mayRepeat says whether an action that was running when the process ended may run once more.
func (e *Engine) mayRepeat(a *flow.Action) bool {
	d := e.opts.Actions.Find(a.Base)
	return a.SafeRerun || d != nil && (d.Repeatable || d.Resumable)
}

// executor runs actions, so many at once; the others wait in order.
type executor struct {
	e       *Engine
	mu      sync.Mutex
	room    int
	waiting []job
	stops   map[string]stoppable // what runs and is resumable, by action
	queued  int                  // how many of waiting are resumable
	wg      sync.WaitGroup
}

// stoppable is an action that runs and ends with its task and its execution.
type stoppable struct {
	job  job
	stop context.CancelCauseFunc
}

func newExecutor(e *Engine, parallel int) *executor {
	return &executor{e: e, room: parallel, stops: map[string]stoppable{}}
}

// stop ends the resumable actions of an execution that was cancelled, or of a task that has ended without them (its timeout
// may be over before that of the action's context): Mistral lets all run, but work that goes on elsewhere for hours is for
// nobody any more.
func (x *executor) stop(ev Event) {
	var why *action.Stop
	switch {
	case ev.TaskID == "" && ev.State == flow.Cancelled:
		why = errCancelled
	case ev.TaskID != "" && (ev.State == flow.Failed || ev.State == flow.Cancelled || ev.State == flow.Skipped):
		why = errTaskEnded
	default:
		return
	}
	concerns := func(j *job) bool {
		return j.resumable() && (ev.TaskID == "" && j.execution == ev.Execution || ev.TaskID != "" && j.call.TaskID == ev.TaskID)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, s := range x.stops {
		if concerns(&s.job) {
			s.stop(why)
		}
	}
	for i := 0; i < len(x.waiting) && x.queued > 0; i++ {
		if concerns(&x.waiting[i]) {
			x.waiting[i].stopped = why
		}
	}
}

var (
	errCancelled = &action.Stop{Reason: "the workflow was cancelled"}
	errTaskEnded = &action.Stop{Reason: "the task has ended"}
)

// admit notes a job that is to run now, so that it can be stopped. The lock is held.
func (x *executor) admit(j *job) {
	if j.resumable() {
		ctx, stop := context.WithCancelCause(x.e.ctx)
		j.ctx = ctx
		x.stops[j.id] = stoppable{*j, stop}
	}
}

// context is the context of a job, which ends at its limit, and for a resumable one with its task.
func (x *executor) context(j job) (context.Context, func()) {
	ctx, cancel := x.e.ctx, func() {}
	if j.ctx != nil {
		ctx = j.ctx
	}
	if j.limit > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, j.limit, &action.Stop{Reason: fmt.Sprintf("no end within %v", j.limit)})
	}
	return ctx, func() {
		cancel()
		if j.ctx == nil {
			return
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		x.stops[j.id].stop(nil)
		delete(x.stops, j.id)
	}
}

func (x *executor) start(j job) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.room == 0 {
		x.waiting = append(x.waiting, j)
		if j.resumable() {
			x.queued++
		}
		return
	}
	x.room--
	x.admit(&j)
	x.wg.Add(1)
	go x.work(j)
}

// work runs a job, and then what waits.
func (x *executor) work(j job) {
	defer x.wg.Done()
	for ok := true; ok && x.e.ctx.Err() == nil; j, ok = x.next() {
		x.run(j)
	}
}

func (x *executor) next() (job, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.waiting) == 0 {
		x.room++
		return job{}, false
	}
	j := x.waiting[0]
	x.waiting = x.waiting[1:]
	if j.resumable() {
		x.queued--
	}
	x.admit(&j)
	return j, true
}

// wait waits for all jobs to end; the engine's context must have ended.
func (x *executor) wait() { x.wg.Wait() }

func (x *executor) run(j job) {
	res, done := x.e.perform(j)
	if !done {
		return
	}
	select {
	case x.e.inbox <- message{run: j.run, ev: flow.ActionDone{Action: j.id, Result: res}}:
	case <-x.e.ctx.Done():
	}
}

// perform runs an action. It is not done if the result comes from elsewhere, or if the engine ended meanwhile.
func (e *Engine) perform(j job) (res flow.Result, done bool) {
	if j.def == nil {
		return flow.Result{Error: "the action is not available in this process"}, true
	}
	ctx, end := e.exec.context(j)
	defer end()
	if j.stopped != nil {
		return flow.Result{Error: j.stopped.Reason, Cancel: j.stopped == errCancelled}, true
	}
	out, err := call(ctx, j)
	if e.ctx.Err() != nil {
		return flow.Result{}, false
	}
	if err == nil {
		if j.def.Async {
			return flow.Result{}, false
		}
		if out, err = e.fits(out); err == nil {
			return flow.Result{Data: out}, true
		}
	}
	if context.Cause(ctx) == errCancelled {
		return flow.Result{Error: err.Error(), Cancel: true}, true
	}
	var failure *action.Failure
	if errors.As(err, &failure) {
		if data, tooLarge := e.fits(failure.Data); tooLarge == nil && data != nil {
			return flow.Result{Error: data}, true
		}
	}
	return flow.Result{Error: fmt.Sprintf("The action raised an exception [action=%s, action_ex_id=%s, msg='%s']", j.shown, j.id, err)}, true
}

// call keeps a fault in an action from taking the engine down.
func call(ctx context.Context, j job) (out any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the action has a fault: %v", r)
		}
	}()
	return j.def.Run(ctx, j.input, j.call)
}

// fits turns a result into plain values and refuses one that is too large to keep.
func (e *Engine) fits(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, float64:
		return v, nil
	}
	text, err := value.JSON(value.From(v), value.JSONOptions{Compact: true, Unicode: true})
	if err != nil {
		return nil, fmt.Errorf("the result cannot be stored: %w", err)
	}
	if len(text) > e.opts.MaxResult {
		return nil, fmt.Errorf("Field size limit exceeded [class=TaskExecution, field=result, size=%dKB, limit=%dKB]", len(text)>>10, e.opts.MaxResult>>10) //nolint:staticcheck // Mistral's words
	}
	return value.ParseJSON(text)
}
