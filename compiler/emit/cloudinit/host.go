package cloudinit

import (
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// host emits one host: its user_data, its handles and gates, and what it waits for.
func (t *emitter) host(h *host) {
	t.waitFor(h)
	if h.Kind == weave.Group {
		t.groupUserData(h)
	} else {
		t.serverUserData(h)
	}
	origin := h.Resource.Name
	condition := h.Resource.Condition
	for _, name := range h.handles {
		t.Add(h.resource, name, origin, "OS::Heat::WaitConditionHandle",
			source.P(origin, "signal_transport", plain.Text(origin, "HEAT_SIGNAL"))).Section("condition", condition)
	}
	for _, s := range h.steps {
		if s.gate == "" {
			continue
		}
		origin := s.Component.Decl.Name
		gate := t.Add(h.resource, s.gate, origin, "OS::Heat::WaitCondition",
			source.P(origin, "handle", plain.Call(origin, "get_resource", plain.Text(origin, h.handles[s.handle]))),
			source.P(origin, "count", t.count(s)),
			source.P(origin, "timeout", source.NewInt(origin, s.deadline)))
		gate.Section("condition", condition)
		gate.After(h.name)
		if s.outputs != "" {
			t.outputs(s).Section("condition", condition)
		}
	}
}

// waitFor makes the host wait for what its steps wait for. What they read they wait for anyway.
func (t *emitter) waitFor(h *host) {
	for _, s := range h.steps {
		var outside []*weave.Step
		for _, b := range s.Before {
			if b.Component.Host != h.Host {
				outside = append(outside, b)
			}
		}
		h.resource.After(t.gatesOf(outside)...)
		for _, r := range s.Needs {
			if r.Name.Text != h.name {
				h.resource.After(r.Name.Text)
			}
		}
	}
}

// count is how many signals say that the step is done.
func (t *emitter) count(s *step) *source.Node {
	origin := s.Component.Decl.Name
	if s.host.Kind != weave.Group {
		return source.NewInt(origin, int64(s.index+1))
	}
	m := s.host.Member
	n := m.Count
	if n.IsNull() && m.IndexVar == "" {
		n = s.host.Resource.Properties.Get("min_size") // of an autoscaling group without desired_capacity
	}
	if n.IsNull() {
		return source.NewInt(origin, 1)
	}
	if known, ok := n.Int64(); ok && known < 1 {
		t.Report(noMembers(n.At(), s.host.name))
	} else if ok && known > 200 && s.outputs != "" {
		t.Report(manyMembers(n.At(), s.host.name))
	}
	return t.Value(n, nil)
}

// outputs adds the nested stack that makes values of the text that a wait condition gives.
func (t *emitter) outputs(s *step) *plain.Resource {
	origin := s.Component.Decl.Name
	signals := plain.Call(origin, "get_attr", plain.Texts(origin, s.gate, "data"))
	if s.host.Kind != weave.Group {
		file := t.AddFile("hotloom/outputs.yaml", outputsTemplate)
		return t.Add(s.host.resource, s.outputs, origin, file, source.P(origin, "signals", signals))
	}
	names := append(t.carried(s), "deploy_status_code")
	return t.Add(s.host.resource, s.outputs, origin, t.AddFile("hotloom/members.yaml", membersTemplate),
		source.P(origin, "values", signals),
		source.P(origin, "members", plain.MemberIDs(s.host.Host, origin)),
		source.P(origin, "names", plain.Texts(origin, names...)))
}
