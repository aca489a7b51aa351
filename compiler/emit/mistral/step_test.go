package mistral

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
)

// actions stand for the services'. What they were given comes back as outputs; STATUS is how the deployment ends.
const actions = `
version: '2.0'
swift.put_object: {base: std.noop, input: [container, obj, contents]}
heat.software_configs_get:
  base: std.echo
  input: [config_id]
  base-input: {output: {group: script, config: "#!/bin/sh", options: {}, inputs: [{name: a}, {name: j, type: Json}], outputs: [{name: socket}]}}
heat.software_configs_create:
  base: std.echo
  input: [name, group, config, options, inputs, outputs]
  base-input: {output: {id: "<% $.inputs %>"}}
heat.software_deployments_create:
  base: std.echo
  input: [server_id, config_id, action, status, status_reason]
  base-input: {output: {id: {action: "<% $.action %>", inputs: "<% $.config_id %>"}}}
heat.software_deployments_get:
  base: std.echo
  input: [deployment_id]
  base-input: {output: {status: STATUS, status_reason: because, output_values: {got: "<% $.deployment_id.inputs.where($.name in [a, j]).toDict($.name, $.value) %>", action: "<% $.deployment_id.action %>"}}}
heat.software_deployments_delete: {base: std.noop, input: [deployment_id]}
heat.software_configs_delete: {base: std.noop, input: [config_id]}
`

const given = `{
  "step": {"name": "db.mysql", "actions": ["CREATE", "UPDATE"], "config": "c1", "timeout": 0, "boot": 0,
           "values": {"a": "@hotloom:x.y.z@", "j": {"k": ["pre @hotloom:x.y.z@ post"]}}},
  "action": "APPLY", "server": "s1", "signal": "https://h/v1/AUTH_x/box/object?temp_url_sig=1&temp_url_expires=2",
  "digest": "now", "reads": {"@hotloom:x.y.z@": "it \"is\"\nö"}, "stack": "n/u"}`

func TestStepWorkflow(t *testing.T) {
	t.Parallel()
	arrived := `{"a": "it \"is\"\nö", "j": {"k": ["pre it \"is\"\nö post"]}}`
	last := func(digest, reads string) string {
		return `{"before": {"digest": "` + digest + `", "members": [{"server": "s1", "reads": ` + reads + `, "outputs": {"kept": true}}]}}`
	}
	tests := map[string]struct {
		status, change string // of what is given
		want           string // outputs, or the message of the failure
	}{
		"never run":                  {"COMPLETE", `{}`, `{"got": ` + arrived + `, "action": "CREATE"}`},
		"another server":             {"COMPLETE", strings.Replace(last("now", "{}"), "s1", "s0", 1), `{"got": ` + arrived + `, "action": "CREATE"}`},
		"nothing changed":            {"FAILED", last("now", `{"@hotloom:x.y.z@": "it \"is\"\nö"}`), `{"kept": true}`},
		"the step changed":           {"COMPLETE", last("then", `{"@hotloom:x.y.z@": "it \"is\"\nö"}`), `{"got": ` + arrived + `, "action": "UPDATE"}`},
		"what it reads changed":      {"COMPLETE", last("now", `{"@hotloom:x.y.z@": "old"}`), `{"got": ` + arrived + `, "action": "UPDATE"}`},
		"an action it does not have": {"FAILED", `{"action": "DELETE"}`, `{}`},
		"failed":                     {"FAILED", `{}`, `"db.mysql: because"`},
		"no answer":                  {"IN_PROGRESS", `{}`, `"db.mysql: the agent on the server did not report within 0 s"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := engine.Open(t.TempDir(), engine.Options{ProcessOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			for kind, text := range map[workflow.Kind]string{
				workflow.Actions: strings.Replace(actions, "STATUS", test.status, 1), workflow.Workflows: strings.ReplaceAll(stepWorkflow, "delay: 3", "delay: 0"),
			} {
				if _, found, err := e.Define(&source.File{Path: "x.yaml", Text: []byte(text)}, kind, ""); err != nil || found.HasErrors() {
					t.Fatal(err, found)
				}
			}
			input := parse(t, given)
			for key, v := range parse(t, test.change).All() {
				input.SetStr(key.(string), v)
			}
			id, err := e.Start(t.Context(), engine.StartOptions{Workflow: stepWorkflowName, Input: input})
			if err != nil {
				t.Fatal(err)
			}
			s, err := e.Wait(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := s.Output.GetStr("failed")
			if got == nil {
				got, _ = s.Output.GetStr("outputs")
			}
			text, err := value.JSON(got, value.JSONOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(plainJSON(t, test.want), plainJSON(t, text)); d != "" {
				t.Error(d)
			}
		})
	}
}

func parse(t *testing.T, text string) *value.Map {
	t.Helper()
	v, err := value.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v.(*value.Map)
}

func plainJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err, text)
	}
	return v
}
