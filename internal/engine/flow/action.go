package flow

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// input evaluates what a task hands to its action; extra holds the item of a with-items task.
func (r *Run) input(t *Task, extra *value.Map) (*value.Map, error) {
	out := value.NewMap(0)
	if t.spec.Input != nil {
		v, err := r.scope(t).evaluate(t.spec.Input, r.taskView(t, extra))
		if err != nil {
			return nil, err
		}
		m, ok := v.(*value.Map)
		if !ok {
			return nil, fmt.Errorf("Wrong dynamic input for task: %s. Dict type is expected. Actual type: <class '%s'>. Actual value: %s", //nolint:staticcheck // Mistral's words
				t.Name, value.TypeName(v), value.Str(v))
		}
		out = m
	}
	return workflow.MergeUnder(out, r.actionDefaults(t)), nil
}

// actionDefaults are the inputs that the environment gives for an action: env.__actions.NAME.
func (r *Run) actionDefaults(t *Task) *value.Map {
	if t.spec.Action == "" {
		return nil
	}
	env, ok := paramMap(t.exec, "env")
	if !ok {
		return nil
	}
	all, _ := env.GetStr("__actions")
	m, ok := all.(*value.Map)
	if !ok {
		return nil
	}
	v, _ := m.GetStr(t.spec.Action)
	defaults, _ := v.(*value.Map)
	return defaults
}

// scheduleOne starts an action or a sub-workflow with its input.
func (r *Run) scheduleOne(t *Task, input *value.Map, index int) error {
	s, v := r.scope(t), r.taskView(t, nil)
	target, err := r.targetOf(t, input)
	if err != nil {
		return err
	}
	if t.spec.Workflow != "" {
		name, err := s.evaluate(t.spec.Workflow, v)
		if err != nil {
			return err
		}
		return r.startSub(t, value.Str(name), input, index)
	}
	name := any(t.spec.Action)
	if name, err = s.evaluate(name, v); err != nil {
		return err
	}
	if !value.Truth(name) {
		name = "std.noop"
	}
	a := &Action{Task: t.ID, Index: index, State: Running, Input: input, SafeRerun: safeRerun(t), Target: target, Created: r.now}
	if err := r.resolve(t, value.Str(name), a); err != nil {
		return err
	}
	if a.Timeout, err = r.actionTimeout(t); err != nil {
		return err
	}
	a.ID, a.Seq = r.ids(), r.next()
	r.addAction(t, a)
	r.changed.fresh(a)
	r.touchAction(a)
	r.commands = append(r.commands, RunAction{a})
	return nil
}

func (r *Run) targetOf(t *Task, input *value.Map) (string, error) {
	if t.spec.Target == "" {
		return "", nil
	}
	v, err := r.scope(t).evaluate(t.spec.Target, view{input, t.InContext, r.environment(), t.exec.Context, t.exec.Input})
	return value.Str(v), err
}

// actionTimeout is what the executor gets of the timeout policy, so that it can interrupt the action.
func (r *Run) actionTimeout(t *Task) (time.Duration, error) {
	v := t.spec.Policies.Timeout
	if v == nil {
		return 0, nil
	}
	v, err := r.scope(t).evaluate(v, view{t.InContext, t.exec.Context, t.exec.Input})
	if err != nil {
		return 0, err
	}
	seconds, err := value.ToFloat(v)
	if err != nil || seconds <= 0 {
		return 0, nil
	}
	return time.Duration(math.Min(seconds*1e9, math.MaxInt64/2)), nil
}

// resolve finds an action by name, checks its input, and follows an ad-hoc action to what it is made of.
func (r *Run) resolve(t *Task, name string, a *Action) error {
	e := t.exec
	names := []string{name}
	if e.Spec.Workbook != "" {
		names = []string{e.Spec.Workbook + "." + name, name}
	}
	for _, n := range names {
		if info, ok := r.defs.Action(n); ok {
			a.Name, a.Base, a.BaseInput, a.Sync = n, n, a.Input, !info.Async
			if err := checkInput(info, a.Input); err != nil {
				return err
			}
			if err := info.check(a.Input); err != nil {
				return fmt.Errorf("Failed to instantiate an action [action_desc=Python action [name=%s, cls=<class '%s'>], input_dict=%s]: %w", //nolint:staticcheck // Mistral's words
					n, info.Class, value.Repr(a.Input), err)
			}
			return nil
		}
		if adhoc := r.defs.AdHoc(n, e.Namespace); adhoc != nil {
			a.Name = n
			if err := checkInput(adhocInfo(adhoc), a.Input); err != nil {
				return err
			}
			return r.unfold(t, adhoc, a)
		}
	}
	return fmt.Errorf("Failed to find action [action_name=%s, namespace=%s]", name, e.Namespace) //nolint:staticcheck // Mistral's words
}

