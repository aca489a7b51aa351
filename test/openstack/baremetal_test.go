//go:build openstack

package openstack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// execution is what `hotloom workflow run --format json` prints.
type execution struct {
	State  string
	Output map[string]any
}

// runWorkflow runs a workflow of the library here or on Mistral.
func runWorkflow(t *testing.T, engine, name string, input map[string]any) execution {
	t.Helper()
	hotloom, err := command()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "input.json")
	text, err := json.Marshal(input)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), hotloom, "workflow", "run", "--on", engine, "--state", t.TempDir(), "--format", "json", "--input", "@"+file, name)
	cmd.Env = append(os.Environ(), bed.credentials...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	var e execution
	if err := json.Unmarshal(out, &e); err != nil {
		t.Fatalf("%s on %s printed no execution: %v\n%s%s", name, engine, err, out, &complaints)
	}
	return e
}

// TestBareMetalOnBothEngines registers 20 nodes of a file and one that Ironic refuses, introspects, provides and validates
// them, with the same workflows on the embedded engine and on Mistral. What comes of it is the same.
func TestBareMetalOnBothEngines(t *testing.T) {
	t.Parallel()
	const many = 20
	outcome := map[string][]execution{}
	for number, engine := range []string{"here", "mistral"} {
		var nodes []any
		var names, ids []string
		for i := range many {
			name := fmt.Sprintf("both-%d-%02d", number, i)
			mac := fmt.Sprintf("52:54:00:b0:%02x:%02x", number, i)
			id := fmt.Sprintf("b07b0000-0000-4000-8000-%06d%06d", number, i)
			names, ids = append(names, name), append(ids, id)
			nodes = append(nodes, map[string]any{"name": name, "uuid": id, "driver": "fake-hardware", "mac": []any{mac}, "cpu": 4, "memory": 8192, "disk": 100, "arch": "x86_64"})
		}
		removeNodes(t, ids)
		t.Cleanup(func() { removeNodes(t, ids) })
		refused := map[string]any{"name": fmt.Sprintf("both-%d-refused", number), "driver": "no-such-driver"}
		settings := func(more map[string]any) map[string]any {
			m := map[string]any{"poll_interval": 1, "timeout": 120, "concurrency": 5}
			for k, v := range more {
				m[k] = v
			}
			return m
		}
		steps := []execution{
			runWorkflow(t, engine, "hotloom.baremetal.v1.register", settings(map[string]any{"nodes": append(nodes, refused)})),
			runWorkflow(t, engine, "hotloom.baremetal.v1.introspect", settings(map[string]any{"nodes": names})),
			runWorkflow(t, engine, "hotloom.baremetal.v1.provide", settings(map[string]any{"nodes": names})),
			runWorkflow(t, engine, "hotloom.validations.v1.run", map[string]any{"validations": []any{
				map[string]any{"name": "node_count", "inputs": map[string]any{"minimum": 1, "states": []any{"available"}}},
				map[string]any{"name": "duplicate_macs", "inputs": map[string]any{"nodes": []any{nodes[0], nodes[0]}}},
				map[string]any{"name": "power_credentials", "inputs": map[string]any{"nodes": names}},
				map[string]any{"name": "network_reachability", "inputs": map[string]any{"urls": []any{bed.endpoints["baremetal"]}}},
			}}),
		}
		text, err := json.Marshal(steps)
		if err != nil {
			t.Fatal(err)
		}
		// The engines' nodes differ by their numbers, and the number of all nodes grows.
		alike := strings.NewReplacer(fmt.Sprintf("both-%d-", number), "both-N-", fmt.Sprintf("b0:%02x:", number), "b0:NN:",
			"IronicAction.node_create", "ironic.node_create").Replace(string(text))
		var shown []execution
		if err := json.Unmarshal([]byte(alike), &shown); err != nil {
			t.Fatal(err)
		}
		results, _ := shown[3].Output["results"].([]any)
		for _, r := range results {
			if m := r.(map[string]any); m["validation"] == "node_count" {
				m["message"] = "counted"
			}
		}
		outcome[engine] = shown
	}
	for i, want := range []string{"20 of 21 nodes registered; both-N-refused: ", "20 of 20 nodes introspected", "20 of 20 nodes available", "3 of 4 validations passed"} {
		if got, _ := outcome["here"][i].Output["message"].(string); !strings.HasPrefix(got, want) {
			t.Errorf("step %d: %s %q, want %q", i, outcome["here"][i].State, got, want)
		}
	}
	if diff := cmp.Diff(outcome["here"], outcome["mistral"]); diff != "" {
		t.Errorf("the engines differ (-here +mistral):\n%s", diff)
	}
}

