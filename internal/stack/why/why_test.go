package why_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
	"github.com/hotloom/hotloom/internal/mistral"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/internal/stack/why"
)

var update = flag.Bool("update", false, "rewrite the expected reports")

// TestReports shows a stack of a fake cloud to the doctor. A case's files are what the services answer:
//
//	stack                      JSON, as of the call show
//	resources                  a line each: PATH TYPE PHYSICAL-ID STATUS hh:mm:ss REASON…
//	template, template PATH    YAML, of the root and of the stack behind a resource
//	events                     a line each: hh:mm:ss NAME STATUS REASON…
//	metadata NAME, attributes NAME, server ID, execution ID, tasks ID, deployment ID, configs SERVER    JSON
//	console ID                 text
//	forbidden                  what is answered with 403: parts of paths
//	want                       the report
func TestReports(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := report(t, archive)
			for i, f := range archive.Files {
				if f.Name != "want" {
					continue
				}
				if diff := cmp.Diff(string(f.Data), got); diff != "" && !*update {
					t.Errorf("report (-want +got):\n%s", diff)
				}
				archive.Files[i].Data = []byte(got)
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func report(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	f := &fake{Cloud: cloudtest.New(t, nil, "orchestration", "compute", "workflow"), files: map[string]string{}}
	for _, file := range a.Files {
		f.files[file.Name] = string(file.Data)
	}
	f.Handle("/", f.serve)
	connection, err := cloud.Connect(t.Context(), cloud.Options{Getenv: f.Getenv, Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	from := why.Sources{Now: func() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) }, Missing: map[string]error{}}
	if from.Heat, err = stack.New(connection); err != nil {
		t.Fatal(err)
	}
	if from.Compute, err = why.NewCompute(connection); err != nil {
		t.Fatal(err)
	}
	if from.Mistral, err = mistral.New(connection); err != nil {
		t.Fatal(err)
	}
	if f.files["no compute"] != "" {
		from.Compute, from.Missing["compute"] = nil, errors.New("the cloud offers no compute")
	}
	r, err := why.Stack(t.Context(), from, stack.Ref{Name: "s", ID: "id-"})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(r); err != nil || !bytes.Contains(text, []byte(`"version":1`)) {
		t.Errorf("JSON: %v %s", err, text)
	}
	var out bytes.Buffer
	if err := r.Text(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fake answers from a case's files.
type fake struct {
	*cloudtest.Cloud
	files map[string]string
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	for _, part := range strings.Fields(f.files["forbidden"]) {
		if strings.Contains(r.URL.Path, part) {
			answer(w, 403, map[string]any{"error": map[string]any{"type": "Forbidden", "message": "You are not authorized."}})
			return
		}
	}
	service, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	parts := strings.Split(rest, "/")
	body := f.answer(service, parts)
	if body == nil {
		answer(w, 404, map[string]any{"error": map[string]any{"type": "EntityNotFound", "message": r.URL.Path + " is not there."}})
		return
	}
	answer(w, 200, body)
}

func (f *fake) answer(service string, parts []string) any {
	raw := func(key, file string) any {
		text, ok := f.files[file]
		if !ok {
			return nil
		}
		if key == "" {
			return json.RawMessage(text)
		}
		return map[string]any{key: json.RawMessage(text)}
	}
	last := parts[len(parts)-1]
	switch {
	case service == "compute" && last == "action":
		text, ok := f.files["console "+parts[1]]
		if !ok {
			return nil
		}
		return map[string]any{"output": text}
	case service == "compute":
		return raw("server", "server "+parts[1])
	case service == "workflow" && len(parts) == 1:
		return raw("", "executions")
	case service == "workflow" && last == "tasks":
		return raw("tasks", "tasks "+parts[1])
	case service == "workflow" && parts[0] == "tasks":
		return raw("", "task "+parts[1])
	case service == "workflow":
		return raw("", "execution "+parts[1])
	case parts[0] == "software_deployments" && len(parts) > 2:
		return raw("metadata", "configs "+parts[2])
	case parts[0] == "software_deployments" && len(parts) > 1:
		return raw("software_deployment", "deployment "+parts[1])
	case parts[0] == "software_deployments":
		return raw("software_deployments", "deployments")
	case len(parts) == 3:
		return raw("stack", "stack")
	case last == "resources":
		return map[string]any{"resources": f.resources()}
	case last == "events":
		return map[string]any{"events": f.events()}
	case last == "template":
		path := strings.TrimPrefix(parts[2], "id-")
		n, found := source.Parse("template", []byte(f.files[strings.TrimSpace("template "+path)]))
		if n == nil || found.HasErrors() {
			return nil
		}
		return json.RawMessage(source.EncodeJSON(n))
	case last == "metadata":
		return raw("metadata", "metadata "+parts[4])
	}
	return map[string]any{"resource": map[string]any{"resource_name": parts[4], "attributes": json.RawMessage(f.files["attributes "+parts[4]])}}
}

func link(rel, path string) map[string]any {
	return map[string]any{"rel": rel, "href": fmt.Sprintf("http://heat/v1/p/stacks/s%s/id-%s", path, path)}
}

func (f *fake) resources() []any {
	lines := strings.Split(strings.TrimSpace(f.files["resources"]), "\n")
	var out []any
	for _, line := range lines {
		fields := strings.Fields(line)
		path, name := "", fields[0]
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			path, name = name[:i], name[i+1:]
		}
		links := []any{link("stack", path)}
		for _, other := range lines {
			if strings.HasPrefix(other, fields[0]+".") {
				links = append(links, link("nested", fields[0]))
				break
			}
		}
		out = append(out, map[string]any{
			"resource_name": name, "resource_type": fields[1], "physical_resource_id": fields[2], "resource_status": fields[3],
			"creation_time": "2026-01-01T10:00:00Z", "updated_time": "2026-01-01T" + fields[4] + "Z",
			"resource_status_reason": strings.Join(fields[5:], " "), "links": links,
		})
	}
	return out
}

func (f *fake) events() []any {
	out := []any{}
	for i, line := range strings.Split(strings.TrimSpace(f.files["events"]), "\n") {
		if fields := strings.Fields(line); len(fields) > 2 {
			out = append(out, map[string]any{
				"id": fmt.Sprint(i), "event_time": "2026-01-01T" + fields[0] + "Z", "resource_name": fields[1], "resource_status": fields[2],
				"resource_status_reason": strings.Join(fields[3:], " "), "links": []any{link("stack", "")},
			})
		}
	}
	return out
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
