package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// TestInterruptedRunIsPausedAndGoesOn ends the command's context, as Ctrl-C does, while an action runs.
func TestInterruptedRunIsPausedAndGoesOn(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() == nil {
			interrupt()
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `"served"`)
	}))
	defer server.Close()
	dir := t.TempDir()
	file, state := filepath.Join(dir, "ask.yaml"), filepath.Join(dir, "state")
	text := "version: '2.0'\nask:\n  output: {said: <% $.said %>}\n  tasks:\n    get:\n      action: std.http url='" + server.URL +
		"'\n      safe-rerun: true\n      publish: {said: <% task().result.content %>}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"hotloom", "workflow", "run", "--state", state, file}, strings.NewReader(""), &stdout, &stderr)
	if code != command.ExitInput {
		t.Fatalf("exit code %d, want %d\n%s%s", code, command.ExitInput, &stdout, &stderr)
	}
	hint := regexp.MustCompile(`go on with: (hotloom workflow resume .*)`).FindStringSubmatch(stderr.String())
	if hint == nil {
		t.Fatalf("stderr does not say how to go on:\n%s", &stderr)
	}
	stdout.Reset()
	stderr.Reset()
	code = run(t.Context(), strings.Fields(hint[1]), strings.NewReader(""), &stdout, &stderr)
	if code != command.ExitOK || !strings.Contains(stdout.String(), `"said": "served"`) {
		t.Fatalf("exit code %d, want %d and the answer\n%s%s", code, command.ExitOK, &stdout, &stderr)
	}
}

// TestOwnerOfTheFolderIsAsked resumes an execution that another process has, here an engine of the test.
func TestOwnerOfTheFolderIsAsked(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	owner, err := engine.Open(state, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	file := filepath.Join(t.TempDir(), "pausing.yaml")
	text := []byte("version: '2.0'\npausing:\n  tasks:\n    a: {action: std.noop, pause-before: true}\n")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, found, err := owner.Define(&source.File{Path: file, Text: text}, workflow.Auto, ""); err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	id, err := owner.Start(t.Context(), engine.StartOptions{Workflow: "pausing"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Wait(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{[]string{"list"}, command.ExitOK, "PAUSED", ""},
		{[]string{"show", id}, command.ExitOK, "PAUSED", ""},
		{[]string{"run", file}, command.ExitEnvironment, "", "--ephemeral"},
		{[]string{"delete", id}, command.ExitInput, "", "Only completed"},
		{[]string{"resume", id}, command.ExitOK, "", "did it"},
	} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"hotloom", "workflow", c.args[0], "--state", state}, c.args[1:]...)
		code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%v: exit code %d, want %d, %q and %q\n%s%s", c.args, code, c.code, c.stdout, c.stderr, &stdout, &stderr)
		}
	}
	if now, err := owner.Wait(t.Context(), id); err != nil || now.State != flow.Success {
		t.Fatalf("%v, %v; want SUCCESS", now, err)
	}
}

// TestAsynchronousActionIsCompleted ends an action from the command line, and one by way of its callback address.
func TestAsynchronousActionIsCompleted(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	address := make(chan string, 1)
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { address <- r.Header.Get("Mistral-Callback-URL") }))
	defer service.Close()
	file := filepath.Join(t.TempDir(), "w.yaml")
	text := "version: '2.0'\nw:\n  output: {a: <% $.a %>, b: <% $.b %>}\n  tasks:\n    t: {action: std.mistral_http url='" + service.URL +
		"', publish: {a: <% task().result %>}, on-success: u}\n    u: {action: std.async_noop, publish: {b: <% task().result %>}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(t.Context(), []string{"hotloom", "workflow", "run", "--state", state, "--listen", "127.0.0.1:0", file}, strings.NewReader(""), &stdout, &stderr)
	}()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, <-address, strings.NewReader(`{"state": "SUCCESS", "output": {"x": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	call := func(args ...string) string {
		t.Helper()
		var out, complaints bytes.Buffer
		if code := run(t.Context(), append([]string{"hotloom", "workflow"}, args...), strings.NewReader(""), &out, &complaints); code != command.ExitOK {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, &out, &complaints)
		}
		return out.String()
	}
	id := strings.Fields(call("list", "--state", state))[0]
	waits := regexp.MustCompile(`RUNNING +std\.async_noop +(\S+)`).FindStringSubmatch(call("show", "--state", state, id))
	if waits == nil {
		t.Fatalf("show does not tell the action that is waited for:\n%s", call("show", "--state", state, id))
	}
	call("complete", "--state", state, waits[1], "--result", `"done"`)
	if code := <-ended; code != command.ExitOK || !strings.Contains(stdout.String(), `"b": "done"`) || !strings.Contains(stdout.String(), `"x": 1`) {
		t.Errorf("exit code %d\n%s%s", code, &stdout, &stderr)
	}
}
