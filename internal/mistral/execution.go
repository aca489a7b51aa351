package mistral

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

func stringBody(s string) io.Reader { return strings.NewReader(s) }

// Start begins an execution and gives its id. The id is chosen here, so that a call whose answer got lost is made again
// without starting a second one.
func (c *Client) Start(ctx context.Context, o engine.StartOptions) (string, error) {
	id := o.ID
	if id == "" {
		id = newID()
	}
	input, err := jsonText(o.Input)
	if err != nil {
		return "", err
	}
	params, err := jsonText(o.Params)
	if err != nil {
		return "", err
	}
	body := map[string]any{"id": id, "workflow_name": o.Workflow, "input": input, "params": params, "description": o.Description}
	if o.Namespace != "" {
		body["workflow_namespace"] = o.Namespace
	}
	_, err = c.call(cloud.Repeatable(ctx), http.MethodPost, "executions", nil, body)
	return id, err
}

// newID is a random UUID.
func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

var uuid = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// IsID reports whether a text can be the id of an execution.
func IsID(s string) bool { return uuid().MatchString(s) }

// SetState asks Mistral to bring an execution into a state: PAUSED, RUNNING or CANCELLED.
func (c *Client) SetState(ctx context.Context, id string, state flow.State) error {
	_, err := c.call(cloud.Repeatable(ctx), http.MethodPut, "executions/"+url.PathEscape(id), nil, map[string]any{"state": string(state)})
	return err
}

