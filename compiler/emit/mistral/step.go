package mistral

import (
	_ "embed"

	"github.com/hotloom/hotloom/compiler/emit/heatconfig"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// stepWorkflow runs one step. Its name says its version: what is in a Mistral under that name never changes its meaning.
//
//go:embed step.yaml
var stepWorkflow string

const stepWorkflowName = "hotloom.step.v1"

// readyScript is what a component that reports to a handle runs.
const readyScript = "#!/bin/sh\n# Reports to Heat that this host's agent runs.\nexit 0\n"

// step adds what a task has to do, as a value that Heat computes, and the handle that the agent reports by.
func (t *emitter) step(h *weave.Host, one *task) {
	t.Needs("2015-10-15", "target mistral")
	origin := one.Decl.Name
	config := t.ConfigOf(h, one.Component)
	var actions []string
	for _, s := range one.Steps {
		actions = append(actions, s.Action)
	}
	pairs := []source.Pair{
		source.P(origin, "name", plain.Text(origin, one.ID())),
		source.P(origin, "actions", plain.Texts(origin, actions...)),
		source.P(origin, "config", plain.Call(origin, "get_resource", plain.Text(origin, config.Name))),
		source.P(origin, "servers", t.servers(one)),
		source.P(origin, "values", source.NewMap(origin, t.Inputs(one.Component)...)),
		source.P(origin, "timeout", source.NewInt(origin, one.Decl.Timeout)),
		source.P(origin, "boot", source.NewInt(origin, t.Options.BootAllowance)),
	}
	if heatconfig.Continues(one.Component) {
		pairs = append(pairs, source.P(origin, "continue", source.NewBool(origin, true)))
	}
	if cond := plain.Exists(one.Component); cond != nil {
		pairs = append(pairs, source.P(origin, "exists", plain.Flow(source.NewMap(origin, source.P(origin, "if",
			plain.Flow(source.NewList(origin, cond, source.NewBool(origin, true), source.NewBool(origin, false))))))))
	}
	host := t.Resource(h.Name())
	t.Add(host, one.step, origin, "OS::Heat::Value",
		source.P(origin, "type", plain.Text(origin, "json")),
		source.P(origin, "value", source.NewMap(origin, pairs...))).
		Section("metadata", t.Value(one.Decl.Metadata, nil))
	if h.Kind != weave.Group {
		t.Add(host, one.signal, origin, "OS::Heat::SwiftSignalHandle")
		return
	}
	t.Add(host, one.signal, origin, "OS::Heat::ResourceGroup",
		source.P(origin, "count", t.count(h, origin)),
		source.P(origin, "resource_def", plain.Flow(source.NewMap(origin, source.P(origin, "type", plain.Text(origin, "OS::Heat::SwiftSignalHandle"))))))
}

// servers gives the list of the servers that a component is on: none where it does not exist.
func (t *emitter) servers(one *task) *source.Node {
	origin, h := one.Decl.Name, one.Host
	list := plain.Flow(source.NewList(origin, plain.Call(origin, "get_resource", plain.Text(origin, h.Name()))))
	if h.Kind == weave.Group {
		list = plain.MemberIDs(h, origin)
	}
	if cond := plain.Exists(one.Component); cond != nil {
		t.Needs("2016-10-14", "the condition of a component")
		return source.NewMap(origin, source.P(origin, "if", source.NewList(origin, cond, list, plain.Flow(source.NewList(origin)))))
	}
	return list
}

// count is how many members a group has when it is made.
func (t *emitter) count(h *weave.Host, origin *source.Node) *source.Node {
	n := h.Member.Count
	if n.IsNull() && h.Member.IndexVar == "" {
		n = h.Resource.Properties.Get("min_size") // of an autoscaling group without desired_capacity
	}
	if n.IsNull() {
		return source.NewInt(origin, 1)
	}
	return t.Value(n, nil)
}

// reporter adds the deployment of a component that reports to a handle: it is complete when the host's agent runs.
func (t *emitter) reporter(h *weave.Host, c *weave.Component, name string) {
	origin := c.Decl.Name
	if t.ready == "" {
		t.ready = t.Name("hotloom_ready_config")
		t.Add(t.Resource(h.Name()), t.ready, origin, "OS::Heat::SoftwareConfig",
			source.P(origin, "group", plain.Text(origin, "script")),
			source.P(origin, "config", plain.Call(origin, "get_file", plain.Text(origin, t.AddFile("hotloom/ready.sh", readyScript)))))
	}
	typ, key, target := "OS::Heat::SoftwareDeployment", "server", plain.Call(origin, "get_resource", plain.Text(origin, h.Name()))
	if h.Kind == weave.Group {
		typ, key, target = typ+"Group", "servers", plain.MemberMap(h, origin)
	}
	t.Add(t.Resource(h.Name()), name, origin, typ,
		source.P(origin, "name", plain.Text(origin, c.ID())),
		source.P(origin, "config", plain.Call(origin, "get_resource", plain.Text(origin, t.ready))),
		source.P(origin, key, target),
		source.P(origin, "signal_transport", plain.Text(origin, "HEAT_SIGNAL"))).
		Section("condition", plain.Exists(c))
}
