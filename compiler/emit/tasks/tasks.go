// Package tasks turns things that wait for each other into the tasks of an OpenStack Mistral workflow: names that the
// language takes, on-success and joins. What a task does is for the target to say. Target local is made of it; target
// mistral also has tasks that are left out by a condition, which this order does not know.
package tasks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/source"
)

// Item is one thing that becomes a task.
type Item struct {
	ID    string       // unique
	After []string     // the ids of the items that it waits for; ids that are no items do not count
	At    *source.Node // what the author wrote that caused it; may be nil
}

// Task is one task of a workflow.
type Task struct {
	Name string // as Mistral takes it; unique, and derived from ID
	ID   string
	At   *source.Node
	// After and Next are the tasks right before and behind this one, in the order of the items.
	After, Next []*Task
}

// FromGraph makes items of those nodes of a graph that keep takes, in an order in which none stands before one that it
// waits for.
func FromGraph(g *graph.Graph, keep func(*graph.Node) bool) []Item {
	var items []Item
	for _, n := range g.Order() {
		if !keep(n) {
			continue
		}
		item := Item{ID: n.ID}
		for _, before := range g.Predecessors(n.ID) {
			if keep(before) {
				item.After = append(item.After, before.ID)
			}
		}
		items = append(items, item)
	}
	return items
}

// Of makes a task of each item, in their order.
func Of(items []Item) []*Task {
	out := make([]*Task, len(items))
	byID := make(map[string]*Task, len(items))
	taken := map[string]bool{}
	for i, item := range items {
		out[i] = &Task{Name: name(item.ID, taken), ID: item.ID, At: item.At}
		byID[item.ID] = out[i]
	}
	for i, item := range items {
		seen := map[string]bool{item.ID: true}
		for _, id := range item.After {
			before := byID[id]
			if before == nil || seen[id] {
				continue
			}
			seen[id] = true
			out[i].After = append(out[i].After, before)
			before.Next = append(before.Next, out[i])
		}
	}
	return out
}

// Last are the tasks that no other waits for.
func Last(all []*Task) []*Task {
	return slices.DeleteFunc(slices.Clone(all), func(t *Task) bool { return len(t.Next) > 0 })
}

// commands are words that stand for something else than a task where a task is named.
var commands = []string{"noop", "fail", "succeed", "pause"}

// maxName is what Mistral's database takes.
const maxName = 255

// name derives the name of a task from an id.
func name(id string, taken map[string]bool) string {
	base := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, strings.TrimRight(id, "/"))
	if base == "" || slices.Contains(commands, base) {
		base = "task_" + base
	}
	base = base[:min(len(base), maxName-8)]
	out := base
	for i := 2; taken[out]; i++ {
		out = base + "_" + strconv.Itoa(i)
	}
	taken[out] = true
	return out
}

// Definition writes a task: its body, then what it waits for and what follows it.
func (t *Task) Definition(body ...source.Pair) source.Pair {
	pairs := slices.Clone(body)
	if len(t.After) > 1 {
		pairs = append([]source.Pair{source.P(t.At, "join", source.NewString(t.At, "all"))}, pairs...)
	}
	if len(t.Next) > 0 {
		names := make([]*source.Node, len(t.Next))
		for i, next := range t.Next {
			names[i] = source.NewString(t.At, next.Name)
		}
		pairs = append(pairs, source.P(t.At, "on-success", source.NewList(t.At, names...)))
	}
	return source.P(t.At, t.Name, source.NewMap(t.At, pairs...))
}
