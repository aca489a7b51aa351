package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hotloom/hotloom/compiler/diag"
	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// Outcome is how Up or Down ended.
type Outcome struct {
	Paused  bool
	Reason  string    // why it failed, "" where it did not
	Failed  []*Record // the nodes that failed
	Changed int       // how many nodes were made, updated or removed
	Outputs Values    // of the template, without secrets
}

// Busy says that another process works on the stack.
type Busy struct{ Name string }

func (e *Busy) Error() string {
	return fmt.Sprintf("another hotloom process works on stack %s; wait for its end", e.Name)
}

// run is one Up or Down: a stack, the engine on it, and what is to be done.
type run struct {
	*Runtime
	engine   *engine.Engine
	prepared *Prepared // nil: everything goes
}

// downPlan is the plan in which everything goes.
const downPlan = "down"

// Up makes or updates a stack, or goes on with what was interrupted. When ctx ends, it lets running scripts come to their
// end and pauses. The error is for what keeps it from working; that the stack fails is an outcome.
func Up(ctx context.Context, root, name string, p *Prepared, o Options) (*Outcome, error) {
	s, err := OpenState(root, name)
	var none *NotThere
	if errors.As(err, &none) {
		s, err = NewState(root, name)
	}
	if err != nil {
		return nil, err
	}
	digest, err := p.digest()
	if err != nil {
		return nil, err
	}
	o.Bindings, o.Stub = p.source.Bindings, p.source.Stub
	return work(ctx, s, o, func(r *run) (*Outcome, error) {
		r.prepared = p
		if err := s.SetInfo(func(i *Info) { i.Template = p.source.Template }); err != nil {
			return nil, err
		}
		return r.up(ctx, digest)
	})
}

// Down removes a stack: what runs on DELETE, in the opposite order of making, and then all that is kept of it.
func Down(ctx context.Context, root, name string, o Options) (*Outcome, error) {
	s, err := OpenState(root, name)
	if err != nil {
		return nil, err
	}
	out, err := work(ctx, s, o, func(r *run) (*Outcome, error) { return r.carryOut(ctx, downPlan, remove) })
	if err == nil && out.Reason == "" && !out.Paused {
		err = removeTree(s.Dir)
	}
	return out, err
}

// work opens the engine of a stack, which keeps other processes away, and closes it behind do.
func work(ctx context.Context, s *State, o Options, do func(*run) (*Outcome, error)) (out *Outcome, err error) {
	r := &run{Runtime: newRuntime(s, o)}
	registry, err := action.NewRegistry(action.Std(o.SSH), r.actions(), o.Actions)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(s.Dir, "engine")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	r.engine, err = engine.Open(dir, engine.Options{Actions: registry})
	if errors.Is(err, engine.ErrLocked) {
		return nil, &Busy{s.Info().Name}
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, r.engine.Close())
		r.stopSignals()
	}()
	if err := s.load(); err != nil { // as it is now that nobody else changes it
		return nil, err
	}
	return do(r)
}

// up realises a plan.
func (r *run) up(ctx context.Context, digest string) (*Outcome, error) {
	for _, doc := range r.prepared.docs {
		if _, found, err := r.engine.Define(doc.Node.File, workflow.Auto, ""); err != nil || found.HasErrors() {
			return nil, errors.Join(err, fmt.Errorf("%s is no workflow any more", doc.Node.File.Path))
		}
	}
	if err := writeJSON(filepath.Join(r.state.Dir, sourceFile), r.prepared.source); err != nil {
		return nil, err
	}
	doing := update
	if len(r.state.Records()) == 0 || r.state.Info().Status == create+failed || r.state.Info().Status == create+inProgress {
		doing = create
	}
	out, err := r.carryOut(ctx, digest, doing)
	if err != nil || out.Paused {
		return out, err
	}
	if out.Reason == "" {
		var found diag.List
		out.Outputs, found = r.outputs()
		if found.HasErrors() {
			out.Reason = found[0].String()
		}
	}
	return out, r.state.SetInfo(func(i *Info) { i.Outputs = out.Outputs })
}

