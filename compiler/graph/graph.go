// Package graph is the workflow graph: what happens to a stack's resources and to the software on them, and what
// has to happen before what. It is plain data with deterministic order; compiler/weave makes it, targets and
// drawings read it.
package graph

import "github.com/hotloom/hotloom/compiler/diag"

// Kind says what a node stands for.
type Kind string

// The kinds.
const (
	Resource Kind = "resource" // a Heat resource
	Step     Kind = "step"     // one lifecycle action of one component on one host
	Wait     Kind = "wait"     // joins signals: a workflow handle
	Workflow Kind = "workflow" // an execution of a workflow
)

// Node is one thing that happens. ID is unique in the graph and stable over recompilation: the resource's name, or
// HOST.COMPONENT for a CREATE step, HOST.COMPONENT:ACTION for another action.
type Node struct {
	ID       string
	Kind     Kind
	Type     string        // resource type, component type or workflow reference
	Host     string        // steps: the resource that they run on
	Action   string        // steps: CREATE, UPDATE, …
	Count    string        // groups: the members' number as far as it is known, else "*"
	Location diag.Location // of the author's definition
}

// Reason says why one node has to wait for another.
type Reason string

// The reasons.
const (
	Reads     Reason = "reads"      // Detail is the output or attribute
	DependsOn Reason = "depends_on" //
	ListOrder Reason = "list order" // components written as a list
	HostedOn  Reason = "hosted on"  // a step runs on its host
	Refers    Reason = "refers to"  // get_resource
	Signals   Reason = "signals"    // a participant reports to its handle
	Starts    Reason = "starts"     // a handle that is complete starts its workflow
)

// Edge says that To happens only after From is complete.
type Edge struct {
	From, To string
	Reason   Reason
	Detail   string
	Location diag.Location // of the author's text that says so
}

// Why is the reason with its detail: "reads socket".
func (e Edge) Why() string {
	if e.Detail == "" {
		return string(e.Reason)
	}
	return string(e.Reason) + " " + e.Detail
}
