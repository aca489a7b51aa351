package local

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// workflows are the workflows that a plan's nodes run, by key, read from files beside the template.
func workflows(p *project.Project, plan *target.Plan) (map[string]*workflow.Workflow, []*workflow.Document, diag.List) {
	byKey := map[string]*workflow.Workflow{}
	var docs []*workflow.Document
	var found diag.List
	for _, n := range plan.Nodes {
		if n.Kind != target.Workflow {
			continue
		}
		ref := ownWorkflow(n).Reference
		if !ref.Is(source.String) {
			found.Add(diag.Errorf(ref.At(), "workflow", "the workflow_reference of %s has to be a name on this machine", n.Key))
			continue
		}
		doc, more := readWorkflow(p, ref)
		found.Add(more...)
		if doc == nil {
			continue
		}
		w := chosen(doc, ref.Text)
		if w == nil {
			found.Add(diag.Errorf(ref.At(), "workflow", "%s has no workflow %s", doc.Node.File.Path, ref.Text))
			continue
		}
		byKey[n.Key] = w
		if !slices.Contains(docs, doc) {
			docs = append(docs, doc)
		}
	}
	return byKey, docs, found
}

func ownWorkflow(n *target.Node) *weave.Workflow {
	for _, w := range n.Stack.Program.Workflows {
		if w.Resource == n.Resource {
			return w
		}
	}
	return &weave.Workflow{Resource: n.Resource}
}

// readWorkflow reads NAME.yaml beside the file in which the reference stands, or the file that it names.
func readWorkflow(p *project.Project, ref *source.Node) (*workflow.Document, diag.List) {
	name := ref.Text
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		name += ".yaml"
	}
	file, err := p.Files.Resolve(ref.File, name)
	if err != nil {
		return nil, diag.List{diag.Errorf(ref.At(), "workflow", "workflow %s: %v", ref.Text, err).
			With("on this machine a workflow stands in a file of its name beside the template")}
	}
	doc, found := workflow.Parse(file, workflow.Auto)
	if found.HasErrors() {
		return nil, found
	}
	return doc, nil
}

// chosen is the workflow of a name, or the only one.
func chosen(doc *workflow.Document, name string) *workflow.Workflow {
	for _, w := range doc.Workflows {
		if w.FullName() == name || w.Name == name {
			return w
		}
	}
	if len(doc.Workflows) == 1 {
		return doc.Workflows[0]
	}
	return nil
}

// decideWorkflow says with which inputs a node's workflow runs: {workflow, inputs: [input]}, or no inputs where nothing has
// changed since it ran last.
func (r *Runtime) decideWorkflow(_ context.Context, n *target.Node, key string, _ *value.Map) (any, error) {
	if n == nil || r.workflows[key] == nil {
		return nil, fmt.Errorf("the plan has no workflow %s", key)
	}
	none := value.MapOf("workflow", r.workflows[key].FullName(), "inputs", []any{})
	there, err := r.enabled(n)
	if err != nil {
		return nil, r.fail(r.begin(n, create), n, err)
	}
	if !there {
		return none, nil
	}
	w := r.workflows[key]
	params, err := r.value(n, ownWorkflow(n).Params)
	if err != nil {
		return nil, r.fail(r.begin(n, create), n, err)
	}
	input := value.NewMap(0)
	if m, ok := params.(*value.Map); ok {
		input = m.Clone()
	}
	if takes(w, "participants") {
		input.SetStr("participants", r.participants(n))
	}
	digest := r.state.digest([]any{w.FullName(), string(w.Node.File.Text), input})
	old := r.state.Record(key)
	if old.made() && old.Digest == digest {
		return none, nil
	}
	action := create
	if old.made() || old.updating() {
		action = update
	}
	rec := r.begin(n, action)
	rec.Digest = digest
	if rec.ID == "" {
		rec.ID = newUUID()
	}
	if err := r.start(rec, n); err != nil {
		return nil, err
	}
	return value.MapOf("workflow", w.FullName(), "inputs", []any{input}), nil
}

func takes(w *workflow.Workflow, name string) bool {
	return slices.ContainsFunc(w.Input, func(p workflow.Param) bool { return p.Name == name })
}

// participants are those that have reported to the workflow's handle.
func (r *Runtime) participants(n *target.Node) []any {
	out := []any{}
	handle := ownWorkflow(n).Handle
	if handle == nil {
		return out
	}
	for _, other := range r.plan.Nodes {
		if other.Kind != target.Step || other.Stack != n.Stack || !slices.Contains(handle.Participants, other.Component) {
			continue
		}
		if host := r.state.Record(other.Host); host != nil {
			out = append(out, value.MapOf("name", other.Key, "host", host.Key, "id", host.ID, "address", host.Address))
		}
	}
	return out
}

// finishWorkflow takes the result of a node's workflow: a list with its output, empty where it did not run.
func (r *Runtime) finishWorkflow(n *target.Node, result any) error {
	rec := r.state.Record(n.Key)
	outputs, _ := result.([]any)
	if rec == nil {
		return fmt.Errorf("workflow %s has not begun", n.Key)
	}
	if len(outputs) == 0 {
		return r.unchanged(rec, n)
	}
	rec.Attributes = newValues("output", outputs[len(outputs)-1])
	return r.finish(rec, n, "")
}
