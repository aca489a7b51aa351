//go:build openstack

package openstack_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// greet is a workflow that needs nothing but its input.
const greet = `version: "2.0"
greet:
  input: [webserver, participants]
  output: {greeting: "hello <% $.webserver %> from <% $.participants[0].data.name %>"}
  tasks:
    say: {action: std.noop}
`

// proposed is a template as the mails of 2013 have it, with a resource of a third party.
const proposed = `
  HANDLE: {type: OS::Mistral::WorkflowHandle, properties: {count: 1}}
  note: {type: Example::Note, properties: {path: PLACE/NOTE, text: WHO, seal: a-secret-seal}}
  web:
    type: Hotloom::SoftwareComponent
    properties:
      transport: TRANSPORT
      inputs: {place: PLACE, who: WHO}
      secret_inputs: {password: a-secret-word}
      outputs: [address]
      config: "#!/bin/sh\necho $deploy_action $who $password >>$place/log; printf %s $who >$heat_outputs_path.address"
      configs: {DELETE: "#!/bin/sh\necho gone >>$place/log", SUSPEND: "#!/bin/sh\necho suspended >>$place/log", RESUME: "#!/bin/sh\necho resumed >>$place/log"}
  workflow:
    type: OS::Mistral::Workflow
    properties:
      handle: {get_resource: HANDLE}
      workflow_reference: greet
      definition: DEFINITION
      params: {webserver: {get_attr: [web, outputs, address]}}
`

