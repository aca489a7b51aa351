package flow_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// recorded finds the folder of executions recorded from the real Mistral, beside the project.
func recorded(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(filepath.Dir(dir), "shared", "corpus-mistral")
	if _, err := os.Stat(path); err != nil {
		t.Skip("no corpus at ../shared/corpus-mistral")
	}
	return path
}

func get(m *value.Map, key string) any {
	if m == nil {
		return nil
	}
	v, _ := m.GetStr(key)
	return v
}

func str(m *value.Map, key string) string { s, _ := get(m, key).(string); return s }

func sub(m *value.Map, key string) *value.Map { s, _ := get(m, key).(*value.Map); return s }

func list(m *value.Map, key string) []any { l, _ := get(m, key).([]any); return l }

// differences are the recorded executions that end otherwise here, with the reason. All others are equal.
var differences = map[string]string{
	"corpus:openstack+mistral/mistral/tests/unit/engine/test_error_handling.py/014.yaml:wf": "the message shows the context, " +
		"whose keys Mistral keeps in a Python set: their order changes with each process",
	"op-rerun-items-sub-keep": "Mistral tells a parent of its sub-workflow's end in a second transaction. When that one runs, " +
		"the next sub-workflow has ended too and counts, so four of three results are there and the task never ends. Here the " +
		"end and the telling are one transition, and the task ends with its third result",
	"retry-with-timeout-first-run": "the timeout and the third run are due in the same second; a second recording of Mistral " +
		"ended otherwise too (runs_agree is false)",
}

func TestMistralsExecutions(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"executions.jsonl", "executions-newest.jsonl"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(filepath.Join(recorded(t), name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			lines := bufio.NewScanner(f)
			lines.Buffer(nil, 16<<20)
			total, same := 0, 0
			for lines.Scan() {
				v, err := value.ParseJSON(lines.Text())
				if err != nil {
					t.Fatal(err)
				}
				c := v.(*value.Map)
				total++
				want, got := expected(c), simulate(t, c)
				id := str(c, "id")
				diff := cmp.Diff(want, got)
				switch _, known := differences[id]; {
				case diff == "":
					same++
					if known {
						t.Errorf("%s is equal now: take it off the list of differences", id)
					}
				case !known:
					t.Errorf("%s: %s\n%s", id, diff, str(c, "workflow")+str(c, "workbook"))
				}
			}
			t.Logf("%d of %d executions are as Mistral's", same, total)
		})
	}
}

var (
	afterBack  = regexp.MustCompile(`(?s)(\])\n    \[wf_ex_id=<id>, idx=\d+\]: Failed to (?:handle|check|run) .*`)
	dataPart   = regexp.MustCompile(`(?s), data=.*?(\](?:, wf=|, action=|\s*\n|:?\n?<traceback>|$))`)
	traceback  = regexp.MustCompile(`:?\n?<traceback>`)
	address    = regexp.MustCompile(` at 0x<addr>`)
	anyID      = regexp.MustCompile(`<id\d+>|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	definition = regexp.MustCompile(`(?s), definition=.*?\], input_dict=(\{.*?\}).*?(\], wf=|\]$)`)
	anyTime    = regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(\+00:00)?`)
	cause      = regexp.MustCompile(`(input_dict=\{.*?\}\]): .*?(, wf=)`)
)

func cleanText(s string) string {
	s = dataPart.ReplaceAllString(s, "$1")
	s = traceback.ReplaceAllString(s, "")
	s = address.ReplaceAllString(s, "")
	s = definition.ReplaceAllString(s, "], input_dict=$1$2")
	s = cause.ReplaceAllString(s, "$1$2")
	s = anyTime.ReplaceAllString(s, "<time>")
	s = strings.ReplaceAll(s, "<time>+00:00", "<time>")
	s = anyID.ReplaceAllString(s, "<id>")
	// The recorder cuts a text off at a traceback, and with it what follows.
	return afterBack.ReplaceAllString(s, "$1")
}

