package flow

import (
	"fmt"
	"sort"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// schedule starts what a task runs: one action or sub-workflow, or those of the next items.
func (r *Run) schedule(t *Task) error {
	if len(t.spec.WithItems) > 0 {
		return r.scheduleItems(t)
	}
	input, err := r.input(t, nil)
	if err != nil {
		return err
	}
	return r.scheduleOne(t, input, 0)
}

// childDone goes on with a task one of whose actions or sub-workflows is complete.
func (r *Run) childDone(t *Task, c child) error {
	if len(t.spec.WithItems) > 0 {
		return r.itemDone(t)
	}
	var why *string
	if c.childState() != Success {
		if res := childResult(c); value.Truth(res) {
			why = textp(value.Str(res))
		}
	}
	return r.complete(t, c.childState(), why)
}

func childResult(c child) any {
	switch c := c.(type) {
	case *Action:
		return c.Output
	case *Execution:
		if c.Output != nil {
			v, _ := c.Output.GetStr("result")
			return v
		}
	}
	return nil
}

func (r *Run) itemDone(t *Task) error {
	if t.State.Completed() {
		return nil
	}
	items := t.Runtime.Items
	if items == nil {
		items = &ItemState{Capacity: new(int)}
	}
	limit := t.Runtime.Concurrency
	if limit != nil && *limit > 0 && items.Capacity != nil && *items.Capacity < *limit {
		items.Capacity = intp(*items.Capacity + 1)
		t.Runtime.Items = items
		r.touchTask(t)
	}
	done, final := itemsState(t, items)
	if done {
		var why *string
		switch final {
		case Failed:
			why = textp("One or more actions had failed.")
		case Cancelled:
			why = textp("One or more actions was cancelled.")
		}
		return r.complete(t, final, why)
	}
	busy := 0
	for _, c := range t.children() {
		if c.childAccepted() || c.childState() == Running {
			busy++
		}
	}
	if items.Count > busy && limit != nil && *limit > 0 {
		return r.scheduleItems(t)
	}
	return nil
}

func intp(n int) *int { return &n }

// itemsState says whether all items are over, and how.
func itemsState(t *Task, items *ItemState) (done bool, final State) {
	accepted, failed, cancelled := 0, false, false
	for _, c := range t.children() {
		if c.childAccepted() {
			accepted++
			failed = failed || c.childState() == Failed
			cancelled = cancelled || c.childState() == Cancelled
		}
	}
	full := t.Runtime.Concurrency == nil || *t.Runtime.Concurrency == 0 ||
		items.Capacity != nil && *items.Capacity == *t.Runtime.Concurrency
	switch {
	case cancelled:
		return true, Cancelled
	case failed:
		final = Failed
	default:
		final = Success
	}
	return max(items.Count, 1) == accepted && full, final
}

// maxItems is how many items a task may have: each is a row in the store, and all of them are in memory.
const maxItems = 100_000

func (r *Run) scheduleItems(t *Task) error {
	lists, err := r.itemLists(t)
	if err != nil {
		return err
	}
	if n := len(lists[0].items); n > maxItems {
		return fmt.Errorf("with-items has %d items, more than %d", n, maxItems)
	}
	if t.Runtime.Items == nil {
		t.Runtime.Items = &ItemState{Count: len(lists[0].items), Capacity: t.Runtime.Concurrency}
		r.touchTask(t)
	}
	indexes := nextIndexes(t)
	if len(indexes) == 0 {
		return r.complete(t, Success, nil)
	}
	inputs := make([]*value.Map, len(indexes))
	for n, i := range indexes {
		item := value.NewMap(len(lists))
		for _, l := range lists {
			if i >= len(l.items) {
				return fmt.Errorf("list index out of range")
			}
			item.SetStr(l.name, l.items[i])
		}
		// A variable of the task's context hides an item of that name; so it is in Mistral.
		if inputs[n], err = r.input(t, workflow.Merge(item, t.InContext)); err != nil {
			return err
		}
	}
	for n, i := range indexes {
		if err := r.scheduleOne(t, inputs[n], i); err != nil {
			return err
		}
		if c := t.Runtime.Items.Capacity; c != nil {
			t.Runtime.Items = &ItemState{Count: t.Runtime.Items.Count, Capacity: intp(*c - 1)}
			r.touchTask(t)
		}
	}
	return nil
}

type itemList struct {
	name  string
	items []any
}

// itemLists evaluates with-items.
func (r *Run) itemLists(t *Task) ([]itemList, error) {
	s, v := r.scope(t), r.taskView(t, nil).flat()
	raw := value.NewMap(len(t.spec.WithItems))
	for _, w := range t.spec.WithItems {
		x, err := s.evaluateOver(w.List, v)
		if err != nil {
			return nil, err
		}
		raw.SetStr(w.Var, x)
	}
	lists := make([]itemList, 0, raw.Len())
	shown := value.NewMap(0)
	for k, x := range raw.All() {
		items, ok := iterable(x)
		if !ok {
			return nil, fmt.Errorf("Wrong input format for: %s. Iterable type is expected for each value.", value.Repr(shown)) //nolint:staticcheck // Mistral's words
		}
		shown.SetStr(k.(string), items)
		lists = append(lists, itemList{k.(string), items})
		if len(items) != len(lists[0].items) {
			return nil, fmt.Errorf("Wrong input format for: %s. All arrays must have the same length.", value.Repr(raw)) //nolint:staticcheck // Mistral's words
		}
	}
	return lists, nil
}

func iterable(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case *value.Map:
		return v.Keys(), true
	case string:
		var out []any
		for _, c := range v {
			out = append(out, string(c))
		}
		return out, true
	}
	return nil, false
}

// nextIndexes gives the items to start now: first those whose runs do not count any more, and all after them.
func nextIndexes(t *Task) []int {
	items := t.Runtime.Items
	accepted, gone := map[int]bool{}, map[int]bool{}
	begun := 0
	for _, c := range t.children() {
		done := c.childState().Completed()
		switch {
		case c.childAccepted() && done:
			accepted[c.childIndex()] = true
		case !c.childAccepted() && done:
			gone[c.childIndex()] = true
		}
		if c.childAccepted() || c.childState() == Running || c.childState() == Delayed || c.childState() == Idle {
			begun++
		}
	}
	var out []int
	for i := range gone {
		if !accepted[i] {
			out = append(out, i)
		}
	}
	sort.Ints(out)
	from := begun
	if len(out) > 0 {
		from = out[len(out)-1] + 1
	}
	for i := from; i < items.Count; i++ {
		out = append(out, i)
	}
	if items.Capacity != nil && len(out) > *items.Capacity {
		out = out[:max(*items.Capacity, 0)]
	}
	return out
}
