package flow

import (
	"errors"
	"fmt"
	"sort"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// shelf holds one document.
type shelf struct{ doc *workflow.Document }

func (s shelf) Workflow(name, _ string) (*workflow.Workflow, string) {
	return s.doc.Workflow(name), name
}
func (s shelf) Load(key string) *workflow.Workflow { return s.doc.Workflow(key) }
func (s shelf) AdHoc(name, _ string) *workflow.Action {
	for _, a := range s.doc.Actions {
		if a.FullName() == name {
			return a
		}
	}
	return nil
}
func (shelf) Environment(string) (*value.Map, bool) { return nil, false }
func (shelf) Executions() []*Execution              { return nil }
func (shelf) Action(name string) (ActionInfo, bool) {
	return ActionInfo{Name: name, Class: "test", Open: true, Async: name == "std.async_noop"}, name != "missing"
}

// FuzzRun starts a workflow and lets happen what the second argument says, a byte an event. Nothing may break what
// must always hold.
func FuzzRun(f *testing.F) {
	for _, text := range []string{
		"version: '2.0'\nw:\n  tasks:\n    a: {on-success: [b, c]}\n    b: {on-success: j}\n    c: {on-success: j, retry: {count: 2, delay: 1}}\n    j: {join: all, publish: {x: <% task(a).result %>}}\n",
		"version: '2.0'\nw:\n  tasks:\n    a: {with-items: 'i in [1, 2, 3]', concurrency: 2, workflow: s, on-error: a}\ns:\n  tasks:\n    t: {wait-before: 1, wait-after: 1, timeout: 3, on-complete: [fail, pause]}\n",
		"version: '2.0'\nw:\n  task-defaults: {on-error: h}\n  tasks:\n    a: {pause-before: true, on-success: [pause, b]}\n    b: {join: 1, fail-on: <% $.get(x) %>}\n    c: {on-success: b}\n    h: {on-complete: c}\n",
		"version: '2.0'\nw:\n  tasks:\n    a: {with-items: 'i in [1, 2, 3]', workflow: w}\n",
		"version: '2.0'\nw:\n  type: reverse\n  tasks:\n    a: {requires: b}\n    b: {requires: [c]}\n    c: {action: missing}\n",
	} {
		f.Add(text, []byte("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff\x00\x01\x02\x03"))
	}
	f.Fuzz(func(t *testing.T, text string, happen []byte) {
		doc, findings := workflow.Parse(&source.File{Path: "f", Text: []byte(text)}, workflow.Auto)
		if findings.HasErrors() || len(doc.Workflows) == 0 || len(text) > 2000 {
			return
		}
		w := doc.Workflows[0]
		n := 0
		env := Env{Now: time.Unix(1e9, 0).UTC(), NewID: func() string { n++; return fmt.Sprintf("%08d", n) }}
		r := NewRun("root", shelf{doc})
		params := value.MapOf()
		if len(w.Tasks) > 0 {
			params.SetStr("task_name", w.Tasks[0].Name)
		}
		if !applied(t, r, Start{Workflow: w.FullName(), Params: params}, env) {
			return
		}
		for _, b := range happen[:min(len(happen), 60)] {
			env.Now = env.Now.Add(time.Second)
			if ev := pick(r, b); ev != nil && !applied(t, r, ev, env) {
				return
			}
		}
	})
}

func applied(t *testing.T, r *Run, ev Event, env Env) bool {
	t.Helper()
	_, _, err := r.Apply(ev, env)
	var refusal *Refusal
	if err != nil && !errors.As(err, &refusal) {
		t.Fatalf("%#v: %v", ev, err)
	}
	if err != nil {
		return false
	}
	for _, e := range r.executions {
		open := 0
		for _, task := range e.tasks {
			if !task.State.Completed() {
				open++
			}
			if task.looking {
				t.Errorf("%s is still to be looked at", task.Name)
			}
		}
		if open != e.open {
			t.Errorf("%s counts %d open tasks, there are %d", e.Name, e.open, open)
		}
	}
	return true
}

// pick chooses an event by a byte.
func pick(r *Run, b byte) Event {
	var tasks []*Task
	for _, e := range r.executions {
		tasks = append(tasks, e.tasks...)
	}
	sort.Slice(tasks, func(i, j int) bool { return tasks[i].Seq < tasks[j].Seq })
	which := int(b >> 4)
	switch b & 15 {
	case 0, 1, 2, 3, 4, 5, 6:
		if open := r.Unfinished(); len(open) > 0 {
			res := Result{Data: int64(b)}
			switch b & 15 {
			case 5:
				res = Result{Error: "broken"}
			case 6:
				res = Result{Cancel: true}
			}
			return ActionDone{Action: open[which%len(open)].ID, Result: res}
		}
	case 7, 8, 9:
		if timers := r.Timers(); len(timers) > 0 {
			return TimerFired{Timer: timers[which%len(timers)].ID}
		}
	case 10:
		return Pause{Execution: r.executions[which%len(r.executions)].ID}
	case 11:
		return Resume{Execution: r.executions[which%len(r.executions)].ID, Env: value.MapOf("k", int64(b))}
	case 12:
		return Stop{Execution: r.executions[which%len(r.executions)].ID, State: []State{Success, Failed, Cancelled}[which%3]}
	case 13:
		if len(tasks) > 0 {
			return Rerun{Task: tasks[which%len(tasks)].ID, Reset: which%2 == 0}
		}
	case 14:
		if len(tasks) > 0 {
			return Skip{Task: tasks[which%len(tasks)].ID}
		}
	}
	return nil
}
