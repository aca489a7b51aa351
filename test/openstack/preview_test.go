//go:build openstack

package openstack_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// planned is a preview as JSON.
type planned struct {
	Changes []struct {
		Path, Action, Type string
		Possible, Recorded bool
	}
}

// TestPreviewTellsWhatHeatDoes compares what hotloom says of an update, without a cloud and with the stack, with what Heat
// then does, resource by resource; and with what Heat's own preview says, which may tell more, never less.
func TestPreviewTellsWhatHeatDoes(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/preview/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			before, after := unpack(t, name, "before"), unpack(t, name, "after")
			s := newStack(t)
			must(t, 0, nil, "create", s.name, before, "--tags", mark, "--timeout", "6")
			here, _ := must(t, 0, nil, "preview", "--from", before, after, "--format", "json")
			there, _ := must(t, 0, nil, "preview", s.name, after, "--format", "json")
			offline, live := actions(t, here), actions(t, there)
			if diff := cmp.Diff(offline, live); diff != "" {
				t.Errorf("without (-) and with (+) the stack:\n%s", diff)
			}
			s.compareWithHeat(after, live)

			seen := s.history()
			must(t, 0, nil, "update", s.name, after)
			did := map[string]string{}
			for _, e := range s.history() {
				if i := slices.Index(seen, e); i >= 0 {
					seen = slices.Delete(seen, i, i+1) // those of a stack that is gone are no longer there
					continue
				}
				did[e.Resource] = happened(did[e.Resource], e.Status)
			}
			for path, action := range live {
				parent := path[:max(0, strings.LastIndexByte(path, '.'))]
				if gone := live[parent]; gone == "delete" || gone == "replace" {
					continue // the events of a stack that is gone are gone too
				}
				if does := did[path]; does != doing(action) && !slices.Contains(mayBe[action], does) {
					t.Errorf("%s: hotloom says %s, Heat does %q", path, action, does)
				}
			}
			for path, does := range did {
				if _, told := live[path]; !told && path != "" {
					t.Errorf("%s: hotloom says nothing, Heat does %q", path, does)
				}
			}
		})
	}
}

// unpack writes one side of a case, with the files of both and its own, and gives the template's path.
func unpack(t *testing.T, archive, side string) string {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, f := range a.Files {
		name, own := strings.CutPrefix(f.Name, side+"/")
		if !own && strings.Contains(f.Name, "/") {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, side+".yaml")
}

// actions are what a preview says, by path; "?" stands behind what is possible only.
func actions(t *testing.T, text string) map[string]string {
	t.Helper()
	var p planned
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, c := range p.Changes {
		action := c.Action
		if c.Possible {
			action += "?"
		}
		// a stack that is replaced has its resources deleted and created: the same paths twice
		if old := out[c.Path]; old != "" {
			action = "replace"
		}
		// a stack without changes in it, and a group: Heat updates them in any case
		if (strings.HasSuffix(c.Type, ".yaml") || c.Type == "OS::Heat::ResourceGroup") && action == "keep" {
			action = "update"
		}
		out[c.Path] = action
	}
	return out
}

// happening is an event: of a resource by its path, or of the stack where that is "".
type happening struct{ Time, Resource, Status string }

// history are a stack's events, oldest first.
func (s *stack) history() []happening {
	s.t.Helper()
	text, _ := must(s.t, 0, nil, "events", s.name, "--format", "json")
	var out []happening
	for line := range strings.Lines(text) {
		var e happening
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			s.t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// happened puts an event to what is known to happen to a resource.
func happened(known, status string) string {
	action, state, _ := strings.Cut(status, "_")
	switch {
	case state != "COMPLETE" || action == "CHECK":
		return known
	case action == "DELETE" && known == "create" || action == "CREATE" && known == "delete":
		return "replace"
	case action == "CREATE" && known == "update":
		return "replace" // it began as an update
	case known == "replace":
		return known
	}
	return strings.ToLower(action)
}

// doing is what is seen of an action.
func doing(action string) string {
	if action == "keep" {
		return ""
	}
	return action
}

// mayBe lists what else may happen where an action is possible only.
var mayBe = map[string][]string{
	"update?":  {"", "update"},
	"replace?": {"", "update", "replace"},
}

// compareWithHeat holds the plan against Heat's own preview: of resources that refer to others Heat believes that they
// change; what it says is unchanged must be so.
func (s *stack) compareWithHeat(template string, live map[string]string) {
	s.t.Helper()
	state, err := bed.show(s.ctx, s.name)
	if err != nil {
		s.t.Fatal(err)
	}
	var answer struct {
		Changes map[string][]resourceState `json:"resource_changes"`
	}
	if err := bed.heat(s.ctx, http.MethodPut, "/stacks/"+s.name+"/"+state.ID+"/preview", bundleOf(s.t, template, nil), &answer); err != nil {
		s.t.Fatal(err)
	}
	words := map[string]string{"unchanged": "keep", "updated": "update", "replaced": "replace", "added": "create", "deleted": "delete"}
	same, more := 0, 0
	for kind, list := range answer.Changes {
		for _, r := range list {
			says, heat := strings.TrimSuffix(live[r.Name], "?"), words[kind]
			switch {
			case says == heat:
				same++
			case says == "keep" && (heat == "update" || heat == "replace"), says == "update" && heat == "replace":
				more++
				s.t.Logf("%s: Heat's preview says %s, hotloom %s", r.Name, heat, live[r.Name])
			default:
				s.t.Errorf("%s: hotloom says %s, Heat's own preview %s", r.Name, live[r.Name], heat)
			}
		}
	}
	s.t.Logf("of %d resources Heat's preview says the same of %d", same+more, same)
}
