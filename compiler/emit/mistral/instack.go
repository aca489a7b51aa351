package mistral

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
)

// kept is a workflow that becomes a resource.
type kept struct {
	resource, name string
	*source.Node
}

// addWorkflows adds workflows as resources. Their names begin with the stack's, so that stacks do not disturb each other.
func (t *emitter) addWorkflows(host *plain.Resource, origin *source.Node, workflows []kept) {
	for _, w := range workflows {
		name := plain.Call(origin, "list_join", plain.Flow(source.NewList(origin, plain.Text(origin, "."),
			plain.Flow(source.NewList(origin, plain.Call(origin, "get_param", plain.Text(origin, "OS::stack_name")), plain.Text(origin, w.name))))))
		properties := append([]source.Pair{source.P(origin, "name", name)}, t.inStack(origin, w.Node)...)
		t.Add(host, w.resource, origin, "OS::Mistral::Workflow", properties...)
	}
}

// taskProperties are what Heat's OS::Mistral::Workflow takes of a task, besides its name: Mistral's words with _ for -.
// (policies is left out: Mistral itself no longer knows it.)
var taskProperties = []string{
	"description", "on_error", "on_complete", "on_success", "action", "workflow", "publish", "input", "requires", "retry",
	"wait_before", "wait_after", "pause_before", "timeout", "with_items", "keep_result", "target", "join", "concurrency",
}

// defaultProperties are what it takes of task-defaults.
var defaultProperties = []string{
	"on_error", "on_complete", "on_success", "requires", "retry", "wait_before", "wait_after", "pause_before", "timeout", "concurrency",
}

// workflowProperties are what it takes of a workflow.
var workflowProperties = []string{"type", "description", "input", "output", "tasks", "task-defaults", "tags"}

// optional are sections of hotloom's own workflows that only make messages nicer.
var optional = []string{"output-on-error"}

// inStack gives a workflow as properties of an OS::Mistral::Workflow. It reports what the type can not express.
func (t *emitter) inStack(origin *source.Node, workflow *source.Node) []source.Pair {
	out := []source.Pair{source.P(origin, "type", plain.Text(origin, "direct"))}
	for _, p := range workflow.Pairs {
		key := p.Key.Str()
		switch {
		case slices.Contains(optional, key):
		case !slices.Contains(workflowProperties, key):
			t.Report(notInStack(p.Key.At(), key))
		case key == "type":
			out[0].Value = p.Value
		case key == "input":
			out = append(out, source.P(origin, "input", t.inStackInput(p.Value)))
		case key == "tasks":
			out = append(out, source.P(origin, "tasks", t.inStackTasks(p.Value)))
		case key == "task-defaults":
			out = append(out, source.P(origin, "task_defaults", source.NewMap(p.Value, t.renamed(p.Value, defaultProperties)...)))
		default:
			out = append(out, source.P(origin, key, p.Value))
		}
	}
	return out
}

// inStackInput gives the inputs as a map, of which Heat hands on the names alone.
func (t *emitter) inStackInput(inputs *source.Node) *source.Node {
	var pairs []source.Pair
	for _, in := range inputs.Items {
		name := in
		if one := in.Single(); one != nil {
			name = one.Key
		}
		pairs = append(pairs, source.P(in, name.Str(), plain.Text(in, "")))
	}
	return source.NewMap(inputs, pairs...)
}

func (t *emitter) inStackTasks(tasks *source.Node) *source.Node {
	var items []*source.Node
	for _, p := range tasks.Pairs {
		pairs := []source.Pair{source.P(p.Key, "name", p.Key)}
		for _, one := range t.renamed(p.Value, taskProperties) {
			if one.Key.Text == "workflow" && t.besides[one.Value.Str()] {
				// Heat wants to find it in Mistral when it validates, and of a reference knows no value then.
				t.Report(notInStack(one.Value.At(), "a task that runs another workflow of the same stack, as one"))
			}
			switch one.Key.Text {
			case "on_success", "on_error", "on_complete": // lists of Heat's
				if !one.Value.Is(source.List) {
					one.Value = source.NewList(one.Value, one.Value)
				}
			case "with_items":
				if one.Value.Is(source.List) && len(one.Value.Items) == 1 {
					one.Value = one.Value.Items[0]
				} else if one.Value.Is(source.List) {
					t.Report(notInStack(one.Key.At(), "with-items of several lists"))
				}
			}
			pairs = append(pairs, one)
		}
		items = append(items, source.NewMap(p.Value, pairs...))
	}
	return source.NewList(tasks, items...)
}

// renamed gives the entries of a map under Heat's names.
func (t *emitter) renamed(m *source.Node, known []string) []source.Pair {
	var out []source.Pair
	for _, p := range m.Pairs {
		name := strings.ReplaceAll(p.Key.Str(), "-", "_")
		if !slices.Contains(known, name) {
			t.Report(notInStack(p.Key.At(), p.Key.Str()))
			continue
		}
		out = append(out, source.P(p.Key, name, p.Value))
	}
	return out
}
