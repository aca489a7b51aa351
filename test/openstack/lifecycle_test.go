//go:build openstack

package openstack_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ways are targets with what changes how they keep their workflows.
var ways = map[string][]string{
	deployment:              {deployment},
	workflows:               {workflows},
	workflows + " in stack": {workflows, "--workflows-in-stack"},
}

// TestTwoStacksOfOneTemplate takes two stacks of a template through their lives side by side, one of them to an edited
// version of it after an update that failed. Each action runs its steps, in the order of the graph or against it, and what
// is done to one stack the other does not notice.
func TestTwoStacksOfOneTemplate(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			twoStacks(t, way[0], way[1:]...)
		})
	}
}

func twoStacks(t *testing.T, target string, options ...string) {
	source := "testdata/programs/lifecycle/template.yaml"
	template := compile(t, target, source, options...)
	one, two := newStack(t), newStack(t)
	two.name += "-2"
	one.begin(bundleOf(t, template, nil))
	two.begin(bundleOf(t, template, map[string]any{"setting": "other"}))
	forward, backward := []string{"a.one", "b.two", "a.three"}, []string{"a.three", "b.two", "a.one"}
	expectOutput(t, one.expect("CREATE_COMPLETE"), "path", "one>a.one>b.two>a.three")
	expectOutput(t, two.expect("CREATE_COMPLETE"), "path", "other>a.one>b.two>a.three")

	ran := map[*stack]int{}
	hosts := map[*stack][]*guest{one: hostsOf(one), two: hostsOf(two)} // while Heat knows them
	since := func(s *stack) []run {
		all := runs(t, hosts[s]...)
		from := min(ran[s], len(all))
		ran[s] = len(all)
		return all[from:]
	}
	did := func(s *stack, action string, order []string) {
		t.Helper()
		var want []string
		for _, step := range order {
			want = append(want, step+"/"+action)
		}
		expectChain(t, since(s), want...)
	}
	did(one, "CREATE", forward)
	one.act("suspend")
	did(one, "SUSPEND", backward)
	one.act("resume")
	did(one, "RESUME", forward)
	expectOutput(t, one.update(bundleOf(t, template, map[string]any{"setting": "new"})), "path", "new>a.one>b.two>a.three")
	did(one, "UPDATE", forward)

	did(two, "CREATE", forward)
	two.put(bundleOf(t, template, map[string]any{"setting": "broken"}))
	if reason := two.expect("UPDATE_FAILED").Reason; !strings.Contains(reason, "this setting does not work") {
		t.Errorf("the stack's reason is %s", reason)
	}
	did(two, "UPDATE", nil)
	// Mended, with another component in the place of the last one.
	edited := compile(t, target, editedCopy(t, source, "three", "four"), options...)
	expectOutput(t, two.update(bundleOf(t, edited, map[string]any{"setting": "newer"})), "path", "newer>a.one>b.two>a.four")
	after := names(since(two))
	slices.Sort(after)
	want := []string{"a.four/CREATE", "a.one/UPDATE", "a.three/DELETE", "b.two/UPDATE"}
	if target == workflows { // Heat forgets what its workflow has recorded, and so creates anew
		want = []string{"a.four/CREATE", "a.one/CREATE", "a.three/DELETE", "b.two/CREATE"}
	}
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("steps of the mended update (-want +got):\n%s", diff)
	}

	one.delete()
	did(one, "DELETE", backward)
	two.delete()
	did(two, "DELETE", []string{"a.four", "b.two", "a.one"})
}

// editedCopy is a copy of a template in a folder of the same name, with a word of its own replaced.
func editedCopy(t *testing.T, template, old, new string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), filepath.Base(filepath.Dir(template)))
	if err := os.CopyFS(folder, os.DirFS(filepath.Dir(template))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, filepath.Base(template))
	text, err := os.ReadFile(file)
	if err == nil {
		text = bytes.ReplaceAll(text, []byte(old), []byte(new))
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func hostsOf(s *stack) []*guest { return []*guest{s.guest("a"), s.guest("b")} }

func expectOutput(t *testing.T, state stackState, name string, want any) {
	t.Helper()
	if got := state.output(t, name); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("output %s is %v, want %v", name, got, want)
	}
}

// TestNestedTemplates creates templates within templates, in a group too, that have components of their own.
func TestNestedTemplates(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target string) {
		s := newStack(t)
		template := compile(t, target, "../../compiler/emit/testdata/programs/nested/template.yaml")
		state := s.create(bundleOf(t, template, map[string]any{"token": "hush"}))
		// What the deepest host computed is on the page, and the check of another host has read all pages.
		expectOutput(t, state, "page", "<h1>Shop</h1><p>dc8331bc")
		servers := 0
		for _, r := range s.resources() {
			if r.Type == "OS::Nova::Server" {
				servers++
			}
		}
		if servers != 7 {
			t.Errorf("%d servers, want 7", servers)
		}
	})
}

// TestGroups creates components on groups of servers, of nested templates, and on a scaling group, which read of all members.
func TestGroups(t *testing.T) {
	onAgentTargets(t, func(t *testing.T, target string) {
		s := newStack(t)
		state := s.create(bundleOf(t, compile(t, target, "testdata/programs/groups/template.yaml"), nil))
		first := `["start"]>plain.first`
		for name, want := range map[string]any{
			"plain":   []any{"[]>plain.second", "[]>plain.second"},
			"nested":  []any{fmt.Sprintf("[%q, %q]>nested.reader", first, first)},
			"scaling": []any{"[]>scaling.last"},
			"first":   first,
			"codes":   []any{0},
		} {
			expectOutput(t, state, name, want)
		}
	})
}
