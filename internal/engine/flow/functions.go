package flow

import (
	"context"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

var _ yaql.Workflow = scope{}

func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// Task gives task(name): the current task, or the last one of that name; nil if there is none.
func (s scope) Task(_ context.Context, name string) (any, error) {
	if s.task != nil && (name == "" || name == s.task.Name) {
		return s.taskModel(s.task), nil
	}
	if s.exec == nil {
		return nil, value.Errorf("TypeError", "'NoneType' object is not subscriptable")
	}
	list := s.exec.byName[name]
	if len(list) == 0 {
		return nil, nil
	}
	return s.taskModel(list[len(list)-1]), nil
}

// taskModel is a task as expressions see it.
func (s scope) taskModel(t *Task) *value.Map {
	return value.MapOf(
		"id", t.ID, "name", t.Name, "spec", t.spec.Spec, "state", string(t.State), "state_info", optional(t.Info),
		"result", t.Result(), "published", optionalMap(t.Published), "type", t.Type(),
		"workflow_execution_id", t.Execution, "created_at", stamp(t.Created), "updated_at", stamp(t.Updated),
	)
}

func optional(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

func optionalMap(m *value.Map) any {
	if m == nil {
		return nil
	}
	return m
}

// Result is what the task's accepted actions or sub-workflows gave: a list in item order for with-items, else the
// one result; an empty list if there is none.
func (t *Task) Result() any {
	var all []child
	for _, c := range t.children() {
		if c.childAccepted() {
			all = append(all, c)
		}
	}
	sortChildren(all)
	results := make([]any, 0, len(all))
	for _, c := range all {
		switch c := c.(type) {
		case *Execution:
			results = append(results, optionalMap(c.Output))
		case *Action:
			if c.HasOutput {
				results = append(results, c.Output)
			} else {
				results = append(results, nil)
			}
		}
	}
	if len(t.spec.WithItems) == 0 && len(results) == 1 {
		return results[0]
	}
	return results
}

// Tasks gives tasks(…).
func (s scope) Tasks(_ context.Context, q yaql.TaskQuery) ([]any, error) {
	var out []any
	for _, e := range s.all() {
		if q.WorkflowExecutionID != "" && e.ID != q.WorkflowExecutionID {
			continue
		}
		s.collect(e, q, &out)
	}
	if out == nil {
		out = []any{}
	}
	return out, nil
}

func (s scope) collect(e *Execution, q yaql.TaskQuery, out *[]any) {
	var below []*Execution
	for _, t := range e.tasks {
		if q.Recursive && q.WorkflowExecutionID != "" {
			below = append(below, t.subs...)
		}
		if q.State != "" && string(t.State) != q.State {
			continue
		}
		if q.Flat && anySub(t, func(sub *Execution) bool { return sub.State == t.State }) {
			continue
		}
		*out = append(*out, s.taskModel(t))
	}
	for _, sub := range below {
		s.collect(sub, q, out)
	}
}

func anySub(t *Task, is func(*Execution) bool) bool {
	for _, sub := range t.subs {
		if is(sub) {
			return true
		}
	}
	return false
}

func (s scope) all() []*Execution {
	out := append([]*Execution{}, s.r.executions...)
	for _, e := range s.r.defs.Executions() {
		if s.r.byID[e.ID] == nil {
			out = append(out, e)
		}
	}
	return out
}

// Execution gives execution().
func (s scope) Execution(context.Context) (any, error) {
	if s.exec == nil {
		return nil, value.Errorf("TypeError", "'NoneType' object is not subscriptable")
	}
	return s.executionModel(s.exec), nil
}

func (s scope) executionModel(e *Execution) *value.Map {
	return value.MapOf(
		"id", e.ID, "name", e.Name, "spec", e.Spec.Spec, "input", e.Input, "params", e.Params,
		"created_at", stamp(e.Created), "updated_at", stamp(e.Updated), "root_execution_id", s.r.rootID(e),
	)
}

// rootID is null for the root itself, as in Mistral.
func (r *Run) rootID(e *Execution) any {
	if e.ParentTask == "" {
		return nil
	}
	return r.ID
}

// Executions gives executions(…).
func (s scope) Executions(_ context.Context, q yaql.ExecutionQuery) ([]any, error) {
	out := []any{}
	for _, e := range s.all() {
		created, _ := stamp(e.Created).(string)
		from, _ := q.FromTime.(string)
		to, _ := q.ToTime.(string)
		switch {
		case q.ID != nil && q.ID != e.ID,
			q.RootExecutionID != nil && q.RootExecutionID != s.r.rootID(e),
			q.State != nil && q.State != string(e.State),
			from != "" && created < from, to != "" && created >= to:
			continue
		}
		m := s.executionModel(e)
		m.SetStr("state", string(e.State))
		m.SetStr("state_info", optional(e.Info))
		m.SetStr("output", optionalMap(e.Output))
		m.SetStr("workflow_name", e.Name)
		out = append(out, m)
	}
	return out, nil
}

// Global gives global(name).
func (s scope) Global(_ context.Context, name string) (any, error) {
	if s.exec == nil {
		return nil, value.Errorf("TypeError", "'NoneType' object is not subscriptable")
	}
	v, _ := s.exec.Context.GetStr(name)
	return v, nil
}
