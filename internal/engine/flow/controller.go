package flow

import (
	"fmt"
	"sort"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// command is what a workflow does next: run a task, or one of the engine commands.
type command struct {
	name    string // of an engine command, or "" for a task
	spec    *workflow.Task
	ctx     *value.Map
	msg     any    // of fail, succeed and pause
	event   string // clause that led here, or ""
	key     string // unique key of a join
	wait    bool   // a join: look before running
	task    *Task  // an existing task to run
	reset   bool
	rerun   bool
	handles bool // came from on-error
}

func (c *command) isTask() bool { return c.name == "" }

// savedCommand is a command of the backlog of a paused workflow.
type savedCommand struct {
	Name     string     `json:"name,omitempty"`
	TaskName string     `json:"task,omitempty"`
	Context  *value.Map `json:"-"`
	Msg      any        `json:"-"`
	Event    string     `json:"event,omitempty"`
}

// Backlogged is one command of a backlog, for storing.
type Backlogged = savedCommand

// continueWorkflow finds the commands that follow a completed task, or, without one, those that start or resume.
func (r *Run) continueWorkflow(e *Execution, t *Task) ([]*command, error) {
	if e.State.Completed() {
		return nil, nil
	}
	var cmds []*command
	if t == nil {
		for _, idle := range e.tasks {
			if idle.State == Idle {
				cmds = append(cmds, &command{spec: idle.spec, ctx: idle.InContext, task: idle, reset: true, key: idle.Key})
			}
		}
	}
	if e.Spec.Reverse {
		return r.reverseNext(e, cmds)
	}
	if t == nil && len(e.tasks) == 0 {
		for _, spec := range e.Spec.Start() {
			cmds = append(cmds, &command{spec: spec, ctx: value.NewMap(0)})
		}
		return cmds, nil
	}
	done := []*Task{t}
	if t == nil {
		done = nil
		for _, x := range e.tasks {
			if x.State.Completed() && !x.Processed {
				done = append(done, x)
			}
		}
	}
	for _, x := range done {
		more, err := r.nextCommands(x)
		if err != nil {
			return nil, err
		}
		cmds = append(cmds, more...)
	}
	return cmds, nil
}

// nextCommands evaluates the transitions of a completed task of a direct workflow.
func (r *Run) nextCommands(t *Task) ([]*command, error) {
	ctx := outbound(t)
	v := view{currentTask(t), ctx, r.environment(), t.exec.Context, t.exec.Input}
	w, s := t.exec.Spec, r.scope(t)
	var cmds []*command
	follow := func(list []workflow.Next, event string) error {
		flat := v.flat()
		for _, next := range list {
			ok, params, err := s.transition(next, flat)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			c := &command{spec: w.Task(next.Name), ctx: ctx, event: event, handles: event == "on-error"}
			if isCommand(next.Name) {
				c.name = next.Name
				c.msg, _ = params.GetStr("msg")
			}
			if c.spec == nil {
				c.spec = t.spec
			}
			r.configureJoin(t.exec, c)
			cmds = append(cmds, c)
		}
		return nil
	}
	var err error
	switch t.State {
	case Failed:
		err = follow(w.OnError(t.spec), "on-error")
	case Success:
		err = follow(w.OnSuccess(t.spec), "on-success")
	case Skipped:
		if err = follow(w.OnSkip(t.spec), "on-skip"); err == nil && len(cmds) == 0 {
			err = follow(w.OnSuccess(t.spec), "on-success")
		}
	}
	if err == nil && (t.State == Failed || t.State == Success) {
		err = follow(w.OnComplete(t.spec), "on-complete")
	}
	return cmds, err
}

func isCommand(name string) bool {
	for _, c := range workflow.Commands {
		if c == name {
			return true
		}
	}
	return false
}

// transition says whether a transition is taken, and gives its evaluated parameters.
func (s scope) transition(next workflow.Next, flat *value.Map) (bool, *value.Map, error) {
	taken := true
	if value.Truth(next.Condition) {
		v := next.Condition
		if text, ok := v.(string); ok {
			var err error
			if v, err = s.text(text, flat); err != nil {
				return false, nil, err
			}
		}
		taken = value.Truth(v)
	}
	if !taken {
		return false, nil, nil
	}
	params, err := s.evaluateOver(next.Params, flat)
	if err != nil {
		return false, nil, err
	}
	return true, params.(*value.Map), nil
}

func (r *Run) configureJoin(e *Execution, c *command) {
	if !c.isTask() || !c.spec.Join.Is() {
		return
	}
	c.key = fmt.Sprintf("join-task-%s-%s", e.ID, c.spec.Name)
	c.wait = true
}

// finalContext is what the output of a workflow is made of.
func (r *Run) finalContext(e *Execution) (*value.Map, error) {
	if e.Spec.Reverse {
		target, err := r.target(e)
		if err != nil {
			return nil, err
		}
		if list := e.byName[target.Name]; len(list) > 0 {
			return outbound(list[0]), nil
		}
		return value.NewMap(0), nil
	}
	ctx := value.NewMap(0)
	for _, t := range e.tasks {
		if t.State.Completed() && len(t.Next) == 0 {
			ctx = workflow.Merge(ctx, outbound(t))
		}
	}
	return ctx, nil
}

// inboundContext is what a task starts with when it is started again or joins.
func (r *Run) inboundContext(e *Execution, spec *workflow.Task) *value.Map {
	if e.Spec.Reverse {
		return upstream(r.requiredTasks(e, spec))
	}
	parents := e.Spec.Inbound(spec)
	var from []*Task
	if len(parents) > 0 && !spec.Join.Is() {
		// Mistral looks at the first parent only.
		for _, t := range e.byName[parents[0].Name] {
			if t.State.Completed() && t.Processed {
				from = append(from, t)
			}
		}
		return upstream(from)
	}
	for _, p := range parents {
		for _, t := range e.byName[p.Name] {
			if t.State.Completed() && t.leadsTo(spec.Name) {
				from = append(from, t)
			}
		}
	}
	// Mistral merges in the order of its random identifiers; here what was completed later wins.
	sort.SliceStable(from, func(i, j int) bool {
		a, b := from[i], from[j]
		return a.Finished.Before(b.Finished) || a.Finished.Equal(b.Finished) && a.Seq < b.Seq
	})
	return upstream(from)
}

func (t *Task) leadsTo(name string) bool {
	for _, n := range t.Next {
		if n.Task == name {
			return true
		}
	}
	return false
}

// errorsHandled says whether every failed task's error was taken care of.
func (r *Run) errorsHandled(e *Execution) bool {
	for _, t := range e.tasks {
		if t.State == Failed && (e.Spec.Reverse || !t.ErrorHandled) {
			return false
		}
	}
	return true
}

// mayComplete says whether the workflow can be over now that t is.
func (t *Task) mayComplete() bool {
	return t.State.Completed() && (t.exec.Spec.Reverse || len(t.Next) == 0)
}
