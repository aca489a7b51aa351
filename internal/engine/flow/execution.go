package flow

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

const (
	// maxNesting is how deep sub-workflows may start each other.
	maxNesting = 100
	// maxStarted is how many sub-workflows one event may start: a workflow that starts itself for each of its items
	// would start more than there is room for before it is ever nested too deep.
	maxStarted = 10_000
)

func (ev Start) apply(r *Run) error {
	spec, key := r.defs.Workflow(ev.Workflow, ev.Namespace)
	if spec == nil {
		return refuse("Failed to find workflow [name=%s] [namespace=%s]", ev.Workflow, ev.Namespace)
	}
	if strings.ContainsFunc(spec.FullName(), unicode.IsSpace) {
		return refuse("Name '%s' must not contain spaces", spec.FullName())
	}
	params := value.NewMap(2)
	if ev.Params != nil {
		params = ev.Params.Clone()
	}
	if _, given := params.GetStr("namespace"); !given {
		params.SetStr("namespace", ev.Namespace)
	}
	e := &Execution{ID: r.ID, Definition: key, Spec: spec, Namespace: ev.Namespace, Description: ev.Description}
	if err := r.begin(e, ev.Input, params); err != nil {
		return refuse("%s", err)
	}
	r.checkAndComplete(e)
	return nil
}

// begin checks the input, creates the execution and starts its first tasks.
func (r *Run) begin(e *Execution, input, params *value.Map) error {
	if input == nil {
		input = value.NewMap(0)
	}
	if err := checkWorkflowInput(e.Spec, input); err != nil {
		return err
	}
	e.Seq, e.Name, e.State, e.Created = r.next(), e.Spec.FullName(), Idle, r.now
	e.Input, e.Output, e.Params = input.Clone(), value.NewMap(0), params
	for _, p := range e.Spec.Input {
		if _, given := e.Input.GetStr(p.Name); !given {
			e.Input.SetStr(p.Name, p.Default)
		}
	}
	e.Context = value.MapOf("__execution", value.MapOf("id", e.ID))
	r.add(e)
	r.changed.fresh(e)
	env, err := r.startEnvironment(e, params)
	if err != nil {
		return err
	}
	params.SetStr("env", env)
	vars, err := scope{r: r, exec: e}.evaluateMap(e.Spec.Vars, view{r.environment(), e.Context, e.Input})
	if err != nil {
		return err
	}
	e.Context = workflow.Merge(e.Context, vars)
	r.touchExecution(e)
	if err := r.setState(e, Running, nil); err != nil {
		return err
	}
	cmds, err := r.continueWorkflow(e, nil)
	if err != nil {
		return err
	}
	return r.dispatch(e, cmds)
}

func checkWorkflowInput(w *workflow.Workflow, input *value.Map) error {
	info := ActionInfo{Name: w.Name, Class: w.ClassName()}
	for _, p := range w.Input {
		info.Inputs = append(info.Inputs, Input{Name: p.Name, Required: !p.HasDefault})
	}
	return checkInput(info, input)
}

// startEnvironment finds the environment that params name or hold, and evaluates it against itself.
func (r *Run) startEnvironment(e *Execution, params *value.Map) (*value.Map, error) {
	given, _ := params.GetStr("env")
	var env *value.Map
	switch g := given.(type) {
	case *value.Map:
		env = g
	case string:
		if g == "" {
			return value.NewMap(0), nil
		}
		var ok bool
		if env, ok = r.defs.Environment(g); !ok {
			return nil, fmt.Errorf("Environment is not found: %s", g) //nolint:staticcheck // Mistral's words
		}
	default:
		if !value.Truth(g) {
			return value.NewMap(0), nil
		}
		return nil, fmt.Errorf("Unexpected value type for environment [env=%s, type=<class '%s'>]", value.Str(g), value.TypeName(g)) //nolint:staticcheck // Mistral's words
	}
	if evaluate, ok := params.GetStr("evaluate_env"); ok && !value.Truth(evaluate) {
		return env, nil
	}
	v, err := scope{r: r, exec: e}.evaluate(env, view{value.MapOf("__env", env)})
	if err != nil {
		return nil, err
	}
	return v.(*value.Map), nil
}

// startSub starts a workflow as what a task runs. Inputs that it does not declare become its parameters.
func (r *Run) startSub(t *Task, name string, input *value.Map, index int) error {
	parent := t.exec
	names := []string{name}
	if parent.Spec.Workbook != "" {
		names = []string{parent.Spec.Workbook + "." + name, name}
	}
	var spec *workflow.Workflow
	var key string
	for _, n := range names {
		if spec, key = r.defs.Workflow(n, parent.Namespace); spec != nil {
			break
		}
	}
	if spec == nil {
		return fmt.Errorf("Failed to find workflow [name=%s] [namespace=%s]", name, parent.Namespace) //nolint:staticcheck // Mistral's words
	}
	depth := 0
	for up := t; up != nil; up = up.exec.parent {
		if depth++; depth > maxNesting {
			return fmt.Errorf("sub-workflows are nested deeper than %d", maxNesting)
		}
	}
	if r.started++; r.started > maxStarted {
		return fmt.Errorf("more than %d sub-workflows start at once", maxStarted)
	}
	own := value.NewMap(input.Len())
	params := value.MapOf("root_execution_id", r.ID, "task_execution_id", t.ID, "index", int64(index), "namespace", parent.Namespace)
	if notify, ok := parent.Params.GetStr("notify"); ok {
		params.SetStr("notify", notify)
	}
	for k, v := range input.All() {
		to := params
		for _, p := range spec.Input {
			if p.Name == k {
				to = own
			}
		}
		_ = to.Set(k, v) // a key of a map is hashable
	}
	e := &Execution{
		ID: r.ids(), Definition: key, Spec: spec, Namespace: parent.Namespace, ParentTask: t.ID, Index: index, parent: t,
		Description: "sub-workflow execution",
	}
	if err := checkWorkflowInput(spec, own); err != nil {
		return err
	}
	t.subs = append(t.subs, e)
	return r.begin(e, own, params)
}

