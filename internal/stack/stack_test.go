package stack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
	"github.com/hotloom/hotloom/internal/stack"
)

func TestMain(m *testing.M) {
	stack.HurryUp()
	os.Exit(m.Run())
}

// fakeHeat keeps stacks and events, and answers as Heat does.
type fakeHeat struct {
	*cloudtest.Cloud
	mu     sync.Mutex
	stacks map[string]*stack.Stack // by name
	made   int                     // creations that Heat accepted
	events []map[string]any
	calls  int // of the list of events
	// the lists of resources, one an answer and the last ever again
	resources [][]map[string]any
	gone      map[string]bool
}

const prefix = "/orchestration/stacks"

func newFakeHeat(t *testing.T, wrap func(http.Handler) http.Handler) (*fakeHeat, *stack.Client) {
	t.Helper()
	h := &fakeHeat{Cloud: cloudtest.New(t, wrap, "orchestration"), stacks: map[string]*stack.Stack{}, gone: map[string]bool{}}
	h.Handle("POST "+prefix, h.create)
	h.Handle("GET "+prefix+"/{name}", func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		s := h.stacks[r.PathValue("name")]
		if s == nil {
			fault(w, 404, "EntityNotFound", "The Stack (x) could not be found.")
			return
		}
		// as behind a proxy that Heat does not know of
		w.Header().Set("Location", "http://inside:8004/v1/p1/stacks/"+s.Name+"/"+s.ID+"?resolve_outputs=false")
		w.WriteHeader(http.StatusFound)
	})
	h.Handle("GET "+prefix+"/{name}/{id}", func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		answer(w, 200, map[string]any{"stack": h.stacks[r.PathValue("name")]})
	})
	h.Handle("GET "+prefix+"/{name}/{id}/resources", h.listResources)
	h.Handle("GET "+prefix+"/{name}/{id}/events", h.list)
	client, err := cloud.Connect(t.Context(), cloud.Options{Getenv: h.Getenv, Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c, err := stack.New(client)
	if err != nil {
		t.Fatal(err)
	}
	return h, c
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func fault(w http.ResponseWriter, status int, kind, message string) {
	answer(w, status, map[string]any{"code": status, "error": map[string]any{"type": kind, "message": message}})
}

func (h *fakeHeat) create(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name string `json:"stack_name"`
		Tags string
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		fault(w, 400, "HTTPBadRequest", err.Error())
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stacks[body.Name] != nil {
		fault(w, 409, "StackExists", "The Stack ("+body.Name+") already exists.")
		return
	}
	h.made++
	s := &stack.Stack{ID: fmt.Sprint("id-", h.made), Name: body.Name, Status: "CREATE_IN_PROGRESS", Tags: strings.Split(body.Tags, ","), DisableRollback: true}
	h.stacks[body.Name] = s
	answer(w, 201, map[string]any{"stack": map[string]any{"id": s.ID}})
}

// list pages as Heat does: after the marker in the order of time, or from the beginning where the marker is gone.
func (h *fakeHeat) list(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
	all := slices.Clone(h.events)
	slices.SortStableFunc(all, func(a, b map[string]any) int {
		return strings.Compare(a["event_time"].(string), b["event_time"].(string))
	})
	if i := slices.IndexFunc(all, func(e map[string]any) bool { return e["id"] == r.URL.Query().Get("marker") }); i >= 0 {
		all = all[i+1:]
	}
	all = slices.DeleteFunc(all, func(e map[string]any) bool { return h.gone[e["id"].(string)] })
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	answer(w, 200, map[string]any{"events": all[:min(limit, len(all))]})
}

// event adds one at a second.
func (h *fakeHeat) event(s *stack.Stack, id string, second int, name, status string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	physical := ""
	if name == s.Name {
		physical = s.ID
	}
	h.events = append(h.events, map[string]any{
		"id": id, "event_time": time.Unix(int64(second), 0).UTC().Format("2006-01-02T15:04:05Z"), "resource_name": name,
		"physical_resource_id": physical, "resource_status": status, "resource_status_reason": "state changed",
		"links": []any{map[string]any{"rel": "stack", "href": "http://h/v1/p1/stacks/" + s.Name + "/" + s.ID}},
	})
}

func TestALostAnswerToACreationMakesNoSecondStack(t *testing.T) {
	t.Parallel()
	body := stack.NewBody([]source.Pair{source.P(nil, "template", source.NewMap(nil)), source.P(nil, "tags", source.NewString(nil, "mine"))})
	for name, test := range map[string]struct {
		before, after int // requests whose connection breaks before and after Heat has got them
		status        int // what a proxy answers instead, after Heat has got it
		others        bool
		fault         string
	}{
		"nothing is lost":             {},
		"the answer":                  {after: 1},
		"the request":                 {before: 1},
		"both":                        {before: 1, after: 1},
		"a proxy is tired of waiting": {after: 1, status: 504},
		"another's stack is there":    {others: true, fault: "already exists"},
		"another's stack, and lost":   {others: true, after: 1, fault: "already exists"},
		"all requests":                {before: 9, fault: "was asked for 3 times, and is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			h, c := newFakeHeat(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					mu.Lock()
					before, after := false, false
					if r.Method == http.MethodPost && r.URL.Path == prefix {
						switch {
						case test.before > 0:
							before = true
							test.before--
						case test.after > 0:
							after = true
							test.after--
						}
					}
					mu.Unlock()
					if after {
						next.ServeHTTP(newRecorder(), r)
						if test.status > 0 {
							w.WriteHeader(test.status)
							return
						}
					}
					if before || after {
						conn, _, err := http.NewResponseController(w).Hijack()
						if err == nil {
							_ = conn.Close()
						}
						return
					}
					next.ServeHTTP(w, r)
				})
			})
			if test.others {
				h.stacks["shop"] = &stack.Stack{ID: "other", Name: "shop"}
			}
			ref, err := c.Create(t.Context(), "shop", body)
			if test.fault != "" {
				if err == nil || !strings.Contains(err.Error(), test.fault) {
					t.Errorf("error %v, want one that says %q", err, test.fault)
				}
				if h.made > 0 {
					t.Errorf("%d stacks were made", h.made)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := (stack.Ref{Name: "shop", ID: "id-1"}); ref != want || h.made != 1 {
				t.Errorf("stack %v, %d made; want %v and 1", ref, h.made, want)
			}
			if tags := h.stacks["shop"].Tags; len(tags) != 2 || tags[0] != "mine" || !strings.HasPrefix(tags[1], stack.TagPrefix) {
				t.Errorf("tags %v", tags)
			}
		})
	}
}

