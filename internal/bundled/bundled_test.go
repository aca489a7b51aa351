package bundled

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/plugins/sdk/conformance"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/softwarecomponent"
	"github.com/hotloom/hotloom/resources/typed"
	"github.com/hotloom/hotloom/resources/workflow"
	"github.com/hotloom/hotloom/resources/workflowhandle"
)

func TestEveryProviderDescribesWhatHeatCanLoad(t *testing.T) {
	t.Setenv(StateEnv, t.TempDir())
	for _, b := range Providers {
		p, err := b.New()
		if err != nil {
			t.Fatal(err)
		}
		d, err := p.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d.Name != b.Name {
			t.Errorf("%s calls itself %s", b.Name, d.Name)
		}
		for _, fault := range d.Faults() {
			t.Errorf("%s: %s", b.Name, fault)
		}
	}
}

const greet = `version: '2.0'
greet:
  input: [name, password: "", participants: []]
  output: {said: "hello, <% $.name %>", from: "<% $.participants.len() %>"}
  tasks:
    say: {action: std.noop}
`

const slow = `version: '2.0'
slow:
  tasks:
    wait: {action: std.noop, wait-before: 600}
`

func TestConformance(t *testing.T) {
	t.Setenv(StateEnv, t.TempDir())
	start := func(t *testing.T) resources.Provider {
		p, err := newWorkflow()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	conformance.TestProvider(t, start,
		conformance.Example{
			Type: workflowhandle.Type, Properties: resources.Values{"count": int64(2)}, Update: resources.Values{"count": int64(3)},
		},
		conformance.Example{
			Type:       workflow.Type,
			Properties: resources.Values{"workflow_reference": "greet", "definition": greet, "params": resources.Values{"name": "you"}, "secret_params": resources.Values{"password": "the secret"}},
			Update:     resources.Values{"workflow_reference": "greet", "definition": greet, "params": resources.Values{"name": "they"}},
		})
}

// do runs an operation to its end.
func do(ctx context.Context, p resources.Provider, op *resources.Operation) (*resources.Result, error) {
	op.Wait = time.Second
	r, err := p.Start(ctx, op)
	for err == nil && !r.Done {
		op.Follow(r)
		r, err = p.Poll(ctx, op)
	}
	op.Follow(r)
	op.Token = ""
	return r, err
}

func create(name, typ string, properties resources.Values) *resources.Operation {
	return &resources.Operation{
		Key: "create " + name, Action: resources.Create,
		Resource: &resources.Instance{Type: typ, Name: name, Properties: properties, SignalURL: "https://heat/" + name},
	}
}

func TestWorkflowStartsWhenItsParticipantsHaveReported(t *testing.T) {
	t.Setenv(StateEnv, t.TempDir())
	p, err := newWorkflow()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.(*closing).Close() }()
	ctx := t.Context()
	handle := create("handle", workflowhandle.Type, resources.Values{"count": int64(2)})
	r, err := do(ctx, p, handle)
	if err != nil || r.Attributes["endpoint"] != "https://heat/handle" || r.Attributes["complete"] != false {
		t.Fatalf("%+v %v", r, err)
	}
	token := r.Attributes["token"].(string)

	flow := create("flow", workflow.Type, resources.Values{
		"handle": handle.Resource.ID, "workflow_reference": "greet", "definition": greet, "params": resources.Values{"name": "you"},
	})
	flow.Wait = time.Second
	r, err = p.Start(ctx, flow)
	if err != nil || r.Done || len(r.Progress) != 1 || r.Progress[0].Message != "0 of 2 participants have reported" {
		t.Fatalf("%+v %v: it has to wait", r, err)
	}
	flow.Follow(r)
	// The provider is another process from here on: tokens and files carry all.
	_ = p.(*closing).Close()
	if p, err = newWorkflow(); err != nil {
		t.Fatal(err)
	}

	signal := func(key string, authentic bool, body resources.Values) error {
		op := *handle
		op.Key, op.Action, op.Details, op.Authentic = key, resources.Signal, body, authentic
		_, err := do(ctx, p, &op)
		return err
	}
	for key, body := range map[string]resources.Values{
		"no token": {"id": "a"}, "wrong token": {"id": "a", "token": "x"}, "bad status": {"status": "OK", "token": token}, "bad key": {"staus": "SUCCESS", "token": token},
	} {
		if err := signal(key, false, body); !resources.IsKind(err, resources.Invalid) {
			t.Errorf("%s: %v, want that it is refused", key, err)
		}
	}
	if err := signal("first", false, resources.Values{"id": "web", "data": resources.Values{"n": int64(9007199254740993)}, "token": token}); err != nil {
		t.Fatal(err)
	}
	if err := signal("first again", true, resources.Values{"id": "web", "data": resources.Values{"n": int64(9007199254740993)}}); err != nil {
		t.Fatal(err)
	}
	if r, err := p.Poll(ctx, flow); err != nil || r.Done {
		t.Fatalf("one of two reported twice: %+v %v", r, err)
	}
	if err := signal("second", true, nil); err != nil {
		t.Fatal(err)
	}
	got, err := p.Attributes(ctx, handle.Resource, nil)
	if err != nil || got["complete"] != true || fmt.Sprint(got["data"]) != "map[2:<nil> web:map[n:9007199254740993]]" {
		t.Errorf("attributes of the handle: %v %v", got, err)
	}
	for r, err = p.Poll(ctx, flow); err == nil && !r.Done; r, err = p.Poll(ctx, flow) {
		flow.Follow(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	flow.Follow(r)
	if out := r.Attributes["output"].(resources.Values); out["said"] != "hello, you" || fmt.Sprint(out["from"]) != "2" {
		t.Errorf("output %v", out)
	}
	remove := *handle
	remove.Key, remove.Action = "delete", resources.Delete
	if _, err := do(ctx, p, &remove); err != nil {
		t.Fatal(err)
	}
	if err := signal("late", true, nil); !resources.IsKind(err, resources.NotFound) {
		t.Errorf("signal of a deleted handle: %v", err)
	}
}

func TestFailuresOfWorkflows(t *testing.T) {
	t.Setenv(StateEnv, t.TempDir())
	p, err := newWorkflow()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.(*closing).Close() }()
	handle := create("handle", workflowhandle.Type, resources.Values{})
	if _, err := do(t.Context(), p, handle); err != nil {
		t.Fatal(err)
	}
	failed := *handle
	failed.Key, failed.Action, failed.Authentic = "signal", resources.Signal, true
	failed.Details = resources.Values{"id": "db", "status": "FAILURE", "reason": "disk full"}
	if _, err := do(t.Context(), p, &failed); err != nil {
		t.Fatal(err)
	}
	for want, properties := range map[string]resources.Values{
		"participant db has failed: disk full":       {"workflow_reference": "greet", "definition": greet, "handle": handle.Resource.ID},
		"there is no workflow handle \"../x\"":       {"workflow_reference": "greet", "definition": greet, "handle": "../x"},
		"definition: ":                               {"workflow_reference": "x", "definition": "version: '2.0'\nx: {tasks: 5}\n"},
		"workflow_reference: ":                       {"workflow_reference": "nowhere"},
		"has not ended within 1 s and was cancelled": {"workflow_reference": "slow", "definition": slow, "timeout": int64(1)},
	} {
		if _, err := do(t.Context(), p, create(want, workflow.Type, properties)); !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestNothingOfTheMachineIsLentToThoseWhoShareIt: workflows of many users run neither with the machine's login and keys nor
// with each other's definitions.
func TestNothingOfTheMachineIsLentToThoseWhoShareIt(t *testing.T) {
	t.Setenv(StateEnv, t.TempDir())
	t.Setenv(SharedEnv, "1")
	in := func(stack string, properties resources.Values) *resources.Operation {
		op := create(stack+fmt.Sprint(properties), workflow.Type, properties)
		op.Resource.StackID = stack
		return op
	}
	t.Setenv(EngineEnv, "mistral")
	remote, err := newWorkflow()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := do(t.Context(), remote, in("one", resources.Values{"workflow_reference": "x"})); !strings.Contains(fmt.Sprint(err), "the login of the engine's machine") {
		t.Errorf("on OpenStack Mistral: %v", err)
	}
	t.Setenv(EngineEnv, "")
	p, err := newWorkflow()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.(*closing).Close() }()
	const mine, yours = "version: '2.0'\nw: {output: {of: mine}, tasks: {a: {action: std.noop}}}\n", "version: '2.0'\nw: {output: {of: yours}, tasks: {a: {action: std.noop}}}\n"
	for _, c := range []struct {
		stack, definition, namespace, want string
	}{
		{"one", mine, "", "mine"},
		{"two", yours, "", "yours"},
		{"one", "", "", "mine"},
		{"two", "", "", "yours"},
		{"three", "", "", "error"},
		{"three", "", "one", "error"},
	} {
		properties := resources.Values{"workflow_reference": "w", "namespace": c.namespace}
		if c.definition != "" {
			properties["definition"] = c.definition
		}
		r, err := do(t.Context(), p, in(c.stack, properties))
		if c.want == "error" {
			if !strings.Contains(fmt.Sprint(err), "workflow_reference: ") {
				t.Errorf("stack %s runs another's workflow: %+v %v", c.stack, r, err)
			}
			continue
		}
		if err != nil || r.Attributes["output"].(resources.Values)["of"] != c.want {
			t.Errorf("stack %s: %+v %v, want the workflow that is %s", c.stack, r, err, c.want)
		}
	}
	const ssh = "version: '2.0'\ns: {tasks: {a: {action: std.ssh, input: {cmd: id, host: 192.0.2.1, username: root, private_key_filename: id_rsa}}}}\n"
	if _, err := do(t.Context(), p, in("one", resources.Values{"workflow_reference": "s", "definition": ssh})); !strings.Contains(fmt.Sprint(err), "keys of this machine are not for workflows") {
		t.Errorf("with a key of the machine: %v", err)
	}
}

func TestDeleteCancelsTheExecution(t *testing.T) {
	t.Setenv(StateEnv, t.TempDir())
	p, err := newWorkflow()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.(*closing).Close() }()
	op := create("flow", workflow.Type, resources.Values{"workflow_reference": "slow", "definition": slow})
	op.Wait = time.Second
	r, err := p.Start(t.Context(), op)
	if err != nil || r.Done || r.ID == "" {
		t.Fatalf("%+v %v", r, err)
	}
	op.Follow(r)
	remove := *op
	remove.Key, remove.Action, remove.Token = "delete", resources.Delete, ""
	if _, err := do(t.Context(), p, &remove); err != nil {
		t.Fatal(err)
	}
	got, err := p.Attributes(t.Context(), op.Resource, []string{"state"})
	if err != nil || got["state"] != "CANCELLED" {
		t.Errorf("%v %v", got, err)
	}
}

// shout is a tool for the tests: it gives its config in capitals, or fails.
func shout() (resources.Provider, error) {
	return typed.New(typed.Provider{Name: "shout", Version: "1", Tools: typed.Tools{"shout": {
		Run: func(ctx context.Context, c *typed.Call, run *resources.ToolRun) (resources.Values, error) {
			out := resources.Values{"deploy_stdout": run.Config, "deploy_status_code": int64(0)}
			text, _ := run.Config.(string)
			switch text {
			case "fail":
				out["deploy_status_code"] = int64(7)
				return out, errors.New("it ended with code 7")
			case "unreachable":
				return nil, resources.RetryAfter(0, "host db cannot be reached")
			case "wait":
				c.Progress(1, "waiting")
				<-ctx.Done()
				return out, ctx.Err()
			}
			out["loud"] = strings.ToUpper(text + fmt.Sprint(run.Inputs["who"]))
			return out, nil
		},
	}}})
}

func TestComponentRunsItsTool(t *testing.T) {
	tool, err := shout()
	if err != nil {
		t.Fatal(err)
	}
	p, err := typed.New(typed.Provider{Name: "software", Version: "1", Types: typed.Types{
		softwarecomponent.Type: softwarecomponent.New(func(_ context.Context, name string) (resources.Provider, error) {
			if name != "shout" {
				return nil, resources.InvalidAt([]string{"tool"}, "there is no tool %q", name)
			}
			return tool, nil
		}, nil, false),
	}})
	if err != nil {
		t.Fatal(err)
	}
	op := create("c", softwarecomponent.Type, resources.Values{
		"tool": "shout", "config": "hi ", "configs": resources.Values{"DELETE": "bye ", "SUSPEND": "fail"},
		"inputs": resources.Values{"who": "you"}, "outputs": []any{"loud"},
	})
	r, err := do(t.Context(), p, op)
	if err != nil || r.Attributes["outputs"].(resources.Values)["loud"] != "HI YOU" || r.Attributes["status"] != "CREATE_COMPLETE" {
		t.Fatalf("%+v %v", r, err)
	}
	suspend := *op
	suspend.Key, suspend.Action = "suspend", resources.Suspend
	if _, err := do(t.Context(), p, &suspend); !strings.Contains(fmt.Sprint(err), "code 7") {
		t.Errorf("suspend: %v", err)
	}
	got, err := p.Attributes(t.Context(), suspend.Resource, []string{"deploy_status_code", "status"})
	if err != nil || got["deploy_status_code"] != int64(7) || got["status"] != "SUSPEND_FAILED" {
		t.Errorf("after a failure: %v %v", got, err)
	}
	for action, want := range map[resources.Action]string{resources.Resume: "HI YOU", resources.Delete: ""} {
		next := *op
		next.Key, next.Action = string(action), action
		if _, err := do(t.Context(), p, &next); err != nil {
			t.Errorf("%s: %v %s", action, err, want)
		}
	}
	wait := create("w", softwarecomponent.Type, resources.Values{"tool": "shout", "config": "wait"})
	r, err = p.Start(t.Context(), wait)
	for err == nil && (r.Token == "" || r.Token == "run") {
		wait.Follow(r)
		wait.Wait = time.Second
		r, err = p.Poll(t.Context(), wait)
	}
	if err != nil {
		t.Fatal(err)
	}
	wait.Follow(r)
	if err := p.Cancel(t.Context(), wait); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = p.Poll(t.Context(), wait)
	}
	if !resources.IsKind(err, resources.Cancelled) {
		t.Errorf("cancelled: %v", err)
	}
	lost := create("l", softwarecomponent.Type, resources.Values{
		"tool": "shout", "config": "hi", "configs": resources.Values{"DELETE": "unreachable"}, "host_patience": int64(0),
	})
	if _, err := do(t.Context(), p, lost); err != nil {
		t.Fatal(err)
	}
	lost.Key, lost.Action = "delete lost", resources.Delete
	if r, err := do(t.Context(), p, lost); err != nil || len(r.Progress) == 0 || !strings.Contains(fmt.Sprint(r.Progress), "taken for gone") {
		t.Errorf("delete on a host that is gone: %+v %v", r, err)
	}
	faults, err := p.Validate(t.Context(), &resources.Instance{Type: softwarecomponent.Type, Properties: resources.Values{
		"configs": resources.Values{"CRATE": "x"}, "inputs": resources.Values{"a": "1"}, "secret_inputs": resources.Values{"a": "2"},
	}})
	if err != nil || len(faults) != 2 {
		t.Errorf("validate: %v %v", faults, err)
	}
}