// setState changes the state of an execution, if that is allowed.
func (r *Run) setState(e *Execution, to State, why *string) error {
	if !allowed(e.State, to) {
		return refuse("Can't change workflow execution state from %s to %s. [workflow=%s, execution_id=%s]", e.State, to, e.Name, e.ID)
	}
	from := e.State
	e.State, e.Info, e.Accepted = to, why, to.Completed()
	r.touchExecution(e)
	if from != to {
		r.commands = append(r.commands, StateChanged{Execution: e, From: from, To: to, Info: info(why), At: r.now})
	}
	return nil
}

// checkAndComplete ends an execution that has nothing left to do.
func (r *Run) checkAndComplete(e *Execution) {
	if err := r.tryComplete(e); err != nil {
		msg := fmt.Sprintf("Failed to check and complete [wf_ex_id=%s, wf_name=%s]: %s", e.ID, e.Name, err)
		_ = r.stop(e, Failed, msg) // its own errors are part of its message
	}
}

func (r *Run) tryComplete(e *Execution) error {
	if e.State == Paused || e.State.Completed() || e.open > 0 {
		return nil
	}
	if msg, any := cancelMessage(e); any {
		return r.cancel(e, msg)
	}
	ctx, err := r.finalContext(e)
	if err != nil {
		return err
	}
	if r.errorsHandled(e) {
		return r.succeed(e, ctx, nil)
	}
	msg := failMessage(e)
	return r.fail(e, ctx, msg)
}

// stop ends an execution at once; tasks that run stay as they are.
func (r *Run) stop(e *Execution, state State, msg any) error {
	switch state {
	case Cancelled:
		if err := r.cancel(e, msg); err != nil {
			return err
		}
		for _, t := range e.tasks {
			for _, sub := range t.subs {
				if !sub.State.Completed() {
					if err := r.stop(sub, Cancelled, msg); err != nil {
						return err
					}
				}
			}
		}
		return nil
	case Success, Failed:
		ctx, err := r.finalContext(e)
		if err != nil {
			ctx = value.NewMap(0)
		}
		if state == Success {
			return r.succeed(e, ctx, msg)
		}
		return r.fail(e, ctx, msg)
	}
	return refuse("an execution cannot be stopped with state %s", state)
}

// output evaluates a workflow's output section; what comes to nothing gives the final context instead.
func (r *Run) output(e *Execution, section, ctx *value.Map) (*value.Map, error) {
	out, err := scope{r: r, exec: e}.evaluateMap(section, view{ctx, r.environment(), e.Context, e.Input})
	if err != nil {
		return nil, err
	}
	if out == nil || out.Len() == 0 {
		return ctx, nil
	}
	return out, nil
}

func (r *Run) succeed(e *Execution, ctx *value.Map, msg any) error {
	out, err := r.output(e, e.Spec.Output, ctx)
	if err != nil {
		return err
	}
	if err := r.setState(e, Success, asInfo(msg)); err != nil {
		return err
	}
	e.Output = out
	r.tellParent(e)
	return nil
}

func (r *Run) fail(e *Execution, ctx *value.Map, msg any) error {
	if e.State == Paused || e.State.Completed() {
		return nil
	}
	out, err := r.output(e, e.Spec.OutputError, ctx)
	if err != nil {
		msg = fmt.Sprintf("Failed to evaluate expression in output-on-error! (output-on-error: '%s', exception: '%s' Cause: '%s'",
			value.Repr(e.Spec.OutputError), err, value.Str(msg))
	}
	if err := r.setState(e, Failed, asInfo(msg)); err != nil {
		return err
	}
	e.Output = workflow.Merge(value.MapOf("result", asResult(msg)), out)
	r.tellParent(e)
	return nil
}

func (r *Run) cancel(e *Execution, msg any) error {
	if e.State.Completed() {
		return nil
	}
	if err := r.setState(e, Cancelled, asInfo(msg)); err != nil {
		return err
	}
	e.Output = value.MapOf("result", asResult(msg))
	r.tellParent(e)
	return nil
}

// asInfo is how a message stands in state_info: mappings as JSON.
func asInfo(msg any) *string {
	switch m := msg.(type) {
	case nil:
		return nil
	case *value.Map:
		s, err := value.JSON(m, value.JSONOptions{})
		if err != nil {
			s = value.Str(m)
		}
		return &s
	}
	return textp(value.Str(msg))
}

// asResult is how a message stands in the output: as text, unless it is empty.
func asResult(msg any) any {
	if !value.Truth(msg) {
		return msg
	}
	return value.Str(msg)
}

// tellParent hands the end of a sub-workflow on to the task that started it.
func (r *Run) tellParent(e *Execution) {
	if e.parent != nil {
		r.last = append(r.last, func() { r.childCompleted(e.parent, e, e.Name) })
	}
}
