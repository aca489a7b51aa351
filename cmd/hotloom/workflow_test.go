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
	if code != exitInput {
		t.Fatalf("exit code %d, want %d\n%s%s", code, exitInput, &stdout, &stderr)
	}
	hint := regexp.MustCompile(`go on with: (hotloom workflow resume .*)`).FindStringSubmatch(stderr.String())
	if hint == nil {
		t.Fatalf("stderr does not say how to go on:\n%s", &stderr)
	}
	stdout.Reset()
	stderr.Reset()
	code = run(t.Context(), strings.Fields(hint[1]), strings.NewReader(""), &stdout, &stderr)
	if code != exitOK || !strings.Contains(stdout.String(), `"said": "served"`) {
		t.Fatalf("exit code %d, want %d and the answer\n%s%s", code, exitOK, &stdout, &stderr)
	}
}