func (i ActionInfo) check(in *value.Map) error {
	if i.Check == nil {
		return nil
	}
	return i.Check(in)
}

func adhocInfo(a *workflow.Action) ActionInfo {
	info := ActionInfo{Name: a.FullName(), Class: "mistral.actions.adhoc.AdHocAction"}
	for _, p := range a.Input {
		info.Inputs = append(info.Inputs, Input{Name: p.Name, Required: !p.HasDefault})
	}
	return info
}

// checkInput compares an input with what is declared.
func checkInput(info ActionInfo, input *value.Map) error {
	var missing, unexpected []any
	declared := map[string]bool{}
	for _, in := range info.Inputs {
		declared[in.Name] = true
		if _, given := input.GetStr(in.Name); in.Required && !given {
			missing = append(missing, in.Name)
		}
	}
	for k := range input.All() {
		if name, ok := k.(string); !info.Open && (!ok || !declared[name]) {
			unexpected = append(unexpected, k)
		}
	}
	return invalidInput(info.Name, info.Class, missing, unexpected)
}

func invalidInput(name, class string, missing, unexpected []any) error {
	if missing == nil && unexpected == nil {
		return nil
	}
	msg := fmt.Sprintf("Invalid input [name=%s, class=%s", name, class)
	if missing != nil {
		msg += ", missing=" + value.Repr(missing)
	}
	if unexpected != nil {
		msg += ", unexpected=" + value.Repr(unexpected)
	}
	return errors.New(msg + "]")
}

// adhocChain gives an ad-hoc action and those it is based on, and the built-in action at the end.
func (r *Run) adhocChain(a *workflow.Action, namespace string) ([]*workflow.Action, ActionInfo, error) {
	chain := []*workflow.Action{a}
	seen := map[string]bool{a.FullName(): true}
	for {
		base := chain[len(chain)-1].Base
		if seen[base] {
			return nil, ActionInfo{}, fmt.Errorf("Found a cycle in an ad-hoc action chain [action_name=%s, duplicate_action_name=%s]", a.FullName(), base) //nolint:staticcheck // Mistral's words
		}
		seen[base] = true
		if info, ok := r.defs.Action(base); ok {
			return chain, info, nil
		}
		next := r.defs.AdHoc(base, namespace)
		if next == nil {
			return nil, ActionInfo{}, fmt.Errorf("Failed to find base action [action_name=%s namespace=%s] ", base, namespace) //nolint:staticcheck // Mistral's words
		}
		chain = append(chain, next)
	}
}

// unfold evaluates the inputs along an ad-hoc chain. Any fault in it is the same error to Mistral.
func (r *Run) unfold(t *Task, adhoc *workflow.Action, a *Action) error {
	chain, info, err := r.adhocChain(adhoc, t.exec.Namespace)
	input := a.Input
	for i := 0; err == nil && i < len(chain); i++ {
		input, err = r.adhocInput(t, chain[i], input)
		if i == 0 && err == nil {
			a.Input = withDefaults(chain[0], a.Input)
		}
	}
	if err == nil {
		err = checkInput(info, input)
	}
	if err == nil {
		err = info.check(input)
	}
	if err != nil {
		return fmt.Errorf("Failed to instantiate an action [action_desc=AdHoc action [name=%s], input_dict=%s]: %w", //nolint:staticcheck // Mistral's words
			adhoc.FullName(), value.Repr(a.Input), err)
	}
	a.Base, a.BaseInput, a.Sync = info.Name, input, !info.Async
	return nil
}

