// Package weave turns the components, handles and workflows of a template into a Program: hosts with ordered steps,
// the values that flow between them, and the workflow graph. Targets (compiler/emit) read a Program and nothing else.
package weave

import (
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Program is a template with its software woven.
type Program struct {
	Template  *hot.Template
	Hosts     []*Host // resources that have components, in the template's order
	Handles   []*Handle
	Workflows []*Workflow
	Reads     []*Read // every read of a component's output anywhere, in document order
	Graph     *graph.Graph
}

// HostKind says what a host resource is.
type HostKind uint8

// The kinds of hosts.
const (
	Server         HostKind = iota // OS::Nova::Server
	DeployedServer                 // OS::Heat::DeployedServer
	Group                          // OS::Heat::ResourceGroup or OS::Heat::AutoScalingGroup of hosts
)

// Host is a resource with components. A component on a group runs on every member.
type Host struct {
	Resource   *hot.Resource
	Kind       HostKind
	Components []*Component // as written
	Order      []*Step      // CREATE steps in the order they run on this host: deterministic, topological
	Member     *Member      // groups only
}

// Member is what a group multiplies.
type Member struct {
	Kind     HostKind      // Server or DeployedServer
	Def      *source.Node  // the definition with type and properties: resource_def, or resource; or the host inside Nested
	Nested   *hot.Template // where the member is a nested template with one host
	Host     *hot.Resource // the host inside Nested
	Count    *source.Node  // count or desired_capacity; nil where absent
	IndexVar string        // %index% or what the author chose; "" for autoscaling groups
}

// Component is one component of one host.
type Component struct {
	Host   *Host
	Decl   *hot.Component
	Type   *hot.ComponentType
	Inputs []*Input
	Steps  []*Step // one for each action that runs, in hot.Actions order
}

// Input is one value handed to a component's steps.
type Input struct {
	Name   string
	Decl   *hot.IO      // nil for a param that the type does not declare (String then)
	Value  *source.Node // the author's value, or the declared default; nil: neither
	Secret bool         // declared hidden, or read from a hidden parameter
}

// Step is one lifecycle action of one component on one host (on each member of a group).
type Step struct {
	ID        string // graph node id
	Component *Component
	Action    string
	Config    *hot.Config
	Before    []*Step // direct CREATE predecessors that are steps, on any host, without repetition
	Waited    bool    // something outside its host waits for this step or reads its outputs
}

// Read is one place where a component's output is read: {get_attr: [HOST, components, NAME, OUTPUT, path…]}.
type Read struct {
	Node      *source.Node // the call
	Component *Component
	Output    string         // declared, or deploy_stdout, deploy_stderr, deploy_status_code
	Path      []*source.Node // further path below the output
	By        *Step          // the reading step (its CREATE step), or nil
	Input     *Input         // the step's input it is part of, when By is set
	Whole     bool           // the read is the whole of Input's value
	Resource  *hot.Resource  // the reading resource, when it is not a step
	Out       *hot.Output    // the reading stack output
}

// Handle is an OS::Mistral::WorkflowHandle (DESIGN §2.3).
type Handle struct {
	Resource     *hot.Resource
	Participants []*Component // of type mistral that name it
}

// Workflow is an OS::Mistral::Workflow in the form of the 2013 proposal.
type Workflow struct {
	Resource  *hot.Resource
	Handle    *Handle      // nil where none
	Reference *source.Node // workflow_reference
	Params    *source.Node
}
