package flow

import (
	"fmt"
	"sort"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// target is the task that a reverse workflow was started for.
func (r *Run) target(e *Execution) (*workflow.Task, error) {
	v, _ := e.Params.GetStr("task_name")
	name, _ := v.(string)
	t := e.Spec.Task(name)
	if t == nil {
		return nil, fmt.Errorf("Invalid task name [wf_spec=%s %s, task_name=%s]", e.Spec.ClassName(), value.Repr(e.Spec.Spec), value.Str(v)) //nolint:staticcheck // Mistral's words
	}
	return t, nil
}

// reverseNext adds the tasks whose requirements are met and that have not run.
func (r *Run) reverseNext(e *Execution, cmds []*command) ([]*command, error) {
	target, err := r.target(e)
	if err != nil {
		return nil, err
	}
	for _, spec := range requiredOrder(e.Spec, target) {
		if len(e.byName[spec.Name]) == 0 && r.satisfied(e, spec) {
			cmds = append(cmds, &command{spec: spec, ctx: r.inboundContext(e, spec)})
		}
	}
	return cmds, nil
}

// requiredOrder gives a task and all it requires, the required ones first.
func requiredOrder(w *workflow.Workflow, target *workflow.Task) []*workflow.Task {
	var out []*workflow.Task
	seen := map[string]bool{}
	var visit func(t *workflow.Task)
	visit = func(t *workflow.Task) {
		if t == nil || seen[t.Name] {
			return
		}
		seen[t.Name] = true
		for _, name := range w.Required(t) {
			visit(w.Task(name))
		}
		out = append(out, t)
	}
	visit(target)
	return out
}

func (r *Run) satisfied(e *Execution, spec *workflow.Task) bool {
	for _, name := range e.Spec.Required(spec) {
		ok := false
		for _, t := range e.byName[name] {
			ok = ok || t.State == Success
		}
		if !ok {
			return false
		}
	}
	return true
}

func (r *Run) requiredTasks(e *Execution, spec *workflow.Task) []*Task {
	var out []*Task
	for _, name := range e.Spec.Required(spec) {
		for _, t := range e.byName[name] {
			if t.State == Success {
				out = append(out, t)
			}
		}
	}
	sortTasks(out)
	return out
}

func sortTasks(list []*Task) {
	sort.Slice(list, func(i, j int) bool { return list[i].Seq < list[j].Seq })
}
