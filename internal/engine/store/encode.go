package store

import (
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// Rows hold JSON objects, so that a field more needs no new schema. A field that is absent has its zero value.

func encode(m *value.Map) (string, error) {
	return value.JSON(m, value.JSONOptions{Compact: true, Unicode: true})
}

func decode(text string) (fields, error) {
	v, err := value.ParseJSON(text)
	if err != nil {
		return fields{}, err
	}
	m, _ := v.(*value.Map)
	if m == nil {
		m = value.NewMap(0)
	}
	return fields{m}, nil
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func instant(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// record builds an object without its empty fields.
type record struct{ *value.Map }

func newRecord() record { return record{value.NewMap(8)} }

func (r record) text(key, s string) record {
	if s != "" {
		r.SetStr(key, s)
	}
	return r
}

func (r record) optional(key string, s *string) record {
	if s != nil {
		r.SetStr(key, *s)
	}
	return r
}

func (r record) number(key string, n int64) record {
	if n != 0 {
		r.SetStr(key, n)
	}
	return r
}

func (r record) flag(key string, b bool) record {
	if b {
		r.SetStr(key, true)
	}
	return r
}

func (r record) mapping(key string, m *value.Map) record {
	if m != nil {
		r.SetStr(key, m)
	}
	return r
}

// fields reads such an object.
type fields struct{ m *value.Map }

func (f fields) any(key string) any { v, _ := f.m.GetStr(key); return v }

func (f fields) text(key string) string { s, _ := f.any(key).(string); return s }

func (f fields) optional(key string) *string {
	if s, ok := f.any(key).(string); ok {
		return &s
	}
	return nil
}

func (f fields) number(key string) int64 { n, _ := f.any(key).(int64); return n }

func (f fields) count(key string) *int {
	if n, ok := f.any(key).(int64); ok {
		i := int(n)
		return &i
	}
	return nil
}

func (f fields) flag(key string) bool { return f.any(key) == true }

func (f fields) mapping(key string) *value.Map { m, _ := f.any(key).(*value.Map); return m }

func (f fields) list(key string) []any { l, _ := f.any(key).([]any); return l }

func executionFixed(e *flow.Execution) *value.Map {
	return newRecord().text("definition", e.Definition).text("namespace", e.Namespace).text("description", e.Description).
		mapping("input", e.Input).mapping("params", e.Params).text("parent", e.ParentTask).number("index", int64(e.Index)).Map
}

func executionData(e *flow.Execution) *value.Map {
	r := newRecord().optional("info", e.Info).mapping("output", e.Output).mapping("context", e.Context).flag("accepted", e.Accepted)
	if len(e.Backlog) > 0 {
		list := make([]any, len(e.Backlog))
		for i, b := range e.Backlog {
			entry := newRecord().text("name", b.Name).text("task", b.TaskName).mapping("context", b.Context).text("event", b.Event).Map
			if b.Msg != nil {
				entry.SetStr("msg", b.Msg)
			}
			list[i] = entry
		}
		r.SetStr("backlog", list)
	}
	return r.Map
}

func decodeExecution(e *flow.Execution, fixed, data fields) {
	e.Definition, e.Namespace, e.Description = fixed.text("definition"), fixed.text("namespace"), fixed.text("description")
	e.Input, e.Params = fixed.mapping("input"), fixed.mapping("params")
	e.ParentTask, e.Index = fixed.text("parent"), int(fixed.number("index"))
	e.Info, e.Output, e.Context, e.Accepted = data.optional("info"), data.mapping("output"), data.mapping("context"), data.flag("accepted")
	for _, x := range data.list("backlog") {
		if m, ok := x.(*value.Map); ok {
			b := fields{m}
			e.Backlog = append(e.Backlog, flow.Backlogged{
				Name: b.text("name"), TaskName: b.text("task"), Context: b.mapping("context"), Event: b.text("event"), Msg: b.any("msg"),
			})
		}
	}
}

func taskFixed(t *flow.Task) *value.Map {
	return newRecord().text("key", t.Key).mapping("in", t.InContext).number("created", micros(t.Created)).Map
}

func taskData(t *flow.Task) *value.Map {
	r := newRecord().optional("info", t.Info).mapping("published", t.Published).mapping("global", t.PublishedGlobal).
		flag("handled", t.ErrorHandled).flag("processed", t.Processed).
		number("updated", micros(t.Updated)).number("started", micros(t.Started)).number("finished", micros(t.Finished)).
		flag("waited_before", t.Runtime.WaitedBefore).flag("waited_after", t.Runtime.WaitedAfter)
	if t.Next != nil {
		next := make([]any, len(t.Next))
		for i, n := range t.Next {
			next[i] = []any{n.Task, n.Event}
		}
		r.SetStr("next", next)
	}
	if n := t.Runtime.Retries; n != nil {
		r.SetStr("retries", int64(*n))
	}
	if n := t.Runtime.Concurrency; n != nil {
		r.SetStr("concurrency", int64(*n))
	}
	if items := t.Runtime.Items; items != nil {
		r.SetStr("items", int64(items.Count))
		if items.Capacity != nil {
			r.SetStr("capacity", int64(*items.Capacity))
		}
	}
	return r.Map
}

func decodeTask(t *flow.Task, fixed, data fields) {
	t.Key, t.InContext, t.Created = fixed.text("key"), fixed.mapping("in"), instant(fixed.number("created"))
	t.Info, t.Published, t.PublishedGlobal = data.optional("info"), data.mapping("published"), data.mapping("global")
	t.ErrorHandled, t.Processed = data.flag("handled"), data.flag("processed")
	t.Updated, t.Started, t.Finished = instant(data.number("updated")), instant(data.number("started")), instant(data.number("finished"))
	t.Runtime.WaitedBefore, t.Runtime.WaitedAfter = data.flag("waited_before"), data.flag("waited_after")
	t.Runtime.Retries, t.Runtime.Concurrency = data.count("retries"), data.count("concurrency")
	if n := data.count("items"); n != nil {
		t.Runtime.Items = &flow.ItemState{Count: *n, Capacity: data.count("capacity")}
	}
	if _, ok := data.any("next").([]any); ok {
		t.Next = []flow.Next{}
	}
	for _, x := range data.list("next") {
		if pair, ok := x.([]any); ok && len(pair) == 2 {
			task, _ := pair[0].(string)
			event, _ := pair[1].(string)
			t.Next = append(t.Next, flow.Next{Task: task, Event: event})
		}
	}
}

func actionFixed(a *flow.Action) *value.Map {
	r := newRecord().number("index", int64(a.Index)).mapping("input", a.Input).flag("safe", a.SafeRerun).flag("sync", a.Sync).
		text("target", a.Target).number("timeout", int64(a.Timeout)).number("created", micros(a.Created))
	if a.Base != a.Name {
		r.text("base", a.Base).mapping("base_input", a.BaseInput)
	}
	return r.Map
}

func actionData(a *flow.Action) *value.Map {
	r := newRecord().flag("accepted", a.Accepted).number("updated", micros(a.Updated)).text("token", a.Token)
	if a.HasOutput {
		r.SetStr("output", a.Output)
	}
	return r.Map
}

func decodeAction(a *flow.Action, fixed, data fields) {
	a.Index, a.Input, a.SafeRerun, a.Sync = int(fixed.number("index")), fixed.mapping("input"), fixed.flag("safe"), fixed.flag("sync")
	a.Target, a.Timeout, a.Created = fixed.text("target"), time.Duration(fixed.number("timeout")), instant(fixed.number("created"))
	a.Base, a.BaseInput = a.Name, a.Input
	if base := fixed.text("base"); base != "" {
		a.Base, a.BaseInput = base, fixed.mapping("base_input")
	}
	if a.BaseInput == nil {
		a.BaseInput = value.NewMap(0)
	}
	a.Accepted, a.Updated, a.Token = data.flag("accepted"), instant(data.number("updated")), data.text("token")
	a.Output, a.HasOutput = data.m.GetStr("output")
}

func timerData(t *flow.Timer) *value.Map {
	return newRecord().text("kind", string(t.Kind)).text("state", string(t.State)).optional("info", t.Info).text("delay", t.Delay).Map
}

func decodeTimer(t *flow.Timer, data fields) {
	t.Kind, t.State = flow.TimerKind(data.text("kind")), flow.State(data.text("state"))
	t.Info, t.Delay = data.optional("info"), data.text("delay")
}
