package flow

import (
	"fmt"
	"math"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// policy is one policy of a task: what it does before the task starts, and after it is complete. Its numbers and
// conditions are evaluated anew at both times.
type policy struct {
	class  string // Mistral's name, for messages
	fields []policyField
	before func(r *Run, t *Task, v []any)
	after  func(r *Run, t *Task, v []any) error
}

type policyField struct {
	name    string
	value   any
	boolean bool
	free    bool // of any type
}

// policiesOf gives the policies of a task in the order in which they act. For each kind, the task's own counts if it
// is switched on, else that of task-defaults.
func policiesOf(t *Task) []policy {
	own := t.spec.Policies
	standard := workflow.Policies{}
	if d := t.exec.Spec.Defaults; d != nil {
		standard = d.Policies
	}
	var out []policy
	number := func(own, standard any, make func(any) policy) {
		if on(own) {
			out = append(out, make(own))
		} else if on(standard) {
			out = append(out, make(standard))
		}
	}
	number(own.PauseBefore, standard.PauseBefore, pauseBefore)
	number(own.WaitBefore, standard.WaitBefore, waitBefore)
	number(own.WaitAfter, standard.WaitAfter, waitAfter)
	number(own.FailOn, standard.FailOn, failOn)
	if own.Retry != nil {
		out = append(out, retry(own.Retry))
	} else if standard.Retry != nil {
		out = append(out, retry(standard.Retry))
	}
	number(own.Timeout, standard.Timeout, timeout)
	number(own.Concurrency, standard.Concurrency, concurrency)
	return out
}

// on says whether a policy is switched on: an expression always is.
func on(v any) bool { return value.Truth(v) }

func (r *Run) beforeStart(t *Task) error {
	for _, p := range policiesOf(t) {
		if p.class == "FailOnPolicy" {
			continue // looks at nothing before
		}
		v, err := p.evaluate(r, t)
		if err != nil {
			return err
		}
		if p.before != nil {
			p.before(r, t, v)
		}
	}
	return nil
}

func (r *Run) afterComplete(t *Task) error {
	for _, p := range policiesOf(t) {
		v, err := p.evaluate(r, t)
		if err != nil {
			return err
		}
		if p.after != nil {
			if err := p.after(r, t, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// evaluate gives the values of the policy's fields, checked.
func (p policy) evaluate(r *Run, t *Task) ([]any, error) {
	out := make([]any, len(p.fields))
	for i, f := range p.fields {
		v, err := r.scope(t).evaluate(f.value, r.taskView(t, nil))
		if err != nil {
			return nil, err
		}
		if err := p.check(f, v); err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (p policy) check(f policyField, v any) error {
	kind, schema := "integer", "{'minimum': 0, 'type': 'integer'}"
	if f.boolean {
		kind, schema = "boolean", "{'type': 'boolean'}"
	}
	keyword, message := "", ""
	_, isBool := v.(bool)
	whole := value.IsInt(v) && !isBool
	if x, ok := v.(float64); ok && x == math.Trunc(x) {
		whole = true
	}
	switch {
	case f.free:
	case f.boolean && !isBool, !f.boolean && !whole:
		keyword, message = "type", fmt.Sprintf("%s is not of type '%s'", value.Repr(v), kind)
	case !f.boolean:
		if c, _, err := value.Compare(v, int64(0)); err == nil && c < 0 {
			keyword, message = "minimum", value.Repr(v)+" is less than the minimum of 0"
		}
	}
	if message == "" {
		return nil
	}
	return fmt.Errorf("Invalid data type in %s: %s\n\nFailed validating '%s' in schema['properties']['%s']:\n    %s\n\nOn instance['%s']:\n    %s."+ //nolint:staticcheck // Mistral's words
		" Value(s) can be shown after YAQL evaluating. If you use YAQL here, please correct it.",
		p.class, message, keyword, f.name, schema, f.name, value.Repr(v))
}

// maxDelay keeps a time in the future within what can be stored.
const maxDelay = 100 * 365 * 24 * time.Hour

func seconds(v any) time.Duration {
	f, err := value.ToFloat(v)
	if err != nil || f*float64(time.Second) > float64(maxDelay) {
		return maxDelay
	}
	return time.Duration(f * float64(time.Second))
}

func isZero(v any) bool { return value.Equal(v, int64(0)) }

func pauseBefore(v any) policy {
	return policy{class: "PauseBeforePolicy", fields: []policyField{{name: "expr", value: v, boolean: true}}, before: func(r *Run, t *Task, v []any) {
		if v[0] == true {
			r.setTaskState(t, Idle, textp("Set by 'pause-before' policy"))
			r.pause(t.exec, nil)
		}
	}}
}

func waitBefore(v any) policy {
	return policy{class: "WaitBeforePolicy", fields: []policyField{{name: "delay", value: v}}, before: func(r *Run, t *Task, v []any) {
		switch {
		case isZero(v[0]):
		case t.Runtime.WaitedBefore:
			r.setTaskState(t, Running, nil)
		case t.State != Idle:
			t.Runtime.WaitedBefore = true
			r.setTaskState(t, Delayed, textp("Delayed by 'wait-before' policy [delay="+value.Str(v[0])+"]"))
			r.startTimer(&Timer{Task: t.ID, Kind: TimerContinue, At: r.now.Add(seconds(v[0]))})
		}
	}}
}

func waitAfter(v any) policy {
	return policy{class: "WaitAfterPolicy", fields: []policyField{{name: "delay", value: v}}, after: func(r *Run, t *Task, v []any) error {
		if isZero(v[0]) || t.Runtime.WaitedAfter {
			return nil
		}
		t.Runtime.WaitedAfter = true
		end, why := t.State, t.Info
		r.setTaskState(t, Delayed, textp("Delayed by 'wait-after' policy [delay="+value.Str(v[0])+"]"))
		r.startTimer(&Timer{Task: t.ID, Kind: TimerComplete, At: r.now.Add(seconds(v[0])), State: end, Info: why})
		return nil
	}}
}

func failOn(v any) policy {
	return policy{class: "FailOnPolicy", fields: []policyField{{name: "fail_on", value: v, free: true}}, after: func(r *Run, t *Task, v []any) error {
		if t.State == Success && value.Truth(v[0]) {
			r.setTaskState(t, Failed, textp("Failed by 'fail-on' policy"))
		}
		return nil
	}}
}

func timeout(v any) policy {
	return policy{class: "TimeoutPolicy", fields: []policyField{{name: "delay", value: v}}, before: func(r *Run, t *Task, v []any) {
		if !isZero(v[0]) {
			r.startTimer(&Timer{Task: t.ID, Kind: TimerTimeout, At: r.now.Add(seconds(v[0])), Delay: value.Str(v[0])})
		}
	}}
}

func concurrency(v any) policy {
	return policy{class: "ConcurrencyPolicy", fields: []policyField{{name: "concurrency", value: v}}, before: func(r *Run, t *Task, v []any) {
		if !isZero(v[0]) {
			n, _ := value.Int(v[0])
			if f, ok := v[0].(float64); ok {
				n = int(f)
			}
			t.Runtime.Concurrency = &n
			r.touchTask(t)
		}
	}}
}

func retry(spec *workflow.Retry) policy {
	return policy{
		class:  "RetryPolicy",
		fields: []policyField{{name: "count", value: spec.Count}, {name: "delay", value: spec.Delay}},
		after:  func(r *Run, t *Task, v []any) error { return r.retry(t, spec, v[0], v[1]) },
	}
}

// retry decides whether a completed task runs once more.
func (r *Run) retry(t *Task, spec *workflow.Retry, count, delay any) error {
	if isZero(count) {
		return nil
	}
	s, v := r.scope(t), r.taskView(t, outbound(t)).flat()
	again, err := s.evaluateOver(spec.ContinueOn, v)
	if err != nil {
		return err
	}
	enough, err := s.evaluateOver(spec.BreakOn, v)
	if err != nil {
		return err
	}
	if !t.State.Completed() || t.State == Cancelled {
		return nil
	}
	done := 0
	if t.Runtime.Retries != nil {
		done = *t.Runtime.Retries
	}
	limit, _ := value.Int(count)
	if f, ok := count.(float64); ok {
		limit = int(f)
	}
	continues := value.Truth(spec.ContinueOn)
	if done >= limit || t.State == Failed && value.Truth(enough) ||
		t.State == Success && !continues || continues && !value.Truth(again) {
		return nil
	}
	for _, c := range t.children() {
		c.setAccepted(r, false)
	}
	t.Runtime.Retries = intp(done + 1)
	why := textp("Delayed by 'retry' policy [delay=" + value.Str(delay) + "]")
	state, kind := Delayed, TimerContinue
	if t.spec.Join.Is() {
		state, kind = Waiting, TimerRefresh
	}
	r.setTaskState(t, state, why)
	r.startTimer(&Timer{Task: t.ID, Kind: kind, At: r.now.Add(seconds(delay))})
	return nil
}
