//go:build openstack

package openstack_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/internal/bundled"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/softwarecomponent"
	"github.com/hotloom/hotloom/resources/workflow"
	"github.com/hotloom/hotloom/resources/workflowhandle"
)

// withCredentials lets what runs in this process log in as `openrc` says.
func withCredentials(t *testing.T) {
	t.Helper()
	for _, v := range bed.credentials {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Setenv(bundled.StateEnv, t.TempDir())
}

// provider starts a bundled provider as a fresh process would have it.
func provider(t *testing.T, name string) resources.Provider {
	t.Helper()
	p, err := bundled.New(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if c, ok := p.(interface{ Close() error }); ok {
			_ = c.Close()
		}
	})
	return p
}

// operation is an action on a resource of a provider.
func operation(action resources.Action, typ string, properties resources.Values) *resources.Operation {
	return &resources.Operation{
		Key: fmt.Sprintf("%s %s %d", action, typ, time.Now().UnixNano()), Action: action, Wait: time.Second,
		Resource: &resources.Instance{Type: typ, Name: "it", Stack: "providers", Properties: properties},
	}
}

// next is another action on the resource of an operation.
func next(op *resources.Operation, action resources.Action) *resources.Operation {
	other := *op
	other.Key, other.Action, other.Token = op.Key+" "+string(action), action, ""
	return &other
}

func carry(t *testing.T, p resources.Provider, op *resources.Operation) (*resources.Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	return resources.Carrier{Provider: p}.Carry(ctx, op)
}

const providerWorkflow = `version: '2.0'
hotloom.provider.greet:
  input: [name, password: "", participants: []]
  output: {said: "hello, <% $.name %>", from: "<% $.participants.len() %>", big: 9007199254740993}
  tasks:
    say: {action: std.echo output="hello"}
    after: {action: std.noop}
hotloom.provider.fail:
  tasks:
    break: {action: std.fail}
hotloom.provider.slow:
  tasks:
    wait: {action: std.noop, wait-before: 300}
`