func withDefaults(a *workflow.Action, input *value.Map) *value.Map {
	out := input.Clone()
	for _, p := range a.Input {
		if _, given := out.GetStr(p.Name); !given && p.HasDefault {
			out.SetStr(p.Name, p.Default)
		}
	}
	return out
}

func (r *Run) adhocInput(t *Task, a *workflow.Action, input *value.Map) (*value.Map, error) {
	if a.BaseInput == nil {
		return value.NewMap(0), nil
	}
	s := scope{r: r, exec: t.exec}
	v, err := s.evaluate(a.BaseInput, view{withDefaults(a, input), t.InContext, r.environment(), t.exec.Context})
	if err != nil {
		return nil, err
	}
	return v.(*value.Map), nil
}

// convert passes an ad-hoc action's result through its outputs, from the innermost out.
func (r *Run) convert(a *Action, res Result) (Result, error) {
	adhoc := r.defs.AdHoc(a.Name, a.task.exec.Namespace)
	if a.Name == a.Base || adhoc == nil {
		return res, nil
	}
	chain, _, err := r.adhocChain(adhoc, a.task.exec.Namespace)
	if err != nil {
		return res, err
	}
	s := scope{r: r, exec: a.task.exec}
	for i := len(chain) - 1; i >= 0; i-- {
		if chain[i].Output == nil {
			continue
		}
		if res.Data, err = s.evaluateOver(chain[i].Output, res.Data); err != nil {
			return res, err
		}
	}
	return res, nil
}

func (ev ActionDone) apply(r *Run) error {
	a := r.actions[ev.Action]
	if a == nil {
		return refuse("action execution %s does not exist", ev.Action)
	}
	if a.State.Completed() {
		return refuse("Action %s is already completed", ev.Action)
	}
	t := a.task
	switch {
	case ev.Result.Cancel:
		a.State = Cancelled
	case ev.Result.Error != nil:
		a.State = Failed
	default:
		a.State = Success
	}
	res, err := r.convert(a, ev.Result)
	r.touchAction(a)
	if err != nil {
		msg := fmt.Sprintf("Failed to complete action [error=%s, action=%s, task=%s]", err, a.Name, t.Name)
		a.State, a.Output, a.HasOutput = Failed, msg, true
		r.forced(t, msg)
		return nil
	}
	a.Output, a.HasOutput, a.Accepted = res.Data, true, true
	if a.State != Success {
		a.Output = res.Error
	}
	r.childCompleted(t, a, a.Name)
	return nil
}

// childCompleted tells a task of its completed action or sub-workflow.
func (r *Run) childCompleted(t *Task, c child, name string) {
	if err := r.childDone(t, c); err != nil {
		r.forced(t, fmt.Sprintf("Failed to handle action completion [error=%s, wf=%s, task=%s, action=%s]", err, t.exec.Name, t.Name, name))
		return
	}
	r.refreshAffected(t)
}

func (ev ActionToken) apply(r *Run) error {
	a := r.actions[ev.Action]
	switch {
	case a == nil:
		return refuse("action execution %s does not exist", ev.Action)
	case a.State.Completed():
		return refuse("Action %s is already completed", ev.Action)
	}
	a.Token = ev.Token
	r.touchAction(a)
	return nil
}

func (ev ActionUpdate) apply(r *Run) error {
	a := r.actions[ev.Action]
	switch {
	case a == nil:
		return refuse("action execution %s does not exist", ev.Action)
	case ev.State == Paused && a.Sync:
		return refuse("Transition to the PAUSED state is only supported for asynchronous action execution.")
	case !allowed(a.State, ev.State):
		return refuse("Invalid state transition from %s to %s.", a.State, ev.State)
	}
	a.State = ev.State
	r.touchAction(a)
	return r.childUpdated(a.task, a.State)
}

// childUpdated follows the pause and resumption of an action or sub-workflow.
func (r *Run) childUpdated(t *Task, state State) error {
	r.updateTask(t, state)
	switch state {
	case Paused:
		r.pause(t.exec, nil)
	case Running:
		for _, other := range t.exec.tasks {
			if other.State == Paused {
				return nil
			}
		}
		if err := r.resume(t.exec, nil); err != nil {
			return err
		}
	}
	r.refreshAffected(t)
	return nil
}
