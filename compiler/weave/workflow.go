package weave

import (
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// handleInput is the input of the built-in type that names a handle.
const handleInput = "workflow_handle"

// workflowProperties are those of a workflow in our form.
var workflowProperties = []string{"handle", "workflow_reference", "params"}

// workflowAttributes are what get_attr reads of one.
var workflowAttributes = []string{"output"}

// gatherWorkflows finds handles and workflows.
func (w *weaver) gatherWorkflows() {
	for _, r := range w.t.Resources {
		switch {
		case r.IsWorkflowHandle():
			h := &Handle{Resource: r}
			w.handles[r] = h
			w.p.Handles = append(w.p.Handles, h)
		case r.IsOwnWorkflow():
			f := &Workflow{Resource: r, Reference: r.Properties.Get("workflow_reference"), Params: r.Properties.Get("params")}
			if f.Reference.IsNull() {
				f.Reference = nil
			}
			w.workflows[r] = f
			w.p.Workflows = append(w.p.Workflows, f)
		}
	}
	for _, f := range w.p.Workflows {
		w.workflowHandle(f)
	}
}

// workflowHandle reads a workflow's handle, {get_resource: HANDLE}.
func (w *weaver) workflowHandle(f *Workflow) {
	n := f.Resource.Properties.Get("handle")
	if n.IsNull() {
		return
	}
	f.Handle = w.handleNamed(n, func() { w.add(w.notAHandle(n, "handle of workflow "+f.Resource.Name.Str())) })
}

// handleNamed is the handle that {get_resource: HANDLE} names. Anything else is wrong, except the name of a resource
// that does not exist, which compiler/function reports.
func (w *weaver) handleNamed(n *source.Node, wrong func()) *Handle {
	call, ok := function.Find(w.v, n)
	if !ok || call.Function.Name != "get_resource" || !call.Arg.Is(source.String) {
		wrong()
		return nil
	}
	target := w.t.Resource(call.Arg.Text)
	if target == nil {
		return nil
	}
	h := w.handles[target]
	if h == nil {
		wrong()
	}
	return h
}

// handleReference takes a get_resource of a handle: from a component that reports to it, or from its workflow.
func (w *weaver) handleReference(by reader, ref function.Reference) {
	call := ref.Call.Node
	switch {
	case by.input != nil && by.component.Reports() && by.input.Name == handleInput:
	case by.resource != nil && w.workflows[by.resource] != nil && call == by.resource.Properties.Get("handle"):
	default:
		w.add(handleMisused(call, ref.Target.Text))
	}
}

// Reports says whether the component is of the built-in type that reports to a handle.
func (c *Component) Reports() bool { return c.Type != nil && c.Type.Tool.Str() == mistralTool }

// checkWorkflows gathers the participants, and finds handles and workflows that can not work.
func (w *weaver) checkWorkflows() {
	for _, host := range w.p.Hosts {
		for _, c := range host.Components {
			if c.Reports() {
				w.participant(c)
			}
		}
	}
	started := map[*Handle]*Workflow{}
	for _, f := range w.p.Workflows {
		for _, p := range f.Resource.Properties.Pairs {
			w.workflowProperty(f, p)
		}
		if f.Reference == nil {
			w.add(workflowWithoutReference(f))
		}
		if f.Handle == nil {
			continue
		}
		if first := started[f.Handle]; first != nil {
			w.add(secondWorkflow(f, first))
			continue
		}
		started[f.Handle] = f
	}
	for _, h := range w.p.Handles {
		if h.Resource.Properties != nil && len(h.Resource.Properties.Pairs) > 0 {
			w.add(handleProperties(h))
		}
		if len(h.Participants) == 0 {
			w.add(handleWithoutParticipants(h))
		}
		if started[h] == nil {
			w.add(handleWithoutWorkflow(h))
		}
	}
}

func (w *weaver) workflowProperty(f *Workflow, p source.Pair) {
	switch name := hot.KeyText(p.Key); name {
	case "handle", "workflow_reference":
	case "params":
		_, isCall := function.Find(w.v, p.Value)
		if !p.Value.IsNull() && !p.Value.Is(source.Map) && !isCall {
			w.add(workflowParams(f, p.Value))
		}
	default:
		w.add(w.suggest(workflowProperty(p.Key, name), name, workflowProperties))
	}
}

// participant adds a component to the handle that it reports to.
func (w *weaver) participant(c *Component) {
	for _, in := range c.Inputs {
		if in.Name != handleInput || in.Value.IsNull() {
			continue
		}
		h := w.handleNamed(in.Value, func() { w.add(w.notAHandle(in.Value, handleInput+" of "+c.ID())) })
		if h != nil {
			h.Participants = append(h.Participants, c)
		}
	}
}

// handleNode is the place where a participant names its handle.
func (c *Component) handleNode() *source.Node {
	for _, in := range c.Inputs {
		if in.Name == handleInput && in.Value != nil {
			return in.Value
		}
	}
	return c.Decl.Name
}
