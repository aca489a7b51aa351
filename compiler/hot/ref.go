package hot

import "github.com/hotloom/hotloom/compiler/source"

// The resource types of the 2013 proposal (DESIGN §2.3).
const (
	WorkflowHandleType = "OS::Mistral::WorkflowHandle"
	WorkflowType       = "OS::Mistral::Workflow"
)

// IsWorkflowHandle reports whether a resource is a workflow handle, which no Heat release has: it is compiled away.
func (r *Resource) IsWorkflowHandle() bool { return r.Type.Str() == WorkflowHandleType }

// IsOwnWorkflow reports whether a resource is a workflow in the form of the 2013 proposal rather than Heat's own
// resource of the same type: whether it has a handle or a workflow_reference.
func (r *Resource) IsOwnWorkflow() bool { return ownWorkflow(r.Type, r.Properties) }

func ownWorkflow(typ, properties *source.Node) bool {
	return typ.Str() == WorkflowType && (properties.Pair("handle") != nil || properties.Pair("workflow_reference") != nil)
}

// readRefs gives the document with {ref: X}, the spelling of 2013, read as {get_resource: X}: in components and in
// handles and workflows of hotloom's always, and elsewhere in a template that has any of these where X is one of its
// resources. In plain HOT the map is data and stays. The keys are told in the template's Refs.
func (l *loader) readRefs(root *source.Node) *source.Node {
	if l.v.Format != HOT {
		return root
	}
	resources := root.Get(l.d.resources)
	own := map[*source.Node]bool{} // parts of hotloom's additions
	for _, p := range pairsOf(resources) {
		if c := p.Value.Get("components"); c != nil {
			own[c] = true
		}
		typ, properties := p.Value.Get(l.d.rType), p.Value.Get(l.d.rProperties)
		if properties != nil && (typ.Str() == WorkflowHandleType || ownWorkflow(typ, properties)) {
			own[properties] = true
		}
	}
	l.additions = len(own) > 0 || root.Pair(componentTypesSection) != nil
	if !l.additions {
		return root
	}
	return l.rewriteRefs(root, func(n *source.Node) *source.Node {
		if own[n] {
			return l.rewriteRefs(n, nil, func(*source.Node) bool { return true })
		}
		return n
	}, func(x *source.Node) bool { return resources.Pair(x.Str()) != nil })
}

// rewriteRefs rewrites the maps whose name is taken, leaving to inner the nodes that it changes.
func (l *loader) rewriteRefs(n *source.Node, inner func(*source.Node) *source.Node, taken func(x *source.Node) bool) *source.Node {
	return n.Rewrite(func(n *source.Node) *source.Node {
		if inner != nil {
			if r := inner(n); r != n {
				return r
			}
		}
		p := n.Single()
		if p == nil || p.Key.Str() != "ref" || !p.Value.Is(source.String) || !taken(p.Value) {
			return n
		}
		l.t.Refs = append(l.t.Refs, p.Key)
		return source.NewMap(n, source.Pair{Key: source.NewString(p.Key, "get_resource"), Value: p.Value})
	})
}

func pairsOf(n *source.Node) []source.Pair {
	if !n.Is(source.Map) {
		return nil
	}
	return n.Pairs
}
