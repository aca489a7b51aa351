package mistral

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/heatconfig"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// text is a value in a workflow.
func text(s string) *source.Node { return plain.Text(nil, s) }

func yaql(format string, args ...any) *source.Node {
	return text("<% " + fmt.Sprintf(format, args...) + " %>")
}

// quoted is a string in YAQL.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// apply is the workflow that creates a stage's software, or updates what of it has changed.
func (t *emitter) apply(s *stage) *source.Node {
	var outputs, done []source.Pair
	for _, h := range t.Program.Hosts {
		var components []source.Pair
		for _, one := range s.tasks {
			if one.Host == h {
				components = append(components, source.P(nil, one.Name(), t.outputs(one)))
			}
		}
		if len(components) > 0 {
			outputs = append(outputs, source.P(nil, h.Name(), source.NewMap(nil, components...)))
		}
	}
	for _, one := range s.tasks {
		done = append(done, source.P(nil, one.name, source.NewMap(nil,
			source.P(nil, "digest", yaql("$.steps.%s.digest", one.name)),
			source.P(nil, "members", yaql("$.%s", one.name)))))
	}
	output := source.NewMap(nil,
		source.P(nil, "outputs", source.NewMap(nil, outputs...)),
		source.P(nil, "done", source.NewMap(nil, done...)))
	order := func(one *task) *weave.Step {
		if create := one.Step("CREATE"); create != nil {
			return create
		}
		return one.Step("UPDATE")
	}
	return t.workflow(s, fmt.Sprintf("Creates the software of %s, or updates what of it has changed.", t.name), "APPLY", output, order)
}

// other is the workflow for an action that is neither CREATE nor UPDATE.
func (t *emitter) other(s *stage, action string) *source.Node {
	output := source.NewMap(nil, source.P(nil, "finished", text(action)))
	return t.workflow(s, fmt.Sprintf("Runs the %s steps of %s.", action, t.name), action, output,
		func(one *task) *weave.Step { return one.Step(action) })
}

// workflow makes a workflow of those tasks of a stage that have a step, in the order of the steps.
func (t *emitter) workflow(s *stage, description, action string, output *source.Node, stepOf func(*task) *weave.Step) *source.Node {
	next := map[*task][]string{}
	joins := map[*task]bool{}
	for _, one := range s.tasks {
		step := stepOf(one)
		if step == nil {
			continue
		}
		for _, b := range step.Before {
			if before := t.tasks[b.Component]; before != nil && before.stage == s && before != one && stepOf(before) != nil && !slices.Contains(next[before], one.name) {
				next[before] = append(next[before], one.name)
				joins[one] = true
			}
		}
	}
	var tasks []source.Pair
	for _, one := range s.tasks {
		if stepOf(one) != nil {
			tasks = append(tasks, source.P(one.Decl.Name, one.name, t.task(one, action, joins[one], next[one])))
		}
	}
	return source.NewMap(nil,
		source.P(nil, "description", text(description)),
		source.P(nil, "input", source.NewList(nil, text("steps"), text("stack"))),
		source.P(nil, "output", output),
		source.P(nil, "tasks", source.NewMap(nil, tasks...)))
}

// recorded is what the former run recorded: OS::Mistral::ExternalResource hands it on in the environment.
const recorded = "env().get(heat_extresource_data, {})"

// task runs a step on all its servers.
func (t *emitter) task(one *task, action string, joins bool, next []string) *source.Node {
	var pairs []source.Pair
	if joins {
		pairs = append(pairs, source.P(nil, "join", text("all")))
	}
	input := []source.Pair{
		source.P(nil, "step", yaql("$.steps.%s.step", one.name)),
		source.P(nil, "action", text(action)),
		source.P(nil, "server", yaql("$.member[0]")),
		source.P(nil, "signal", yaql("$.member[1]")),
		source.P(nil, "digest", yaql("$.steps.%s.digest", one.name)),
		source.P(nil, "before", yaql(recorded+".get(done, {}).get(%s)", quoted(one.name))),
		source.P(nil, "stack", yaql("$.stack")),
	}
	var reads []source.Pair
	for _, r := range one.reads {
		reads = append(reads, source.P(r.Node, r.placeholder, yaql("%s", t.readExpression(one, r.Read, action))))
	}
	input = append(input, source.P(nil, "reads", source.NewMap(nil, reads...)))
	pairs = append(pairs,
		source.P(nil, "with-items", yaqlItems("member", fmt.Sprintf("$.steps.%s.step.servers.zip($.steps.%s.signals)", one.name, one.name))),
		source.P(nil, "workflow", text(stepWorkflowName)),
		source.P(nil, "input", source.NewMap(nil, input...)),
		source.P(nil, "publish", source.NewMap(nil, source.P(nil, one.name, yaql("task().result")))))
	failed := "$." + one.name + ".any($.failed != null)"
	clauses := []*source.Node{source.NewMap(nil, source.P(nil,
		"fail(msg=<% $."+one.name+".select($.failed).where($ != null).first() %>)", yaql("%s", failed)))}
	for _, name := range next {
		clauses = append(clauses, source.NewMap(nil, source.P(nil, name, yaql("not %s", failed))))
	}
	pairs = append(pairs, source.P(nil, "on-success", source.NewList(nil, clauses...)))
	return source.NewMap(one.Decl.Name, pairs...)
}

func yaqlItems(name, list string) *source.Node { return text(name + " in <% " + list + " %>") }

// readExpression gives an output of a step of the same stage: what it has just given, or, where its turn is over or yet
// to come, what it gave when it was created.
func (t *emitter) readExpression(by *task, r *weave.Read, action string) string {
	from := t.tasks[r.Component]
	members := "$." + from.name
	if action != "APPLY" {
		members = fmt.Sprintf(recorded+".get(done, {}).get(%s, {}).get(members, [])", quoted(from.name))
	}
	value := ".get(" + quoted(outputOf(r)) + ")"
	for _, p := range r.Path {
		if p.Is(source.Int) {
			value += "[" + p.Text + "]"
		} else {
			value += ".get(" + quoted(p.Text) + ")"
		}
	}
	switch {
	case !t.isGroup(from):
		return members + ".select($.outputs).first({})" + value
	case from.Host == by.Host:
		return "let(server => $.member[0]) -> " + members + ".where($.server = $server).select($.outputs).first({})" + value
	}
	return members + ".select($.outputs" + value + ")"
}

// outputs gives a component's outputs to the stack: of a group, lists with a value for each member.
func (t *emitter) outputs(one *task) *source.Node {
	if !t.isGroup(one) {
		return yaql("$.%s.select($.outputs).first({})", one.name)
	}
	names := []string{"deploy_stdout", "deploy_stderr", "deploy_status_code"}
	if heatconfig.Continues(one.Component) {
		names = append(names, heatconfig.StatusOutput)
	}
	for _, o := range one.Type.Outputs {
		names = append(names, o.Name.Text)
	}
	var pairs []source.Pair
	for _, name := range names {
		pairs = append(pairs, source.P(nil, name, yaql("$.%s.select($.outputs.get(%s))", one.name, quoted(name))))
	}
	return source.NewMap(nil, pairs...)
}

func (t *emitter) isGroup(one *task) bool { return one.Host.Kind == weave.Group }
