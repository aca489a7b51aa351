package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
)

// largeHeat makes a stack of 1,000 resources, with 5,000 events, in so many looks at it.
type largeHeat struct {
	*cloudtest.Cloud
	looks int

	mu     sync.Mutex
	looked int
	began  time.Time
}

const (
	manyResources = 1000
	manyEvents    = 5000
)

func (h *largeHeat) answer(pattern string, status int, body func(r *http.Request) any) {
	h.Handle(pattern, func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body(r))
	})
}

func newLargeHeat(t testing.TB, looks int) *largeHeat {
	t.Helper()
	h := &largeHeat{Cloud: cloudtest.New(t, nil, "orchestration"), looks: looks, began: time.Now()}
	links := []any{
		map[string]any{"href": "http://127.0.0.1:8004/v1/0d0017b411df40b2a240cd163596f796/stacks/shop/id/resources/r", "rel": "self"},
		map[string]any{"href": "http://127.0.0.1:8004/v1/0d0017b411df40b2a240cd163596f796/stacks/shop/id", "rel": "stack"},
	}
	h.answer("POST /orchestration/stacks", 201, func(*http.Request) any { return map[string]any{"stack": map[string]any{"id": "id"}} })
	h.answer("GET /orchestration/stacks/shop/id", 200, func(*http.Request) any {
		status := "CREATE_IN_PROGRESS"
		if h.looked++; h.looked > h.looks {
			status = "CREATE_COMPLETE"
		}
		return map[string]any{"stack": map[string]any{"id": "id", "stack_name": "shop", "stack_status": status, "disable_rollback": true}}
	})
	h.answer("GET /orchestration/stacks/shop/id/resources", 200, func(*http.Request) any {
		var all []any
		for i := range manyResources {
			all = append(all, map[string]any{
				"resource_name": fmt.Sprint("r", i), "logical_resource_id": fmt.Sprint("r", i), "resource_type": "OS::Heat::TestResource",
				"physical_resource_id": "big-r-abcdefghijkl", "resource_status": "CREATE_COMPLETE", "resource_status_reason": "state changed",
				"creation_time": "2026-11-30T22:14:59Z", "updated_time": "2026-11-30T22:14:59Z", "required_by": []any{"r1", "r2"}, "links": links,
			})
		}
		return map[string]any{"resources": all}
	})
	h.answer("GET /orchestration/stacks/shop/id/events", 200, func(r *http.Request) any {
		from := 0
		if m := r.URL.Query().Get("marker"); m != "" {
			from, _ = strconv.Atoi(m)
			from++
		}
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		all := []any{}
		to := min(manyEvents*min(h.looked, h.looks)/h.looks, from+limit)
		for i := from; i < to; i++ {
			all = append(all, map[string]any{
				"id": strconv.Itoa(i), "resource_name": fmt.Sprint("r", i%manyResources), "logical_resource_id": fmt.Sprint("r", i%manyResources),
				"physical_resource_id": "big-r-abcdefghijkl", "resource_status": []string{"CREATE_IN_PROGRESS", "CREATE_COMPLETE"}[i/manyResources%2],
				// five seconds a look
				"event_time":             h.began.Add(time.Duration(i*5*h.looks/manyEvents) * time.Second).UTC().Format(time.RFC3339),
				"resource_status_reason": "state changed", "links": links,
			})
		}
		return map[string]any{"events": all}
	})
	return h
}

// BenchmarkLargeStack is what a creation of 1,000 resources costs hotloom itself: compiling, checking, bundling, showing
// 5,000 events, which come while Heat is looked at a hundred times. cpu-ms, user and system time, hardly depends on what
// else the machine does. The aim is below 1,000.
func BenchmarkLargeStack(b *testing.B) {
	dir := b.TempDir()
	binary := filepath.Join(dir, "hotloom")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var template strings.Builder
	template.WriteString("heat_template_version: 2018-08-31\nresources:\n")
	for i := range manyResources {
		fmt.Fprintf(&template, "  r%d:\n    type: OS::Heat::TestResource\n    properties: {value: {str_replace: {template: hello world, params: {world: there}}}}\n", i)
		if i >= 10 {
			fmt.Fprintf(&template, "    depends_on: r%d\n", i-10)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "template.yaml"), []byte(template.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	var user, system time.Duration
	runs := 0
	for b.Loop() {
		h := newLargeHeat(b, 100)
		cmd := exec.CommandContext(b.Context(), binary, "stack", "create", "shop", "template.yaml")
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
		for _, n := range []string{"OS_AUTH_URL", "OS_USERNAME", "OS_PASSWORD", "OS_PROJECT_NAME"} {
			cmd.Env = append(cmd.Env, n+"="+h.Getenv(n))
		}
		log, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, log)
		}
		if n := strings.Count(string(log), "(OS::Heat::TestResource)"); n != manyEvents {
			b.Errorf("%d events are shown, want %d", n, manyEvents)
		}
		user += cmd.ProcessState.UserTime()
		system += cmd.ProcessState.SystemTime()
		runs++
	}
	b.ReportMetric(float64((user+system).Milliseconds())/float64(runs), "cpu-ms/op")
	b.ReportMetric(float64(system.Milliseconds())/float64(runs), "system-cpu-ms/op")
}
