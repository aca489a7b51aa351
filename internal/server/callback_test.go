package server_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/server"
)

// TestCallback lets a service that std.mistral_http called report the end at the address that it was told.
func TestCallback(t *testing.T) {
	t.Parallel()
	var own *httptest.Server
	handler := http.NewServeMux()
	own = httptest.NewServer(handler)
	defer own.Close()
	e, err := engine.Open(t.TempDir(), engine.Options{CallbackBase: own.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	handler.Handle("/", server.Callbacks(e))
	told := make(chan string, 1)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told <- r.Header.Get("Mistral-Callback-URL") }))
	defer other.Close()
	text := "version: '2.0'\nw:\n  output: {r: <% $.r %>}\n  tasks:\n    t: {action: std.mistral_http url='" + other.URL + "', publish: {r: <% task().result %>}}\n"
	if _, found, err := e.Define(&source.File{Path: "w.yaml", Text: []byte(text)}, workflow.Auto, ""); err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	id, err := e.Start(ctx, engine.StartOptions{Workflow: "w"})
	if err != nil {
		t.Fatal(err)
	}
	url := <-told
	for _, c := range []struct {
		url, body string
		status    int
		says      string
	}{
		{url, `{"state": "DONE"}`, http.StatusBadRequest, "Expected one of"},
		{url, `[1]`, http.StatusBadRequest, "JSON object"},
		{url + "0", `{"state": "SUCCESS"}`, http.StatusBadRequest, "there is no execution"},
		{url, `{"state": "SUCCESS", "output": "{\"answer\": 42}"}`, http.StatusOK, "SUCCESS"},
		{url, `{"state": "SUCCESS"}`, http.StatusBadRequest, "already completed"},
	} {
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, c.url, bytes.NewBufferString(c.body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.says) {
			t.Errorf("%s %s: got %d %s, want %d %s", c.url, c.body, resp.StatusCode, body, c.status, c.says)
		}
	}
	s, err := e.Wait(ctx, id)
	if err != nil || s.State != flow.Success || value.Str(s.Output) != "{'r': {'answer': 42}}" {
		t.Errorf("got %+v, %v", s, err)
	}
}
