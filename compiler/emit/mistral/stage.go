package mistral

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
)

// lifecycle is what of a stack's life has a workflow of its own, with the end of its name. CREATE and UPDATE share one,
// which finds out by itself what there is to do.
var lifecycle = []struct{ action, name string }{
	{"DELETE", "remove"}, {"SUSPEND", "suspend"}, {"RESUME", "resume"},
}

// softwareWorkflow is what a stage's resource starts for every action: it runs the workflow that the input names. So the
// property actions never changes, for which Heat would replace the resource. Its name says its version: what is in a Mistral
// under that name never changes its meaning.
//
//go:embed software.yaml
var softwareWorkflow string

const softwareWorkflowName = "hotloom.software.v1"

// stage adds the resource that starts a stage's workflows, behind the last of its hosts, and the workflows.
func (t *emitter) stage(s *stage) {
	last := s.tasks[len(s.tasks)-1]
	origin := last.Decl.Name
	names := t.keep(s, t.Resource(last.Host.Name()), origin, t.workflows(s))
	var actions []source.Pair
	for _, action := range []string{"CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME"} {
		actions = append(actions, source.P(origin, action, source.NewMap(origin,
			source.P(origin, "workflow", plain.Text(origin, softwareWorkflowName)),
			source.P(origin, "params", plain.Flow(source.NewMap(origin,
				// Outputs of former runs come back in the environment, in which nothing is to be evaluated.
				source.P(origin, "evaluate_env", source.NewBool(origin, false)),
				source.P(origin, "env", plain.Flow(source.NewMap(origin, source.P(origin, "hotloom_action", plain.Text(origin, action)))))))))))
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
			source.P(origin, "workflows", source.NewMap(origin, names...)),
			source.P(origin, "stack", stack),
			source.P(origin, "resource", plain.Text(origin, s.resource)),
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

// ofAction is one workflow of a stage.
type ofAction struct {
	action string // APPLY is CREATE and UPDATE
	name   string // the end of its name
	*source.Node
}

// workflows are those of a stage.
func (t *emitter) workflows(s *stage) []ofAction {
	out := []ofAction{{"APPLY", "apply", t.apply(s)}}
	for _, l := range lifecycle {
		if slices.ContainsFunc(s.tasks, func(one *task) bool { return one.Step(l.action) != nil }) {
			out = append(out, ofAction{l.action, l.name, t.other(s, l.action)})
		}
	}
	return out
}

// digest is a short text that differs where workflows do.
func digest(workflows []ofAction) string {
	hash := sha256.New()
	for _, w := range workflows {
		hash.Write([]byte(w.name + "\n"))
		hash.Write(source.Encode(w.Node))
	}
	return hex.EncodeToString(hash.Sum(nil)[:4])
}

// keep puts a stage's workflows where Mistral gets them from: a file, or on request resources behind host. It gives, by
// action, what the stack calls them. Their names hold a digest of them, so that those of two versions of a template, or of
// two templates of one name, do not disturb each other.
func (t *emitter) keep(s *stage, host *plain.Resource, origin *source.Node, workflows []ofAction) []source.Pair {
	t.AddFile(plain.WorkflowFolder+softwareWorkflowName+".yaml", softwareWorkflow)
	t.AddFile(plain.WorkflowFolder+stepWorkflowName+".yaml", stepWorkflow)
	prefix := s.workflow + "." + digest(workflows) + "."
	var names []source.Pair
	if t.Options.WorkflowsInStack {
		var all []kept
		for _, w := range workflows {
			all = append(all, kept{t.Name(strings.ReplaceAll(s.workflow, ".", "_"), w.name, "workflow"), prefix + w.name, w.Node})
		}
		t.addWorkflows(host, origin, all)
		for i, w := range workflows {
			names = append(names, source.P(origin, w.action, plain.Call(origin, "get_resource", plain.Text(origin, all[i].resource))))
		}
		return names
	}
	pairs := []source.Pair{source.P(nil, "version", plain.Text(nil, "2.0"))}
	for _, w := range workflows {
		pairs = append(pairs, source.P(nil, prefix+w.name, w.Node))
		names = append(names, source.P(origin, w.action, plain.Text(origin, prefix+w.name)))
	}
	t.AddTree(plain.WorkflowFolder+s.workflow+".yaml", source.NewMap(nil, pairs...))
	// Heat looks at parameters before it begins, and at inputs not at all.
	apply := plain.Call(origin, "get_param", plain.Text(origin, t.AddParameter(s.resource+"_workflow", origin,
		source.P(origin, "type", plain.Text(origin, "string")),
		source.P(origin, "description", plain.Text(origin, "Workflow of this version of the template. Leave it as it is.")),
		source.P(origin, "default", plain.Text(origin, prefix+"apply")),
		source.P(origin, "constraints", plain.Flow(source.NewList(origin, plain.Flow(source.NewMap(origin,
			source.P(origin, "custom_constraint", plain.Text(origin, "mistral.workflow"))))))))))
	names[0].Value = apply
	return names
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
