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
