package mistral

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
)

// staged stands for a stage's workflows in two versions, and for what Heat says of the resource.
const staged = `
version: '2.0'
new.apply: {input: [steps, stack], output: {outputs: new, done: '<% $.steps.keys().toDict($, fresh) %>'}, tasks: {a: {action: std.noop}}}
new.remove: {input: [steps, stack], output: {finished: DELETE}, tasks: {a: {action: std.noop}}}
new.suspend: {input: [steps, stack], output: {finished: SUSPEND}, tasks: {a: {action: std.noop}}}
new.broken:
  input: [steps, stack]
  tasks: {a: {action: std.noop, on-success: ['fail(msg=<% "db.mysql: because" %>)']}}
old.remove: {input: [steps, stack], output: {finished: DELETE}, tasks: {a: {action: std.noop}}}
`

const heatSays = `
version: '2.0'
heat.resources_get: {base: std.echo, input: [stack_id, resource_name], base-input: {output: {resource_status: STATUS, attributes: {output: '{"done": {"a_one": {"members": [1]}, "a_new": {"members": []}}}'}}}}
`

// formerly is what the run of a former version recorded: host a has two components, b one, whose condition may change.
const formerly = `, "heat_extresource_data": {"resource_id": "first", "outputs": "old", "done": {"a_one": "kept"},
  "removal": {"workflow": "old.remove", "steps": {"a_one": {"step": {"servers": ["a"]}, "signals": ["u"]},
  "a_two": {"step": {"servers": ["a"]}, "signals": ["u"]}, "b_one": {"step": {"servers": ["b"]}, "signals": ["v"]}}}}`

func TestSoftwareWorkflow(t *testing.T) {
	t.Parallel()
	const steps = `"a_one": {"step": {"servers": ["a"], "actions": ["CREATE", "DELETE"]}}, "a_new": {"step": {"servers": ["a"], "actions": ["CREATE"]}}`
	all := `"APPLY": "new.apply", "DELETE": "new.remove", "SUSPEND": "new.suspend"`
	removal := `{"workflow": "new.remove", "steps": {"a_one": {"step": {"servers": ["a"], "actions": ["CREATE", "DELETE"]}}}}`
	fresh := `{"resource_id": "ID", "outputs": "new", "done": {"a_one": "fresh", "a_new": "fresh"}, "removal": ` + removal + `}`
	recorded := `{"resource_id": "first", "outputs": "old", "done": {"a_one": "kept"}` + formerly[strings.Index(formerly, `,
  "removal"`):]
	updated := strings.Replace(fresh, "ID", "first", 1)
	tests := map[string]struct {
		action, workflows, more string // more steps
		env                     string
		status                  string // of the resource
		ran                     string // workflows with their tasks that have servers
		output                  string // or the reason why it failed
	}{
		"create":                     {action: "CREATE", ran: "new.apply a_one a_new", output: fresh},
		"create without removal":     {action: "CREATE", workflows: `"APPLY": "new.apply"`, ran: "new.apply a_one a_new", output: strings.Replace(fresh, removal, "{}", 1)},
		"create fails":               {action: "CREATE", workflows: `"APPLY": "new.broken"`, ran: "new.broken a_one a_new", output: "db.mysql: because"},
		"update, two are gone":       {action: "UPDATE", env: formerly, ran: "new.apply a_one a_new, old.remove a_two b_one", output: updated},
		"update, one is gone":        {action: "UPDATE", env: formerly, more: `, "b_one": {"step": {"servers": ["b"], "actions": ["CREATE"], "exists": true}}`, ran: "new.apply a_one a_new b_one, old.remove a_two", output: strings.Replace(updated, `"fresh"}`, `"fresh", "b_one": "fresh"}`, 1)},
		"update, a condition is off": {action: "UPDATE", env: formerly, more: `, "a_two": {"step": {"servers": [], "actions": []}}, "b_one": {"step": {"servers": [], "actions": ["DELETE"], "exists": false}}`, ran: "new.apply a_one a_new, old.remove b_one", output: strings.Replace(updated, `"fresh"}`, `"fresh", "a_two": "fresh", "b_one": "fresh"}`, 1)},
		"update, nothing is gone":    {action: "UPDATE", env: `, "heat_extresource_data": {"resource_id": "first"}`, ran: "new.apply a_one a_new", output: updated},
		"suspend":                    {action: "SUSPEND", env: formerly, ran: "new.suspend a_one a_new", output: recorded},
		"resume, which has no steps": {action: "RESUME", env: formerly, output: recorded},
		"delete":                     {action: "DELETE", env: formerly, status: "DELETE_IN_PROGRESS", ran: "new.remove a_one a_new", output: recorded},
		"delete of what is replaced": {action: "DELETE", env: formerly, status: "CREATE_COMPLETE", ran: "new.remove a_new", output: recorded},
		"delete after a failure":     {action: "DELETE", status: "DELETE_IN_PROGRESS", ran: "new.remove a_one a_new", output: `{"resource_id": "ID", "outputs": {}, "done": {}, "removal": {}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := engine.Open(t.TempDir(), engine.Options{ProcessOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			for text, kind := range map[string]workflow.Kind{strings.Replace(heatSays, "STATUS", test.status, 1): workflow.Actions, staged: workflow.Workflows, softwareWorkflow: workflow.Workflows} {
				if _, found, err := e.Define(&source.File{Path: "x.yaml", Text: []byte(text)}, kind, ""); err != nil || found.HasErrors() {
					t.Fatal(err, found)
				}
			}
			workflows := test.workflows
			if workflows == "" {
				workflows = all
			}
			id, err := e.Start(t.Context(), engine.StartOptions{
				Workflow: softwareWorkflowName,
				Input:    parse(t, `{"workflows": {`+workflows+`}, "steps": {`+steps+test.more+`}, "stack": "n/u", "resource": "software"}`),
				Params:   parse(t, `{"evaluate_env": false, "env": {"hotloom_action": "`+test.action+`"`+test.env+`}}`),
			})
			if err != nil {
				t.Fatal(err)
			}
			s, err := e.Wait(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(ranBelow(s), ", "); got != test.ran {
				t.Errorf("ran %q, want %q", got, test.ran)
			}
			if !strings.HasPrefix(test.output, "{") {
				if s.Info == nil || *s.Info != test.output {
					t.Errorf("state %s, output %v; want the reason %q", s.State, s.Output, test.output)
				}
				return
			}
			text, err := value.JSON(s.Output, value.JSONOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(plainJSON(t, strings.Replace(test.output, `"ID"`, `"`+id+`"`, 1)), plainJSON(t, text)); d != "" {
				t.Error(d)
			}
		})
	}
}

// ranBelow lists the sub-workflows of an execution with those of their tasks that have servers.
func ranBelow(s *engine.Snapshot) []string {
	var out []string
	for _, task := range s.Tasks {
		for _, sub := range task.Workflows {
			line := sub.Workflow
			steps, _ := sub.Input.GetStr("steps")
			for name, one := range steps.(*value.Map).All() {
				step, _ := one.(*value.Map).GetStr("step")
				if servers, _ := step.(*value.Map).GetStr("servers"); len(servers.([]any)) > 0 {
					line += fmt.Sprint(" ", name)
				}
			}
			out = append(out, line)
		}
	}
	return out
}
