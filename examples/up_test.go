package examples_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/local"
)

// stack runs one example on this machine.
type stack struct {
	t        *testing.T
	root     string
	template string

	mu     sync.Mutex
	events []local.Event
}

// up makes or updates the stack, and gives what happened as "STATE NODE", without the beginnings, in any order.
func (s *stack) up(params map[string]string) (*local.Outcome, []string) {
	s.t.Helper()
	u := compiler.Load(compiler.NewFiles(), s.template, lint.Options{Parameters: params})
	p, found := local.Prepare(u, local.Source{Template: s.template, Path: s.template, Parameters: params}, s.options())
	if found.HasErrors() {
		s.t.Fatal(found)
	}
	out, err := local.Up(context.Background(), s.root, "example", p, s.options())
	if err != nil || out.Reason != "" {
		s.t.Fatalf("%v, %+v", err, out)
	}
	return out, s.happened()
}

func (s *stack) options() local.Options {
	return local.Options{Events: func(ev local.Event) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.events = append(s.events, ev)
	}}
}

func (s *stack) happened() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, ev := range s.events {
		if ev.State != local.Unchanged && !strings.HasSuffix(ev.State, "_IN_PROGRESS") {
			out = append(out, ev.State+" "+ev.Node)
		}
	}
	s.events = nil
	slices.Sort(out)
	return out
}

// left are the nodes that are there.
func (s *stack) left() []*local.Record {
	s.t.Helper()
	state, err := local.OpenState(s.root, "example")
	if err != nil {
		s.t.Fatal(err)
	}
	return state.Records()
}

func (s *stack) down() []string {
	s.t.Helper()
	out, err := local.Down(context.Background(), s.root, "example", s.options())
	if err != nil || out.Reason != "" {
		s.t.Fatalf("%v, %+v", err, out)
	}
	if _, err := os.Stat(filepath.Join(s.root, "stacks", "example")); !os.IsNotExist(err) {
		s.t.Errorf("something is left of the stack: %v", err)
	}
	return s.happened()
}

func (s *stack) host(name, file string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.root, "stacks", "example", "hosts", name, file))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// TestEachRunsOnThisMachine makes each example, sees that it is then left alone, updates it, and removes it.
func TestEachRunsOnThisMachine(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		given, changed map[string]string
		updated        []string // by the change
		check          func(s *stack, out local.Values)
	}{
		"hello": {
			changed: map[string]string{"who": "moon"},
			updated: []string{"UPDATE_COMPLETE desk.greeter"},
			check: func(s *stack, out local.Values) {
				if got := value.Str(out.Get("greeting")); !strings.HasPrefix(got, "hello moon, the word is in ") {
					s.t.Errorf("greeting: %s", got)
				}
			},
		},
		"two-tier": {
			given:   map[string]string{"guestbook_password": "not-a-secret"},
			changed: map[string]string{"guestbook_password": "another-secret"},
			updated: []string{"UPDATE_COMPLETE db.guestbook", "UPDATE_COMPLETE web.site"}, // the token is a new one
			check: func(s *stack, out local.Values) {
				if page := s.host("web", "srv/www/index.html"); !strings.Contains(page, `Columns: ["time", "author", "text"]`) {
					s.t.Errorf("the page is %s", page)
				}
				if entries := s.host("db", "srv/guestbook/entries.tsv"); !strings.Contains(entries, `"größer & schöner" — it's 100 % true 🧵`) {
					s.t.Errorf("the entries are %s", entries)
				}
			},
		},
		"cluster": {
			changed: map[string]string{"size": "1"},
			updated: []string{"DELETE_COMPLETE members/1", "DELETE_COMPLETE members/1.cluster", "DELETE_COMPLETE members/1.motd"},
			check: func(s *stack, out local.Values) {
				if ids, _ := out.Get("members").([]any); len(ids) != 1 {
					s.t.Errorf("members: %v", ids)
				}
				if s.host("members-0", "etc/motd") != "This host is a member of a hotloom example.\n" {
					s.t.Error("the list's first component did not run")
				}
			},
		},
		"lifecycle": {
			changed: map[string]string{"greeting": "good evening"},
			updated: []string{"UPDATE_COMPLETE host.greeter"},
			check: func(s *stack, out local.Values) {
				if got := value.Str(out.Get("revision")); got != "2" {
					s.t.Errorf("revision %s", got)
				}
				if got := s.host("host", "srv/greeter/greeting"); got != "good evening\n" {
					s.t.Errorf("greeting %q", got)
				}
			},
		},
		"mail-2013": {
			changed: map[string]string{"image": "debian-13"}, // which changes nothing that the workflow reads
			updated: []string{"UPDATE_COMPLETE ledger", "UPDATE_COMPLETE shop"},
			check: func(s *stack, out local.Values) {
				opened, _ := out.Get("opened").([]any)
				if len(opened) != 2 || !strings.HasSuffix(value.Str(opened[0]), " is open, 2 hosts are ready") || !strings.HasPrefix(value.Str(opened[1]), "shop ") {
					s.t.Errorf("opened: %v", opened)
				}
			},
		},
	}
	for _, path := range folders(t) {
		name := filepath.Dir(path)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test, ok := tests[name]
			if !ok {
				t.Fatal("the example is not in the table")
			}
			s := &stack{t: t, root: t.TempDir(), template: path}
			first, made := s.up(test.given)
			if len(made) < 2 || first.Changed == 0 {
				t.Errorf("made only %q", made)
			}
			again, happened := s.up(test.given)
			if again.Changed != 0 || len(happened) > 0 {
				t.Errorf("the second time: %q", happened)
			}
			if d := cmp.Diff(value.Str(first.Outputs.Map), value.Str(again.Outputs.Map)); d != "" {
				t.Errorf("outputs change by themselves: %s", d)
			}
			if test.changed != nil {
				out, happened := s.up(test.changed)
				if d := cmp.Diff(test.updated, happened); d != "" {
					t.Errorf("after a change: %s", d)
				}
				test.check(s, out.Outputs)
			}
			left := len(s.left())
			if removed := s.down(); len(removed) != left {
				t.Errorf("removed %d nodes of %d: %q", len(removed), left, removed)
			}
		})
	}
}
