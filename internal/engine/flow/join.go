package flow

import (
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// joinGrace is how long a join that does not need all its parents is looked at after a trigger. Mistral's scheduler
// looks a second or so later, so that parents which end together make it run once; a trigger that comes after the
// join has run makes it run again, in both.
const joinGrace = 100 * time.Millisecond

// joinState is what a join's parents say: RUNNING, WAITING, or ERROR with its info.
func (r *Run) joinState(e *Execution, spec *workflow.Task) (State, *string) {
	parents := e.Spec.Inbound(spec)
	if len(parents) == 0 {
		return Running, nil
	}
	var running, failed int
	var failedNames []any
	for _, p := range parents {
		x := reach{e: e, seen: map[string]bool{}}
		switch x.induced(p, spec.Name) {
		case Running:
			running++
		case Failed:
			failed++
			failedNames = append(failedNames, p.Name)
		}
	}
	switch {
	case spec.Join.All && running == len(parents), !spec.Join.All && float64(running) >= spec.Join.Count:
		return Running, nil
	case spec.Join.All && failed > 0, !spec.Join.All && float64(failed) > float64(len(parents))-spec.Join.Count:
		return Failed, textp("Failed by tasks: " + value.Repr(failedNames))
	}
	return Waiting, nil
}

// reach looks for a route through the workflow that can still lead to a task.
type reach struct {
	e    *Execution
	seen map[string]bool // tasks looked at already
}

func last(list []*Task) *Task {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// induced is the state that one parent gives a join.
func (x *reach) induced(p *workflow.Task, join string) State {
	t := last(x.e.byName[p.Name])
	switch {
	case t == nil:
		if x.possible(p) {
			return Waiting
		}
		return Failed
	case !t.State.Completed():
		return Waiting
	case !t.leadsTo(join):
		return Failed
	}
	return Running
}

// possible says whether a task that has not run can still be reached. A way that comes back to itself leads nowhere;
// Mistral would not return from there.
func (x *reach) possible(spec *workflow.Task) bool {
	parents := x.e.Spec.Inbound(spec)
	if len(parents) == 0 {
		return true
	}
	if x.seen[spec.Name] {
		return false
	}
	x.seen[spec.Name] = true
	for _, p := range parents {
		t := last(x.e.byName[p.Name])
		switch {
		case t == nil:
			if x.possible(p) {
				return true
			}
		case !t.State.Completed(), t.leadsTo(spec.Name):
			return true
		}
	}
	return false
}

// refreshAffected looks again at the joins that a completed task leads to, directly or through others.
func (r *Run) refreshAffected(t *Task) {
	if !t.State.Completed() || t.exec.State.Completed() || t.exec.Spec.Reverse {
		return
	}
	e := t.exec
	visited := map[string]bool{t.Name: true}
	var todo []string
	push := func(spec *workflow.Task) {
		for _, next := range e.Spec.Outbound(spec) {
			todo = append(todo, next.Name)
		}
	}
	push(t.spec)
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		spec := e.Spec.Task(name)
		if spec == nil || visited[name] {
			continue
		}
		visited[name] = true
		if spec.Join.Is() {
			if join := last(e.byName[name]); join != nil {
				r.after = append(r.after, func() { r.scheduleRefresh(join) })
				continue
			}
		}
		push(spec)
	}
}

// scheduleRefresh has a join looked at, once for all triggers of one event.
func (r *Run) scheduleRefresh(t *Task) {
	if t.looking {
		return
	}
	if !t.spec.Join.All && t.spec.Join.Count < float64(len(t.exec.Spec.Inbound(t.spec))) {
		for _, tm := range r.timers {
			if tm.Task == t.ID && tm.Kind == TimerRefresh {
				return
			}
		}
		r.startTimer(&Timer{Task: t.ID, Kind: TimerRefresh, At: r.now.Add(joinGrace)})
		return
	}
	t.looking = true
	r.jobs = append(r.jobs, func() {
		t.looking = false
		r.refresh(t)
	})
}

// refresh starts, fails or leaves a waiting join according to its parents.
func (r *Run) refresh(t *Task) {
	if t.State.Completed() || t.State == Running || t.exec.State.Completed() {
		return
	}
	state, why := t.State, t.Info
	if t.spec.Join.Is() {
		state, why = r.joinState(t.exec, t.spec)
	}
	switch state {
	case Running:
		r.continueTask(t)
	case Failed:
		r.completeTask(t, Failed, why)
	}
}