func clean(v any) any {
	switch v := v.(type) {
	case string:
		return cleanText(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clean(v[i])
		}
		return out
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, x := range v.All() {
			out.SetStr(cleanText(value.Str(k)), clean(x))
		}
		return out
	}
	return v
}

func show(v any) string {
	s, err := value.JSON(clean(v), value.JSONOptions{SortKeys: true})
	if err != nil {
		return err.Error()
	}
	return s
}

func expected(c *value.Map) []string {
	r := sub(c, "result")
	if e := str(r, "error"); e != "" {
		_, message, _ := strings.Cut(e, ": ")
		return []string{"refused: " + cleanText(message)}
	}
	out := shape("", r)
	for _, n := range list(r, "notes") {
		out = append(out, "refused: "+cleanText(n.(string)[strings.LastIndex(n.(string), ": ")+len(": "):]))
	}
	return out
}

func shape(indent string, r *value.Map) []string {
	out := []string{fmt.Sprintf("%s%s %s info=%s output=%s", indent, str(r, "name"), str(r, "state"), show(get(r, "state_info")), show(get(r, "output")))}
	var tasks []string
	for _, x := range list(r, "tasks") {
		m := x.(*value.Map)
		tasks = append(tasks, fmt.Sprintf("%s  %s %s info=%s published=%s result=%s retry=%v handled=%v actions=%d", indent, str(m, "name"),
			str(m, "state"), show(get(m, "state_info")), show(get(m, "published")), show(get(m, "result")), get(m, "retry_no"), get(m, "error_handled"), len(list(m, "actions"))))
	}
	sort.Strings(tasks)
	out = append(out, tasks...)
	var subs []string
	for _, x := range list(r, "sub_workflows") {
		m := x.(*value.Map)
		subs = append(subs, strings.Join(append([]string{indent + "  by " + str(m, "by_task")}, shape(indent+"    ", m)...), "\n"))
	}
	sort.Strings(subs)
	return append(out, subs...)
}

func shapeOf(e *flow.Execution) *value.Map {
	tasks, subs := []any{}, []any{}
	for _, t := range e.Tasks() {
		acts := make([]any, len(t.Actions()))
		var retry any
		if t.Runtime.Retries != nil {
			retry = int64(*t.Runtime.Retries)
		}
		var published any
		if t.Published != nil {
			published = t.Published
		}
		tasks = append(tasks, value.MapOf("name", t.Name, "state", string(t.State), "state_info", opt(t.Info), "published", published,
			"result", t.Result(), "retry_no", retry, "error_handled", t.ErrorHandled, "actions", acts))
		for _, s := range t.Subs() {
			m := shapeOf(s)
			m.SetStr("by_task", t.Name)
			subs = append(subs, m)
		}
	}
	return value.MapOf("name", e.Name, "state", string(e.State), "state_info", opt(e.Info), "output", e.Output, "tasks", tasks, "sub_workflows", subs)
}

