package flow

import (
	"slices"
)

// rearrange drops noops, puts joins last in the order of their keys, and cuts off what an engine command makes void.
func rearrange(cmds []*command) []*command {
	var out []*command
	for _, c := range cmds {
		if c.name != "noop" {
			out = append(out, c)
		}
	}
	at := -1
	for i, c := range out {
		if !c.isTask() {
			at = i
			break
		}
	}
	switch {
	case at < 0:
		sortJoins(out)
		return out
	case at == 0 && out[0].name != "pause":
		return out[:1]
	}
	sortJoins(out[:at])
	if out[at].name == "pause" {
		return out // what follows goes to the backlog
	}
	return out[:at+1]
}

// sortJoins puts commands in the order in which Mistral creates tasks: joins last, by key, and the others in reverse.
// That comes of a comparison there which calls every other task the smaller one, and it decides whose values win where
// branches meet; so Python's sort is followed step by step.
func sortJoins(cmds []*command) {
	less := func(a, b *command) bool {
		if !a.wait {
			return true
		}
		return b.wait && a.key < b.key
	}
	n := len(cmds)
	if n < 2 {
		return
	}
	run := 2
	if less(cmds[1], cmds[0]) {
		for run < n && less(cmds[run], cmds[run-1]) {
			run++
		}
		slices.Reverse(cmds[:run])
	} else {
		for run < n && !less(cmds[run], cmds[run-1]) {
			run++
		}
	}
	for ; run < n; run++ {
		pivot, left, right := cmds[run], 0, run
		for left < right {
			if mid := (left + right) / 2; less(pivot, cmds[mid]) {
				right = mid
			} else {
				left = mid + 1
			}
		}
		copy(cmds[left+1:run+1], cmds[left:run])
		cmds[left] = pivot
	}
}

// dispatch carries out commands, those of the backlog first.
func (r *Run) dispatch(e *Execution, cmds []*command) error {
	if len(e.Backlog) > 0 {
		var saved []*command
		for _, b := range e.Backlog {
			saved = append(saved, r.restored(e, b))
		}
		e.Backlog = nil
		r.touchExecution(e)
		if err := r.process(e, saved); err != nil {
			return err
		}
	}
	return r.process(e, cmds)
}

func (r *Run) restored(e *Execution, b savedCommand) *command {
	// A join of the backlog runs as any task: Mistral keeps its key but does not wait.
	return &command{name: b.Name, spec: e.Spec.Task(b.TaskName), ctx: b.Context, msg: b.Msg, event: b.Event}
}

func (r *Run) process(e *Execution, cmds []*command) error {
	for _, c := range rearrange(cmds) {
		if e.State.Completed() {
			return nil
		}
		if e.State == Paused {
			e.Backlog = append(e.Backlog, savedCommand{Name: c.name, TaskName: c.spec.Name, Context: c.ctx, Msg: c.msg, Event: c.event})
			r.touchExecution(e)
			continue
		}
		if c.isTask() {
			if err := r.runTask(e, c); err != nil {
				return err
			}
			continue
		}
		var err error
		switch c.name {
		case "fail":
			err = r.stop(e, Failed, c.msg)
		case "succeed":
			err = r.stop(e, Success, c.msg)
		case "pause":
			r.pause(e, asInfo(c.msg))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