// carryOut runs the workflow of a plan to its end, or goes on with it.
func (r *run) carryOut(ctx context.Context, digest, doing string) (*Outcome, error) {
	interrupted := ctx
	ctx = context.WithoutCancel(ctx) // an interruption pauses what has begun, and lets what is being noted be noted
	id, paused, err := r.unfinished(ctx, digest)
	if err != nil {
		return nil, err
	}
	if err := r.state.SetInfo(func(i *Info) { i.Status, i.Reason = doing+inProgress, "" }); err != nil {
		return nil, err
	}
	r.allow(r.prepared, digest)
	if err := r.refreshHandles(); err != nil {
		return nil, err
	}
	switch {
	case id == "":
		id, err = r.launch(ctx, digest)
	case paused:
		err = r.engine.Do(ctx, engine.Request{Do: "resume", ID: id})
	}
	if err != nil {
		return nil, err
	}
	now, err := r.engine.Wait(interrupted, id)
	if interrupted.Err() != nil {
		if now, err = r.pause(ctx, id); now == nil && err == nil {
			return &Outcome{Paused: true}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return r.end(interrupted, now, doing)
}

// unfinished finds the execution of a plan that can go on, and ends those of other plans.
func (r *run) unfinished(ctx context.Context, digest string) (id string, paused bool, err error) {
	all, err := r.engine.List()
	if err != nil {
		return "", false, err
	}
	for _, e := range all {
		if flow.State(e.State).Completed() {
			if err := r.engine.Do(ctx, engine.Request{Do: "delete", ID: e.ID}); err != nil {
				return "", false, err
			}
			continue
		}
		now, err := r.engine.Show(e.ID)
		if err != nil {
			return "", false, err
		}
		if plan, _ := now.Input.GetStr("plan"); plan == digest && id == "" {
			id, paused = e.ID, now.State == flow.Paused
			continue
		}
		if err := r.engine.Do(ctx, engine.Request{Do: "delete", ID: e.ID, Force: true}); err != nil {
			return "", false, err
		}
	}
	return id, paused, nil
}

// launch defines and starts the workflow of the plan.
func (r *run) launch(ctx context.Context, digest string) (string, error) {
	var gone []target.Gone
	for _, rec := range r.state.Records() {
		if r.plan == nil || !r.plan.Has(rec.Key) {
			gone = append(gone, target.Gone{Key: rec.Key, After: rec.After})
		}
	}
	text := target.Emit(r.plan, gone)
	file := &source.File{Path: filepath.Join(r.state.Dir, "workflow.yaml"), Text: text}
	if err := writeFile(file.Path, text); err != nil {
		return "", err
	}
	if _, found, err := r.engine.Define(file, workflow.Auto, planSpace); err != nil || found.HasErrors() {
		return "", errors.Join(err, fmt.Errorf("the workflow that was made is refused, which is a fault of hotloom: %v", found))
	}
	return r.engine.Start(ctx, engine.StartOptions{
		Workflow: target.WorkflowName, Namespace: planSpace, Input: value.MapOf("plan", digest),
	})
}

// planSpace is the namespace of the workflows that plans become, apart from those of the author.
const planSpace = "hotloom"

// pause lets an execution begin nothing more, and waits for the scripts that run. Where they are made to end the
// snapshot is nil: the engine is closed, and what ran begins again when it goes on.
func (r *run) pause(ctx context.Context, id string) (*engine.Snapshot, error) {
	r.stop()
	var refusal *engine.Refusal
	if err := r.engine.Do(ctx, engine.Request{Do: "pause", ID: id}); err != nil && !errors.As(err, &refusal) {
		return nil, err
	}
	if forced, err := r.drain(nil); forced || err != nil {
		return nil, err
	}
	return r.engine.Show(id)
}

// drain waits for the scripts that run, or ends them by closing the engine: when that is forced, or enough is closed.
func (r *run) drain(enough <-chan struct{}) (forced bool, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.running.Wait()
	}()
	select {
	case <-done:
		return false, nil
	case <-r.opts.Force:
	case <-enough:
	}
	err = r.engine.Close()
	<-done
	return true, err
}

// end makes an outcome of an execution that is completed or paused.
func (r *run) end(ctx context.Context, now *engine.Snapshot, doing string) (*Outcome, error) {
	out := &Outcome{}
	if now.State == flow.Failed || now.State == flow.Cancelled {
		r.stop()
		if _, err := r.drain(ctx.Done()); err != nil {
			return nil, err
		}
		r.failedWorkflows(now)
	}
	status, reason := doing+complete, ""
	switch now.State {
	case flow.Success:
	case flow.Failed, flow.Cancelled:
		status = doing + failed
		for _, rec := range r.state.Records() {
			if rec.Status == create+failed || rec.Status == update+failed || rec.Status == remove+failed {
				out.Failed = append(out.Failed, rec)
			}
		}
		reason = "the workflow ended as " + string(now.State)
		if len(out.Failed) > 0 {
			reason = out.Failed[0].Reason
		} else if now.Info != nil {
			reason = r.redact.text(*now.Info)
		}
	default:
		status, out.Paused = doing+inProgress, true
	}
	r.tell.Lock()
	out.Changed, out.Reason = r.changed, reason
	r.tell.Unlock()
	return out, r.state.SetInfo(func(i *Info) { i.Status, i.Reason = status, reason })
}

// failedWorkflows notes why workflows of nodes have failed, which no action saw.
func (r *run) failedWorkflows(now *engine.Snapshot) {
	for key, w := range r.workflows {
		rec := r.state.Record(key)
		if rec == nil || rec.Ended.After(rec.Started) {
			continue
		}
		if why := failureOf(now, w.FullName()); why != "" {
			_ = r.fail(rec, r.plan.Node(key), errors.New(why)) // that it cannot be kept is seen elsewhere
		}
	}
}

// failureOf is why the execution of a workflow below another failed.
func failureOf(s *engine.Snapshot, name string) string {
	for _, t := range s.Tasks {
		for _, sub := range t.Workflows {
			if sub.Workflow == name && sub.State == flow.Failed {
				if sub.Info != nil {
					return *sub.Info
				}
				return "workflow " + name + " failed"
			}
			if why := failureOf(sub, name); why != "" {
				return why
			}
		}
	}
	return ""
}

// outputs computes the template's outputs. What is made of a secret is masked.
func (r *Runtime) outputs() (Values, diag.List) {
	r.eval.Lock()
	defer r.eval.Unlock()
	out := newValues()
	var found diag.List
	root := r.plan.Root
	for _, o := range root.Template.Outputs {
		scope, err := r.scope(root)
		if err == nil && scope.OutputEnabled(o) == function.False {
			continue
		}
		var v any
		if err == nil {
			v, err = r.compute(root, o.Value)
		}
		if err != nil {
			found.Add(diag.Errorf(o.Name.At(), "output", "output %s: %v", o.Name.Text, err))
			continue
		}
		if r.secretOutput(root, o) {
			v = masked
		}
		out.SetStr(o.Name.Text, r.clean(v))
	}
	return out, found
}

// secretOutput reports whether an output reads a hidden parameter, or an attribute that is kept from everybody.
func (r *Runtime) secretOutput(s *target.Stack, o *hot.Output) bool {
	for _, ref := range function.References(s.Template.VersionOf(), o.Value) {
		switch ref.Kind {
		case function.Parameter, function.ParameterOrResource:
			if p := s.Template.Parameter(ref.Target.Text); p != nil && p.Hidden {
				return true
			}
		case function.Attribute:
			if len(ref.Path) >= 3 && ref.Path[0].Str() == "components" {
				h := s.Program.Host(ref.Target.Text)
				if h == nil || h.Component(ref.Path[1].Str()) == nil {
					continue
				}
				if decl := h.Component(ref.Path[1].Str()).Output(ref.Path[2].Str()); decl != nil && decl.Hidden {
					return true
				}
			}
		}
	}
	return false
}

// clean takes secrets out of all texts of a value.
func (r *Runtime) clean(v any) any {
	switch v := v.(type) {
	case string:
		return r.redact.output(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = r.clean(v[i])
		}
		return out
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, x := range v.All() {
			out.SetStr(value.Str(k), r.clean(x))
		}
		return out
	}
	return v
}

// refreshHandles lets signals come in again for a run that goes on: the port may be another one now.
func (r *run) refreshHandles() error {
	for _, rec := range r.state.Records() {
		if rec.Token == "" || r.plan == nil {
			continue
		}
		endpoint, err := r.listen(rec)
		if err != nil {
			return err
		}
		if err := r.state.Change(rec.Key, func(rec *Record) error { return setEndpoint(rec, endpoint) }); err != nil {
			return err
		}
	}
	return nil
}