// proposal is what the mails of 2013 proposed, as a user of the cloud has it: components report to a handle, and a workflow
// goes on with what they said.
func (p *heatPlugin) proposal(t *testing.T) {
	s := newStack(t)
	place := t.TempDir()
	definition, err := json.Marshal(greet)
	if err != nil {
		t.Fatal(err)
	}
	template := func(who, handle, note, transport string) bundle {
		return inline(strings.NewReplacer("PLACE", place, "WHO", who, "DEFINITION", string(definition), "HANDLE", handle, "NOTE", note, "TRANSPORT", transport).Replace(proposed),
			"  greeting: {value: {get_attr: [workflow, output, greeting]}}\n  id: {value: {get_resource: workflow}}\n"+
				"  received: {value: {get_attr: ["+handle+", received]}}\n  size: {value: {get_attr: [note, size]}}\n  note: {value: {get_resource: note}}\n")
	}
	log := func(want ...string) {
		t.Helper()
		text, _ := os.ReadFile(filepath.Join(place, "log"))
		if diff := cmp.Diff(want, strings.Fields(strings.ReplaceAll(string(text), " ", "_"))); diff != "" {
			t.Errorf("what the component has run (-want +got):\n%s", diff)
		}
	}
	outputs := func(state stackState, greeting string, size int, note string) {
		t.Helper()
		for name, want := range map[string]any{"greeting": greeting, "received": float64(1), "size": float64(size), "note": filepath.Join(place, note)} {
			if got := state.output(t, name); got != want {
				t.Errorf("output %s: %v, want %v", name, got, want)
			}
		}
	}
	made := func(handle string) {
		t.Helper()
		waitFor(t, "the handle", func() bool {
			return slices.ContainsFunc(s.resources(), func(r resourceState) bool { return r.Name == handle && r.Status == "CREATE_COMPLETE" })
		})
		s.openstack("stack", "resource", "signal", s.name, handle, "--data", `{"id": "web", "data": {"name": "web1"}}`)
	}

	first := template("one", "handle", "note", "auto")
	s.validate(first)
	file := filepath.Join(place, "template.yaml")
	if err := os.WriteFile(file, []byte(first["template"].(string)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.openstack("stack", "create", "--template", file, "--tags", mark, "--timeout", "6", s.name)
	made("handle")
	state := s.expect("CREATE_COMPLETE")
	outputs(state, "hello one from web1", len("one\na-secret-seal"), "note")
	if got := strings.TrimSpace(s.openstack("stack", "output", "show", s.name, "greeting", "-f", "value", "-c", "output_value")); got != "hello one from web1" {
		t.Errorf("greeting %q", got)
	}
	if text, _ := os.ReadFile(filepath.Join(place, "note")); string(text) != "one\na-secret-seal" {
		t.Errorf("note %q", text)
	}
	handle := s.resource("handle").Attributes
	if endpoint, _ := handle["endpoint"].(string); !strings.HasPrefix(endpoint, "http://") || handle["received"] != float64(1) || handle["complete"] != true ||
		!strings.Contains(fmt.Sprint(handle["participants"]), "web") || !strings.Contains(fmt.Sprint(handle["data"]), "web1") {
		t.Errorf("attributes of the handle: %v", handle)
	}
	if got := s.resource("web").Attributes; got["status"] != "CREATE_COMPLETE" || got["deploy_status_code"] != float64(0) {
		t.Errorf("attributes of the component: %v", got)
	}
	if got := s.resource("workflow").Attributes; got["state"] != "SUCCESS" {
		t.Errorf("attributes of the workflow: %v", got)
	}
	log("CREATE_one_a-secret-word")

	id, web := state.output(t, "id"), s.resource("web").PhysicalID
	state = s.update(template("two", "handle", "note", "auto"))
	outputs(state, "hello two from web1", len("two\na-secret-seal"), "note")
	if state.output(t, "id") != id || s.resource("web").PhysicalID != web {
		t.Errorf("an update in place has made another workflow or component: %v, %v before", state.output(t, "id"), id)
	}
	log("CREATE_one_a-secret-word", "UPDATE_two_a-secret-word")
	s.act("suspend")
	s.act("resume")

	// The handle is another one, the component goes another way, the note lies elsewhere: none of that is done in place.
	s.put(template("two", "another", "moved", "local"))
	made("another")
	state = s.expect("UPDATE_COMPLETE")
	outputs(state, "hello two from web1", len("two\na-secret-seal"), "moved")
	if state.output(t, "id") == id || s.resource("web").PhysicalID == web {
		t.Errorf("nothing was replaced: workflow %v, component %v", id, web)
	}
	if _, err := os.Stat(filepath.Join(place, "note")); !os.IsNotExist(err) {
		t.Errorf("the replaced note is left: %v", err)
	}
	log("CREATE_one_a-secret-word", "UPDATE_two_a-secret-word", "suspended", "resumed", "CREATE_two_a-secret-word", "gone")

	s.openstack("stack", "delete", "--yes", "--wait", s.name)
	log("CREATE_one_a-secret-word", "UPDATE_two_a-secret-word", "suspended", "resumed", "CREATE_two_a-secret-word", "gone", "gone")
	if _, err := os.Stat(filepath.Join(place, "moved")); !os.IsNotExist(err) {
		t.Errorf("the note is left: %v", err)
	}
}

// openstack runs OpenStack's own command and gives what it prints.
func (s *stack) openstack(arguments ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.ctx, "openstack", arguments...)
	cmd.Env = append(os.Environ(), bed.credentials...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		s.explain()
		s.t.Fatalf("openstack %s: %v\n%s", strings.Join(arguments, " "), err, stderr.String())
	}
	return string(out)
}

// stockWorkflow: without what only the 2013 form has, the type is Heat's own, in whatever it says.
func (p *heatPlugin) stockWorkflow(t *testing.T) {
	s := newStack(t)
	template := func(properties string) bundle {
		return inline("  w: {type: OS::Mistral::Workflow, properties: {"+properties+"}}\n", "")
	}
	for properties, want := range map[string]string{
		"type: direct": "Property tasks not assigned",
		"type: sideways, tasks: [{name: a, action: std.noop}]": "resources.w.properties.type: ",
		"workflow_reference: greet, type: direct":              "Unknown Property type",
		"handle: h": "Property workflow_reference not assigned",
	} {
		if got := s.refused(template(properties)); !strings.Contains(got, want) {
			t.Errorf("{%s}: %s; want %s", properties, got, want)
		}
	}
	s.create(template("name: bed-greet, type: direct, tasks: [{name: a, action: std.noop}]"))
	before := s.resource("w")
	if before.PhysicalID != "bed-greet" { // Heat's own uses the workflow's name
		t.Errorf("%+v", before)
	}
	s.update(template("name: bed-greet, type: direct, description: better, tasks: [{name: a, action: std.noop}]"))
	if after := s.resource("w"); after.PhysicalID != before.PhysicalID {
		t.Errorf("an update in place has made %s of %s", after.PhysicalID, before.PhysicalID)
	}
	definition := `"{version: '2.0', alone: {tasks: {say: {action: std.noop}}}}"`
	s.update(template("workflow_reference: alone, definition: " + definition))
	after := s.resource("w")
	if after.PhysicalID == before.PhysicalID || after.Attributes["state"] != "SUCCESS" {
		t.Errorf("from one form to the other: %+v", after)
	}
	s.update(template("workflow_reference: alone, params: {}, env: {a: 1}, definition: " + definition))
	if again := s.resource("w"); again.PhysicalID != after.PhysicalID {
		t.Errorf("an update in place has made %s of %s", again.PhysicalID, after.PhysicalID)
	}
	s.delete()
}