func opt(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// world is a run in virtual time: actions take 10 ms, but for std.sleep.
type world struct {
	t       *testing.T
	run     *flow.Run
	defs    *library
	now     time.Time
	n       int
	pending []due
	notes   []string
}

type due struct {
	at time.Time
	ev flow.Event
	n  int
}

func (w *world) id() string {
	w.n++
	return fmt.Sprintf("00000000-0000-0000-0000-%012d", w.n)
}

func (w *world) push(at time.Time, ev flow.Event) {
	w.n++
	w.pending = append(w.pending, due{at, ev, w.n})
	sort.SliceStable(w.pending, func(i, j int) bool { return w.pending[i].at.Before(w.pending[j].at) })
}

func (w *world) apply(ev flow.Event) error {
	_, cmds, err := w.run.Apply(ev, flow.Env{Now: w.now, NewID: w.id})
	if err != nil {
		return err
	}
	for _, c := range cmds {
		switch c := c.(type) {
		case flow.StartTimer:
			w.push(c.Timer.At, flow.TimerFired{Timer: c.Timer.ID})
		case flow.RunAction:
			w.execute(c.Action)
		}
	}
	return nil
}

func (w *world) execute(a *flow.Action) {
	d := w.defs.actions.Find(a.Base)
	took := 10 * time.Millisecond
	if a.Base == "std.sleep" {
		n, _ := value.Int(get(a.BaseInput, "seconds"))
		if get(a.BaseInput, "seconds") == nil {
			n = 1
		}
		took = time.Duration(n) * time.Second
	}
	var out any
	var err error
	if a.Base != "std.sleep" {
		out, err = d.Run(context.Background(), a.BaseInput, action.Call{})
	}
	if a.Timeout > 0 && took > a.Timeout {
		took, err = a.Timeout, fmt.Errorf("%d second", a.Timeout/time.Second)
	}
	if d.Async && err == nil {
		return
	}
	w.push(w.now.Add(took), flow.ActionDone{Action: a.ID, Result: result(d, a, out, err)})
}

func result(d *action.Definition, a *flow.Action, out any, err error) flow.Result {
	var failure *action.Failure
	switch {
	case errors.As(err, &failure):
		return flow.Result{Error: failure.Data}
	case err != nil:
		repr := d.Repr
		if a.Name != a.Base {
			repr = "<mistral.actions.adhoc.AdHocAction object>"
		}
		return flow.Result{Error: fmt.Sprintf("The action raised an exception [action=%s, action_ex_id=%s, msg='%s']", repr, a.ID, err)}
	}
	return flow.Result{Data: out}
}

// step lets the next thing happen, unless it is after the deadline.
func (w *world) step(deadline time.Time) bool {
	if len(w.pending) == 0 || w.pending[0].at.After(deadline) {
		return false
	}
	d := w.pending[0]
	w.pending = w.pending[1:]
	if d.at.After(w.now) {
		w.now = d.at
	}
	var refused *flow.Refusal
	if err := w.apply(d.ev); err != nil && !errors.As(err, &refused) {
		w.t.Errorf("%T: %v", d.ev, err)
	}
	return true
}

type library struct {
	docs    []*workflow.Document
	adhoc   []*workflow.Action
	envs    *value.Map
	actions *action.Registry
}

func (l *library) Workflow(name, _ string) (*workflow.Workflow, string) {
	for _, d := range l.docs {
		if w := d.Workflow(name); w != nil {
			return w, name
		}
	}
	return nil, ""
}
func (l *library) Load(key string) *workflow.Workflow { w, _ := l.Workflow(key, ""); return w }
func (l *library) AdHoc(name, _ string) *workflow.Action {
	for _, a := range l.adhoc {
		if a.FullName() == name {
			return a
		}
	}
	return nil
}

func (l *library) Environment(name string) (*value.Map, bool) {
	m := sub(l.envs, name)
	return m, m != nil
}
func (l *library) Executions() []*flow.Execution { return nil }
func (l *library) Action(name string) (flow.ActionInfo, bool) {
	d := l.actions.Find(name)
	if d == nil {
		return flow.ActionInfo{}, false
	}
	info := flow.ActionInfo{Name: d.Name, Class: d.Class, Async: d.Async, Open: d.Open}
	for _, in := range d.Inputs {
		info.Inputs = append(info.Inputs, flow.Input{Name: in.Name, Required: in.Required})
	}
	return info, true
}

func simulate(t *testing.T, c *value.Map) []string {
	w := &world{t: t, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), defs: &library{envs: sub(c, "environments")}}
	w.defs.actions, _ = action.NewRegistry(action.Std(action.Config{}))
	start := str(c, "start")
	for kind, key := range map[workflow.Kind]string{workflow.Workflows: "workflow", workflow.Workbook: "workbook", workflow.Actions: "actions"} {
		text := str(c, key)
		if text == "" {
			continue
		}
		doc, findings := workflow.Parse(&source.File{Path: key, Text: []byte(text)}, kind)
		if findings.HasErrors() {
			return []string{fmt.Sprint("refused: ", findings)}
		}
		w.defs.docs = append(w.defs.docs, doc)
		w.defs.adhoc = append(w.defs.adhoc, doc.Actions...)
		if n := len(doc.Workflows); n > 0 && start == "" {
			start = doc.Workflows[n-1].FullName()
		}
	}
	w.run = flow.NewRun(w.id(), w.defs)
	seconds, _ := value.ToFloat(get(c, "timeout"))
	if seconds == 0 {
		seconds = 25
	}
	limit := w.now.Add(time.Duration(seconds * float64(time.Second)))
	if err := w.apply(flow.Start{Workflow: start, Namespace: str(c, "namespace"), Input: sub(c, "input"), Params: sub(c, "params")}); err != nil {
		return []string{"refused: " + cleanText(err.Error())}
	}
	for _, s := range list(c, "script") {
		w.act(s.(*value.Map), limit)
	}
	root := w.run.Root()
	until := flow.State(str(c, "until"))
	for !(until != "" && root.State == until || until == "" && root.State.Completed()) && w.step(limit) {
	}
	// What is already under way when the end shows comes to its end.
	for settle := w.now.Add(300 * time.Millisecond); w.step(settle); {
	}
	return append(shape("", shapeOf(root)), w.notes...)
}