// Wait gives the snapshot of an execution once it is completed or paused. Each change on the way is told to watch, in the
// order in which it is found. When the context ends the snapshot is nil.
func (c *Client) Wait(ctx context.Context, id string, watch func(engine.Event)) (*engine.Snapshot, error) {
	seen := map[string]flow.State{}
	for {
		now, err := c.look(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, ev := range changes(now, seen) {
			watch(ev)
		}
		if now.State.Completed() || now.State == flow.Paused {
			return c.Show(ctx, id)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(c.poll):
		}
	}
}

// look gives the states of an execution and of what is below it. Mistral 15 cannot report while a task with a retry policy
// is in its first run (it answers 500, 'retry_no'): then it gives the execution alone.
func (c *Client) look(ctx context.Context, id string) (*engine.Snapshot, error) {
	path := "executions/" + url.PathEscape(id)
	answer, err := c.call(ctx, http.MethodGet, path+"/report", nil, nil)
	if cloud.IsStatus(err, http.StatusInternalServerError) && strings.Contains(err.Error(), "retry_no") {
		e, err := c.call(ctx, http.MethodGet, path, nil, nil)
		if err != nil {
			return nil, err
		}
		return &engine.Snapshot{
			ID: text(e, "id"), Workflow: text(e, "workflow_name"), State: flow.State(text(e, "state")), Info: info(e),
			Created: timeOf(e, "created_at"), Ended: timeOf(e, "updated_at"),
		}, nil
	}
	if err != nil {
		return nil, err
	}
	root, _ := answer.GetStr("root_workflow_execution")
	tree, ok := root.(*value.Map)
	if !ok {
		return nil, fmt.Errorf("execution %s: Mistral's report has no root", id)
	}
	return reported(tree), nil
}

// reported is what an execution's report says: states, without results.
func reported(e *value.Map) *engine.Snapshot {
	s := &engine.Snapshot{
		ID: text(e, "id"), Workflow: text(e, "name"), State: flow.State(text(e, "state")), Info: info(e),
		Created: timeOf(e, "created_at"), Ended: timeOf(e, "updated_at"),
	}
	for _, item := range list(e, "task_executions") {
		t := engine.TaskSnapshot{
			ID: text(item, "id"), Name: text(item, "name"), State: flow.State(text(item, "state")), Info: info(item),
			Created: timeOf(item, "created_at"), Finished: timeOf(item, "updated_at"),
		}
		for _, sub := range list(item, "workflow_executions") {
			t.Workflows = append(t.Workflows, reported(sub))
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s
}

// changes lists what of an execution is in another state than when it was seen last.
func changes(s *engine.Snapshot, seen map[string]flow.State) []engine.Event {
	var out []engine.Event
	add := func(id string, ev engine.Event) {
		if seen[id] != ev.State {
			seen[id] = ev.State
			out = append(out, ev)
		}
	}
	whole := engine.Event{Workflow: s.Workflow, State: s.State, Time: s.Ended}
	if s.Info != nil {
		whole.Info = *s.Info
	}
	if !s.State.Completed() { // it began before its tasks, and ends after them
		add(s.ID, whole)
	}
	for _, t := range s.Tasks {
		ev := engine.Event{Workflow: s.Workflow, Task: t.Name, State: t.State, Time: later(t.Created, t.Finished)}
		if t.Info != nil {
			ev.Info = *t.Info
		}
		if !t.State.Completed() {
			add(t.ID, ev)
		}
		for _, sub := range t.Workflows {
			out = append(out, changes(sub, seen)...)
		}
		add(t.ID, ev)
	}
	add(s.ID, whole)
	return out
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Show gives an execution with its tasks and what is below them.
func (c *Client) Show(ctx context.Context, id string) (*engine.Snapshot, error) {
	e, err := c.call(ctx, http.MethodGet, "executions/"+url.PathEscape(id), nil, nil)
	if err != nil {
		return nil, err
	}
	return c.snapshot(ctx, e)
}

// Brief gives an execution with its own tasks as they stand, without their results: two calls, however many tasks there are.
func (c *Client) Brief(ctx context.Context, id string) (*engine.Snapshot, error) {
	e, err := c.call(ctx, http.MethodGet, "executions/"+url.PathEscape(id), nil, nil)
	if err != nil {
		return nil, err
	}
	s := execution(e)
	answer, err := c.call(ctx, http.MethodGet, "executions/"+url.PathEscape(s.ID)+"/tasks", nil, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range list(answer, "tasks") {
		s.Tasks = append(s.Tasks, engine.TaskSnapshot{ID: text(t, "id"), Name: text(t, "name"), State: flow.State(text(t, "state")), Info: info(t)})
	}
	return s, nil
}

// execution reads an execution, without its tasks.
func execution(e *value.Map) *engine.Snapshot {
	return &engine.Snapshot{
		ID: text(e, "id"), Workflow: text(e, "workflow_name"), State: flow.State(text(e, "state")), Info: info(e),
		Input: mapOf(e, "input"), Output: mapOf(e, "output"), Params: mapOf(e, "params"),
		Created: timeOf(e, "created_at"), Ended: timeOf(e, "updated_at"),
	}
}

func (c *Client) snapshot(ctx context.Context, e *value.Map) (*engine.Snapshot, error) {
	s := execution(e)
	answer, err := c.call(ctx, http.MethodGet, "executions/"+url.PathEscape(s.ID)+"/tasks", nil, nil)
	if err != nil {
		return nil, err
	}
	for _, item := range list(answer, "tasks") {
		t, err := c.task(ctx, item)
		if err != nil {
			return nil, err
		}
		s.Tasks = append(s.Tasks, t)
	}
	slices.SortStableFunc(s.Tasks, func(a, b engine.TaskSnapshot) int { return a.Created.Compare(b.Created) })
	return s, nil
}

func (c *Client) task(ctx context.Context, item *value.Map) (engine.TaskSnapshot, error) {
	t := engine.TaskSnapshot{
		ID: text(item, "id"), Name: text(item, "name"), Type: text(item, "type"), State: flow.State(text(item, "state")),
		Info: info(item), Published: mapOf(item, "published"), PublishedGlobal: mapOf(item, "published_global"),
		Created: timeOf(item, "created_at"), Started: timeOf(item, "started_at"), Finished: timeOf(item, "finished_at"),
	}
	path := "tasks/" + url.PathEscape(t.ID)
	if t.State.Completed() { // the list of tasks has no results
		full, err := c.call(ctx, http.MethodGet, path, nil, nil)
		if err != nil {
			return t, err
		}
		t.Result, t.HasResult = parsed(full, "result"), true
	}
	context := mapOf(item, "runtime_context")
	if items := mapOf(context, "with_items"); items != nil {
		count, _ := items.GetStr("count")
		t.Expected, _ = value.Int(count)
	}
	retried := mapOf(context, "retry_task_policy") != nil
	if t.Type != "WORKFLOW" && (t.Expected > 0 || retried || !t.State.Completed()) {
		answer, err := c.call(ctx, http.MethodGet, path+"/action_executions", nil, nil)
		if err != nil {
			return t, err
		}
		for _, a := range list(answer, "action_executions") {
			accepted, _ := a.GetStr("accepted")
			t.Actions = append(t.Actions, engine.ActionSnapshot{
				ID: text(a, "id"), Name: text(a, "name"), State: flow.State(text(a, "state")), Accepted: accepted == true,
			})
		}
		if retried && t.Expected == 0 {
			t.Retries = max(len(t.Actions)-1, 0)
		}
	}
	if t.Type != "WORKFLOW" {
		return t, nil
	}
	answer, err := c.call(ctx, http.MethodGet, path+"/workflow_executions", nil, nil)
	if err != nil {
		return t, err
	}
	for _, e := range list(answer, "executions") {
		sub, err := c.Show(ctx, text(e, "id")) // the list has no outputs
		if err != nil {
			return t, err
		}
		t.Workflows = append(t.Workflows, sub)
	}
	return t, nil
}

// Summary is one line of List.
type Summary struct {
	ID, Workflow string
	State        flow.State
	Created      time.Time
}

// List gives the newest executions, without those that another execution started.
func (c *Client) List(ctx context.Context, limit int) ([]Summary, error) {
	query := url.Values{"sort_keys": {"created_at"}, "sort_dirs": {"desc"}, "limit": {strconv.Itoa(limit)}}
	answer, err := c.call(ctx, http.MethodGet, "executions", query, nil)
	if err != nil {
		return nil, err
	}
	var out []Summary
	for _, e := range list(answer, "executions") {
		if text(e, "task_execution_id") == "" {
			out = append(out, Summary{text(e, "id"), text(e, "workflow_name"), flow.State(text(e, "state")), timeOf(e, "created_at")})
		}
	}
	return out, nil
}

// text gives a field that is a string, "" where it is absent or null.
func text(m *value.Map, key string) string {
	v, _ := m.GetStr(key)
	s, _ := v.(string)
	return s
}

func info(m *value.Map) *string {
	if s := text(m, "state_info"); s != "" {
		return &s
	}
	return nil
}

// parsed gives a field that Mistral sends as JSON text.
func parsed(m *value.Map, key string) any {
	v, _ := m.GetStr(key)
	s, ok := v.(string)
	if !ok {
		return v
	}
	if inner, err := value.ParseJSON(s); err == nil {
		return inner
	}
	return s
}

func mapOf(m *value.Map, key string) *value.Map {
	if m == nil {
		return nil
	}
	inner, _ := parsed(m, key).(*value.Map)
	return inner
}

// timeOf gives a field that holds a time of Mistral's, which has no zone and is UTC.
func timeOf(m *value.Map, key string) time.Time {
	t, _ := time.Parse(time.DateTime, strings.Replace(text(m, key), "T", " ", 1))
	return t
}

func list(m *value.Map, key string) []*value.Map {
	v, _ := m.GetStr(key)
	items, _ := v.([]any)
	var out []*value.Map
	for _, item := range items {
		if one, ok := item.(*value.Map); ok {
			out = append(out, one)
		}
	}
	return out
}
