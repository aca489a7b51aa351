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

// TestLife takes stacks through their lives. Each action runs its steps, in the order of the graph or against it, and an
// update to an edited version of the template those of the difference. With stored workflows there are two stacks of one
// template side by side, one of which becomes one of the edited version, after an update that failed; what is done to one
// stack the other does not notice.
func TestLife(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &life{t: t, target: way[0], options: way[1:], hosts: map[*stack][]*guest{}, ran: map[*stack]int{}}
			// (Heat itself deletes what a failed deployment has put on a host, after it has put it there anew.)
			l.run(name == workflows)
		})
	}
}

// life is one run of TestLife.
type life struct {
	t       *testing.T
	target  string
	options []string
	hosts   map[*stack][]*guest // while Heat knows them
	ran     map[*stack]int      // runs of steps that were looked at
}

func (l *life) run(fails bool) {
	t := l.t
	source := "testdata/programs/lifecycle/template.yaml"
	template := compile(t, l.target, source, l.options...)
	one := newStackFor(t, 2*stackPatience)
	one.begin(bundleOf(t, template, nil))
	two := one
	if fails {
		two = newStackFor(t, 2*stackPatience)
		two.name += "-2"
		two.begin(bundleOf(t, template, map[string]any{"setting": "other"}))
	}
	forward, backward := []string{"a.one", "b.two", "a.three"}, []string{"a.three", "b.two", "a.one"}
	expectOutput(t, one.expect("CREATE_COMPLETE"), "path", "one>a.one>b.two>a.three")
	l.did(one, "CREATE", forward)
	one.act("suspend")
	l.did(one, "SUSPEND", backward)
	one.act("resume")
	l.did(one, "RESUME", forward)
	expectOutput(t, one.update(bundleOf(t, template, map[string]any{"setting": "new"})), "path", "new>a.one>b.two>a.three")
	l.did(one, "UPDATE", forward)

	if two != one {
		expectOutput(t, two.expect("CREATE_COMPLETE"), "path", "other>a.one>b.two>a.three")
		l.did(two, "CREATE", forward)
	}
	again := "UPDATE"
	if fails {
		two.put(bundleOf(t, template, map[string]any{"setting": "broken"}))
		if reason := two.expect("UPDATE_FAILED").Reason; !strings.Contains(reason, "this setting does not work") {
			t.Errorf("the stack's reason is %s", reason)
		}
		l.did(two, "UPDATE", nil)
		again = "CREATE" // Heat has forgotten what the workflow recorded
	}
	// Another component in the place of the last one.
	edited := compile(t, l.target, editedCopy(t, source, "three", "four"), l.options...)
	expectOutput(t, two.update(bundleOf(t, edited, map[string]any{"setting": "newer"})), "path", "newer>a.one>b.two>a.four")
	got := names(l.since(two))
	slices.Sort(got)
	if diff := cmp.Diff([]string{"a.four/CREATE", "a.one/" + again, "a.three/DELETE", "b.two/" + again}, got); diff != "" {
		t.Errorf("steps of the update to the edited template (-want +got):\n%s", diff)
	}

	if two != one {
		one.delete()
		l.did(one, "DELETE", backward)
	}
	two.delete()
	l.did(two, "DELETE", []string{"a.four", "b.two", "a.one"})
}

// since are the steps that ran on a stack's hosts since the last look.
func (l *life) since(s *stack) []run {
	if l.hosts[s] == nil {
		l.hosts[s] = []*guest{s.guest("a"), s.guest("b")}
	}
	all := runs(l.t, l.hosts[s]...)
	from := min(l.ran[s], len(all))
	l.ran[s] = len(all)
	return all[from:]
}

// did fails the test unless these steps have run with the action since the last look, in that order.
func (l *life) did(s *stack, action string, order []string) {
	l.t.Helper()
	var want []string
	for _, step := range order {
		want = append(want, step+"/"+action)
	}
	expectChain(l.t, l.since(s), want...)
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
		state := s.create(bundleOf(t, compile(t, target, "testdata/programs/nested/template.yaml"), nil))
		expectOutput(t, state, "path", `["site-0>host.identity>web.page"]>monitor.check`)
		expectChain(t, runs(t, s.guest("host"), s.guest("web"), s.guest("monitor")), "host.identity", "web.page", "monitor.check")
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