// newRecorder takes an answer that nobody gets.
func newRecorder() http.ResponseWriter { return lostAnswer{http.Header{}} }

type lostAnswer struct{ header http.Header }

func (l lostAnswer) Header() http.Header         { return l.header }
func (l lostAnswer) Write(b []byte) (int, error) { return io.Discard.Write(b) }
func (l lostAnswer) WriteHeader(int)             {}

func TestEventsAreGivenOnceEach(t *testing.T) {
	t.Parallel()
	h, c := newFakeHeat(t, nil)
	s := &stack.Stack{ID: "id", Name: "s"}
	const all = 5000
	for i := range all / 2 {
		h.event(s, fmt.Sprint("e", i), 1000+i/10, "r", "CREATE_COMPLETE") // ten a second
	}
	history := c.Events(s.Ref())
	seen := map[string]int{}
	read := func(next func(context.Context) ([]stack.Event, error)) int {
		t.Helper()
		events, err := next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			seen[e.ID]++
		}
		return len(events)
	}
	if n := read(history.Next); n != all/2 {
		t.Errorf("%d events at first, want %d", n, all/2)
	}
	// more of them, among them some that were stored late, and the marker's event purged meanwhile
	for i := all / 2; i < all; i++ {
		second := 1000 + i/10
		if i%100 == 0 {
			second -= 20
		}
		h.event(s, fmt.Sprint("e", i), second, "r", "CREATE_COMPLETE")
		if i%500 == 0 {
			read(history.Next)
		}
		if i == all*3/4 {
			h.mu.Lock()
			for j := range all / 4 {
				h.gone[fmt.Sprint("e", j)] = true
			}
			h.mu.Unlock()
		}
	}
	read(history.Final)
	h.mu.Lock()
	calls := h.calls
	h.mu.Unlock()
	if n := read(history.Final); n != 0 {
		t.Errorf("%d events come again", n)
	}
	if h.calls != calls+1 {
		t.Errorf("a read without news took %d calls: it begins too far back", h.calls-calls)
	}
	for i := range all {
		if n := seen[fmt.Sprint("e", i)]; n != 1 {
			t.Fatalf("event %d was given %d times", i, n)
		}
	}
}

