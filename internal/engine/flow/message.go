package flow

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

func tasksIn(e *Execution, state State, keep func(*Task) bool) []*Task {
	var out []*Task
	for _, t := range e.tasks {
		if t.State == state && keep(t) {
			out = append(out, t)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func names(tasks []*Task) string {
	list := make([]string, len(tasks))
	for i, t := range tasks {
		list[i] = t.Name
	}
	return strings.Join(list, ", ")
}

func cancelMessage(e *Execution) (string, bool) {
	tasks := tasksIn(e, Cancelled, func(*Task) bool { return true })
	return "Cancelled tasks: " + names(tasks), len(tasks) > 0
}

// failMessage lists the failed tasks that have no on-error clause, each with what failed in it.
func failMessage(e *Execution) string {
	failed := tasksIn(e, Failed, func(t *Task) bool { return e.Spec.Reverse || len(e.Spec.OnError(t.spec)) == 0 })
	var b strings.Builder
	fmt.Fprintf(&b, "Failure caused by error in tasks: %s\n", names(failed))
	for _, t := range failed {
		fmt.Fprintf(&b, "\n  %s [task_ex_id=%s] -> %s\n", t.Name, t.ID, value.Str(optional(t.Info)))
		for i, a := range t.actions {
			if a.State == Failed {
				out := any("Unknown")
				if a.HasOutput {
					out = a.Output
				}
				fmt.Fprintf(&b, "    [action_ex_id=%s, idx=%d]: %s\n", a.ID, i, value.Str(out))
			}
		}
		for i, sub := range t.subs {
			if sub.State == Failed {
				out := any("Unknown")
				if v, ok := sub.Output.GetStr("result"); ok {
					out = v
				}
				fmt.Fprintf(&b, "    [wf_ex_id=%s, idx=%d]: %s\n", sub.ID, i, value.Str(out))
			}
		}
	}
	return b.String()
}