// TestLifeOfANodeOnBothEngines takes a node of the real Ironic through all that the library does with one, and asks for what
// it refuses, with the same workflows on both engines. Every answer and what Ironic then knows of the node are the same.
func TestLifeOfANodeOnBothEngines(t *testing.T) {
	t.Parallel()
	bios := map[string]any{"interface": "bios", "step": "apply_configuration", "args": map[string]any{"settings": []any{}}}
	unknown := map[string]any{"interface": "deploy", "step": "erase_devices"}
	outcome := map[string][]any{}
	for number, engine := range []string{"here", "mistral"} {
		id, name := fmt.Sprintf("b071fe00-0000-4000-8000-%012d", number), fmt.Sprintf("life-%d", number)
		removeNodes(t, []string{id})
		t.Cleanup(func() { removeNodes(t, []string{id}) })
		one, gone := []any{name}, []any{name, "life-none"}
		node := map[string]any{"name": name, "uuid": id, "driver": "fake-hardware", "cpu": 4, "memory": 8192, "disk": 100, "arch": "x86_64"}
		for _, step := range []struct {
			workflow string
			input    map[string]any
			says     string // the beginning of the message
			state    any    // of the node afterwards; the API's first version, which is asked, says nil for available
		}{
			{"register", map[string]any{"nodes": []any{node}}, "1 of 1 nodes registered", "manageable"},
			{"configure", map[string]any{
				"nodes": one, "boot_mode": "uefi", "root_device": map[string]any{"name": "/dev/sda"}, "capabilities": map[string]any{"x": 1},
				"kernel": "http://127.0.0.1/kernel", "ramdisk": "http://127.0.0.1/ramdisk", "resource_class": "compute.large",
			}, "1 of 1 nodes configured", "manageable"},
			{"tag", map[string]any{"nodes": gone, "profile": "compute"}, "1 of 2 nodes tagged; life-none: ", "manageable"},
			{"clean", map[string]any{"nodes": one, "clean_steps": []any{bios}}, "1 of 1 nodes cleaned", "manageable"},
			{"clean", map[string]any{"nodes": one, "clean_steps": []any{unknown}}, "0 of 1 nodes cleaned; " + name + ": Cannot clean node " + id + ": node does not support this clean step", "clean failed"},
			{"manage", map[string]any{"nodes": one}, "1 of 1 nodes manageable", "manageable"},
			{"provision", map[string]any{"nodes": one}, "0 of 1 nodes provisioned; ", "manageable"}, // not available yet
			{"provide", map[string]any{"nodes": one}, "1 of 1 nodes available", nil},
			{"provision", map[string]any{"nodes": gone, "instance_info": map[string]any{"image_source": "http://127.0.0.1/image"}}, "1 of 2 nodes provisioned; life-none: ", "active"},
			{"unprovision", map[string]any{"nodes": one}, "1 of 1 nodes unprovisioned", nil},
			{"manage", map[string]any{"nodes": one}, "1 of 1 nodes manageable", "manageable"},
		} {
			step.input["poll_interval"], step.input["timeout"] = 1, 120
			if step.workflow == "configure" || step.workflow == "tag" {
				delete(step.input, "poll_interval")
				delete(step.input, "timeout")
			}
			e := runWorkflow(t, engine, "hotloom.baremetal.v1."+step.workflow, step.input)
			if got, _ := e.Output["message"].(string); !strings.HasPrefix(got, step.says) {
				t.Errorf("%s on %s: %s %q, want %q", step.workflow, engine, e.State, got, step.says)
			}
			var now map[string]any
			if _, err := bed.call(t.Context(), http.MethodGet, bed.endpoints["baremetal"]+"/v1/nodes/"+id, nil, &now); err != nil {
				t.Fatal(err)
			}
			if now["provision_state"] != step.state {
				t.Errorf("after %s on %s the node is %v, want %v", step.workflow, engine, now["provision_state"], step.state)
			}
			seen := map[string]any{"execution": e}
			for _, field := range []string{"properties", "driver_info", "instance_info", "last_error", "provision_state"} {
				seen[field] = now[field]
			}
			text, err := json.Marshal(seen)
			if err != nil {
				t.Fatal(err)
			}
			alike := strings.NewReplacer(id, "ID", name, "life-N", "IronicAction.", "ironic.").Replace(string(text))
			outcome[engine] = append(outcome[engine], alike)
		}
	}
	if diff := cmp.Diff(outcome["here"], outcome["mistral"]); diff != "" {
		t.Errorf("the engines differ (-here +mistral):\n%s", diff)
	}
	const wanted = `"properties":{"capabilities":"boot_mode:uefi,profile:compute,x:1","cpu_arch":"x86_64","cpus":4,"local_gb":100,"memory_mb":8192,"root_device":{"name":"/dev/sda"}}`
	if last := fmt.Sprint(outcome["here"][len(outcome["here"])-1]); !strings.Contains(last, wanted) {
		t.Errorf("the node at the end:\n%s\nwant %s", last, wanted)
	}
}

