package templates_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/templates"
)

// ironic is one in memory, with the actions that the library calls. Deploying takes two looks.
type ironic struct {
	mu      sync.Mutex
	nodes   map[string]*value.Map // by name
	ports   []any
	fails   map[string]int    // how often the inspection of a node fails
	pending map[string]string // the state that a node will be in
}

func newIronic() *ironic {
	return &ironic{nodes: map[string]*value.Map{}, fails: map[string]int{}, pending: map[string]string{}}
}

// ends are the states that targets lead to.
var ends = map[string]string{"manage": "manageable", "provide": "available", "inspect": "manageable", "active": "active", "deleted": "available", "clean": "manageable"}

func (i *ironic) actions() []action.Definition {
	act := func(name string, inputs string, run func(in *value.Map) (any, error)) action.Definition {
		d := action.Definition{Name: "ironic." + name, Class: "Fake", Open: true}
		for _, in := range strings.Fields(inputs) {
			d.Inputs = append(d.Inputs, action.Input{Name: in})
		}
		d.Run = func(_ context.Context, in *value.Map, _ action.Call) (any, error) {
			i.mu.Lock()
			defer i.mu.Unlock()
			return run(in)
		}
		return d
	}
	return []action.Definition{
		act("port_list", "", i.portList),
		act("node_list", "", func(*value.Map) (any, error) {
			var all []any
			for _, n := range i.nodes {
				all = append(all, n)
			}
			return all, nil
		}),
		act("node_create", "", i.nodeCreate),
		act("port_create", "", func(in *value.Map) (any, error) { i.ports = append(i.ports, in.Clone()); return in, nil }),
		act("node_get", "", func(in *value.Map) (any, error) { return i.look(in, "node_id") }),
		act("node_update", "", i.nodeUpdate),
		act("node_set_provision_state", "", i.setState),
		act("node_validate", "", func(in *value.Map) (any, error) {
			n, err := i.look(in, "node_uuid")
			if err != nil {
				return nil, err
			}
			ok := value.Str(sub(n, "driver")) != "broken"
			return value.MapOf("power", value.MapOf("result", ok, "reason", "no password")), nil
		}),
		act("node_states", "", func(*value.Map) (any, error) { return value.MapOf("power_state", "power off", "last_error", nil), nil }),
	}
}

func (i *ironic) look(in *value.Map, key string) (*value.Map, error) {
	name := value.Str(sub(in, key))
	n := i.nodes[name]
	if n == nil {
		return nil, fmt.Errorf("IronicAction failed: Node %s could not be found.", name) //nolint:staticcheck // Ironic's words
	}
	if next := i.pending[name]; next != "" && (next != "active" || sub(n, "seen") == true) {
		n.SetStr("provision_state", next)
		n.SetStr("target_provision_state", nil)
		delete(i.pending, name)
	}
	n.SetStr("seen", true)
	return n.Clone(), nil
}

func (i *ironic) portList(in *value.Map) (any, error) {
	out := []any{}
	for _, p := range i.ports {
		if a := sub(in, "address"); a == nil || a == sub(p, "address") {
			out = append(out, p)
		}
	}
	return out, nil
}

func (i *ironic) nodeCreate(in *value.Map) (any, error) {
	if sub(in, "driver") == "unknown" {
		return nil, errors.New("no conductor has the driver unknown")
	}
	n := in.Clone()
	name := value.Str(sub(in, "name"))
	n.SetStr("uuid", name)
	n.SetStr("provision_state", "enroll")
	n.SetStr("target_provision_state", nil)
	n.SetStr("last_error", nil)
	n.SetStr("maintenance", false)
	i.nodes[name] = n
	return n.Clone(), nil
}

func (i *ironic) nodeUpdate(in *value.Map) (any, error) {
	n := i.nodes[value.Str(sub(in, "node_id"))]
	if n == nil {
		return nil, errors.New("Node could not be found.") //nolint:staticcheck // Ironic's words
	}
	patch, _ := sub(in, "patch").([]any)
	for _, p := range patch {
		at := strings.Split(strings.TrimPrefix(value.Str(sub(p, "path")), "/"), "/")
		to := n
		if len(at) == 2 {
			inner, _ := sub(n, at[0]).(*value.Map)
			inner = inner.Clone()
			n.SetStr(at[0], inner)
			to = inner
		}
		to.SetStr(at[len(at)-1], sub(p, "value"))
	}
	return n.Clone(), nil
}

