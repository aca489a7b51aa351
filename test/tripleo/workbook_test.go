// Package tripleo_test runs the workbooks of TripleO, which the mail of 2016 asked for, on the embedded engine: as they were
// published, with a small provider for the actions that TripleO brought itself.
package tripleo_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

const corpus = "../../../shared/corpus-mistral/openstack+tripleo-common/"

// releases are the folders of the workbooks; the workflows hardly kept their inputs over the releases.
var releases = map[string]string{"newest": "workbooks", "rocky": "rocky/workbooks"}

// open starts an engine that knows the workbooks and the actions.
func open(t *testing.T, folder string, m *machines) *engine.Engine {
	t.Helper()
	if _, err := os.Stat("../../../shared"); os.IsNotExist(err) {
		t.Skip("the public workbooks are not there")
	}
	registry, err := action.NewRegistry(action.Std(action.Config{}), m.actions())
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.TempDir(), engine.Options{Actions: registry, ProcessOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, name := range []string{"baremetal.yaml", "messaging.yaml"} {
		path := filepath.Join(corpus, folder, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, found, err := e.Define(&source.File{Path: path, Text: text}, workflow.Workbook, "")
		if err != nil || found.HasErrors() {
			t.Fatal(err, found)
		}
		if len(doc.Workflows) == 0 {
			t.Fatalf("%s has no workflow", path)
		}
	}
	return e
}

// run runs a workflow to its end.
func run(t *testing.T, e *engine.Engine, name string, input *value.Map) *engine.Snapshot {
	t.Helper()
	id, err := e.Start(t.Context(), engine.StartOptions{Workflow: "tripleo.baremetal.v1." + name, Input: input})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Wait(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if s.State != flow.Success {
		t.Fatalf("%s ended %s: %s", name, s.State, *s.Info)
	}
	return s
}

// statuses are what was posted to the queue, as type and status.
func (m *machines) statuses() [][2]string {
	var out [][2]string
	for _, body := range m.messages {
		payload, _ := body.GetStr("payload")
		out = append(out, [2]string{text(body, "type"), text(payload.(*value.Map), "status")})
	}
	return out
}

func TestNodesBecomeAvailable(t *testing.T) {
	t.Parallel()
	for release, folder := range releases {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			m := newMachines()
			e := open(t, folder, m)
			run(t, e, "register_or_update", value.MapOf("nodes_json", []any{value.MapOf("name", "a"), value.MapOf("name", "b")}))
			if diff := cmp.Diff(map[string]string{"a": "manageable", "b": "manageable"}, m.state); diff != "" {
				t.Errorf("after register_or_update (-want +got):\n%s", diff)
			}
			run(t, e, "provide", value.MapOf("node_uuids", []any{"a", "b"}))
			if diff := cmp.Diff(map[string]string{"a": "available", "b": "available"}, m.state); diff != "" {
				t.Errorf("after provide (-want +got):\n%s", diff)
			}
			run(t, e, "tag_node", value.MapOf("node_uuid", "b", "role", "compute"))
			s := run(t, e, "nodes_with_profile", value.MapOf("profile", "compute"))
			last := m.messages[len(m.messages)-1]
			payload, _ := last.GetStr("payload")
			if got, _ := payload.(*value.Map).GetStr("matching_nodes"); !cmp.Equal(got, []any{"b"}) {
				t.Errorf("nodes with the profile: %v, want b (%s)", got, s.State)
			}
		})
	}
}

// A node that fails is introspected again, the others are not held up, and each attempt is told.
func TestIntrospectionIsRepeated(t *testing.T) {
	t.Parallel()
	m := newMachines()
	e := open(t, "workbooks", m)
	m.state["a"], m.state["b"], m.failures["b"] = "manageable", "manageable", 1
	run(t, e, "introspect", value.MapOf("node_uuids", []any{"a", "b"}))
	if diff := cmp.Diff(map[string]int{"a": 1, "b": 2}, m.attempts); diff != "" {
		t.Errorf("attempts (-want +got):\n%s", diff)
	}
	// The message of the retry goes out beside the second attempt, so it may come last.
	if got := m.statuses(); !slices.Contains(got, [2]string{"tripleo.baremetal.v1.introspect", "SUCCESS"}) {
		t.Errorf("the messages %v lack the success of introspect", got)
	}
}

// Every workbook of TripleO that the corpus has is accepted, with warnings at most.
func TestWorkbooksAreAccepted(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(corpus + "workbooks/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the public workbooks are not there")
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, found := workflow.Parse(&source.File{Path: path, Text: text}, workflow.Workbook); found.HasErrors() {
			t.Errorf("%s: %v", path, found)
		}
	}
}
