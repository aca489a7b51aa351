package watch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/internal/stack/watch"
)

const (
	outer = `heat_template_version: 2018-08-31
component_types:
  base: {tool: script, config: "echo hi"}
resources:
  web:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, networks: [{network: n}]}
    components:
      setup: {component_type: base}
  after: {type: OS::Heat::RandomString, depends_on: web}
  deep: {type: inner.yaml}
`
	inner = "heat_template_version: 2018-08-31\nresources:\n  boom: {type: OS::Heat::RandomString}\n"
)

// prepared is the outer template, ready to be sent.
func prepared(t *testing.T) *stack.Prepared {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"outer.yaml": outer, "inner.yaml": inner} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unit := compiler.Load(compiler.NewFiles(), filepath.Join(dir, "outer.yaml"), lint.Options{})
	p, found := stack.Prepare(unit, stack.PrepareOptions{Target: emit.Targets[0]})
	if p == nil || found.HasErrors() {
		t.Fatal(found)
	}
	return p
}

var root = stack.Ref{Name: "s", ID: "id"}

func event(second int, in stack.Ref, name, status, reason string) stack.Event {
	e := stack.Event{ID: fmt.Sprint(second, name, status), Name: name, Status: status, Reason: reason}
	e.Time.Time = time.Unix(int64(second), 0).UTC()
	e.Links = []stack.Link{{Rel: "stack", Href: "http://h/v1/p/stacks/" + in.Name + "/" + in.ID}}
	if name == in.Name {
		e.PhysicalID = in.ID
	}
	return e
}

func resource(in stack.Ref, name, kind string, nested stack.Ref) stack.Resource {
	r := stack.Resource{Name: name, Type: kind, Links: []stack.Link{{Rel: "stack", Href: "http://h/v1/p/stacks/" + in.Name + "/" + in.ID}}}
	if nested.ID != "" {
		r.Links = append(r.Links, stack.Link{Rel: "nested", Href: "http://h/v1/p/stacks/" + nested.Name + "/" + nested.ID})
	}
	return r
}

// play gives a printer a creation that fails in the nested stack.
func play(p watch.Printer) {
	below := stack.Ref{Name: "s-deep-x", ID: "below"}
	tree := stack.NewTree(root)
	events := []stack.Event{
		event(0, root, "s", "CREATE_IN_PROGRESS", "Stack CREATE started"),
		event(1, root, "web", "CREATE_IN_PROGRESS", "state changed"),
		event(9, root, "web", "CREATE_COMPLETE", "state changed"),
		event(9, root, "web_setup_done", "CREATE_IN_PROGRESS", "state changed"),
		event(10, root, "deep", "CREATE_IN_PROGRESS", "state changed"),
		event(11, below, "boom", "CREATE_IN_PROGRESS", "state changed"),
		event(75, below, "boom", "CREATE_FAILED", "No valid host\nwas found"),
	}
	for i := range events {
		tree.Apply(&events[i])
	}
	tree.Load([]stack.Resource{
		resource(root, "web", "OS::Nova::Server", stack.Ref{}), resource(root, "web_setup_done", "OS::Heat::WaitCondition", stack.Ref{}),
		resource(root, "deep", "file:///hotloom/inner.yaml", below), resource(below, "boom", "OS::Heat::RandomString", stack.Ref{}),
	})
	p.Step(stack.Step{Stack: &stack.Stack{Name: "s", ID: "id", Status: "CREATE_IN_PROGRESS"}, Tree: tree, Events: events})
}

func format(t *testing.T) watch.Format {
	t.Helper()
	return watch.Format{Labels: watch.Labels{Prepared: prepared(t)}, Now: func() time.Time { return time.Unix(80, 0) }}
}