func (i *ironic) setState(in *value.Map) (any, error) {
	name, target := value.Str(sub(in, "node_uuid")), value.Str(sub(in, "state"))
	n := i.nodes[name]
	if n == nil {
		return nil, errors.New("Node could not be found.") //nolint:staticcheck // Ironic's words
	}
	i.pending[name] = ends[target]
	n.SetStr("provision_state", "on the way")
	n.SetStr("last_error", nil)
	if target == "inspect" && i.fails[name] > 0 {
		i.fails[name]--
		i.pending[name] = "inspect failed"
		n.SetStr("last_error", "the ramdisk does not answer")
	}
	n.SetStr("target_provision_state", ends[target])
	n.SetStr("seen", false)
	return nil, nil
}

// library is an engine with the workbooks and an Ironic.
func library(t *testing.T, i *ironic) *engine.Engine {
	t.Helper()
	registry, err := action.NewRegistry(action.Std(action.Config{}), i.actions())
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.TempDir(), engine.Options{Actions: registry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, book := range templates.Workbooks() {
		if _, found, err := e.Define(read(t, templates.Workbook(book)), workflow.Auto, ""); err != nil || found.HasErrors() {
			t.Fatal(err, found)
		}
	}
	return e
}

func run(t *testing.T, e *engine.Engine, name, input string) (flow.State, *value.Map) {
	t.Helper()
	in, err := value.ParseJSON(input)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	id, err := e.Start(ctx, engine.StartOptions{Workflow: name, Input: in.(*value.Map)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Wait(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if s.Output == nil {
		t.Fatalf("%s is %s without output: %v", name, s.State, s.Info)
	}
	return s.State, s.Output
}

// TestBareMetal takes nodes through their life, with one that fails while the others go on.
func TestBareMetal(t *testing.T) {
	t.Parallel()
	i := newIronic()
	e := library(t, i)
	told := make(chan string, 10)
	hears := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told <- r.Header.Get("Content-Type") }))
	defer hears.Close()
	steps := []struct {
		workflow, input string
		state           flow.State
		message         string
	}{
		{"register", `{"nodes": [{"name": "a", "pm_type": "ipmi", "pm_addr": "10.0.0.1", "pm_user": "root", "pm_password": "secret", "mac": ["AA:00:00:00:00:01"], "cpu": 4, "memory": 8192, "disk": 50, "capabilities": "boot_option:local"},
			{"name": "b", "driver": "redfish", "pm_addr": "https://bmc", "ports": [{"address": "aa:00:00:00:00:02"}], "properties": {"local_gb": 10}},
			{"name": "c", "driver": "unknown"}], "poll_interval": 1, "notify_url": "` + hears.URL + `"}`, flow.Failed, "2 of 3 nodes registered; c: no conductor has the driver unknown"},
		{"register", `{"nodes": [{"name": "other", "pm_type": "ipmi", "pm_addr": "10.0.0.9", "mac": ["aa:00:00:00:00:01"]}], "poll_interval": 1}`, flow.Success, "1 of 1 nodes registered"},
		{"introspect", `{"nodes": ["a", "b"], "attempts": 2, "retry_delay": 0, "poll_interval": 1}`, flow.Failed, "1 of 2 nodes introspected; b: the ramdisk does not answer"},
		{"configure", `{"nodes": ["a"], "boot_mode": "uefi", "root_device": {"name": "/dev/sda"}, "capabilities": {"boot_option": null, "x": 1}}`, flow.Success, "1 of 1 nodes configured"},
		{"tag", `{"nodes": ["a", "gone"], "profile": "compute"}`, flow.Failed, "1 of 2 nodes tagged; gone: IronicAction failed: Node gone could not be found."},
		{"clean", `{"nodes": ["a"], "clean_steps": [{"interface": "deploy", "step": "erase"}], "poll_interval": 1}`, flow.Success, "1 of 1 nodes cleaned"},
		{"provide", `{"nodes": ["a"], "poll_interval": 1}`, flow.Success, "1 of 1 nodes available"},
		{"provision", `{"nodes": ["a"], "instance_info": {"image_source": "http://image"}, "poll_interval": 1}`, flow.Success, "1 of 1 nodes provisioned"},
		{"unprovision", `{"nodes": ["a"], "poll_interval": 1}`, flow.Success, "1 of 1 nodes unprovisioned"},
		{"manage", `{"nodes": ["a"], "poll_interval": 1}`, flow.Success, "1 of 1 nodes manageable"},
	}
	i.fails["a"], i.fails["b"] = 1, 2
	for _, s := range steps {
		state, out := run(t, e, "hotloom.baremetal.v1."+s.workflow, s.input)
		if got := value.Str(sub(out, "message")); state != s.state || got != s.message {
			t.Errorf("%s: %s %q, want %s %q", s.workflow, state, got, s.state, s.message)
		}
	}
	select {
	case kind := <-told:
		if kind != "application/json" {
			t.Errorf("the notification is %s", kind)
		}
	default:
		t.Error("nobody was notified")
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, c := range []struct {
		node string
		path []string
		want string
	}{
		{"a", []string{"driver_info"}, "{'ipmi_address': '10.0.0.9'}"},
		{"a", []string{"properties", "capabilities"}, "boot_mode:uefi,profile:compute,x:1"},
		{"a", []string{"properties", "root_device"}, "{'name': '/dev/sda'}"},
		{"a", []string{"instance_info", "image_source"}, "http://image"},
		{"b", []string{"driver_info", "redfish_address"}, "https://bmc"},
		{"b", []string{"provision_state"}, "on the way"}, // back to manageable
	} {
		if got := value.Str(sub(i.nodes[c.node], c.path...)); got != c.want {
			t.Errorf("node %s: %v is %s, want %s", c.node, c.path, got, c.want)
		}
	}
}

// TestValidations runs all of them side by side, one of which does not exist.
func TestValidations(t *testing.T) {
	t.Parallel()
	i := newIronic()
	for name, driver := range map[string]string{"a": "ipmi", "b": "broken"} {
		if _, err := i.nodeCreate(value.MapOf("name", name, "driver", driver, "properties", value.MapOf("local_gb", int64(50), "capabilities", "profile:compute"))); err != nil {
			t.Fatal(err)
		}
		i.nodes[name].SetStr("provision_state", "available")
	}
	i.ports = []any{value.MapOf("address", "aa:01"), value.MapOf("address", "aa:02")}
	answers := httptest.NewServer(http.NotFoundHandler())
	defer answers.Close()
	e := library(t, i)
	state, out := run(t, e, "hotloom.validations.v1.run", `{"validations": [
		{"name": "node_count", "inputs": {"minimum": 2, "profile": "compute"}}, {"name": "node_count", "inputs": {"minimum": 3}},
		{"name": "duplicate_macs", "inputs": {"nodes": [{"mac": ["AA:03"]}, {"ports": [{"address": "aa:03"}]}]}}, {"name": "duplicate_macs"},
		{"name": "power_credentials"}, {"name": "disk_size"}, {"name": "disk_size", "inputs": {"minimum_gb": 100}},
		{"name": "network_reachability", "inputs": {"urls": ["`+answers.URL+`", "http://127.0.0.1:1/"]}},
		{"name": "ntp", "inputs": {"hosts": ["127.0.0.1:1"], "username": "nobody"}}, {"name": "none"}]}`)
	if state != flow.Success || sub(out, "status") != "FAILED" || sub(out, "message") != "3 of 10 validations passed" {
		t.Errorf("got %s %s", state, value.Repr(out))
	}
	results, _ := sub(out, "results").([]any)
	want := []string{
		"PASSED 2 nodes are usable, 2 are wanted []", "FAILED 2 nodes are usable, 3 are wanted [nodes]",
		"FAILED 1 MAC addresses stand more than once [aa:03]", "PASSED 0 MAC addresses stand more than once []",
		"FAILED 1 of 2 nodes have usable power credentials [b]", "PASSED 2 of 2 nodes have a disk of 40 GB or more []",
		"FAILED 0 of 2 nodes have a disk of 100 GB or more [a b]", "FAILED 1 of 2 addresses answer [http://127.0.0.1:1/]",
		"FAILED 0 of 1 clocks are in step [127.0.0.1:1]", "FAILED it could not be run [None]",
	}
	for n, r := range results {
		var subjects []string
		failures, _ := sub(r, "failures").([]any)
		for _, f := range failures {
			subjects = append(subjects, value.Str(sub(f, "subject")))
		}
		if len(subjects) == 2 && subjects[0] > subjects[1] {
			subjects[0], subjects[1] = subjects[1], subjects[0] // nodes come in no order
		}
		if got := fmt.Sprintf("%s %s %v", sub(r, "status"), sub(r, "message"), subjects); n >= len(want) || got != want[n] {
			t.Errorf("result %d: %s\n%s", n, got, value.Repr(r))
		}
	}
}
