package stack_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hotloom/hotloom/internal/stack"
)

func TestSignalsThatHeatWouldLoseAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, status, data, want string }{
		{"created", "CREATE_COMPLETE", `{"status": "SUCCESS"}`, ""},
		{"without data", "CREATE_COMPLETE", "", ""},
		{"in progress", "CREATE_IN_PROGRESS", `{}`, ""},
		{"not begun", "INIT_COMPLETE", `{"status": "SUCCESS"}`, "signal to door of stack shop: Heat has not begun to create it"},
		{"hook before the creation", "INIT_COMPLETE", `{"unset_hook": "pre-create"}`, ""},
		{"data that is no object", "INIT_COMPLETE", `"unset_hook"`, "hotloom stack watch shop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h, client := newFakeHeat(t, nil)
			var sent atomic.Int32
			at := "/shop/id-1/resources/door"
			h.Handle("GET "+prefix+at, func(w http.ResponseWriter, _ *http.Request) {
				answer(w, 200, map[string]any{"resource": map[string]any{"resource_name": "door", "resource_status": c.status}})
			})
			h.Handle("POST "+prefix+at+"/signal", func(w http.ResponseWriter, _ *http.Request) {
				sent.Add(1)
				w.WriteHeader(http.StatusOK)
			})
			err := client.Signal(t.Context(), stack.Ref{Name: "shop", ID: "id-1"}, "door", []byte(c.data))
			if c.want == "" {
				if err != nil || sent.Load() != 1 {
					t.Fatalf("%v; sent %d times", err, sent.Load())
				}
				return
			}
			if !errors.Is(err, stack.ErrNotCreated) || !strings.Contains(err.Error(), c.want) || sent.Load() != 0 {
				t.Fatalf("%v; sent %d times", err, sent.Load())
			}
		})
	}
}