// removeNodes takes nodes out of Ironic that an earlier run left.
func removeNodes(t *testing.T, ids []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute)
	defer cancel()
	for _, id := range ids {
		at := bed.endpoints["baremetal"] + "/v1/nodes/" + id
		_, err := bed.call(ctx, http.MethodDelete, at, nil, nil)
		var refused *statusError
		switch {
		case err == nil, errors.As(err, &refused) && refused.status == http.StatusNotFound:
		default:
			t.Errorf("delete node %s: %v", id, err)
		}
	}
}

// TestBareMetalExample runs the example's file on both engines, twice on the embedded one: nodes that are there already are
// brought back to where introspection begins.
func TestBareMetalExample(t *testing.T) {
	t.Parallel()
	for number, engine := range []string{"here", "mistral"} {
		var nodes []any
		var ids []string
		for i := range 3 {
			id := fmt.Sprintf("b07e0000-0000-4000-8000-%06d%06d", number, i)
			ids = append(ids, id)
			nodes = append(nodes, map[string]any{
				"name": fmt.Sprintf("example-%d-%02d", number, i), "uuid": id, "pm_type": "fake-hardware",
				"mac": []any{fmt.Sprintf("52:54:00:e0:%02x:%02x", number, i)}, "cpu": "4", "memory": "8192", "disk": "100", "arch": "x86_64",
			})
		}
		removeNodes(t, ids)
		t.Cleanup(func() { removeNodes(t, ids) })
		want := execution{State: "SUCCESS", Output: map[string]any{
			"registered": "3 of 3 nodes registered", "introspected": "3 of 3 nodes introspected",
			"validations": "2 of 2 validations passed", "available": "3 of 3 nodes available",
		}}
		for range 2 - number {
			got := runWorkflow(t, engine, "../../examples/baremetal-introspection/introspection.yaml", map[string]any{"nodes": nodes, "poll_interval": 1})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("on %s (-want +got):\n%s", engine, diff)
			}
		}
	}
}
