//go:build openstack

package openstack_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A stack of one test, deleted at its end.
type stack struct {
	t    *testing.T
	name string
	ctx  context.Context // ends with the test's patience
	// minutes are those after which Heat gives up
	minutes int
}

// bundle is the body of a stack create or update.
type bundle map[string]any

// Bounds of one test's stacks, so that a hung one fails the test and not the suite. On a quiet machine they take
// half a minute.
const (
	stackPatience = 8 * time.Minute
	stackTimeout  = 6 // minutes, after which Heat gives up
)

// mark is the tag of all stacks that the tests make; those of another run on the same services need another one.
var mark = cmp.Or(os.Getenv("OPENSTACK_MARK"), "hotloom-test")

var notInName = regexp.MustCompile(`[^A-Za-z0-9]+`)

// bundleOf reads a template and its files as heatclient does.
func bundleOf(t *testing.T, template string, parameters map[string]any) bundle {
	t.Helper()
	command := exec.CommandContext(t.Context(), "./bundle", template)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("bundle %s: %v\n%s", template, err, stderr.String())
	}
	b := bundle{}
	if err := json.Unmarshal(out, &b); err != nil {
		t.Fatal(err)
	}
	if parameters != nil {
		b["parameters"] = parameters
	}
	return b
}

func newStack(t *testing.T) *stack {
	t.Helper()
	return newStackFor(t, stackPatience)
}

// newStackFor is newStack for a stack of which so much is wanted that it needs more patience.
func newStackFor(t *testing.T, patience time.Duration) *stack {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	// short, so that Heat need not cut the names of servers, which begin with it
	name := strings.TrimPrefix(notInName.ReplaceAllString(t.Name(), "-"), "Test")
	name = strings.Trim(name[:min(len(name), 16)], "-")
	s := &stack{t: t, name: fmt.Sprintf("%s-%06x", name, time.Now().UnixNano()>>10&0xffffff), ctx: ctx, minutes: stackTimeout}
	t.Cleanup(s.remove)
	return s
}

// validate asks Heat for its two verdicts on a template that is not created.
func (s *stack) validate(b bundle) {
	s.t.Helper()
	if err := bed.heat(s.ctx, http.MethodPost, "/validate?show_nested=true", b.with(nil), nil); err != nil {
		s.t.Errorf("template validate: %v", err)
	}
	if err := bed.heat(s.ctx, http.MethodPost, "/stacks/preview", b.with(map[string]any{"stack_name": s.name}), nil); err != nil {
		s.t.Errorf("stack preview: %v", err)
	}
}

func (b bundle) with(more map[string]any) bundle {
	all := maps.Clone(b)
	maps.Copy(all, more)
	return all
}

// begin starts the creation; what it ends as is wait's business.
func (s *stack) begin(b bundle) {
	s.t.Helper()
	body := b.with(map[string]any{"stack_name": s.name, "timeout_mins": s.minutes, "disable_rollback": true, "tags": mark})
	if err := bed.heat(s.ctx, http.MethodPost, "/stacks", body, nil); err != nil {
		s.t.Fatal(err)
	}
}

// create makes the stack and expects CREATE_COMPLETE.
func (s *stack) create(b bundle) stackState {
	s.t.Helper()
	s.begin(b)
	return s.expect("CREATE_COMPLETE")
}

// update replaces the stack's template and parameters and expects UPDATE_COMPLETE.
func (s *stack) update(b bundle) stackState {
	s.t.Helper()
	s.put(b)
	return s.expect("UPDATE_COMPLETE")
}

// put starts an update; what it ends as is wait's business.
func (s *stack) put(b bundle) {
	s.t.Helper()
	state, err := bed.show(s.ctx, s.name)
	if err != nil {
		s.t.Fatal(err)
	}
	body := b.with(map[string]any{"timeout_mins": s.minutes, "tags": mark})
	if err := bed.heat(s.ctx, http.MethodPut, "/stacks/"+s.name+"/"+state.ID, body, nil); err != nil {
		s.t.Fatal(err)
	}
}

// expect waits for the end of the running action and shows all there is to know when it is another one.
func (s *stack) expect(status string) stackState {
	s.t.Helper()
	action, _, _ := strings.Cut(status, "_")
	state, err := bed.wait(s.ctx, s.name, action)
	if err != nil || state.Status != status {
		s.explain()
		s.t.Fatalf("stack %s is %s (%s), want %s; error %v", s.name, state.Status, state.Reason, status, err)
	}
	return state
}

// explain logs the stack's history and what its hosts printed.
func (s *stack) explain() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 20*time.Second)
	defer cancel()
	events, err := bed.events(ctx, s.name)
	s.t.Logf("events (error %v):", err)
	for _, e := range events {
		s.t.Logf("  %s %-28s %s %s", e.Time, e.Name, e.Status, e.Reason)
	}
	for _, g := range bed.guests(s.t) {
		if strings.HasPrefix(g.Name, s.name) || g.Metadata["stack"] == s.name {
			s.t.Logf("console of %s (%s):\n%s", g.Name, g.ID, g.console())
		}
	}
}

// output is one of the stack's outputs; an error of Heat's in its place fails the test.
func (state stackState) output(t *testing.T, name string) any {
	t.Helper()
	for _, o := range state.Outputs {
		if o.Key == name {
			if o.Error != "" {
				t.Errorf("output %s: %s", name, o.Error)
			}
			return o.Value
		}
	}
	t.Errorf("no output %s", name)
	return nil
}

// resources lists the stack's resources, nested ones included.
func (s *stack) resources() []resourceState {
	s.t.Helper()
	list, err := bed.resources(s.ctx, s.name)
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// guest is the host made by the server of that name. (Members of a group and their deployments share their names.)
func (s *stack) guest(resource string) *guest {
	s.t.Helper()
	for _, r := range s.resources() {
		if r.Name == resource && r.Type == "OS::Nova::Server" && r.PhysicalID != "" {
			return bed.guest(s.t, r.PhysicalID)
		}
	}
	s.t.Fatalf("stack %s has no host %s", s.name, resource)
	return nil
}

// delete deletes the stack and waits until it is gone.
func (s *stack) delete() {
	s.t.Helper()
	if err := bed.remove(s.ctx, s.name); err != nil {
		s.t.Fatal(err)
	}
	if state, err := bed.wait(s.ctx, s.name, "DELETE"); err != nil || (state.Status != "GONE" && state.Status != "DELETE_COMPLETE") {
		s.explain()
		s.t.Fatalf("stack %s is %s after its deletion (%s); error %v", s.name, state.Status, state.Reason, err)
	}
}

// remove is the cleanup: the stack where it is left, then the hosts that Heat does not know of.
func (s *stack) remove() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := bed.remove(ctx, s.name); err != nil {
		s.t.Logf("cleanup: %v", err)
	} else if _, err := bed.wait(ctx, s.name, "DELETE"); err != nil {
		s.t.Logf("cleanup: %v", err)
	}
	for _, g := range bed.guests(s.t) {
		if g.Metadata["stack"] == s.name {
			g.powerOff(ctx)
		}
	}
}