// bare takes out what differs from run to run.
func bare(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if at := strings.Index(l, "at "); at >= 0 && strings.ContainsAny(l[at:], "/…") {
			l = l[:at] + "at " + filepath.Base(l)
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

func TestLinesTellWhatHappensAndWhere(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	play(watch.Lines(&b, format(t)))
	var got strings.Builder
	for line := range strings.Lines(bare(b.String())) {
		if !strings.HasPrefix(line, " ") {
			_, line, _ = strings.Cut(line, "  ") // the time in the local zone
		}
		got.WriteString(strings.TrimLeft(line, " "))
	}
	want := `CREATE_IN_PROGRESS  stack s
CREATE_IN_PROGRESS  web (OS::Nova::Server)
CREATE_COMPLETE     web (OS::Nova::Server)  8s
CREATE_IN_PROGRESS  web_setup_done (step web.setup)
CREATE_IN_PROGRESS  deep (inner.yaml)
CREATE_IN_PROGRESS  deep.boom (OS::Heat::RandomString)
CREATE_FAILED       deep.boom (OS::Heat::RandomString)  1m04s
No valid host
was found
at inner.yaml:3:3
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestTheTreeFitsTheTerminal(t *testing.T) {
	t.Parallel()
	columns, rows := 66, 20
	var b bytes.Buffer
	p := watch.Live(&b, format(t), func() (int, int) { return columns, rows })
	play(p)
	want := "\r\x1b[J" + `stack s  CREATE_IN_PROGRESS  0s  1 of 4 resources done
├─ web             CREATE_COMPLETE         8s  OS::Nova::Server
├─ web_setup_done  CREATE_IN_PROGRESS   1m11s  step web.setup
└─ deep            CREATE_IN_PROGRESS   1m10s  inner.yaml
   └─ boom         CREATE_FAILED        1m04s  OS::Heat::RandomSt…
      No valid host
      at inner.yaml:3:3
`
	if diff := cmp.Diff(want, bare(b.String())); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	b.Reset()
	rows = 5
	p.Tick()
	want = "\x1b[7A\r\x1b[J" + `stack s  CREATE_IN_PROGRESS  0s  1 of 4 resources done
   └─ boom  CREATE_FAILED        1m04s  OS::Heat::RandomString
      No valid host
   and 3 more
`
	if diff := cmp.Diff(want, bare(b.String())); diff != "" {
		t.Errorf("small tree (-want +got):\n%s", diff)
	}
}

func TestJSONIsOneObjectALine(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	play(watch.JSON(&b, watch.Labels{Prepared: prepared(t)}))
	var last map[string]any
	for line := range strings.Lines(b.String()) {
		last = nil
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatal(err)
		}
	}
	last["source"] = filepath.Base(fmt.Sprint(last["source"]))
	want := map[string]any{
		"time": "1970-01-01T00:01:15Z", "stack": "s-deep-x", "resource": "deep.boom", "type": "OS::Heat::RandomString",
		"status": "CREATE_FAILED", "reason": "No valid host\nwas found", "source": "inner.yaml:3:3",
	}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("last line (-want +got):\n%s", diff)
	}
}

// BenchmarkFollowLarge is what hotloom itself does while a stack of 1,000 resources is made: 5,000 events in 500 steps.
func BenchmarkFollowLarge(b *testing.B) {
	var events []stack.Event
	for i := range 5000 {
		events = append(events, event(i/10, root, fmt.Sprint("r", i%1000), []string{"CREATE_IN_PROGRESS", "CREATE_COMPLETE"}[i/1000%2], "state changed"))
	}
	for b.Loop() {
		var out bytes.Buffer
		p := watch.Live(&out, watch.Format{}, func() (int, int) { return 120, 50 })
		tree := stack.NewTree(root)
		for i := 0; i < len(events); i += 10 {
			for j := range events[i : i+10] {
				tree.Apply(&events[i+j])
			}
			p.Step(stack.Step{Stack: &stack.Stack{Name: "s", ID: "id"}, Tree: tree, Events: events[i : i+10]})
		}
		p.Close()
	}
}
