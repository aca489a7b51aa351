package openstack

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
)

// fake is a cloud that notes what is asked of it, and gives one answer.
type fake struct {
	*cloudtest.Cloud
	actions *action.Registry

	mu     sync.Mutex
	asked  []any
	answer func(w http.ResponseWriter, r *http.Request)
}

func newFake(t *testing.T) *fake {
	t.Helper()
	types := []string{"baremetal", "baremetal-introspection", "orchestration", "object-store", "message", "workflow", "compute", "image", "network"}
	f := &fake{}
	f.Cloud = cloudtest.New(t, func(keystone http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/identity/" || strings.HasPrefix(r.URL.Path, "/identity/v3/auth/") {
				keystone.ServeHTTP(w, r)
				return
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			f.asked = append(f.asked, asked(t, r))
			f.answer(w, r)
		})
	}, types...)
	var err error
	f.actions, err = action.NewRegistry(Actions(func(ctx context.Context, region string) (*cloud.Client, error) {
		return cloud.Connect(ctx, cloud.Options{Getenv: f.Getenv, Region: region})
	}))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// asked is a request in the shape of the recording.
func asked(t *testing.T, r *http.Request) *value.Map {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	var body any
	if len(text) > 0 {
		if body, err = value.ParseJSON(string(text)); err != nil {
			body = string(text)
		}
	}
	query := []any{}
	names := []string{}
	for name := range r.URL.Query() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range r.URL.Query()[name] {
			query = append(query, []any{name, v})
		}
	}
	headers := value.NewMap(0)
	for _, name := range []string{"X-OpenStack-Ironic-API-Version", "X-A", "Destination"} {
		if v := r.Header.Get(name); v != "" {
			headers.SetStr(name, v)
		}
	}
	return value.MapOf("method", r.Method, "path", r.URL.Path, "query", query, "body", body, "headers", headers)
}

func (f *fake) run(t *testing.T, name string, in *value.Map) (any, []any, error) {
	t.Helper()
	f.mu.Lock()
	f.asked = nil
	f.mu.Unlock()
	d := f.actions.Find(name)
	if d == nil {
		t.Fatalf("there is no %s", name)
	}
	out, err := d.Run(t.Context(), in, action.Call{})
	f.mu.Lock()
	defer f.mu.Unlock()
	return out, f.asked, err
}

// differences are actions that ask otherwise than the Python clients, with the reason.
var differences = map[string]string{
	"keystone.services_delete":  "the client deletes the collection where no service is named",
	"keystone.endpoints_list":   "the client looks at region itself",
	"mistral.actions_get":       "the client puts the namespace into the path, where the service does not look for it",
	"mistral.actions_delete":    "as actions_get",
	"mistral.workbooks_list":    "the client drops fields",
	"mistral.members_update":    "the client takes a member's id from its login",
	"mistral.workflows_update":  "the recorder's server answers a list where one workflow is meant",
	"mistral.executions_create": "a source execution whose id is no UUID is sent, and refused by the service",
	"swift.post_account":        "the client sends data as a form",
	"glance.tasks_list":         "the client asks for pages of 20",
	"glance.images_list":        "the client asks for pages of 200",
	"glance.schemas_get":        "the client reads the schema into an object",
	"nova.limits_get":           "the client sends 1 for true; the service takes both",
	"nova.servers_diagnostics":  "the client gives its response object too",
	"nova.servers_rescue":       "the client sends null for no settings; the service takes both",
	"nova.servers_rebuild":      "the client leaves out false; the service takes both",
}

// TestCallsAreThoseOfThePythonClients runs each recorded action, and compares what it asks for and gives back.
func TestCallsAreThoseOfThePythonClients(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/recorded.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f := newFake(t)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	seen := map[string]bool{}
	for lines.Scan() {
		v, err := value.ParseJSON(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		record := v.(*value.Map)
		name := value.Str(member(record, "action"))
		seen[name] = true
		answer, err := value.JSON(member(record, "response"), value.JSONOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f.answer = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Etag", "tag")
			w.Header().Set("Location", "http://host/images/made")
			if r.Method == http.MethodHead || r.Method == http.MethodDelete {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			fmt.Fprint(w, answer)
		}
		in, _ := member(record, "inputs").(*value.Map)
		got, requests, err := f.run(t, name, in)
		want, _ := member(record, "requests").([]any)
		_, other := differences[name]
		if other || len(want) == 0 || member(record, "error") != nil {
			continue // an error: the recorder's server was not what the client wanted
		}
		if err != nil {
			t.Errorf("%s %s: %v", name, value.Repr(in), err)
		}
		if diff := cmp.Diff(shown(want), shown(requests)); diff != "" {
			t.Errorf("%s %s: requests (-client +here):\n%s", name, value.Repr(in), diff)
		}
		if got == nil || strings.HasPrefix(name, "swift.") {
			continue // the clients give their own response objects for empty answers, and headers
		}
		if diff := cmp.Diff(shown(member(record, "result")), shown(got)); diff != "" {
			t.Errorf("%s %s: result (-client +here):\n%s", name, value.Repr(in), diff)
		}
	}
	if len(seen) < 300 {
		t.Errorf("only %d actions were recorded", len(seen))
	}
}

func shown(v any) string {
	text, err := value.JSON(sorted(v), value.JSONOptions{Indent: 1, Unicode: true})
	if err != nil {
		return err.Error()
	}
	return text
}

// sorted puts the members of maps in order.
func sorted(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = sorted(v[i])
		}
		return out
	case string: // JSON within JSON, as Mistral's client sends it
		if inner, err := value.ParseJSON(v); err == nil {
			if m, ok := inner.(*value.Map); ok {
				return sorted(m)
			}
		}
	case *value.Map:
		if path := value.Str(member(v, "path")); strings.HasSuffix(path, "/") {
			v = v.Clone()
			v.SetStr("path", strings.TrimRight(path, "/"))
		}
		if query, ok := member(v, "query").([]any); ok {
			v = v.Clone()
			v.SetStr("query", slices.DeleteFunc(slices.Clone(query), func(q any) bool { return q.([]any)[1] == "" }))
		}
		if body, ok := member(v, "body").(*value.Map); ok && body.Len() == 0 {
			v = v.Clone()
			v.SetStr("body", nil)
		}
		var names []string
		for k := range v.All() {
			names = append(names, value.Str(k))
		}
		slices.Sort(names)
		out := value.NewMap(v.Len())
		for _, k := range names {
			out.SetStr(k, sorted(member(v, k)))
		}
		return out
	}
	return v
}

