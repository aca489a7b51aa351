//go:build openstack

package openstack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// explained is what `hotloom stack why` says, as JSON.
type explained struct {
	Status string
	Causes []struct {
		Resource, Kind, What, Advice, Source string
		Steps                                []struct{ Name, State, Detail string }
		Lines                                []string
	}
	Unseen []string
}

// why asks why a stack is as it is. Code is the command's exit code.
func (s *stack) why(more ...string) (e explained, text string, code int) {
	s.t.Helper()
	text, log, code := hotloomStack(s.t, nil, append([]string{"why", s.name, "--format", "json"}, more...)...)
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		s.t.Fatalf("%v in %s%s", err, text, log)
	}
	return e, text, code
}

// until asks until the first cause is of a kind, as long as the test has patience.
func (s *stack) until(kind string, more ...string) (explained, string) {
	s.t.Helper()
	for {
		e, text, code := s.why(more...)
		if len(e.Causes) > 0 && e.Causes[0].Kind == kind {
			if code != 1 {
				s.t.Errorf("exit code %d", code)
			}
			return e, text
		}
		select {
		case <-s.ctx.Done():
			s.explain()
			s.t.Fatalf("the cause is never of kind %s:\n%s", kind, text)
		case <-time.After(2 * time.Second):
		}
	}
}

// TestWhyFindsTheStepThatIsMissing makes stacks fail and hang on the real services.
func TestWhyFindsTheStepThatIsMissing(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T, template string, more ...string) *stack {
		t.Helper()
		s := newStack(t)
		must(t, 0, nil, append([]string{"create", s.name, "testdata/why/" + template, "--tags", mark, "--timeout", "6", "--no-wait"}, more...)...)
		return s
	}
	// state is the state of a step of the first cause.
	state := func(e explained, name string) string {
		for _, s := range e.Causes[0].Steps {
			if s.Name == name {
				return s.State
			}
		}
		return ""
	}
	says := func(t *testing.T, text string, words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("there is no %q in\n%s", w, text)
			}
		}
	}

	t.Run("failing step", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "failing.yaml")
		e, text := s.until("step-failed", "--template", "testdata/why/failing.yaml")
		says(t, text, "host.shop: exit code 3", "no such database: shop", "failing.yaml:11:7")
		if e.Causes[0].Resource != "host_shop_done" {
			t.Errorf("the cause is %s", e.Causes[0].Resource)
		}
	})
	t.Run("step that hangs", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "slow.yaml")
		e, text := s.until("step-running")
		says(t, text, "step host.wait runs")
		for step, want := range map[string]string{"active": "done", "booted": "done", "started": "done", "ran": "running", "accepted": "missing"} {
			if got := state(e, step); got != want {
				t.Errorf("step %s is %s, want %s", step, got, want)
			}
		}
	})
	t.Run("failing deployment", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "failing.yaml", "--target", "software-deployment")
		_, text := s.until("step-failed")
		says(t, text, "host.shop: exit code 3", "no such database: shop")
	})
	t.Run("failing workflow", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "workflow.yaml", "--no-lint")
		_, text := s.until("workflow-failed")
		says(t, text, "task say of workflow", "no such database: shop")
	})
	t.Run("failing step of a workflow", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "failing.yaml", "--target", "mistral")
		s.expect("CREATE_FAILED")
		e, text, _ := s.why()
		says(t, text, "no such database: shop")
		t.Logf("kind %s: %s", e.Causes[0].Kind, e.Causes[0].What)
	})
	t.Run("image without agent", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "agent.yaml")
		_, text := s.until("no-agent")
		says(t, text, "--target cloud-init")
	})
	t.Run("too short a time", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "silent.yaml")
		s.expect("CREATE_FAILED")
		e, _ := s.until("timeout-short")
		if state(e, "accepted") != "missing" {
			t.Errorf("the last step is %s", state(e, "accepted"))
		}
	})
	t.Run("ids that repeat", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "ids.yaml")
		s.until("nobody-signals")
		for range 2 {
			must(t, 0, nil, "signal", s.name, "handle", "--data", `{"status": "SUCCESS", "id": "one"}`)
		}
		_, text := s.until("signal-id")
		says(t, text, "the same id")
	})
	t.Run("wrong handle", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "handles.yaml")
		s.until("nobody-signals")
		waitFor(t, "the wrong handle", func() bool { return s.resource("wrong").Status == "CREATE_COMPLETE" })
		must(t, 0, nil, "signal", s.name, "wrong", "--data", `{"status": "SUCCESS"}`)
		_, text := s.until("wrong-handle")
		says(t, text, "its handle is right")
	})
	t.Run("stack's time below the condition's", func(t *testing.T) {
		t.Parallel()
		s := newStack(t)
		must(t, 0, nil, "create", s.name, "testdata/why/limit.yaml", "--tags", mark, "--timeout", "1", "--no-wait")
		s.expect("CREATE_FAILED")
		e, text := s.until("stack-timeout")
		says(t, text, "1 min", "4000 s")
		if e.Causes[0].Resource != "inner.wait" {
			t.Errorf("the cause is %s", e.Causes[0].Resource)
		}
	})
	t.Run("nested stack", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "nested.yaml")
		s.expect("CREATE_FAILED")
		e, text := s.until("failed", "--template", "testdata/why/nested.yaml")
		says(t, text, "nested_inner.yaml:3:3")
		if e.Causes[0].Resource != "inner.boom" || len(e.Causes) != 1 {
			t.Errorf("the causes are %v", e.Causes)
		}
	})
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		s := newStack(t)
		must(t, 0, nil, "create", s.name, "testdata/stack/slow.yaml", "--tags", mark)
		if e, text, code := s.why(); code != 0 || len(e.Causes) != 0 {
			t.Errorf("exit code %d, %s", code, text)
		}
	})
}
