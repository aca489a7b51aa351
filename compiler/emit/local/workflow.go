package local

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/tasks"
	"github.com/hotloom/hotloom/compiler/source"
)

// The names in the emitted document: the workflow to start, and the actions that internal/local has.
const (
	WorkflowName = "stack"
	applyName    = "stack_apply"
	removeName   = "stack_remove"

	ApplyAction  = "hotloom.apply"    // makes a node, updates it, or leaves it as it is; input: node, plan
	RemoveAction = "hotloom.remove"   // input: node, plan
	RunAction    = "hotloom.workflow" // says which workflow a node runs, and whether; input: node, plan
)

// Gone is a node of an earlier plan that is to be removed.
type Gone struct {
	Key   string
	After []string // what it waited for when it was made; it is removed before that
}

// Emit writes the workflow that makes or updates what a plan (nil: nothing) holds, and then removes what is gone. The
// input plan is handed to each action, which refuses those of a plan that is not the current one.
func Emit(p *Plan, gone []Gone) []byte {
	var origin *source.Node
	if p == nil {
		p = &Plan{}
	} else {
		origin = p.Root.Template.Root
	}
	call := func(name string) *source.Node {
		return source.NewMap(origin, text(origin, "workflow", name), input(origin))
	}
	var main, workflows []source.Pair
	if len(p.Nodes) > 0 {
		main = append(main, source.P(origin, "apply", call(applyName)))
		workflows = append(workflows, workflow(origin, applyName, "Makes or updates each node behind those that it waits for.", apply(p)))
	}
	if len(gone) > 0 {
		main = append(main, source.P(origin, "remove", call(removeName)))
		workflows = append(workflows, workflow(origin, removeName, "Removes what is gone, in the opposite order.", remove(origin, gone)))
	}
	switch len(main) {
	case 0:
		main = append(main, source.P(origin, "nothing", source.NewMap(origin, text(origin, "action", "std.noop"))))
	case 2:
		main[0].Value = source.NewMap(origin, append(slices.Clone(main[0].Value.Pairs), text(origin, "on-success", "remove"))...)
	}
	pairs := []source.Pair{
		source.P(origin, "version", source.NewString(origin, "2.0")),
		workflow(origin, WorkflowName, "", main),
	}
	return source.Encode(source.NewMap(origin, append(pairs, workflows...)...))
}

func workflow(origin *source.Node, name, description string, list []source.Pair) source.Pair {
	var pairs []source.Pair
	if description != "" {
		pairs = append(pairs, text(origin, "description", description))
	}
	pairs = append(pairs, source.P(origin, "input", source.NewList(origin, source.NewString(origin, "plan"))),
		source.P(origin, "tasks", source.NewMap(origin, list...)))
	return source.P(origin, name, source.NewMap(origin, pairs...))
}

func text(origin *source.Node, key, value string) source.Pair {
	return source.P(origin, key, source.NewString(origin, value))
}

func input(origin *source.Node, more ...source.Pair) source.Pair {
	return source.P(origin, "input", source.NewMap(origin, append(more, text(origin, "plan", "<% $.plan %>"))...))
}

// The ends of the ids of the tasks that stand before a workflow's own. No key ends so: a slash at the end of one would
// have a name without letters behind it.
const (
	beginSuffix     = "/begin/"
	executionSuffix = "/execution/"
)

func begin(key string) string     { return key + beginSuffix }
func execution(key string) string { return key + executionSuffix }

// apply gives a task for each node. A workflow has three: one decides which is run with what, one runs it as often as
// that says, once or never, and one takes its output.
func apply(p *Plan) []source.Pair {
	var items []tasks.Item
	for _, n := range p.Nodes {
		after := n.After
		if n.Kind == Workflow {
			items = append(items, tasks.Item{ID: begin(n.Key), After: after, At: n.At},
				tasks.Item{ID: execution(n.Key), After: []string{begin(n.Key)}, At: n.At})
			after = []string{execution(n.Key)}
		}
		items = append(items, tasks.Item{ID: n.Key, After: after, At: n.At})
	}
	all := tasks.Of(items)
	names := make(map[string]string, len(all))
	for _, t := range all {
		names[t.ID] = t.Name
	}
	var out []source.Pair
	for _, t := range all {
		var body []source.Pair
		switch n := p.Node(t.ID); {
		case n == nil && strings.HasSuffix(t.ID, executionSuffix):
			body = []source.Pair{
				text(t.At, "with-items", "given in <% task("+t.After[0].Name+").result.inputs %>"),
				text(t.At, "workflow", "<% task("+t.After[0].Name+").result.workflow %>"),
				text(t.At, "input", "<% $.given %>"),
			}
		case n == nil:
			body = []source.Pair{text(t.At, "action", RunAction), input(t.At, text(t.At, "node", t.Next[0].Next[0].ID))}
		case n.Kind == Workflow:
			result := "<% task(" + names[execution(n.Key)] + ").result %>"
			body = []source.Pair{text(t.At, "action", ApplyAction), input(t.At, text(t.At, "node", n.Key), text(t.At, "result", result))}
		default:
			body = []source.Pair{text(t.At, "action", ApplyAction), input(t.At, text(t.At, "node", n.Key))}
		}
		out = append(out, t.Definition(body...))
	}
	return out
}

// remove gives a task for each node that is gone. Each waits for those that were made after it.
func remove(origin *source.Node, gone []Gone) []source.Pair {
	after := map[string][]string{}
	for _, g := range gone {
		for _, before := range g.After {
			after[before] = append(after[before], g.Key)
		}
	}
	items := make([]tasks.Item, 0, len(gone))
	for _, g := range slices.Backward(gone) {
		items = append(items, tasks.Item{ID: g.Key, After: after[g.Key], At: origin})
	}
	var out []source.Pair
	for _, t := range tasks.Of(items) {
		out = append(out, t.Definition(text(t.At, "action", RemoveAction), input(t.At, text(t.At, "node", t.ID))))
	}
	return out
}
