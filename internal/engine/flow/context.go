package flow

import (
	"sort"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// environment gives {"__env": …} of the root execution.
func (r *Run) environment() *value.Map {
	env := value.NewMap(0)
	if root := r.Root(); root != nil {
		if m, ok := paramMap(root, "env"); ok {
			env = m
		}
	}
	return value.MapOf("__env", env)
}

func paramMap(e *Execution, key string) (*value.Map, bool) {
	v, _ := e.Params.GetStr(key)
	m, ok := v.(*value.Map)
	return m, ok
}

func currentTask(t *Task) *value.Map {
	return value.MapOf("__task_execution", value.MapOf("id", t.ID, "name", t.Name))
}

func (r *Run) scope(t *Task) scope { return scope{r: r, exec: t.exec, task: t} }

// taskView is what a task's input, with-items and policies see; extra stands before the task's own context.
func (r *Run) taskView(t *Task, extra *value.Map) view {
	return view{currentTask(t), r.environment(), extra, t.InContext, t.exec.Context, t.exec.Input}
}

// outbound is what a task hands on: its context with what it published.
func outbound(t *Task) *value.Map {
	out := value.NewMap(0)
	if t.InContext != nil {
		out = t.InContext.Clone()
	}
	if t.Published != nil {
		for k, v := range t.Published.All() {
			_ = out.Set(k, v) // a key of a map is hashable
		}
	}
	return out
}

// upstream merges what tasks hand on; what they published themselves is merged over it.
func upstream(tasks []*Task) *value.Map {
	published, ctx := value.NewMap(0), value.NewMap(0)
	for _, t := range tasks {
		published = workflow.Merge(published, t.Published)
		ctx = workflow.Merge(ctx, outbound(t))
	}
	return workflow.Merge(ctx, published)
}

func sortChildren(list []child) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].childIndex() < list[j].childIndex() })
}

// publish evaluates what a completed task publishes.
func (r *Run) publish(t *Task) error {
	section := t.spec.PublishOf(string(t.State))
	if section == nil {
		return nil
	}
	s := r.scope(t)
	v := view{currentTask(t), t.InContext, r.environment(), t.exec.Context, t.exec.Input}
	branch, err := s.evaluateMap(section.Branch, v)
	if err != nil {
		return err
	}
	t.Published = branch
	r.touchTask(t)
	global, err := s.evaluateMap(section.Global, v)
	if err != nil {
		return err
	}
	t.PublishedGlobal = global
	if global != nil {
		r.publishGlobal(t.exec, global)
	}
	return nil
}

// publishGlobal stores workflow-level values. A mapping that meets a mapping is not stored: Mistral merges it into an
// object whose change its database layer does not see.
func (r *Run) publishGlobal(e *Execution, global *value.Map) {
	for k, v := range global.All() {
		old, _ := e.Context.Get(k)
		_, oldMap := old.(*value.Map)
		_, newMap := v.(*value.Map)
		if !oldMap || !newMap {
			e.Context = e.Context.Clone()
			_ = e.Context.Set(k, v) // a key of a map is hashable
		}
	}
	r.touchExecution(e)
}

// evaluateMap evaluates a section; an absent one stays absent.
func (s scope) evaluateMap(m *value.Map, v view) (*value.Map, error) {
	if m == nil {
		return nil, nil
	}
	out, err := s.evaluate(m, v)
	if err != nil {
		return nil, err
	}
	return out.(*value.Map), nil
}
