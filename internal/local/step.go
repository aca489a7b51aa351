package local

import (
	"context"
	"errors"
	"time"

	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/value"
)

// jobs computes what a component runs, by action. All but the config is the same for each action.
func (r *Runtime) jobs(n *target.Node) (map[string]*Job, error) {
	c := n.Component
	common := Job{Key: n.Key, Name: n.Key, Tool: c.Type.Tool.Str(), Timeout: time.Duration(c.Decl.Timeout) * time.Second}
	common.Continue = c.Decl.OnFailure == hot.Continue
	for _, in := range c.Inputs {
		input := Input{Name: in.Name, Type: "String", Secret: in.Secret, Value: Value{""}}
		if in.Decl != nil && in.Decl.Type != "" {
			input.Type = in.Decl.Type
		}
		if in.Value != nil {
			v, err := r.value(n, in.Value)
			if err != nil {
				return nil, err
			}
			input.Value.V = v
		}
		common.Inputs = append(common.Inputs, input)
	}
	for _, o := range c.Type.Outputs {
		common.Outputs = append(common.Outputs, Output{Name: o.Name.Str(), Error: o.ErrorOutput, Hidden: o.Hidden})
	}
	options, err := r.value(n, c.Type.Options)
	if err != nil {
		return nil, err
	}
	common.Options.Map, _ = options.(*value.Map)
	out := map[string]*Job{}
	for _, s := range c.Steps {
		job := common
		job.Action = s.Action
		if job.Config.V, err = r.value(n, s.Config.Node); err != nil {
			return nil, err
		}
		out[s.Action] = &job
	}
	return out, nil
}

// content is what of a job decides whether it has changed.
func (j *Job) content() any {
	if j == nil {
		return nil
	}
	inputs := value.NewMap(len(j.Inputs))
	for _, in := range j.Inputs {
		inputs.SetStr(in.Name, in.Value.V)
	}
	return []any{j.Tool, j.Config.V, anyMap(j.Options.Map), inputs}
}

// anyMap keeps a nil map from becoming a value that is not nil.
func anyMap(m *value.Map) any {
	if m == nil {
		return nil
	}
	return m
}

// later are the jobs that are kept for a time when the template may be gone or changed.
func later(jobs map[string]*Job) map[string]*Job {
	out := map[string]*Job{}
	for action, job := range jobs {
		if action != create && action != update {
			out[action] = job
		}
	}
	return out
}

// applyStep runs CREATE or UPDATE of a component where something has changed since it ran last.
func (r *Runtime) applyStep(ctx context.Context, n *target.Node) error {
	if n.Component.Reports() {
		return r.applyReport(n)
	}
	old, host := r.state.Record(n.Key), r.state.Record(n.Host)
	if host == nil {
		return r.fail(r.begin(n, create), n, errors.New("its host "+n.Host+" is not there"))
	}
	jobs, err := r.jobs(n)
	if err != nil {
		return r.fail(r.begin(n, create), n, err)
	}
	job := jobs[create]
	digest := r.state.digest([]any{jobs[create].content(), jobs[update].content()})
	action := create
	switch {
	case old == nil, old.HostID != host.ID, !old.made() && !old.updating():
	case old.made() && old.Digest == digest:
		old.Later = later(jobs)
		if err := r.state.Put(old); err != nil {
			return err
		}
		return r.unchanged(old, n)
	default:
		action, job = update, jobs[update]
	}
	rec := r.begin(n, action)
	rec.Host, rec.HostID, rec.Later = host.Key, host.ID, later(jobs)
	if job == nil { // the component has nothing for this action: Heat completes it without telling the host
		rec.Digest = digest
		if action == create {
			rec.Attributes = newValues()
		}
		return r.finish(rec, n, "nothing to run")
	}
	if err := r.start(rec, n); err != nil {
		return err
	}
	message, err := r.perform(ctx, rec, job, host)
	if err != nil {
		return r.fail(rec, n, err)
	}
	rec.Digest = digest
	return r.finish(rec, n, message)
}

// perform runs a job and takes its outputs into the record. A failure that may pass gives the reason as a message.
func (r *Runtime) perform(ctx context.Context, rec *Record, job *Job, host *Record) (string, error) {
	out, err := r.run(ctx, job, host)
	if !out.IsZero() {
		rec.Attributes, rec.Secret = out, nil
		for _, o := range job.Outputs {
			if o.Hidden {
				rec.Secret = append(rec.Secret, o.Name)
			}
		}
	}
	var f *failure
	if errors.As(err, &f) && job.Continue {
		return "failed, and the stack goes on: " + f.Error(), nil
	}
	return "", err
}

// applyReport lets a host report to its handle: it is ready because its node is.
func (r *Runtime) applyReport(n *target.Node) error {
	old, host := r.state.Record(n.Key), r.state.Record(n.Host)
	if old.made() && host != nil && old.HostID == host.ID {
		return r.unchanged(old, n)
	}
	rec := r.begin(n, create)
	if host != nil {
		rec.Host, rec.HostID = host.Key, host.ID
	}
	return r.finish(rec, n, "")
}