func TestErrorsSayWhatTheServiceSays(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error_message": "{\"debuginfo\": null, \"faultcode\": \"Client\", \"faultstring\": \"Node x could not be found.\"}"}`)
	}
	_, _, err := f.run(t, "ironic.node_get", value.MapOf("node_id", "x"))
	if err == nil || !strings.HasPrefix(err.Error(), "IronicAction.node_get failed: ") || !strings.Contains(err.Error(), "Node x could not be found.") {
		t.Errorf("got %v", err)
	}
	if _, requests, err := f.run(t, "ironic.node_get", value.MapOf("node_id", "..")); err == nil || len(requests) > 0 {
		t.Errorf("a path was left: %v, %v", requests, err)
	}
}

// TestWaiting lets a node change its state while it is looked at.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		states []string
		more   []any
		want   string
	}{
		{[]string{"deploying", "active"}, nil, ""},
		{[]string{"deploying", "deploy failed"}, nil, "It's in state deploy failed, and has error: broken"},
		{[]string{"available"}, nil, "unexpected stable state available"},
		{[]string{"deploying"}, []any{"timeout", 0.05}, "failed to reach state active in 0.05 seconds"},
	} {
		f := newFake(t)
		n := 0
		f.answer = func(w http.ResponseWriter, _ *http.Request) {
			state := c.states[min(n, len(c.states)-1)]
			target := "null"
			if state == "deploying" {
				target = `"active"`
			}
			n++
			fmt.Fprintf(w, `{"provision_state": %q, "target_provision_state": %s, "last_error": "broken"}`, state, target)
		}
		in := value.MapOf("node_ident", "x", "expected_state", "active", "poll_interval", 0.01)
		for i := 0; i < len(c.more); i += 2 {
			in.SetStr(c.more[i].(string), c.more[i+1])
		}
		_, _, err := f.run(t, "ironic.node_wait_for_provision_state", in)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: got %v, want %q", c.states, err, c.want)
		}
	}
}

// TestPages follows Ironic's links where all nodes are asked for, and not otherwise.
func TestPages(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("marker") == "" {
			fmt.Fprintf(w, `{"nodes": [{"uuid": "a"}], "next": "%s/baremetal/v1/nodes?limit=1&marker=a"}`, f.URL)
			return
		}
		fmt.Fprint(w, `{"nodes": [{"uuid": "b"}]}`)
	}
	for _, c := range []struct {
		in   *value.Map
		want string
	}{
		{value.MapOf("limit", int64(0)), "[{'uuid': 'a'}, {'uuid': 'b'}]"},
		{value.MapOf(), "[{'uuid': 'a'}]"},
	} {
		if got, _, err := f.run(t, "ironic.node_list", c.in); err != nil || value.Repr(got) != c.want {
			t.Errorf("got %s, %v; want %s", value.Repr(got), err, c.want)
		}
	}
}

// TestIntrospection covers the service whose client was not there to record.
func TestIntrospection(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answer = func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"finished": true, "error": null}`) }
	for name, want := range map[string]string{
		"introspect":      "POST /baremetal-introspection/v1/introspection/n",
		"abort":           "POST /baremetal-introspection/v1/introspection/n/abort",
		"get_status":      "GET /baremetal-introspection/v1/introspection/n",
		"get_data":        "GET /baremetal-introspection/v1/introspection/n/data",
		"wait_for_finish": "GET /baremetal-introspection/v1/introspection/n",
	} {
		in := value.MapOf("node_id", "n")
		if name == "wait_for_finish" {
			in = value.MapOf("node_ids", []any{"n"})
		}
		out, requests, err := f.run(t, "baremetal_introspection."+name, in)
		if err != nil || len(requests) != 1 {
			t.Errorf("%s: %v, %v", name, requests, err)
			continue
		}
		if got := value.Str(member(requests[0], "method")) + " " + value.Str(member(requests[0], "path")); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if name == "wait_for_finish" && value.Repr(out) != "{'n': {'finished': True, 'error': None}}" {
			t.Errorf("got %s", value.Repr(out))
		}
	}
}
