package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

// TestFullDisk lets the database reach a size beyond which SQLite says what it says on a full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := open(t, dir, engine.Options{Patience: -1})
	define(t, e, `
version: '2.0'
big:
  tasks:
    t:
      with-items: i in <% range(400) %>
      action: std.test_dict size=100 key_prefix="a-long-prefix-that-fills-the-database-" val="x"
`)
	define(t, e, pausing)
	id := start(t, e, engine.StartOptions{Workflow: "w"})
	if err := store.LimitPages(engine.StoreOf(e), 120); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	big, err := e.Start(ctx, engine.StartOptions{Workflow: "big"})
	if err == nil {
		_, err = e.Wait(ctx, big)
	}
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Fatalf("got %v", err)
	}
	if _, err := e.Start(ctx, engine.StartOptions{Workflow: "w"}); err == nil {
		t.Error("a failed engine starts workflows")
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir, engine.Options{})
	if s, err := e.Show(id); err != nil || s.State != flow.Running {
		t.Errorf("what was there before: %+v, %v", s, err)
	}
	if big != "" {
		if s := wait(t, e, big); s.State != flow.Success || len(s.Tasks[0].Result.([]any)) != 400 {
			t.Errorf("the run that met the full disk ended %s", s.State)
		}
	}
}

// TestPatience lets the disk be full only for a while.
func TestPatience(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir(), engine.Options{Patience: 20 * time.Second})
	define(t, e, "version: '2.0'\nw:\n  tasks:\n    t: {with-items: 'i in <% range(200) %>', action: std.echo output=<% $.i %>}\n")
	if err := store.LimitPages(engine.StoreOf(e), 1); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		id, err := e.Start(context.Background(), engine.StartOptions{Workflow: "w"})
		if err == nil {
			var s *engine.Snapshot
			if s, err = e.Wait(context.Background(), id); err == nil && s.State != flow.Success {
				err = errors.New(value.Str(s.Output))
			}
		}
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("ended on a full disk: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	if err := store.LimitPages(engine.StoreOf(e), 1<<30); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blocked := filepath.Join(dir, "blocked")
	if err := os.WriteFile(blocked, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	_, err := engine.Open(filepath.Join(blocked, "state"), engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "state folder") {
		t.Errorf("got %v", err)
	}
}

func TestDamagedDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "engine.db"), []byte(strings.Repeat("this is no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Open(dir, engine.Options{}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("got %v", err)
	}
}

func TestNewerDatabaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := open(t, dir, engine.Options{})
	if err := store.SetVersion(engine.StoreOf(e), store.Version+1); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Open(dir, engine.Options{}); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("got %v", err)
	}
}

func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	e := open(t, dir, engine.Options{})
	define(t, e, hello)
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

// A definition that is replaced while a run of it is under way does not change that run.
func TestRunKeepsItsDefinition(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir(), engine.Options{})
	define(t, e, pausing)
	id := start(t, e, engine.StartOptions{Workflow: "w"})
	if _, findings, err := e.Define(&source.File{Path: "test.yaml", Text: []byte("version: '2.0'\nw: {tasks: {z: {action: std.fail}}}\n")}, workflow.Auto, ""); err != nil || findings.HasErrors() {
		t.Fatal(err, findings)
	}
	s, err := e.Show(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Do(context.Background(), engine.Request{Do: "complete", ID: s.Tasks[0].Actions[0].ID, State: "SUCCESS"}); err != nil {
		t.Fatal(err)
	}
	if s := wait(t, e, id); s.State != flow.Success || len(s.Tasks) != 2 {
		t.Errorf("ended %s with %d tasks", s.State, len(s.Tasks))
	}
}