// TestWorkflowsOfAProviderRunOnMistral runs OS::Mistral::Workflow by reference on the real Mistral.
func TestWorkflowsOfAProviderRunOnMistral(t *testing.T) {
	withCredentials(t)
	t.Setenv(bundled.EngineEnv, "mistral")
	p := provider(t, "workflow")
	handle := operation(resources.Create, workflowhandle.Type, resources.Values{"count": int64(1)})
	if _, err := carry(t, p, handle); err != nil {
		t.Fatal(err)
	}
	create := operation(resources.Create, workflow.Type, resources.Values{
		"workflow_reference": "hotloom.provider.greet", "definition": providerWorkflow, "handle": handle.Resource.ID,
		"params": resources.Values{"name": "you"}, "secret_params": resources.Values{"password": "never shown"},
	})
	create.Wait = 0
	r, err := p.Start(t.Context(), create)
	for err == nil && r.Token == "run" { // until it is known that it has to wait
		create.Follow(r)
		r, err = p.Poll(t.Context(), create)
	}
	if err != nil || r.Done {
		t.Fatalf("%+v %v: its participant has not reported", r, err)
	}
	create.Follow(r)
	signal := next(handle, resources.Signal)
	signal.Details, signal.Authentic = resources.Values{"id": "web", "data": "here"}, true
	if _, err := carry(t, p, signal); err != nil {
		t.Fatal(err)
	}
	p = provider(t, "workflow") // the first one was killed
	if r, err = carry(t, p, create); err != nil {
		t.Fatal(err)
	}
	out, _ := r.Attributes["output"].(resources.Values)
	if out["said"] != "hello, you" || fmt.Sprint(out["from"]) != "1" || fmt.Sprint(out["big"]) != "9007199254740993" {
		t.Errorf("output %v", r.Attributes["output"])
	}
	// A second start under the same key is the first one's execution.
	again := *create
	again.Token, again.Repeated = "", true
	if r, err = carry(t, provider(t, "workflow"), &again); err != nil || r.Attributes["execution"] != create.Resource.ID {
		t.Errorf("started again: %v %v, want execution %s", r, err, create.Resource.ID)
	}
	if _, err := carry(t, p, next(create, resources.Delete)); err != nil {
		t.Errorf("delete: %v", err)
	}
	for want, properties := range map[string]resources.Values{
		"Failure caused by error in tasks: break":    {"workflow_reference": "hotloom.provider.fail"},
		"workflow_reference: DBEntityNotFoundError":  {"workflow_reference": "hotloom.provider.nowhere"},
		"has not ended within 2 s and was cancelled": {"workflow_reference": "hotloom.provider.slow", "timeout": int64(2)},
		"workflow_reference: Invalid input":          {"workflow_reference": "hotloom.provider.greet"},
	} {
		_, err := carry(t, p, operation(resources.Create, workflow.Type, properties))
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// What runs is cancelled with its resource.
	slow := operation(resources.Create, workflow.Type, resources.Values{"workflow_reference": "hotloom.provider.slow"})
	if r, err = p.Start(t.Context(), slow); err != nil {
		t.Fatal(err)
	}
	for slow.Follow(r); slow.Resource.ID == ""; slow.Follow(r) {
		if r, err = p.Poll(t.Context(), slow); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := carry(t, p, next(slow, resources.Delete)); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Attributes(t.Context(), slow.Resource, []string{"state"}); err != nil || got["state"] != "CANCELLED" {
		t.Errorf("after the delete: %v %v", got, err)
	}
}

// TestComponentOfAProviderRunsByDeployment runs Hotloom::SoftwareComponent through the agent on a guest.
func TestComponentOfAProviderRunsByDeployment(t *testing.T) {
	withCredentials(t)
	s := newStack(t)
	server, _ := s.create(bundleOf(t, "testdata/bed/agent.yaml", nil)).output(t, "server").(string)
	p := provider(t, "software")
	create := operation(resources.Create, softwarecomponent.Type, resources.Values{
		"host": resources.Values{"server": server}, "outputs": []any{"result"},
		"config": "#!/bin/sh\necho \"hello $who\"\nprintf '%s %s %s' \"$deploy_action\" \"$password\" \"$table\" >\"$heat_outputs_path.result\"\n",
		"configs": resources.Values{
			"SUSPEND": "#!/bin/sh\necho no space >&2\nexit 3\n", "DELETE": "#!/bin/sh\nmkdir -p /var/lib/record\necho gone >/var/lib/record/deleted\n",
		},
		"inputs":        resources.Values{"who": `größer "than" 🧵`, "table": resources.Values{"a": []any{int64(1), "x'y"}}},
		"secret_inputs": resources.Values{"password": "hush"},
	})
	r, err := carry(t, p, create)
	if err != nil {
		t.Fatalf("%v\n%s", err, bed.guest(t, server).console())
	}
	outputs, _ := r.Attributes["outputs"].(resources.Values)
	if got, want := outputs["result"], `CREATE hush {"a": [1, "x'y"]}`; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	if got, want := r.Attributes["deploy_stdout"], "hello größer \"than\" 🧵\n"; got != want {
		t.Errorf("stdout %q, want %q", got, want)
	}
	p = provider(t, "software") // another process
	if _, err := carry(t, p, next(create, resources.Suspend)); !strings.Contains(fmt.Sprint(err), "3") {
		t.Errorf("suspend: %v, want exit code 3", err)
	}
	if _, err := carry(t, p, next(create, resources.Delete)); err != nil {
		t.Fatal(err)
	}
	if got := bed.guest(t, server).read(t, "/var/lib/record/deleted"); got != "gone\n" {
		t.Errorf("DELETE wrote %q", got)
	}
	var left struct {
		Deployments []any `json:"software_deployments"`
	}
	if err := bed.heat(t.Context(), "GET", "/software_deployments?server_id="+server, nil, &left); err != nil || len(left.Deployments) > 0 {
		t.Errorf("left behind: %v %v", left.Deployments, err)
	}
	// On a host that is gone a create fails in its time, and a delete completes.
	gone := operation(resources.Create, softwarecomponent.Type, resources.Values{
		"host": resources.Values{"server": "00000000-0000-4000-8000-000000000000"}, "config": "true", "timeout": int64(2),
		"configs": resources.Values{"DELETE": "true"},
	})
	if _, err := carry(t, p, gone); !strings.Contains(fmt.Sprint(err), "has not reported within 2 s") {
		t.Errorf("create without a host: %v", err)
	}
	if _, err := carry(t, p, next(gone, resources.Delete)); err != nil {
		t.Errorf("delete without a host: %v", err)
	}
}
