//go:build machine

package components_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// lifecycle is what every component type goes through.
type lifecycle struct {
	template       string
	first, changed values
	works          func(s *stack, v values) // with those parameters, after every step
	gone           func()                   // it is not there any more
}

// lives takes a machine through a lifecycle: CREATE; nothing to do; CREATE over what is there, as a replaced component does
// it; UPDATE; DELETE; and DELETE of what is gone.
func (m *machine) lives(l lifecycle) {
	m.t.Helper()
	for _, step := range []struct {
		stack, want string
		parameters  values
	}{
		{"one", "CREATE_COMPLETE", l.first},
		{"one", "UNCHANGED", l.first},
		{"two", "CREATE_COMPLETE", l.first},
		{"two", "UPDATE_COMPLETE", l.changed},
	} {
		s := m.up(step.stack, l.template, step.parameters)
		if ended := slices.Collect(maps.Values(s.States)); !slices.Contains(ended, step.want) {
			m.t.Errorf("the steps of stack %s are %v, want %s", step.stack, s.States, step.want)
		}
		l.works(s, step.parameters)
		if m.t.Failed() {
			m.t.FailNow()
		}
	}
	m.down("two")
	l.gone()
	m.down("one")
	l.gone()
}

// output wants an output to be that. Scripts write text, whatever the type of the output.
func (s *stack) output(t *testing.T, name, want string) {
	t.Helper()
	if got := s.Outputs[name]; got != want {
		t.Errorf("output %s is %#v, want %q", name, got, want)
	}
}

// tells wants the end of the step's log, which `hotloom up` shows, to have this in it.
func (s *stack) tells(t *testing.T, want string) {
	t.Helper()
	if !strings.Contains(s.text, want) {
		t.Errorf("want %q in what was said:\n%s", want, s.text)
	}
}
