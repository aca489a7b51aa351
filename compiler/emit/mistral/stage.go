package mistral

import (
	_ "embed"
	"slices"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
)

// lifecycle is what of a stack's life has a workflow of its own, with the end of its name. CREATE and UPDATE share one,
// which finds out by itself what there is to do.
var lifecycle = []struct{ action, name string }{
	{"DELETE", "remove"}, {"SUSPEND", "suspend"}, {"RESUME", "resume"},
}

// stage adds the resource that starts a stage's workflows, behind the last of its hosts, and the workflows.
func (t *emitter) stage(s *stage) {
	last := s.tasks[len(s.tasks)-1]
	origin := last.Decl.Name
	workflows := t.workflows(s)
	names := t.keep(plain.WorkflowFolder+s.workflow+".yaml", t.Resource(last.Host.Name()), origin, workflows)
	start := func(name string, params ...source.Pair) *source.Node {
		// Outputs of former runs come back in the environment, in which nothing is to be evaluated.
		params = append(params, source.P(origin, "evaluate_env", source.NewBool(origin, false)))
		return source.NewMap(origin,
			source.P(origin, "workflow", names[s.workflow+"."+name]),
			source.P(origin, "params", plain.Flow(source.NewMap(origin, params...))))
	}
	actions := []source.Pair{
		source.P(origin, "CREATE", start("apply")),
		source.P(origin, "UPDATE", start("apply")),
	}
	for _, l := range lifecycle {
		if names[s.workflow+"."+l.name] != nil {
			actions = append(actions, source.P(origin, l.action, start(l.name)))
		}
	}
	var steps []source.Pair
	for _, one := range s.tasks {
		steps = append(steps, source.P(one.Decl.Name, one.name, t.stepInput(one)))
	}
	stack := plain.Call(origin, "list_join", plain.Flow(source.NewList(origin, plain.Text(origin, "/"), plain.Flow(source.NewList(origin,
		plain.Call(origin, "get_param", plain.Text(origin, "OS::stack_name")),
		plain.Call(origin, "get_param", plain.Text(origin, "OS::stack_id")))))))
	r := t.Add(t.Resource(last.Host.Name()), s.resource, origin, "OS::Mistral::ExternalResource",
		source.P(origin, "description", plain.Text(origin, "software of "+t.name)),
		source.P(origin, "actions", source.NewMap(origin, actions...)),
		source.P(origin, "input", source.NewMap(origin,
			source.P(origin, "stack", stack),
			source.P(origin, "steps", source.NewMap(origin, steps...)))))
	r.After(s.after...)
	for _, one := range s.tasks {
		for _, step := range one.Steps {
			for _, needed := range step.Needs {
				r.After(needed.Name.Text)
			}
			for _, b := range step.Before {
				if name, ok := t.reporters[b.Component]; ok {
					r.After(name)
				}
			}
		}
	}
	t.addRecord(t.Resource(last.Host.Name()), s.record, s.resource, origin)
}

// workflows are those of a stage.
func (t *emitter) workflows(s *stage) []source.Pair {
	out := []source.Pair{source.P(nil, s.workflow+".apply", t.apply(s))}
	for _, l := range lifecycle {
		if slices.ContainsFunc(s.tasks, func(one *task) bool { return one.Step(l.action) != nil }) {
			out = append(out, source.P(nil, s.workflow+"."+l.name, t.other(s, l.action)))
		}
	}
	return out
}

// recordTemplate makes values of a workflow's output, which Heat gives as JSON text.
//
//go:embed record.yaml
var recordTemplate string

// addRecord adds the nested stack that holds the output of what a resource started.
func (t *emitter) addRecord(host *plain.Resource, name, resource string, origin *source.Node) *plain.Resource {
	return t.Add(host, name, origin, t.AddFile("hotloom/record.yaml", recordTemplate),
		source.P(origin, "record", plain.Call(origin, "get_attr", plain.Texts(origin, resource, "output"))))
}

// stepInput is what a stage's workflow gets of one task. The digest tells whether anything of it has changed.
func (t *emitter) stepInput(one *task) *source.Node {
	origin := one.Decl.Name
	step := plain.Call(origin, "get_attr", plain.Texts(origin, one.step, "value"))
	signals := plain.Flow(source.NewList(origin, plain.Call(origin, "get_resource", plain.Text(origin, one.signal))))
	if t.isGroup(one) {
		signals = plain.Call(origin, "get_attr", plain.Texts(origin, one.signal, "refs"))
	}
	text := plain.Call(origin, "list_join", plain.Flow(source.NewList(origin, plain.Text(origin, ""), plain.Flow(source.NewList(origin, step)))))
	return source.NewMap(origin,
		source.P(origin, "step", step),
		source.P(origin, "signals", signals),
		source.P(origin, "digest", plain.Call(origin, "digest", plain.Flow(source.NewList(origin, plain.Text(origin, "sha256"), text)))))
}
