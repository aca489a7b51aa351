//go:build openstack

package openstack_test

import (
	"fmt"
	"testing"
)

// onWorkflows runs a test of target mistral.
func onWorkflows(t *testing.T, test func(t *testing.T, target string)) {
	t.Parallel()
	t.Run(workflows, func(t *testing.T) {
		t.Parallel()
		test(t, workflows)
	})
}

// TestTwoStacksOfOneTemplate takes one of two stacks of a template through its life: each action runs its steps, in the order
// of the graph or against it, and the other stack notices nothing, but can still be changed and deleted afterwards.
func TestTwoStacksOfOneTemplate(t *testing.T) {
	onWorkflows(t, func(t *testing.T, target string) {
		template := compile(t, target, "testdata/programs/lifecycle/template.yaml")
		one, two := newStack(t), newStack(t)
		two.name += "-2"
		one.begin(bundleOf(t, template, nil))
		two.begin(bundleOf(t, template, map[string]any{"setting": "other"}))
		forward, backward := []string{"a.one", "b.two", "a.three"}, []string{"a.three", "b.two", "a.one"}
		expectOutput(t, one.expect("CREATE_COMPLETE"), "path", "one>a.one>b.two>a.three")
		expectOutput(t, two.expect("CREATE_COMPLETE"), "path", "other>a.one>b.two>a.three")

		ran := 0
		did := func(s *stack, action string, order []string) {
			t.Helper()
			var want []string
			for _, step := range order {
				want = append(want, step+"/"+action)
			}
			all := runs(t, hostsOf(s)...)
			expectChain(t, all[min(ran, len(all)):], want...)
			ran = len(all)
		}
		hosts := hostsOf(one) // while Heat knows them
		did(one, "CREATE", forward)
		one.act("suspend")
		did(one, "SUSPEND", backward)
		one.act("resume")
		did(one, "RESUME", forward)
		expectOutput(t, one.update(bundleOf(t, template, map[string]any{"setting": "new"})), "path", "new>a.one>b.two>a.three")
		did(one, "UPDATE", forward)
		one.delete()
		all := runs(t, hosts...)
		expectChain(t, all[min(ran, len(all)):], "a.three/DELETE", "b.two/DELETE", "a.one/DELETE")

		ran = 0
		did(two, "CREATE", forward)
		expectOutput(t, two.update(bundleOf(t, template, map[string]any{"setting": "newer"})), "path", "newer>a.one>b.two>a.three")
		did(two, "UPDATE", forward)
		hosts = hostsOf(two)
		two.delete()
		all = runs(t, hosts...)
		expectChain(t, all[min(ran, len(all)):], "a.three/DELETE", "b.two/DELETE", "a.one/DELETE")
	})
}

func hostsOf(s *stack) []*guest { return []*guest{s.guest("a"), s.guest("b")} }

func expectOutput(t *testing.T, state stackState, name string, want any) {
	t.Helper()
	if got := state.output(t, name); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("output %s is %v, want %v", name, got, want)
	}
}

// TestGroups creates components on groups of servers, of nested templates, and on a scaling group, which read of all members.
func TestGroups(t *testing.T) {
	onWorkflows(t, func(t *testing.T, target string) {
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
