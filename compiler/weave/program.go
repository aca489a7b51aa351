// Package weave turns the components, handles and workflows of a template into a Program: hosts with ordered steps,
// the values that flow between them, and the workflow graph. Targets (compiler/emit) read a Program and nothing else.
package weave

import (
	"github.com/hotloom/hotloom/compiler/function"
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
	Followers []*Follower
	Graph     *graph.Graph
	Nested    map[string]*Program // templates nested at any depth that have something to weave, by the path of the file

	hosts map[string]*Host
	steps map[string]*Step
}

// Plain reports whether the template, with all that is nested in it, is stock HOT, with nothing that is woven.
func (p *Program) Plain() bool {
	return len(p.Nested) == 0 && len(p.Hosts)+len(p.Handles)+len(p.Workflows)+len(p.Template.ComponentTypes) == 0
}

// Host finds the host that a resource is, or nil.
func (p *Program) Host(resource string) *Host { return p.hosts[resource] }

// Step finds a step by its graph node's id, or nil.
func (p *Program) Step(id string) *Step { return p.steps[id] }

// Follower is a resource that waits for all software of a host, because its depends_on names the host: a host with
// components is done when they are. (A get_resource or get_attr of a host waits for the server alone, as in Heat.)
type Follower struct {
	Resource *hot.Resource
	At       *source.Node // the entry of depends_on
	Host     *Host        // whose Order it waits for
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
	Member     *Member      // groups only; nil where what the group multiplies is no host, which is an error

	components map[string]*Component
	names      []string // of the components
}

// Name is the host resource's name.
func (h *Host) Name() string { return h.Resource.Name.Str() }

// Component finds a component of the host, or nil.
func (h *Host) Component(name string) *Component { return h.components[name] }

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
	Type   *hot.ComponentType // nil where there is no such type, which is an error
	Inputs []*Input           // the declared ones in the order of their declaration, then others
	Steps  []*Step            // one for each action that runs, in hot.Actions order; none where Exists is function.False
	Exists function.Truth     // what its condition comes to before any parameter is known; its host's counts too

	conditions []*source.Node // those that are not certain to hold, the host's among them
}

// Name is the component's name, unique on its host.
func (c *Component) Name() string { return c.Decl.Name.Str() }

// ID is HOST.COMPONENT.
func (c *Component) ID() string { return c.Host.Name() + "." + c.Name() }

// Step is the component's step for a lifecycle action, or nil.
func (c *Component) Step(action string) *Step {
	for _, s := range c.Steps {
		if s.Action == action {
			return s
		}
	}
	return nil
}

// Output finds a declared output of the component's type, or nil.
func (c *Component) Output(name string) *hot.IO {
	if c.Type == nil {
		return nil
	}
	for _, o := range c.Type.Outputs {
		if o.Name.Str() == name {
			return o
		}
	}
	return nil
}

// Input is one value handed to a component's steps.
type Input struct {
	Name   string
	Decl   *hot.IO      // nil for a param that the type does not declare (String then), which is an error
	Value  *source.Node // the author's value, or the declared default; nil: neither
	Secret bool         // declared hidden, or made from a hidden parameter or a hidden output
}

// Step is one lifecycle action of one component on one host (on each member of a group).
type Step struct {
	ID        string // graph node id
	Component *Component
	Action    string
	Config    *hot.Config
	Before    []*Step // direct predecessors that are steps of the same action, on any host, without repetition
	// Needs are the resources other than its host that have to be complete before it runs, because a param refers to
	// them or depends_on names them, without repetition. CREATE steps only.
	Needs  []*hot.Resource
	Waited bool // something outside its host waits for this step or reads its outputs; CREATE steps only
}

// Read is one place where a component's output is read: {get_attr: [HOST, components, NAME, OUTPUT, path…]}.
//
// Read from outside, a component on a group gives a list with one value for each member, in the order of the group's
// members; path begins below that list. Read by a step of the same group it gives the value on the same member. A
// component that does not exist, or has no CREATE step, gives null.
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

// Outside reports whether the reader is not a step of the same host.
func (r *Read) Outside() bool { return r.By == nil || r.By.Component.Host != r.Component.Host }

// Handle is an OS::Mistral::WorkflowHandle (DESIGN §2.3).
type Handle struct {
	Resource     *hot.Resource
	Participants []*Component // of type mistral that name it
}

// Workflow is an OS::Mistral::Workflow in the form of the 2013 proposal.
type Workflow struct {
	Resource  *hot.Resource
	Handle    *Handle      // nil where none
	Reference *source.Node // workflow_reference; nil where it is missing, which is an error
	Params    *source.Node
}