func (w *world) task(name string) *flow.Task {
	var found *flow.Task
	for _, e := range w.run.Executions() {
		for _, t := range e.Tasks() {
			if t.Name == name && (found == nil || t.Seq > found.Seq) {
				found = t
			}
		}
	}
	return found
}

func (w *world) reached(after *value.Map) bool {
	state := flow.State(str(after, "state"))
	switch {
	case after == nil:
		return true
	case get(after, "task") != nil:
		t := w.task(str(after, "task"))
		return t != nil && t.State == state
	case get(after, "actions") != nil:
		n, _ := value.Int(get(after, "actions"))
		return len(w.run.Unfinished()) >= n
	}
	return w.run.Root().State == state
}

func (w *world) act(s *value.Map, limit time.Time) {
	for !w.reached(sub(s, "after")) && w.step(limit) {
	}
	root := w.run.ID
	var ev flow.Event
	switch do := str(s, "do"); do {
	case "sleep":
		seconds, _ := value.ToFloat(get(s, "seconds"))
		end := w.now.Add(time.Duration(seconds * float64(time.Second)))
		for w.step(end) {
		}
		w.now = end
		return
	case "pause":
		ev = flow.Pause{Execution: root}
	case "resume":
		ev = flow.Resume{Execution: root, Env: sub(s, "env")}
	case "stop":
		var msg *string
		if m, ok := get(s, "message").(string); ok {
			msg = &m
		}
		ev = flow.Stop{Execution: root, State: flow.State(str(s, "state")), Message: msg}
	case "rerun":
		reset := true
		if r, ok := get(s, "reset").(bool); ok {
			reset = r
		}
		ev = flow.Rerun{Task: w.task(str(s, "task")).ID, Reset: reset, Env: sub(s, "env")}
	case "skip":
		ev = flow.Skip{Task: w.task(str(s, "task")).ID}
	case "complete_action", "update_action":
		var open []*flow.Action
		for _, a := range w.task(str(s, "task")).Actions() {
			if !a.State.Completed() {
				open = append(open, a)
			}
		}
		sort.SliceStable(open, func(i, j int) bool { return open[i].Index < open[j].Index })
		nth, _ := value.Int(get(s, "nth"))
		if do == "update_action" {
			ev = flow.ActionUpdate{Action: open[nth].ID, State: flow.State(str(s, "state"))}
		} else {
			ev = flow.ActionDone{Action: open[nth].ID, Result: flow.Result{Data: get(s, "data"), Error: get(s, "error"), Cancel: get(s, "cancel") == true}}
		}
	default:
		w.t.Fatalf("script step %q", do)
	}
	if err := w.apply(ev); err != nil {
		w.notes = append(w.notes, "refused: "+cleanText(err.Error()))
	}
}
