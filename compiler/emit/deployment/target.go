// Package deployment is the target for images with heat-config's agent: each component type becomes a software config,
// each component a software deployment. Any order of steps can be kept, and updates and deletes run too.
package deployment

import (
	_ "embed"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit/heatconfig"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// membersTemplate makes lists of the outputs of a deployment group.
//
//go:embed members.yaml
var membersTemplate string

// Target is the target. Its zero value is ready.
type Target struct{}

// Name is what --target takes.
func (Target) Name() string { return "software-deployment" }

// Summary says in one line what the target is for.
func (Target) Summary() string {
	return "stock HOT: software deployments, for images with os-collect-config and heat-config"
}

// Emit makes the output. It is whole where no finding is an error, else as far as the program could be realised.
func (Target) Emit(p *weave.Program, o plain.Options) (*plain.Output, diag.List) {
	if o.SignalTransport == "" {
		o.SignalTransport = "HEAT_SIGNAL"
	}
	if o.ConfigTransport == "" {
		o.ConfigTransport = "POLL_SERVER_HEAT"
	}
	t := &emitter{
		Agent: heatconfig.New(Target{}.Name(), plain.New(p, o)), components: map[*weave.Component]*component{},
		wanted: map[*weave.Component][]string{},
	}
	t.Read, t.Done, t.Nested = t.value, t.done, Target{}.Emit
	t.Refuse(Target{}.Name())
	t.checkTransports()
	t.sortReads()
	for _, h := range p.Hosts {
		t.plan(h)
	}
	for _, h := range p.Hosts {
		t.host(h)
	}
	for _, h := range p.Hosts {
		for _, c := range h.Components {
			if planned := t.components[c]; planned != nil {
				t.backward(planned)
			}
		}
	}
	for _, f := range p.Followers {
		if r := t.Resource(f.Resource.Name.Text); r != nil {
			for _, s := range f.Host.Order {
				r.After(t.done(s.Component)...)
			}
		}
	}
	return t.Finish()
}

// emitter carries the state of one Emit.
type emitter struct {
	*heatconfig.Agent
	components map[*weave.Component]*component
	wanted     map[*weave.Component][]string // outputs of groups' components that are read, as Heat calls them
}

// component is what is planned for one component.
type component struct {
	*weave.Component
	name    string // of the deployment
	outputs string // groups: the nested stack that makes lists of its outputs; empty: nothing reads them
	config  *heatconfig.Config

	resource *plain.Resource
}

// signalTransports and configTransports are what Heat takes.
var (
	signalTransports = []string{"HEAT_SIGNAL", "CFN_SIGNAL", "TEMP_URL_SIGNAL", "ZAQAR_SIGNAL"}
	configTransports = []string{"POLL_SERVER_HEAT", "POLL_SERVER_CFN", "POLL_TEMP_URL", "ZAQAR_MESSAGE"}
)

// plan gives the host's components that run at all their names and configs.
func (t *emitter) plan(h *weave.Host) {
	if h.Kind == weave.Group && h.Member == nil {
		return // told by weave
	}
	for _, c := range h.Components {
		if c.Type == nil || len(c.Steps) == 0 || c.Type.Tool.Str() == "mistral" {
			continue
		}
		t.check(c)
		out := &component{Component: c, name: t.Name(h.Name(), c.Name())}
		if len(t.wanted[c]) > 0 {
			out.outputs = t.Name(h.Name(), c.Name(), "outputs")
		}
		t.components[c] = out
	}
	for _, c := range h.Components {
		if out := t.components[c]; out != nil {
			out.config = t.ConfigOf(h, c)
		}
	}
}

// done gives what is complete when a component is.
func (t *emitter) done(c *weave.Component) []string {
	if out := t.components[c]; out != nil {
		return []string{out.name}
	}
	return nil
}

// sortReads finds out which outputs of groups are read, and what a deployment can not give.
func (t *emitter) sortReads() {
	for _, r := range t.Program.Reads {
		if r.Component.Host.Kind != weave.Group {
			continue
		}
		if !r.Outside() {
			t.Report(memberRead(r.Node.At(), r.By.Component.ID(), r.Component.ID(), r.Output))
			continue
		}
		output := t.outputOf(r)
		list := t.wanted[r.Component]
		found := false
		for _, o := range list {
			found = found || o == output
		}
		if !found {
			t.wanted[r.Component] = append(list, output)
		}
	}
}

// outputOf is how the deployment calls the output that is read.
func (t *emitter) outputOf(r *weave.Read) string {
	if r.Output == "deploy_status_code" && heatconfig.Continues(r.Component) {
		return heatconfig.StatusOutput
	}
	return r.Output
}

// value gives what stands for a read.
func (t *emitter) value(r *weave.Read, by *weave.Step) *source.Node {
	c := t.components[r.Component]
	if c == nil || r.Component.Step("CREATE") == nil || !r.Outside() && r.Component.Host.Kind == weave.Group {
		return source.NewNull(r.Node)
	}
	path := plain.Texts(r.Node, c.name, t.outputOf(r)).Items
	if r.Component.Host.Kind == weave.Group {
		path = plain.Texts(r.Node, c.outputs, "data", t.outputOf(r)).Items
	}
	call := plain.Call(r.Node, "get_attr", plain.Flow(source.NewList(r.Node, append(path, r.Path...)...)))
	return plain.Guarded(plain.Exists(r.Component), call)
}

// groupAttribute is the attribute of a deployment group that holds an output of all its members.
func groupAttribute(output string) string {
	if strings.HasPrefix(output, "deploy_") {
		return output + "s"
	}
	return output
}
