// Package mistral is the target for OpenStack Mistral: the infrastructure as stock HOT, the software as a Mistral workflow
// that the stack starts when its hosts are there, and workflows that the author starts with a handle.
//
// A step runs as a software deployment that the workflow makes, so images need heat-config's agent, and the cloud
// needs object storage, through whose signed URLs the agent reports. The definitions of component types and the values
// of inputs stay in the stack: Heat computes them, the workflow keeps the order and the outcome.
package mistral

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit/heatconfig"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// Target is the target. Its zero value is ready.
type Target struct{}

// Name is what --target takes.
func (Target) Name() string { return "mistral" }

// Summary says in one line what the target is for.
func (Target) Summary() string {
	return "stock HOT and OpenStack Mistral workflows that the stack starts, for images with heat-config"
}

// Emit makes the output. It is whole where no finding is an error, else as far as the program could be realised.
func (Target) Emit(p *weave.Program, o plain.Options) (*plain.Output, diag.List) {
	if o.ConfigTransport == "" {
		o.ConfigTransport = "POLL_SERVER_HEAT"
	}
	if o.BootAllowance == 0 {
		o.BootAllowance = 900
	}
	t := &emitter{
		Agent: heatconfig.New(Target{}.Name(), plain.New(p, o)), tasks: map[*weave.Component]*task{},
		reporters: map[*weave.Component]string{}, records: map[string]string{}, besides: map[string]bool{},
	}
	t.Read, t.Done, t.Nested, t.Attribute = t.value, t.done, Target{}.Emit, t.attribute
	t.name = workflowName(o, t.File())
	t.plan()
	for _, h := range p.Hosts {
		t.host(h)
	}
	for _, s := range t.stages {
		t.stage(s)
	}
	for _, f := range p.Followers {
		if r := t.Resource(f.Resource.Name.Text); r != nil {
			for _, s := range f.Host.Order {
				r.After(t.done(s.Component)...)
			}
		}
	}
	t.explicit()
	return t.Finish()
}

// emitter carries the state of one Emit.
type emitter struct {
	*heatconfig.Agent
	name      string // of the workflows, before the dot
	tasks     map[*weave.Component]*task
	stages    []*stage
	reporters map[*weave.Component]string // the deployments of components that report to a handle
	records   map[string]string           // of the author's workflows: the nested stacks that make values of their output
	besides   map[string]bool             // names of the author's workflows that become resources
	ready     string                      // the definition that they share
}

// stage is one part of the software: all steps that run before the next resource that waits for software.
type stage struct {
	resource string // the OS::Mistral::ExternalResource
	record   string // the nested stack that makes values of its output
	workflow string // how its workflows' names begin
	tasks    []*task
	after    []string // earlier stages that it waits for
}

// task is one component in its stage's workflows.
type task struct {
	*weave.Component
	name   string // of the task, and of what it publishes
	step   string // the OS::Heat::Value that holds what there is to do
	signal string // the handle that the agent reports by
	stage  *stage
	level  int
	reads  []*read // from steps of the same stage
}

// read is an output of a step of the same stage, which only the workflow knows.
type read struct {
	*weave.Read
	placeholder string
}

// host makes a host listen, and its components' definitions.
func (t *emitter) host(h *weave.Host) {
	listens := false
	for _, c := range h.Components {
		_, reports := t.reporters[c]
		listens = listens || reports || t.tasks[c] != nil
	}
	if !listens {
		return
	}
	t.Listen(h)
	for _, c := range h.Components {
		if task := t.tasks[c]; task != nil {
			t.step(h, task)
		}
		if name, ok := t.reporters[c]; ok {
			t.reporter(h, c, name)
		}
	}
}

// done gives what is complete when a component is.
func (t *emitter) done(c *weave.Component) []string {
	if task := t.tasks[c]; task != nil {
		return []string{task.stage.resource}
	}
	if name, ok := t.reporters[c]; ok {
		return []string{name}
	}
	return nil
}

// value gives what stands for a read: of an earlier stage, or outside of all steps, an attribute of what started its
// workflow; within a stage a placeholder that the workflow replaces.
func (t *emitter) value(r *weave.Read, by *weave.Step) *source.Node {
	task := t.tasks[r.Component]
	if task == nil || r.Component.Step("CREATE") == nil {
		return source.NewNull(r.Node)
	}
	if by != nil {
		if reader := t.tasks[by.Component]; reader != nil && reader.stage == task.stage {
			return plain.Text(r.Node, placeholder(r))
		}
	}
	path := plain.Texts(r.Node, task.stage.record, "data", "outputs", r.Component.Host.Name(), r.Component.Name(), outputOf(r)).Items
	call := plain.Call(r.Node, "get_attr", plain.Flow(source.NewList(r.Node, append(path, r.Path...)...)))
	return plain.Guarded(plain.Exists(r.Component), call)
}

// outputOf is how the deployment calls the output that is read.
func outputOf(r *weave.Read) string {
	if r.Output == "deploy_status_code" && heatconfig.Continues(r.Component) {
		return heatconfig.StatusOutput
	}
	return r.Output
}

// placeholder stands in a value for an output that only the workflow knows.
func placeholder(r *weave.Read) string {
	p := "@hotloom:" + r.Component.ID() + "." + outputOf(r)
	for _, n := range r.Path {
		p += "." + n.Str()
	}
	return p + "@"
}
