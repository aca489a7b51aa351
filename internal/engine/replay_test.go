package engine_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

var update = flag.Bool("update", false, "record a database of the current schema version in testdata")

const halfway = `
version: '2.0'
halfway:
  input: [n]
  vars: {v: 1}
  output: {all: <% $.all %>, sub: <% $.sub %>, v: <% $.v %>, late: <% $.late %>, n: <% $.n %>}
  tasks:
    waits: {action: std.async_noop, publish: {waits: <% task().result %>}, on-success: joined}
    many:
      with-items: i in [1, 2, 3]
      action: std.async_noop
      publish: {all: <% task().result %>}
      on-success: joined
    below: {workflow: below x=<% $.n %>, publish: {sub: <% task().result.y %>}, on-success: joined}
    retried: {action: std.fail, retry: {count: 1, delay: 1}, on-error: joined}
    delayed: {wait-before: 1, action: std.noop, on-success: joined}
    joined: {join: all, publish: {late: true}}
below:
  input: [x]
  output: {y: <% $.x * 2 %>}
  tasks:
    a: {action: std.async_noop}
`

// TestRecordedDatabases goes on with a run that a program with an earlier schema left halfway. For each version there
// is one recording; -update writes that of the current one.
func TestRecordedDatabases(t *testing.T) {
	t.Parallel()
	if *update {
		record(t)
	}
	for version := 1; version <= store.Version; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			t.Parallel()
			dump, err := os.ReadFile(fmt.Sprintf("testdata/schema-%d.sql", version))
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
			finish(t, open(t, dir, engine.Options{}))
		})
	}
}

// finish completes what the run waits for.
func finish(t *testing.T, e *engine.Engine) {
	t.Helper()
	runs, err := e.List()
	if err != nil || len(runs) != 1 {
		t.Fatal(runs, err)
	}
	s, err := e.Show(runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	complete(t, e, s, func(int) bool { return true })
	done := wait(t, e, s.ID)
	want := "{'all': [None, None, None], 'sub': 14, 'v': 1, 'late': True, 'n': 7}"
	if got := value.Str(done.Output); done.State != flow.Success || got != want {
		t.Errorf("got %s %s, want %s", done.State, got, want)
	}
}

// complete ends the asynchronous actions that are running and that are wanted by index.
func complete(t *testing.T, e *engine.Engine, s *engine.Snapshot, wanted func(index int) bool) {
	t.Helper()
	for _, task := range s.Tasks {
		for _, a := range task.Actions {
			if a.State == flow.Running && a.Name == "std.async_noop" && wanted(a.Index) {
				if err := e.Do(context.Background(), engine.Request{Do: "complete", ID: a.ID, State: "SUCCESS"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, w := range task.Workflows {
			complete(t, e, w, wanted)
		}
	}
}

func record(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	e := open(t, dir, engine.Options{})
	define(t, e, halfway)
	id := start(t, e, engine.StartOptions{Workflow: "halfway", Input: value.MapOf("n", int64(7))})
	s, err := e.Show(id)
	if err != nil {
		t.Fatal(err)
	}
	complete(t, e, s, func(index int) bool { return index == 1 })
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "engine.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out strings.Builder
	fmt.Fprintf(&out, "PRAGMA user_version = %d;\n", store.Version)
	for _, line := range column(t, db, `SELECT sql || ';' FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rootpage`) {
		out.WriteString(line + "\n")
	}
	for _, table := range column(t, db, `SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%' ORDER BY rootpage`) {
		cols := column(t, db, `SELECT 'quote(' || name || ')' FROM pragma_table_info('`+table+`')`)
		for _, row := range column(t, db, `SELECT 'INSERT INTO `+table+` VALUES (' || `+strings.Join(cols, ` || ',' || `)+` || ');' FROM `+table) {
			out.WriteString(row + "\n")
		}
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fmt.Sprintf("testdata/schema-%d.sql", store.Version), []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func column(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestNoGoroutineIsLeft must not run beside others.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	e, err := engine.Open(t.TempDir(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	define(t, e, "version: '2.0'\nw:\n  tasks:\n    a: {with-items: 'i in <% range(20) %>', action: std.echo output=<% $.i %>, on-success: b}\n    b: {action: std.sleep seconds=60}\n")
	id := start(t, e, engine.StartOptions{Workflow: "w"})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for {
		s, err := e.Show(id)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Tasks) == 2 {
			break
		}
		if ctx.Err() != nil {
			t.Fatal("it does not get to its second task")
		}
		runtime.Gosched()
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for runtime.NumGoroutine() > before {
		if ctx.Err() != nil {
			stack := make([]byte, 1<<16)
			t.Fatalf("%d goroutines are left of %d:\n%s", runtime.NumGoroutine(), before, stack[:runtime.Stack(stack, true)])
		}
		runtime.Gosched()
	}
}
