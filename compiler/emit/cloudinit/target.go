// Package cloudinit is the target for images without an agent: each host's steps become one shell script in its
// user_data, which cloud-init runs at first boot, and wait conditions carry the end of a step and its outputs to
// whatever waits for it. It needs nothing on the guest but cloud-init, a POSIX shell, awk, and curl or GNU wget.
//
// A host runs all its steps in one go, so everything that one of them waits for on other hosts has to be complete
// before the host is made; what interleaves hosts is refused. Only CREATE happens: nothing on the guest listens later.
package cloudinit

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// Target is the target. Its zero value is ready.
type Target struct{}

// Name is what --target takes.
func (Target) Name() string { return "cloud-init" }

// Summary says in one line what the target is for.
func (Target) Summary() string {
	return "stock HOT: steps run from user_data at first boot and report to wait conditions; no agent in the image"
}

// Emit makes the output. It is whole where no finding is an error, else as far as the program could be realised.
func (Target) Emit(p *weave.Program, o plain.Options) (*plain.Output, diag.List) {
	if o.BootAllowance == 0 {
		o.BootAllowance = 900
	}
	t := &emitter{Stack: plain.New(p, o), steps: map[*weave.Step]*step{}, wanted: map[*weave.Component]map[string]bool{}, local: map[*weave.Input]*weave.Read{}}
	t.Read, t.Done, t.Nested = t.value, t.done, Target{}.Emit
	t.Refuse(Target{}.Name())
	t.sortReads()
	var hosts []*host
	for _, h := range p.Hosts {
		if t.possible(h) {
			hosts = append(hosts, t.plan(h))
		}
	}
	t.checkOrder()
	for _, h := range hosts {
		t.program(h)
	}
	for _, h := range hosts {
		t.host(h)
	}
	for _, f := range p.Followers {
		if r := t.Resource(f.Resource.Name.Text); r != nil {
			r.After(t.gatesOf(f.Host.Order)...)
		}
	}
	return t.Finish()
}

// emitter carries the state of one Emit.
type emitter struct {
	*plain.Stack
	steps  map[*weave.Step]*step
	wanted map[*weave.Component]map[string]bool // outputs that are read from outside their host
	local  map[*weave.Input]*weave.Read         // inputs that are, as a whole, outputs of the same host
}

// host is what is planned for one of the program's hosts.
type host struct {
	*weave.Host
	name     string
	resource *plain.Resource
	steps    []*step
	handles  []string     // what the steps signal
	script   *source.Node // the runner with what the host has to do
	bytes    int          // of script, as far as known: at least
}

// step is what is planned for one CREATE step.
type step struct {
	*weave.Step
	host     *host
	index    int    // in the order of the host
	deadline int64  // seconds from ACTIVE by which it has to be complete
	handle   int    // what it signals, an index into the host's handles; -1: nothing
	gate     string // the wait condition that is complete with it; empty: none
	outputs  string // the nested stack that gives its outputs; empty: nothing reads them
}

// possible reports what the target can not do with a host, and whether it can do the rest.
func (t *emitter) possible(h *weave.Host) bool {
	kind := h.Kind
	if kind == weave.Group {
		if h.Member == nil {
			return false // told by weave
		}
		kind = h.Member.Kind
	}
	if kind == weave.DeployedServer {
		t.Report(noUserData(h.Resource.Type.At(), h.Name()))
		return false
	}
	ok := true
	for _, c := range h.Components {
		if c.Type == nil || len(c.Steps) == 0 {
			continue
		}
		switch tool := c.Type.Tool.Str(); {
		case tool == "mistral":
			ok = false // told by Refuse
		case tool != "script":
			t.Report(notAScript(c.Decl.Type.At(), c.ID(), tool))
			ok = false
		default:
			t.CheckScript(c)
			t.CheckSecrets(c)
			if own := plain.OwnConfigs(c, "CREATE"); len(own) > 0 {
				t.Report(onlyCreate(c.Decl.Name.At(), c.ID(), own))
			}
		}
	}
	return ok && len(h.Order) > 0
}

// plan decides which steps something waits for, and until when each has to be complete.
func (t *emitter) plan(h *weave.Host) *host {
	out := &host{Host: h, name: h.Name()}
	out.resource = t.Resource(out.name)
	deadline := t.Options.BootAllowance
	for i, s := range h.Order {
		deadline += s.Component.Decl.Timeout
		st := &step{Step: s, host: out, index: i, deadline: min(deadline, maxTimeout)}
		out.steps = append(out.steps, st)
		t.steps[s] = st
	}
	if deadline > maxTimeout {
		t.Report(tooSlow(h.Resource.Name.At(), out.name, deadline, maxTimeout))
	}
	for i, s := range out.steps {
		name := s.Component.Name()
		read := t.wanted[s.Component] != nil
		if s.Waited || read || i == len(out.steps)-1 {
			s.gate = t.Name(out.name, name, "done")
		}
		if read {
			s.outputs = t.Name(out.name, name, "outputs")
		}
	}
	return out
}

// sortReads tells reads that go through Heat from those that stay on their host.
func (t *emitter) sortReads() {
	for _, r := range t.Program.Reads {
		switch {
		case r.Component.Step("CREATE") == nil:
		case r.Outside():
			if t.wanted[r.Component] == nil {
				t.wanted[r.Component] = map[string]bool{}
			}
			t.wanted[r.Component][r.Output] = true
		case r.Whole:
			t.local[r.Input] = r
			if len(r.Path) > 0 {
				t.Report(pathOfText(r.Node.At(), r.Output))
			}
		}
	}
}

// maxTimeout is the longest that a wait condition waits, in seconds.
const maxTimeout = 43200

// gatesOf gives the wait conditions that are complete with the steps. Of steps of one host the last one's is enough.
func (t *emitter) gatesOf(steps []*weave.Step) []string {
	last := map[*host]*step{}
	var order []*host
	for _, s := range steps {
		st := t.steps[s]
		if st == nil || st.gate == "" {
			continue
		}
		if last[st.host] == nil {
			order = append(order, st.host)
		}
		if old := last[st.host]; old == nil || old.index < st.index {
			last[st.host] = st
		}
	}
	var names []string
	for _, h := range order {
		names = append(names, last[h].gate)
	}
	return names
}

// done gives what is complete when a component is.
func (t *emitter) done(c *weave.Component) []string {
	return t.gatesOf([]*weave.Step{c.Step("CREATE")})
}

// value gives what stands for a read that is not the whole of a local input.
func (t *emitter) value(r *weave.Read, by *weave.Step) *source.Node {
	s := t.steps[r.Component.Step("CREATE")]
	switch {
	case s == nil:
		return source.NewNull(r.Node)
	case by != nil && by.Component.Host == r.Component.Host:
		t.Report(nestedLocalRead(r.Node.At(), by.Component.ID(), r.Component.ID(), r.Output))
		return source.NewNull(r.Node)
	}
	path := []*source.Node{plain.Text(r.Node, s.outputs), plain.Text(r.Node, "data")}
	if s.host.Kind != weave.Group {
		path = append(path, plain.Text(r.Node, s.Component.Name()))
	}
	path = append(append(path, plain.Text(r.Node, r.Output)), r.Path...)
	// A step that its condition leaves out has no outputs, so that reading one gives null; only of a group it would
	// give a list of nulls.
	condition := r.Component.Host.Resource.Condition
	if s.host.Kind == weave.Group {
		condition = plain.Exists(r.Component)
	}
	return plain.Guarded(condition, plain.Call(r.Node, "get_attr", source.NewList(r.Node, path...)))
}