// TestBundledToolsRun: the component of the bundled providers runs the bundled tools, but not on a machine that is a service for
// many.
func TestBundledToolsRun(t *testing.T) {
	t.Setenv(StateEnv, t.TempDir())
	p, err := New("software")
	if err != nil {
		t.Fatal(err)
	}
	op := create("c", softwarecomponent.Type, resources.Values{
		"config":  "#!/bin/sh\necho \"$deploy_action $who $word\"; printf x >$heat_outputs_path.out; exit ${code:-0}",
		"inputs":  resources.Values{"who": "me"},
		"outputs": []any{"out"}, "secret_inputs": resources.Values{"word": "a-secret-word"},
	})
	r, err := do(t.Context(), p, op)
	if err != nil || r.Attributes["deploy_stdout"] != "CREATE me ******\n" || r.Attributes["outputs"].(resources.Values)["out"] != "x" {
		t.Fatalf("%+v %v", r, err)
	}
	op = create("d", softwarecomponent.Type, resources.Values{"tool": "scripd", "config": "#!/bin/sh"})
	if _, err := do(t.Context(), p, op); !strings.Contains(fmt.Sprint(err), `tool: there is no tool "scripd"`) {
		t.Errorf("%v", err)
	}
	op = create("e", softwarecomponent.Type, resources.Values{"config": "#!/bin/sh\nexit 4"})
	if _, err := do(t.Context(), p, op); !strings.Contains(fmt.Sprint(err), "exit code 4") {
		t.Errorf("%v", err)
	}

	t.Setenv(SharedEnv, "1")
	if p, err = New("software"); err != nil {
		t.Fatal(err)
	}
	of := &resources.Instance{Type: softwarecomponent.Type, Name: "f", Properties: resources.Values{"config": "#!/bin/sh"}}
	for want, host := range map[string]resources.Values{"host.address": {}, "host.key": {"address": "192.0.2.1", "user": "me"}} {
		of.Properties["host"] = host
		faults, err := p.Validate(t.Context(), of)
		if err != nil || len(faults) != 1 || strings.Join(faults[0].Path, ".") != want {
			t.Errorf("%v: %v %v", host, faults, err)
		}
		if _, err := do(t.Context(), p, create("f"+want, softwarecomponent.Type, of.Properties)); !strings.Contains(fmt.Sprint(err), want+": required here") {
			t.Errorf("%v: %v", host, err)
		}
	}
}
