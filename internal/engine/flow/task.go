package flow

import (
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

func samep(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// setTaskState sets a state without what follows from it.
func (r *Run) setTaskState(t *Task, to State, why *string) {
	if t.State == to && samep(t.Info, why) {
		return
	}
	from := t.State
	if from.Completed() && !to.Completed() {
		t.exec.open++
	} else if !from.Completed() && to.Completed() {
		t.exec.open--
	}
	t.State, t.Info = to, why
	if to == Running && (from == Waiting || t.Started.IsZero()) {
		t.Started = r.now
	}
	if to.Completed() {
		t.Finished = r.now
	}
	r.touchTask(t)
	r.commands = append(r.commands, StateChanged{Execution: t.exec, Task: t, From: from, To: to, Info: info(why), At: r.now})
}

func (r *Run) createTask(e *Execution, c *command, state State, why *string) *Task {
	t := &Task{
		ID: r.ids(), Seq: r.next(), Execution: e.ID, Name: c.spec.Name, Key: c.key, State: state, Info: why,
		InContext: c.ctx, Published: value.NewMap(0), Created: r.now, spec: c.spec,
	}
	if state == Running {
		t.Started = r.now
	}
	r.addTask(e, t)
	r.changed.fresh(t)
	r.touchTask(t)
	r.commands = append(r.commands, StateChanged{Execution: e, Task: t, To: state, Info: info(why), At: r.now})
	return t
}

// runTask carries out a command to run a task. What goes wrong in it fails the workflow; the error is for what cannot
// be told to it.
func (r *Run) runTask(e *Execution, c *command) error {
	t, err := r.startTask(e, c)
	if err != nil {
		if _, refused := err.(*Refusal); refused {
			return err
		}
		return r.forceFail(t, fmt.Sprintf("Failed to run task [error=%s, wf=%s, task=%s]", err, e.Name, c.spec.Name))
	}
	r.refreshAffected(t)
	return nil
}

// startTask starts a new task, or an existing one again; the task is there even where it fails.
func (r *Run) startTask(e *Execution, c *command) (*Task, error) {
	switch {
	case c.task != nil:
		waiting := c.task.State == Waiting
		if waiting && c.rerun {
			r.setTaskState(c.task, Waiting, textp("Task is waiting."))
			r.scheduleRefresh(c.task)
		}
		if waiting {
			return c.task, nil
		}
		return c.task, r.runExisting(c.task, c.reset, c.rerun)
	case c.wait:
		return r.deferTask(e, c), nil
	}
	t := r.createTask(e, c, Running, nil)
	if err := r.beforeStart(t); err != nil || t.State != Running {
		return t, err
	}
	return t, r.schedule(t)
}

// deferTask puts a join into its waiting state; one that has run already waits, and runs, again.
func (r *Run) deferTask(e *Execution, c *command) *Task {
	why := textp("Task is waiting.")
	for _, t := range e.byName[c.spec.Name] {
		if t.Key == c.key {
			if t.State != Waiting {
				r.setTaskState(t, Waiting, why)
			}
			return t
		}
	}
	return r.createTask(e, c, Waiting, why)
}

// runExisting runs a task again, or for the first time after a delay or a join.
func (r *Run) runExisting(t *Task, reset, rerun bool) error {
	if t.State == Success {
		return refuse("Rerunning succeeded tasks is not supported.")
	}
	r.setTaskState(t, Running, nil)
	t.Processed = false
	r.touchTask(t)
	if rerun {
		if err := r.beforeStart(t); err != nil || t.State != Running {
			return err
		}
	}
	if fresh := r.inboundContext(t.exec, t.spec); fresh.Len() > 0 {
		t.InContext = update(t.InContext, fresh)
		r.changed.fresh(t)
	}
	for _, c := range t.children() {
		if reset || c.childAccepted() && (c.childState() == Failed || c.childState() == Cancelled) {
			c.setAccepted(r, false)
		}
	}
	return r.schedule(t)
}

// update replaces top-level keys.
func update(left, right *value.Map) *value.Map {
	if left == nil {
		return right
	}
	out := left.Clone()
	for k, v := range right.All() {
		_ = out.Set(k, v) // a key of a map is hashable
	}
	return out
}

// continueTask goes on with a delayed or joining task.
func (r *Run) continueTask(t *Task) {
	r.setTaskState(t, Running, nil)
	if err := r.runExisting(t, false, false); err != nil {
		r.forced(t, fmt.Sprintf("Failed to run task [error=%s, wf=%s, task=%s]", err, t.exec.Name, t.Name))
		return
	}
	r.refreshAffected(t)
}

// completeTask completes a task from outside its own work: a timer or a join.
func (r *Run) completeTask(t *Task, state State, why *string) {
	if err := r.complete(t, state, why); err != nil {
		r.forced(t, fmt.Sprintf("Failed to complete task [error=%s, wf=%s, task=%s]", err, t.exec.Name, t.Name))
		return
	}
	r.refreshAffected(t)
}

// complete sets a final state, publishes, lets policies speak, and goes on with what follows.
func (r *Run) complete(t *Task, state State, why *string) error {
	if t.State.Completed() {
		return nil
	}
	r.setTaskState(t, state, why)
	if err := r.publish(t); err != nil {
		return err
	}
	if !t.spec.KeepResult {
		for _, a := range t.actions {
			a.Output, a.HasOutput = nil, false
			r.touchAction(a)
		}
	}
	if err := r.afterComplete(t); err != nil {
		return err
	}
	if t.State == Delayed {
		return nil
	}
	return r.proceed(t)
}

// proceed finds and starts what follows a completed task.
func (r *Run) proceed(t *Task) error {
	e := t.exec
	cmds, err := r.continueWorkflow(e, t)
	if err != nil {
		return err
	}
	t.Next = []Next{}
	handled := false
	for _, c := range cmds {
		if c.isTask() {
			t.Next = append(t.Next, Next{c.spec.Name, c.event})
		}
		handled = handled || c.handles
	}
	if t.State == Failed {
		t.ErrorHandled = handled
	}
	r.touchTask(t)
	if e.State == Paused {
		return nil
	}
	t.Processed = true
	if t.mayComplete() {
		r.after = append(r.after, func() { r.checkAndComplete(e) })
	}
	return r.dispatch(e, cmds)
}

// forceFail fails a task and its workflow without asking on-error: what is wrong is the workflow itself.
func (r *Run) forceFail(t *Task, msg string) error {
	if t != nil {
		r.setTaskState(t, Failed, &msg)
		return r.stop(t.exec, Failed, msg)
	}
	return fmt.Errorf("%s", msg)
}

// forced is forceFail where nobody can be told of an error.
func (r *Run) forced(t *Task, msg string) {
	_ = r.forceFail(t, msg) // stopping with ERROR evaluates output-on-error, whose errors are its message
}

// updateTask follows a paused or resumed child.
func (r *Run) updateTask(t *Task, state State) {
	if t.State.Completed() || !allowed(t.State, state) {
		return
	}
	if state == Running {
		for _, c := range t.children() {
			if c.childState() == Paused {
				return
			}
		}
	}
	r.setTaskState(t, state, nil)
	if t.State.Completed() && t.mayComplete() {
		r.after = append(r.after, func() { r.checkAndComplete(t.exec) })
	}
}

func safeRerun(t *Task) bool {
	for _, spec := range []*workflow.Task{t.spec, t.exec.Spec.Defaults} {
		if spec != nil && spec.SafeRerun != nil {
			return value.Truth(spec.SafeRerun)
		}
	}
	return false
}
