package flow

import (
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

func (r *Run) find(id string) (*Execution, error) {
	if e := r.byID[id]; e != nil {
		return e, nil
	}
	return nil, refuse("execution %s does not exist", id)
}

func (ev Pause) apply(r *Run) error {
	e, err := r.find(ev.Execution)
	if err != nil {
		return err
	}
	if !allowed(e.State, Paused) {
		return refuse("Can't change workflow execution state from %s to %s. [workflow=%s, execution_id=%s]", e.State, Paused, e.Name, e.ID)
	}
	r.pause(e, nil)
	return nil
}

// pause pauses an execution, its sub-workflows first. Actions that run go on, but nothing follows them.
func (r *Run) pause(e *Execution, msg *string) {
	for _, t := range e.tasks {
		for _, sub := range t.subs {
			if !sub.State.Completed() {
				r.pause(sub, msg)
			}
		}
	}
	if e.State == Paused || r.setState(e, Paused, msg) != nil {
		return // it is not running, so there is nothing to pause
	}
	if e.parent != nil {
		_ = r.childUpdated(e.parent, Paused) // pausing refuses nothing
	}
}

func (ev Resume) apply(r *Run) error {
	e, err := r.find(ev.Execution)
	if err != nil {
		return err
	}
	return r.resume(e, ev.Env)
}

// resume goes on with a paused execution, its sub-workflows first.
func (r *Run) resume(e *Execution, env *value.Map) error {
	if e.State != Paused && e.State != Idle {
		return nil
	}
	for _, t := range e.tasks {
		for _, sub := range t.subs {
			if !sub.State.Completed() {
				if err := r.resume(sub, nil); err != nil {
					return err
				}
			}
		}
	}
	if err := r.mergeEnvironment(e, env); err != nil {
		return err
	}
	if err := r.setState(e, Running, nil); err != nil {
		return err
	}
	cmds, err := r.continueWorkflow(e, nil)
	if err != nil {
		return err
	}
	if err := r.goOn(e, cmds); err != nil {
		return err
	}
	if e.parent != nil {
		return r.childUpdated(e.parent, e.State)
	}
	return nil
}

func (r *Run) mergeEnvironment(e *Execution, env *value.Map) error {
	if env == nil || env.Len() == 0 {
		return nil
	}
	if e.State != Idle && e.State != Paused && e.State != Failed {
		return refuse("Updating env to workflow execution is only permitted if it is in IDLE, PAUSED, or ERROR state.")
	}
	old, _ := paramMap(e, "env")
	e.Params = e.Params.Clone()
	e.Params.SetStr("env", workflow.Merge(old, env))
	r.changed.fresh(e)
	r.touchExecution(e)
	return nil
}

// goOn dispatches what a resumed or rerun execution does next; pause commands met now are dropped.
func (r *Run) goOn(e *Execution, cmds []*command) error {
	var keep []*command
	for _, c := range cmds {
		if c.name != "pause" {
			keep = append(keep, c)
		}
	}
	for _, t := range e.tasks {
		if t.State.Completed() && !t.Processed {
			t.Processed = true
			r.touchTask(t)
		}
	}
	if len(keep) > 0 || len(e.Backlog) > 0 {
		return r.dispatch(e, keep)
	}
	return r.tryComplete(e)
}

func (ev Stop) apply(r *Run) error {
	e, err := r.find(ev.Execution)
	if err != nil {
		return err
	}
	return r.stop(e, ev.State, optional(ev.Message))
}

func (ev Rerun) apply(r *Run) error {
	t := r.tasks[ev.Task]
	if t == nil {
		return refuse("task execution %s does not exist", ev.Task)
	}
	e := t.exec
	if e.State == Paused {
		return nil
	}
	if t.State == Success {
		return refuse("Rerunning succeeded tasks is not supported.")
	}
	if err := r.mergeEnvironment(e, ev.Env); err != nil {
		return err
	}
	if err := r.reopen(e); err != nil {
		return err
	}
	c := &command{spec: t.spec, ctx: t.InContext, task: t, reset: ev.Reset, rerun: true, key: t.Key}
	t.Runtime = Runtime{}
	t.Finished, t.Started = r.now, r.now
	r.touchTask(t)
	return r.goOn(e, []*command{c})
}

// reopen sets an execution and all above it running again.
func (r *Run) reopen(e *Execution) error {
	if err := r.setState(e, Running, nil); err != nil {
		return err
	}
	if e.parent == nil {
		return nil
	}
	if err := r.reopen(e.parent.exec); err != nil {
		return err
	}
	r.setTaskState(e.parent, Running, nil)
	e.parent.Processed = false
	return nil
}

func (ev Skip) apply(r *Run) error {
	t := r.tasks[ev.Task]
	switch {
	case t == nil:
		return refuse("task execution %s does not exist", ev.Task)
	case t.State == Success || t.State == Skipped:
		return refuse("a task in state %s cannot be skipped", t.State)
	}
	e := t.exec
	if e.State == Paused {
		return nil
	}
	if err := r.reopen(e); err != nil {
		return err
	}
	r.setTaskState(t, Skipped, textp("Task was skipped."))
	if err := r.publish(t); err != nil {
		return refuse("%s", err)
	}
	if err := r.proceed(t); err != nil {
		return refuse("%s", err)
	}
	r.refreshAffected(t)
	return nil
}
