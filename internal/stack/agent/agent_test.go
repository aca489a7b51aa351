package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
	"github.com/hotloom/hotloom/internal/stack/agent"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/softwarecomponent"
	"github.com/hotloom/hotloom/resources/typed"
)

// fake is the part of Heat and Swift that deployments need. Its agent reports as soon as it is asked for, unless it is dead.
type fake struct {
	*cloudtest.Cloud
	dead bool

	mu          sync.Mutex
	configs     map[string]map[string]any
	deployments map[string]map[string]any
	containers  map[string]string // the key of each
	made        int
}

func newFake(t *testing.T) *fake {
	f := &fake{configs: map[string]map[string]any{}, deployments: map[string]map[string]any{}, containers: map[string]string{}}
	f.Cloud = cloudtest.New(t, nil, "orchestration", "object-store")
	f.Handle("POST /orchestration/software_configs", func(w http.ResponseWriter, r *http.Request) { f.create(w, r, "software_config", f.configs) })
	f.Handle("POST /orchestration/software_deployments", func(w http.ResponseWriter, r *http.Request) {
		f.create(w, r, "software_deployment", f.deployments)
	})
	f.Handle("GET /orchestration/software_deployments", func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		list := []any{}
		for _, d := range f.deployments {
			if d["server_id"] == r.URL.Query().Get("server_id") {
				list = append(list, d)
			}
		}
		answer(w, map[string]any{"software_deployments": list})
	})
	f.Handle("/orchestration/software_configs/{id}", func(w http.ResponseWriter, r *http.Request) { f.one(w, r, "software_config", f.configs) })
	f.Handle("/orchestration/software_deployments/{id}", func(w http.ResponseWriter, r *http.Request) {
		f.report(r.PathValue("id"))
		f.one(w, r, "software_deployment", f.deployments)
	})
	f.Handle("/object-store/v1/p/{container}/{object...}", f.swift)
	f.Handle("/object-store/v1/p/{container}", f.swift)
	f.Mux.HandleFunc("GET /object-store/info", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"tempurl": map[string]any{"allowed_digests": []string{"sha1", "sha256"}}})
	})
	return f
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (f *fake) create(w http.ResponseWriter, r *http.Request, kind string, into map[string]map[string]any) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made++
	body["id"] = fmt.Sprintf("%s-%d", kind, f.made)
	into[body["id"].(string)] = body
	answer(w, map[string]any{kind: body})
}

func (f *fake) one(w http.ResponseWriter, r *http.Request, kind string, from map[string]map[string]any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := from[r.PathValue("id")]
	switch {
	case v == nil:
		http.Error(w, `{"error": {"message": "none", "type": "NotFound"}, "code": 404}`, http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(from, r.PathValue("id"))
		w.WriteHeader(http.StatusNoContent)
	default:
		answer(w, map[string]any{kind: v})
	}
}

func (f *fake) swift(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case r.Method == http.MethodPut && r.PathValue("object") == "":
		f.containers[r.PathValue("container")] = r.Header.Get("X-Container-Meta-Temp-Url-Key")
		w.WriteHeader(http.StatusCreated)
	case r.PathValue("object") != "":
		http.Error(w, "none", http.StatusNotFound) // the report of a fake agent needs no object
	default:
		delete(f.containers, r.PathValue("container"))
		w.WriteHeader(http.StatusNoContent)
	}
}

// report is what the agent does: it runs `exit N`, or says what it was given.
func (f *fake) report(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.deployments[id]
	if d == nil || f.dead {
		return
	}
	c := f.configs[d["config_id"].(string)]
	var code int
	if _, err := fmt.Sscanf(c["config"].(string), "exit %d", &code); err == nil {
		d["status"], d["status_reason"] = "FAILED", fmt.Sprintf("deploy_status_code : Deployment exited with non-zero status code: %d", code)
		d["output_values"] = map[string]any{"deploy_status_code": code, "deploy_stderr": "no"}
		return
	}
	said := ""
	for _, in := range c["inputs"].([]any) {
		in := in.(map[string]any)
		if name := in["name"].(string); !strings.HasPrefix(name, "deploy_") || name == "deploy_action" {
			said += fmt.Sprintf("%s(%s)=%v ", name, in["type"], in["value"])
		}
	}
	d["status"], d["status_reason"] = "COMPLETE", "Outputs received"
	d["output_values"] = map[string]any{"deploy_status_code": 0, "deploy_stdout": "ran", "said": said}
}

// left counts what is in the cloud.
func (f *fake) left() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprintf("%d configs, %d deployments, %d containers", len(f.configs), len(f.deployments), len(f.containers))
}