func TestFollowEndsWithTheAction(t *testing.T) {
	t.Parallel()
	type moment struct {
		status string // of the stack
		event  string // of the stack as a whole, "" for none
	}
	for name, test := range map[string]struct {
		action string
		before string // the status before the action, "" for a creation
		course []moment
		keeps  bool // disable_rollback
		want   string
		fails  bool
	}{
		"a creation":           {"CREATE", "", []moment{{"CREATE_IN_PROGRESS", "CREATE_IN_PROGRESS"}, {"CREATE_IN_PROGRESS", ""}, {"CREATE_COMPLETE", "CREATE_COMPLETE"}}, true, "CREATE_COMPLETE", false},
		"a failure":            {"CREATE", "", []moment{{"CREATE_IN_PROGRESS", ""}, {"CREATE_FAILED", "CREATE_FAILED"}}, true, "CREATE_FAILED", true},
		"a failure undone":     {"CREATE", "", []moment{{"CREATE_IN_PROGRESS", ""}, {"CREATE_FAILED", ""}, {"ROLLBACK_IN_PROGRESS", ""}, {"ROLLBACK_COMPLETE", ""}}, false, "ROLLBACK_COMPLETE", true},
		"an update not begun":  {"UPDATE", "UPDATE_COMPLETE", []moment{{"UPDATE_COMPLETE", ""}, {"UPDATE_COMPLETE", ""}, {"UPDATE_IN_PROGRESS", ""}, {"UPDATE_COMPLETE", ""}}, true, "UPDATE_COMPLETE", false},
		"an update too quick":  {"UPDATE", "UPDATE_COMPLETE", []moment{{"UPDATE_COMPLETE", ""}, {"UPDATE_COMPLETE", "UPDATE_COMPLETE"}}, true, "UPDATE_COMPLETE", false},
		"a deletion not begun": {"DELETE", "CREATE_COMPLETE", []moment{{"CREATE_COMPLETE", ""}, {"DELETE_IN_PROGRESS", ""}, {"", ""}}, true, "DELETE_COMPLETE", false},
		"whatever there is":    {"", "", []moment{{"UPDATE_IN_PROGRESS", ""}, {"UPDATE_COMPLETE", ""}}, true, "UPDATE_COMPLETE", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := 0
			var h *fakeHeat
			h, c := newFakeHeat(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == prefix+"/s/id" { // the stack is asked for: the next moment
						h.mu.Lock()
						m := test.course[min(i, len(test.course)-1)]
						i++
						if m.status == "" {
							h.mu.Unlock()
							fault(w, 404, "EntityNotFound", "The Stack (s) could not be found.")
							return
						}
						h.stacks["s"] = &stack.Stack{ID: "id", Name: "s", Status: m.status, DisableRollback: test.keeps}
						h.mu.Unlock()
						if m.event != "" {
							h.event(h.stacks["s"], fmt.Sprint("e", i), 100+i, "s", m.event)
						}
					}
					next.ServeHTTP(w, r)
				})
			})
			o := stack.FollowOptions{Action: test.action, Fastest: time.Millisecond, Slowest: 5 * time.Millisecond}
			if test.before != "" {
				o.Before = &stack.Stack{ID: "id", Name: "s", Status: test.before}
			}
			var told []string
			o.Step = func(s stack.Step) {
				for _, e := range s.Events {
					told = append(told, e.Status)
				}
			}
			s, err := c.Follow(t.Context(), stack.Ref{Name: "s", ID: "id"}, o)
			if err != nil {
				t.Fatal(err)
			}
			if s.Status != test.want || (stack.Failure(s, firstOf(test.action, s.Action())) != nil) != test.fails {
				t.Errorf("ends as %s, failure %v; want %s, %v", s.Status, stack.Failure(s, test.action), test.want, test.fails)
			}
			var want []string
			for _, m := range test.course {
				if m.event != "" {
					want = append(want, m.event)
				}
			}
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestFollowOutlastsTroubleAndLeavesWhenTold(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	calls := 0
	h, c := newFakeHeat(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			n := calls
			if strings.HasPrefix(r.URL.Path, prefix+"/s/") {
				calls++
			}
			mu.Unlock()
			if n > 2 && n < 12 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	h.stacks["s"] = &stack.Stack{ID: "id", Name: "s", Status: "CREATE_IN_PROGRESS", DisableRollback: true}
	ctx, cancel := context.WithCancel(t.Context())
	troubles, polls := 0, 0
	o := stack.FollowOptions{Action: "CREATE", Fastest: time.Millisecond, Slowest: time.Millisecond, Outage: 4 * time.Second}
	o.Step = func(s stack.Step) {
		if s.Trouble != nil {
			troubles++
		}
		if polls++; polls > 2 && s.Trouble == nil {
			cancel()
		}
	}
	go func() {
		for i := 0; ctx.Err() == nil; i++ {
			h.event(h.stacks["s"], fmt.Sprint("e", i), 100+i, "r", "CREATE_COMPLETE")
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	_, err := c.Follow(ctx, stack.Ref{Name: "s", ID: "id"}, o)
	if !errors.Is(err, context.Canceled) || troubles == 0 {
		t.Errorf("error %v after %d troubles, want the context's end after some", err, troubles)
	}
}
