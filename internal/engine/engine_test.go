package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

func open(t testing.TB, dir string, o engine.Options) *engine.Engine {
	t.Helper()
	e, err := engine.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func define(t testing.TB, e *engine.Engine, text string) {
	t.Helper()
	_, findings, err := e.Define(&source.File{Path: "test.yaml", Text: []byte(text)}, workflow.Auto, "")
	if err != nil || findings.HasErrors() {
		t.Fatal(err, findings)
	}
}

func start(t testing.TB, e *engine.Engine, o engine.StartOptions) string {
	t.Helper()
	id, err := e.Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func wait(t testing.TB, e *engine.Engine, id string) *engine.Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	s, err := e.Wait(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const hello = `
version: '2.0'
hello:
  input: [who]
  output: {said: <% $.said %>, all: <% $.all %>}
  tasks:
    say:
      action: std.echo output="hello <% $.who %>"
      publish: {said: <% task().result %>}
      on-success: each
    each:
      with-items: i in <% range(3) %>
      workflow: double n=<% $.i %>
      publish: {all: <% task().result.n %>}
double:
  input: [n]
  output: {n: <% $.n * 2 %>}
  tasks:
    t: {action: std.noop}
`

func TestRunGivesOutput(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir(), engine.Options{})
	define(t, e, hello)
	id := start(t, e, engine.StartOptions{Workflow: "hello", Input: value.MapOf("who", "world")})
	s := wait(t, e, id)
	want := `{"said": "hello world", "all": [0, 2, 4]}`
	got, err := value.JSON(s.Output, value.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.State != flow.Success || got != want {
		t.Errorf("got %s %s, want SUCCESS %s", s.State, got, want)
	}
	if text, err := s.JSON(); err != nil || !strings.Contains(text, `"workflows"`) {
		t.Errorf("report %s, %v", text, err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir(), engine.Options{})
	define(t, e, hello)
	ctx := context.Background()
	_, noInput := e.Start(ctx, engine.StartOptions{Workflow: "hello"})
	_, unknown := e.Start(ctx, engine.StartOptions{Workflow: "nope"})
	for want, err := range map[string]error{
		"Invalid input [name=hello, class=DirectWorkflowSpec, missing=['who']]": noInput,
		"Failed to find workflow [name=nope] [namespace=]":                      unknown,
		"there is no execution, task or action x":                               e.Do(ctx, engine.Request{Do: "pause", ID: "x"}),
	} {
		var refusal *engine.Refusal
		if !errors.As(err, &refusal) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if list, err := e.List(); err != nil || len(list) != 0 {
		t.Errorf("a refused start left %v, %v", list, err)
	}
}

const pausing = `
version: '2.0'
w:
  tasks:
    a: {action: std.async_noop, on-success: b}
    b: {action: std.echo output=5, publish: {x: <% task().result %>}}
`

func TestGoesOnAfterReopening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := open(t, dir, engine.Options{})
	define(t, e, pausing)
	id := start(t, e, engine.StartOptions{Workflow: "w"})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, engine.Options{})
	now, err := e.Show(id)
	if err != nil {
		t.Fatal(err)
	}
	a := now.Tasks[0].Actions[0].ID
	if err := e.Do(context.Background(), engine.Request{Do: "complete", ID: a, State: "SUCCESS", Result: map[string]any{"k": 1}}); err != nil {
		t.Fatal(err)
	}
	if s := wait(t, e, id); s.State != flow.Success || value.Str(s.Output) != "{'x': 5}" {
		t.Errorf("got %s %s", s.State, value.Str(s.Output))
	}
}

func TestOtherProcessMayAskAndLook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := open(t, dir, engine.Options{})
	define(t, e, pausing)
	id := start(t, e, engine.StartOptions{Workflow: "w"})
	if _, err := engine.Open(dir, engine.Options{}); !errors.Is(err, engine.ErrLocked) {
		t.Fatalf("a second engine got %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := engine.Ask(ctx, dir, engine.Request{Do: "pause", ID: id}); err != nil {
		t.Fatal(err)
	}
	v, err := engine.View(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if s, err := v.Show(id); err != nil || s.State != flow.Paused {
		t.Errorf("got %+v, %v", s, err)
	}
	var refusal *engine.Refusal
	if err := engine.Ask(ctx, dir, engine.Request{Do: "rerun", ID: id}); !errors.As(err, &refusal) {
		t.Errorf("a rerun of no task got %v, not a refusal", err)
	}
	if list, err := v.List(); err != nil || len(list) != 1 {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestEventsComeInOrder(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir(), engine.Options{})
	define(t, e, "version: '2.0'\nw:\n  tasks:\n    a: {on-success: b}\n    b: {action: std.noop}\n")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var got []string
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		close(ready)
		ended <- e.Events(ctx, "", func(ev engine.Event) bool {
			got = append(got, ev.Task+" "+string(ev.State))
			return ev.TaskID != "" || !ev.State.Completed()
		})
	}()
	<-ready
	time.Sleep(10 * time.Millisecond) // let the subscription begin; without it the first events may be missed
	start(t, e, engine.StartOptions{Workflow: "w"})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	want := []string{" RUNNING", "a RUNNING", "a SUCCESS", "b RUNNING", "b SUCCESS", " SUCCESS"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDelete removes executions, with the engine and by way of it, and sees the room that they took given back.
func TestDelete(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := open(t, dir, engine.Options{})
	define(t, e, pausing+`
many:
  tasks: {t: {with-items: 'i in <% range(300) %>', workflow: wide}}
wide:
  tasks: {t: {action: std.test_dict size=100 key_prefix="wide-"}}
`)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	refused := func(what, because string, err error) {
		t.Helper()
		var refusal *engine.Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), because) {
			t.Errorf("%s: got %v, want a refusal that says %q", what, err, because)
		}
	}
	id := start(t, e, engine.StartOptions{Workflow: "w"})
	refused("a running execution", "Only completed executions can be deleted", e.Do(ctx, engine.Request{Do: "delete", ID: id}))
	refused("the same, asked for", "Only completed executions can be deleted", engine.Ask(ctx, dir, engine.Request{Do: "delete", ID: id}))
	if err := engine.Ask(ctx, dir, engine.Request{Do: "delete", ID: id, Force: true}); err != nil {
		t.Fatal(err)
	}
	_, err := e.Show(id)
	refused("a deleted execution", "does not exist", err)

	many := wait(t, e, start(t, e, engine.StartOptions{Workflow: "many"}))
	sub := many.Tasks[0].Workflows[0].ID
	refused("a sub-workflow", "delete that one", e.Do(ctx, engine.Request{Do: "delete", ID: sub}))
	before := pages(t, dir)
	if err := e.Do(ctx, engine.Request{Do: "delete", ID: many.ID}); err != nil {
		t.Fatal(err)
	}
	_, err = e.Show(sub)
	refused("what was below it", "does not exist", err)
	if after := pages(t, dir); after > before/2 {
		t.Errorf("the database has %d pages, before it had %d", after, before)
	}
}

func pages(t *testing.T, dir string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "engine.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("PRAGMA page_count").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLookAtAnOldDatabase reads a folder of an earlier schema version without running anything in it.
func TestLookAtAnOldDatabase(t *testing.T) {
	t.Parallel()
	dump, err := os.ReadFile("testdata/schema-1.sql")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "engine.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(dump)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	v, err := engine.View(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if runs, err := v.List(); err != nil || len(runs) != 1 {
		t.Errorf("got %v, %v", runs, err)
	}
}

// TestResultIsLimited fails an action whose result is larger than what is kept, as Mistral does.
func TestResultIsLimited(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir(), engine.Options{MaxResult: 1000})
	define(t, e, "version: '2.0'\nw:\n  tasks:\n    a: {action: std.test_dict size=300}\n    b: {action: std.test_dict size=5}\n")
	s := wait(t, e, start(t, e, engine.StartOptions{Workflow: "w"}))
	for _, task := range s.Tasks {
		tooLarge := task.Info != nil && strings.Contains(*task.Info, "Field size limit exceeded")
		if want := task.Name == "a"; tooLarge != want {
			t.Errorf("task %s is %s, %v", task.Name, task.State, task.Info)
		}
	}
}
