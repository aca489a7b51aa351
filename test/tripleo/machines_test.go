package tripleo_test

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/action"
)

// machines stand for Ironic, its introspection, Nova and Zaqar, and offer TripleO's own actions: what its workbooks call.
type machines struct {
	mu       sync.Mutex
	state    map[string]string // provision states
	power    map[string]string
	profile  map[string]string
	failures map[string]int // how often the introspection of a node still fails
	attempts map[string]int
	known    map[string]bool // their introspection has succeeded
	messages []*value.Map    // bodies posted to the queue
}

func newMachines() *machines {
	return &machines{
		state: map[string]string{}, power: map[string]string{}, profile: map[string]string{}, failures: map[string]int{}, attempts: map[string]int{}, known: map[string]bool{},
	}
}

// actions are the stand-ins by name. Inputs are open: the workbooks of several releases differ in them.
func (m *machines) actions() []action.Definition {
	var out []action.Definition
	for name, run := range map[string]func(in *value.Map) (any, error){
		"tripleo.baremetal.validate_nodes":           func(*value.Map) (any, error) { return nil, nil },
		"tripleo.baremetal.register_or_update_nodes": m.register,
		"tripleo.baremetal.cell_v2_discover_hosts":   func(*value.Map) (any, error) { return nil, nil },
		"tripleo.baremetal.update_node_capability":   m.tag,
		"tripleo.baremetal.get_profile":              m.getProfile,
		"ironic.node_set_provision_state":            m.setState,
		"ironic.node_set_power_state":                m.setPower,
		"ironic.node_get":                            m.get,
		"ironic.node_list":                           m.list,
		"nova.hypervisors_find":                      func(in *value.Map) (any, error) { return value.MapOf("id", text(in, "hypervisor_hostname")), nil },
		"baremetal_introspection.introspect":         m.introspect,
		"baremetal_introspection.wait_for_finish":    m.waitForFinish,
		"baremetal_introspection.get_status":         m.status,
		"zaqar.queue_post":                           m.post,
	} {
		out = append(out, action.Definition{Name: name, Open: true, Run: func(_ context.Context, in *value.Map, _ action.Call) (any, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			return run(in)
		}})
	}
	return out
}

func text(in *value.Map, names ...string) string {
	for _, name := range names {
		if v, ok := in.GetStr(name); ok && v != nil {
			return fmt.Sprint(v)
		}
	}
	return ""
}

func (m *machines) register(in *value.Map) (any, error) {
	nodes, _ := in.GetStr("nodes_json")
	var out []any
	for _, n := range nodes.([]any) {
		id := text(n.(*value.Map), "name")
		m.state[id], m.power[id] = "enroll", "power on"
		out = append(out, m.node(id))
	}
	return out, nil
}

func (m *machines) node(id string) *value.Map {
	return value.MapOf("uuid", id, "provision_state", m.state[id], "power_state", m.power[id], "last_error", nil)
}

func (m *machines) setState(in *value.Map) (any, error) {
	id := text(in, "node_uuid", "node_id")
	if m.state[id] == "" {
		return nil, fmt.Errorf("node %s could not be found", id)
	}
	m.state[id] = map[string]string{"manage": "manageable", "provide": "available", "clean": "manageable"}[text(in, "state")]
	return nil, nil
}

func (m *machines) setPower(in *value.Map) (any, error) {
	m.power[text(in, "node_id")] = "power " + text(in, "state")
	return nil, nil
}

func (m *machines) get(in *value.Map) (any, error) {
	id := text(in, "node_id")
	if m.state[id] == "" {
		return nil, fmt.Errorf("node %s could not be found", id)
	}
	return m.node(id), nil
}

func (m *machines) list(in *value.Map) (any, error) {
	out := []any{}
	for _, id := range m.names() {
		if m.state[id] == text(in, "provision_state") {
			out = append(out, m.node(id))
		}
	}
	return out, nil
}

func (m *machines) names() []string {
	var names []string
	for id := range m.state {
		names = append(names, id)
	}
	slices.Sort(names)
	return names
}

func (m *machines) tag(in *value.Map) (any, error) {
	m.profile[text(in, "node_uuid")] = text(in, "value")
	return nil, nil
}

func (m *machines) getProfile(in *value.Map) (any, error) {
	node, _ := in.GetStr("node")
	id := text(node.(*value.Map), "uuid")
	return value.MapOf("uuid", id, "profile", m.profile[id]), nil
}

func (m *machines) introspect(in *value.Map) (any, error) {
	id := text(in, "uuid")
	m.attempts[id]++
	if m.failures[id] > 0 {
		m.failures[id]--
		return nil, fmt.Errorf("node %s did not boot", id)
	}
	m.known[id] = true
	return nil, nil
}

func (m *machines) introspected(id string) *value.Map {
	return value.MapOf("uuid", id, "finished", m.known[id], "error", nil)
}

func (m *machines) waitForFinish(in *value.Map) (any, error) {
	ids, _ := in.GetStr("uuids")
	out := value.NewMap(1)
	for _, id := range ids.([]any) {
		out.SetStr(id.(string), m.introspected(id.(string)))
	}
	return out, nil
}

func (m *machines) status(in *value.Map) (any, error) { return m.introspected(text(in, "uuid")), nil }

func (m *machines) post(in *value.Map) (any, error) {
	messages, _ := in.GetStr("messages")
	body, _ := messages.(*value.Map).GetStr("body")
	m.messages = append(m.messages, body.(*value.Map))
	return nil, nil
}
