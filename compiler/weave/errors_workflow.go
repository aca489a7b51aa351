package weave

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// notAHandle says that something which must name a workflow handle does not.
func (w *weaver) notAHandle(n *source.Node, what string) diag.Diagnostic {
	d := diag.Errorf(n.At(), "workflow-handle", "%s must be {get_resource: HANDLE}, where HANDLE is a resource of type %s", what, hot.WorkflowHandleType)
	names := w.resourceNames((*hot.Resource).IsWorkflowHandle)
	word := n.Str()
	if p := n.Single(); p != nil {
		word = p.Value.Str()
	}
	if near := w.nearest(word, names); near != "" {
		return d.With("did you mean {get_resource: %s}?", near)
	}
	if len(names) == 1 {
		return d.With("write {get_resource: %s}", names[0])
	}
	return d
}

func handleMisused(n *source.Node, name string) diag.Diagnostic {
	return diag.Errorf(n.At(), "workflow-handle", "workflow handle %q has no value: only workflow_handle of a component of type mistral and handle of "+
		"a workflow can name it", name).With("to wait until all have reported, use depends_on")
}

func handleAttribute(n *source.Node, name string) diag.Diagnostic {
	return diag.Errorf(n.At(), "workflow-handle", "workflow handle %q has no attributes", name).
		With("to wait until all have reported, use depends_on")
}

func handleProperties(h *Handle) diag.Diagnostic {
	return diag.Errorf(h.Resource.Properties.Pairs[0].Key.At(), "workflow-handle", "a workflow handle has no properties")
}

func handleWithoutParticipants(h *Handle) diag.Diagnostic {
	return diag.Errorf(h.Resource.Name.At(), "workflow-handle", "nobody reports to workflow handle %q, so what waits for it would wait for ever", h.Resource.Name.Str()).
		With("add to a host's components: {component_type: %s, params: {%s: {get_resource: %s}}}", mistralTool, handleInput, h.Resource.Name.Str())
}

func handleWithoutWorkflow(h *Handle) diag.Diagnostic {
	return diag.Warnf(h.Resource.Name.At(), "workflow-handle", "workflow handle %q starts no workflow", h.Resource.Name.Str()).
		With("add a resource of type %s with handle: {get_resource: %s}", hot.WorkflowType, h.Resource.Name.Str())
}

func secondWorkflow(f, first *Workflow) diag.Diagnostic {
	return diag.Errorf(f.Resource.Properties.Get("handle").At(), "workflow-handle", "workflow handle %q already starts workflow %q; a handle starts one", f.Handle.Resource.Name.Str(), first.Resource.Name.Str()).
		With("let this one depend on the first, or give it a handle of its own").Via(first.Resource.Properties.Get("handle").At(), "the first one")
}

func workflowWithoutReference(f *Workflow) diag.Diagnostic {
	return diag.Errorf(f.Resource.Name.At(), "workflow-reference", "workflow %q does not say what to run", f.Resource.Name.Str()).
		With("add workflow_reference: the name of a workflow in a file beside the template, in the library, or in OpenStack Mistral")
}

func workflowParams(f *Workflow, n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), "workflow-params", "params of workflow %q must be a map from input to value, not a %s", f.Resource.Name.Str(), n.Kind)
}

func workflowProperty(key *source.Node, name string) diag.Diagnostic {
	return diag.Errorf(key.At(), "workflow-property", "a workflow with a handle or a workflow_reference has no property %q; it has %s",
		name, strings.Join(workflowProperties, ", "))
}

func workflowAttribute(n *source.Node, name string) diag.Diagnostic {
	return diag.Errorf(n.At(), "unknown-attribute", "workflow %q has no attribute %q", name, n.Text).
		With("its attributes are %s", strings.Join(workflowAttributes, ", "))
}