// component is a provider of the type, as a fresh process has it.
func (f *fake) component(t *testing.T, debug io.Writer) resources.Provider {
	t.Helper()
	a := agent.New(func(ctx context.Context) (*cloud.Client, error) {
		return cloud.Connect(ctx, cloud.Options{Getenv: func(name string) string {
			if name == "OS_OBJECT_STORE_ENDPOINT_OVERRIDE" {
				return f.URL + "/object-store/v1/p"
			}
			return f.Getenv(name)
		}, Debug: debug})
	})
	p, err := typed.New(typed.Provider{Name: "software", Version: "1", Types: typed.Types{
		softwarecomponent.Type: softwarecomponent.New(func(context.Context, string) (resources.Provider, error) {
			return nil, resources.Errorf(resources.Unsupported, "no tool is needed here")
		}, a, false),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func operation(action resources.Action, more resources.Values) *resources.Operation {
	properties := resources.Values{"config": "say", "host": resources.Values{"server": "server-1"}, "outputs": []any{"said"}}
	for name, v := range more {
		properties[name] = v
	}
	return &resources.Operation{
		Key: "key " + string(action), Action: action, Wait: time.Second,
		Resource: &resources.Instance{Type: softwarecomponent.Type, Name: "c", Properties: properties},
	}
}

func next(op *resources.Operation, action resources.Action) *resources.Operation {
	out := *op
	out.Key, out.Action, out.Token = "key "+string(action), action, ""
	return &out
}

func carry(t *testing.T, p resources.Provider, op *resources.Operation) (*resources.Result, error) {
	t.Helper()
	return resources.Carrier{Provider: p}.Carry(t.Context(), op)
}

func TestComponentRunsThroughTheAgentOfItsServer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	var log strings.Builder
	p := f.component(t, &log)
	op := operation(resources.Create, resources.Values{
		"inputs":        resources.Values{"n": int64(3), "list": []any{"a"}, "map": resources.Values{"k": true}},
		"secret_inputs": resources.Values{"password": "hush-hush"}, "configs": resources.Values{"DELETE": "remove", "SUSPEND": "exit 7"},
	})
	r, err := carry(t, p, op)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"said": "list(CommaDelimitedList)=[a] map(Json)=map[k:true] n(Number)=3 password(String)=hush-hush deploy_action(String)=CREATE "}
	if diff := cmp.Diff(want, r.Attributes["outputs"]); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	if r.Attributes["status"] != "CREATE_COMPLETE" || r.Attributes["deploy_stdout"] != "ran" {
		t.Errorf("attributes %v", r.Attributes)
	}
	if strings.Contains(log.String(), "hush-hush") {
		t.Error("the log of the cloud's calls shows a secret")
	}
	if _, err := carry(t, p, next(op, resources.Suspend)); !strings.Contains(fmt.Sprint(err), "non-zero status code: 7") {
		t.Errorf("suspend: %v", err)
	}
	if got := f.left(); got != "1 configs, 1 deployments, 1 containers" {
		t.Errorf("there are %s: only the last one is kept", got)
	}
	if _, err := carry(t, p, next(op, resources.Delete)); err != nil {
		t.Fatal(err)
	}
	if got := f.left(); got != "0 configs, 0 deployments, 0 containers" {
		t.Errorf("after the delete there are %s", got)
	}
}

func TestDeploymentIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.dead = true
	op := operation(resources.Create, nil)
	p := f.component(t, nil)
	r, err := p.Start(t.Context(), op)
	for err == nil && (r.Token == "" || r.Token == "run") {
		op.Follow(r)
		r, err = p.Poll(t.Context(), op)
	}
	if err != nil {
		t.Fatal(err)
	}
	// The provider was killed before anybody heard of its token.
	lost := operation(resources.Create, nil)
	lost.Repeated = true
	f.mu.Lock()
	f.dead = false
	f.mu.Unlock()
	if _, err := carry(t, f.component(t, nil), lost); err != nil {
		t.Fatal(err)
	}
	if got := f.left(); got != "1 configs, 1 deployments, 1 containers" {
		t.Errorf("there are %s", got)
	}
	// A cancelled one leaves nothing.
	f.dead = true
	update := next(lost, resources.Update)
	r, err = p.Start(t.Context(), update)
	for err == nil && (r.Token == "" || r.Token == "run") {
		update.Follow(r)
		r, err = p.Poll(t.Context(), update)
	}
	if err != nil {
		t.Fatal(err)
	}
	update.Follow(r)
	if err := p.Cancel(t.Context(), update); err != nil {
		t.Fatal(err)
	}
	if _, err := carry(t, p, update); !resources.IsKind(err, resources.Cancelled) {
		t.Errorf("after the cancellation: %v", err)
	}
	if got := f.left(); got != "1 configs, 1 deployments, 1 containers" {
		t.Errorf("after the cancellation there are %s", got)
	}
}

func TestDeadAgentDoesNotKeepItsComponent(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.dead = true
	p := f.component(t, nil)
	op := operation(resources.Create, resources.Values{"timeout": int64(1), "configs": resources.Values{"DELETE": "remove"}})
	if _, err := carry(t, p, op); !strings.Contains(fmt.Sprint(err), "has not reported within 1 s") {
		t.Fatalf("create: %v", err)
	}
	var said []string
	_, err := resources.Carrier{Provider: p, Progress: func(e resources.Event) { said = append(said, e.Message) }}.Carry(t.Context(), next(op, resources.Delete))
	if err != nil || !strings.Contains(strings.Join(said, "\n"), "taken for gone") {
		t.Errorf("delete: %v %q", err, said)
	}
	if got := f.left(); got != "0 configs, 0 deployments, 0 containers" {
		t.Errorf("there are %s", got)
	}
}

func TestTransportsAndTheirHosts(t *testing.T) {
	t.Parallel()
	p := newFake(t).component(t, nil)
	for want, properties := range map[string]resources.Values{
		"":                      {"transport": "deployment"},
		"host.server: required": {"transport": "deployment", "host": resources.Values{}},
		"host.address: required for the transport ssh": {"transport": "ssh"},
		"host.address: the transport local":            {"transport": "local", "host": resources.Values{"address": "h"}},
		"give one of server and address":               {"host": resources.Values{"server": "s", "address": "h"}},
	} {
		op := operation(resources.Create, properties)
		checked, err := p.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		values, faults := resources.CheckValues(checked.Types[softwarecomponent.Type].Properties, op.Resource.Properties)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		op.Resource.Properties = values
		found, err := p.Validate(t.Context(), op.Resource)
		if err != nil || (want == "") != (len(found) == 0) || !strings.Contains(fmt.Sprint(found), want) {
			t.Errorf("%v: %v %v, want %q", properties, found, err, want)
		}
	}
}
