package stack_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/internal/stack"
)

func (h *fakeHeat) listResources(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := []map[string]any{}
	if len(h.resources) > 0 {
		list = append(list, h.resources[0]...)
	}
	if len(h.resources) > 1 {
		h.resources = h.resources[1:]
	}
	answer(w, 200, map[string]any{"resources": list})
}

// listed is a resource as it is in a list; nested is the stack that it is, or nil.
func listed(in *stack.Stack, name, kind string, nested *stack.Stack) map[string]any {
	href := func(s *stack.Stack) string { return "http://h/v1/p1/stacks/" + s.Name + "/" + s.ID }
	links := []any{map[string]any{"rel": "stack", "href": href(in)}}
	if nested != nil {
		links = append(links, map[string]any{"rel": "nested", "href": href(nested)})
	}
	return map[string]any{"resource_name": name, "resource_type": kind, "links": links}
}

// Events tell neither types nor the places of nested stacks, and a stack can fail before a second list of resources.
func TestEventsAreToldWithPlaceAndType(t *testing.T) {
	t.Parallel()
	top, below := &stack.Stack{ID: "id", Name: "s"}, &stack.Stack{ID: "below", Name: "s-inner-abcdefghij27"}
	early := []map[string]any{listed(top, "inner", "inner.yaml", nil)}
	whole := []map[string]any{listed(top, "inner", "inner.yaml", below), listed(below, "first", "T", nil)}
	for name, test := range map[string]struct {
		lists [][]map[string]any
		want  []string
	}{
		"listed in time":        {lists: [][]map[string]any{whole}, want: []string{"inner inner.yaml", "inner.first T"}},
		"listed later":          {lists: [][]map[string]any{early, early, whole}, want: []string{"inner inner.yaml", "inner.first T"}},
		"known only at the end": {lists: [][]map[string]any{early, early, early, whole}, want: []string{"inner inner.yaml", "inner.first "}},
		"gone":                  {lists: [][]map[string]any{early}, want: []string{"inner inner.yaml", "inner.first "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			polls := 0
			var h *fakeHeat
			h, c := newFakeHeat(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == prefix+"/s/id" {
						polls++
						switch polls {
						case 2:
							h.event(top, "e1", 101, "inner", "CREATE_IN_PROGRESS")
						case 3:
							h.event(below, "e2", 102, "first", "CREATE_COMPLETE")
						case 20:
							h.mu.Lock()
							h.stacks["s"] = &stack.Stack{ID: "id", Name: "s", Status: "CREATE_COMPLETE"}
							h.mu.Unlock()
						}
					}
					next.ServeHTTP(w, r)
				})
			})
			h.stacks["s"] = &stack.Stack{ID: "id", Name: "s", Status: "CREATE_IN_PROGRESS"}
			h.resources = append([][]map[string]any{nil}, test.lists...) // at the first look nothing is there
			var told []string
			o := stack.FollowOptions{Action: "CREATE", Fastest: 20 * time.Millisecond, Slowest: 20 * time.Millisecond}
			o.Step = func(s stack.Step) {
				for i := range s.Events {
					n := s.Tree.Find(&s.Events[i])
					told = append(told, fmt.Sprint(n.Path(), " ", n.Type))
				}
			}
			if _, err := c.Follow(t.Context(), top.Ref(), o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNamesOfNestedStacksTellTheirPlace(t *testing.T) {
	t.Parallel()
	ev := func(in stack.Ref, name string) *stack.Event {
		return &stack.Event{Name: name, Status: "DELETE_COMPLETE", Links: []stack.Link{{Rel: "stack", Href: "http://h/v1/p/stacks/" + in.Name + "/" + in.ID}}}
	}
	root := stack.Ref{Name: "s", ID: "0"}
	for name, test := range map[string]struct {
		in   []stack.Ref // from the top, each with an event of "x" after the one of its resource
		via  []string
		want string
	}{
		"nested":                  {[]stack.Ref{{Name: "s-a-abcdefghij27", ID: "1"}}, []string{"a"}, "a.x"},
		"nested twice":            {[]stack.Ref{{Name: "s-a-abcdefghij27", ID: "1"}, {Name: "s-a-abcdefghij27-b-c-zzzzzzzzzzzz", ID: "2"}}, []string{"a", "b-c"}, "a.b-c.x"},
		"named by the template":   {[]stack.Ref{{Name: "other", ID: "1"}}, []string{"a"}, "x"},
		"ends like one by chance": {[]stack.Ref{{Name: "q-a-abcdefghij27", ID: "1"}}, []string{"a"}, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, above := stack.NewTree(root), root
			for i, in := range test.in {
				e := ev(above, test.via[i])
				tree.Apply(e)
				tree.Guess(e)
				above = in
			}
			e := ev(above, "x")
			n := tree.Apply(e)
			tree.Guess(e)
			if n.Path() != test.want {
				t.Errorf("the path is %s, want %s", n.Path(), test.want)
			}
		})
	}
}

func TestALostAnswerToADeletionHasItAskedForAgain(t *testing.T) {
	t.Parallel()
	asked := 0
	h, c := newFakeHeat(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodDelete {
				if asked++; asked == 1 {
					if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
						_ = conn.Close()
					}
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	})
	h.Handle("DELETE "+prefix+"/{name}/{id}", func(w http.ResponseWriter, _ *http.Request) {
		fault(w, http.StatusNotFound, "EntityNotFound", "The Stack (s) could not be found.") // it is gone since the first
	})
	if err := c.Delete(t.Context(), stack.Ref{Name: "s", ID: "id"}); err != nil || asked != 2 {
		t.Errorf("error %v after %d requests, want none after 2", err, asked)
	}
}
