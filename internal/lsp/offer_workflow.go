package lsp

import (
	"slices"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// workflowRules says what may stand where in a workflow, and actionRules in an ad-hoc action.
var (
	workflowRules = sync.OnceValue(func() []rule {
		return []rule{
			{at: pattern{}, keys: fixedKeys("of a workflow", workflow.WorkflowKeys()...)},
			{at: path("type"), vals: fixedValues("type of a workflow", "direct", "reverse")},
			{at: path("tasks"), keys: there((*place).tasks)},
			{at: path("tasks/*k"), keys: func(p *place) []offer { return keyWords("of a task", workflow.TaskKeys(p.reverse())...) }},
			{at: path("tasks/*k/action"), vals: (*place).actions},
			{at: path("tasks/*k/workflow"), vals: (*place).workflows},
			{at: path("tasks/*k/input"), keys: func(p *place) []offer { return p.inputs(p.arg(0)) }},
			{at: path("tasks/*k/join"), vals: fixedValues("how many tasks before it have to end", "all", "one")},
			{at: path("tasks/*k/requires"), vals: (*place).tasks},
			{at: path("tasks/*k/requires/*i"), vals: (*place).tasks},
			{at: path("tasks/*k/keep-result"), vals: truths},
			{at: path("tasks/*k/**"), keys: (*place).clauseKeys, vals: (*place).clause},
			{at: path("task-defaults"), keys: fixedKeys("of all tasks", workflow.DefaultsKeys()...)},
			{at: path("task-defaults/requires/*i"), vals: (*place).tasks},
			{at: path("task-defaults/**"), keys: (*place).clauseKeys, vals: (*place).clause},
		}
	})
	actionRules = sync.OnceValue(func() []rule {
		return []rule{
			{at: pattern{}, keys: fixedKeys("of an ad-hoc action", workflow.ActionKeys()...)},
			{at: path("base"), vals: (*place).actions},
			{at: path("base-input"), keys: func(p *place) []offer {
				if a := p.action(); a != nil {
					return p.actionInputs(a.Base)
				}
				return nil
			}},
		}
	})
)

// mistral is the offers of a document of OpenStack Mistral's.
func (p *place) mistral() []offer {
	steps := p.path
	if p.m.kind == lint.KindWorkbook {
		switch {
		case len(steps) == 0 && p.key:
			return keyWords("of a workbook", workflow.WorkbookKeys()...)
		case len(steps) < 2:
			return nil
		case steps[0] == "actions":
			p.args, p.steps = nil, steps[2:]
			return p.byRules(actionRules())
		case steps[0] == "workflows":
			p.steps = steps[2:]
			return p.byRules(workflowRules())
		}
		return nil
	}
	if len(steps) == 0 {
		return keyWords("of the language", "version")
	}
	p.steps = steps[1:]
	if p.m.kind == lint.KindActions {
		return p.byRules(actionRules())
	}
	return p.byRules(workflowRules())
}

// owner is the name of the workflow or action that the place is in.
func (p *place) owner() string {
	if p.m.kind == lint.KindWorkbook {
		return p.last(len(p.path) - 1)
	}
	return p.last(len(p.path))
}

// inWorkflow is the workflow that the place is in, or an empty one.
func (p *place) inWorkflow() *workflow.Workflow {
	for _, w := range p.m.workflow.Workflows {
		if w.Name == p.owner() {
			return w
		}
	}
	return &workflow.Workflow{}
}

func (p *place) action() *workflow.Action {
	for _, a := range p.m.workflow.Actions {
		if a.Name == p.owner() {
			return a
		}
	}
	return nil
}

func (p *place) reverse() bool { return p.inWorkflow().Reverse }

func (p *place) tasks() []offer {
	var out []offer
	for _, t := range p.inWorkflow().Tasks {
		o := offer{name: t.Name, kind: itemFunction, detail: "task", doc: describeTask(t)}
		if t.Action != "" {
			o.detail = t.Action
		}
		out = append(out, o)
	}
	return out
}

// inClause reports whether the place names what follows a task: in a clause, whatever its form; top is the clause itself.
func (p *place) inClause() (in, top bool) {
	i := slices.IndexFunc(p.steps, func(s string) bool { return strings.HasPrefix(s, "on-") })
	if i < 0 {
		return false, false
	}
	rest := p.steps[i+1:]
	top = len(rest) == 0
	if len(rest) > 0 && rest[0] == "next" {
		rest = rest[1:]
	}
	return len(rest) == 0 || len(rest) == 1 && isItem(rest[0]), top
}

func (p *place) clause() []offer {
	in, _ := p.inClause()
	switch {
	case in:
		return append(p.tasks(), values("command of the engine", workflow.Commands...)...)
	case p.last(1) == "pause-before" || p.last(1) == "fail-on" || p.last(1) == "safe-rerun":
		return truths(p)
	}
	return nil
}

func (p *place) clauseKeys() []offer {
	in, top := p.inClause()
	switch {
	case top:
		return keyWords("of a transition", "publish", "next")
	case in:
		return p.tasks()
	case p.last(1) == "retry":
		return keyWords("of a retry policy", workflow.RetryKeys()...)
	case p.last(1) == "publish" && strings.HasPrefix(p.last(2), "on-"):
		return keyWords("of a publish section", workflow.PublishKeys()...)
	}
	return nil
}

// actions are the names that a task calls: those of the document, of providers, and Mistral's.
func (p *place) actions() []offer {
	var out []offer
	p.cutToken()
	for _, a := range p.m.workflow.Actions {
		out = append(out, offer{name: a.Name, kind: itemFunction, detail: "ad-hoc action", doc: p.m.describeAction(a.Name)})
	}
	names := append(workflow.StdActions(), workflow.OpenStackActions()...)
	for name := range p.m.rules.Actions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		o := offer{name: name, kind: itemFunction, detail: p.m.actionDetail(name)}
		if name == p.token {
			o.doc = p.m.describeAction(name)
		}
		out = append(out, o)
	}
	return out
}

// cutToken leaves the parameters of a short call away.
func (p *place) cutToken() {
	if name, _, more := strings.Cut(p.token, " "); more && !strings.HasPrefix(p.token, "<%") && p.token == p.quoteless() {
		p.cursor.end -= len(p.token) - len(name)
		p.cursor.token = name
		if len(p.typed) > len(name) { // in the parameters
			p.cursor.token, p.cursor.typed = "", ""
			p.key, p.value = false, false
		}
	}
}

// quoteless is the token where it is written without quotes.
func (p *place) quoteless() string {
	if p.end-p.start == len(p.token) {
		return p.token
	}
	return ""
}

func (p *place) workflows() []offer {
	var out []offer
	p.cutToken()
	for _, w := range p.m.workflow.Workflows {
		out = append(out, offer{name: w.Name, kind: itemFunction, detail: "workflow", doc: describeWorkflow(w)})
	}
	return out
}

// inputs are those of what a task calls.
func (p *place) inputs(task string) []offer {
	t := p.inWorkflow().Task(task)
	switch {
	case t == nil:
		return nil
	case t.Workflow != "":
		for _, w := range p.m.workflow.Workflows {
			if w.Name == t.Workflow || w.FullName() == t.Workflow {
				return paramOffers(w.Input)
			}
		}
		return nil
	}
	return p.actionInputs(t.Action)
}

func (p *place) actionInputs(name string) []offer { return paramOffers(p.m.actionParams(name)) }

func paramOffers(params []workflow.Param) []offer {
	var out []offer
	for _, in := range params {
		o := offer{name: in.Name, kind: itemProperty, detail: "input", required: !in.HasDefault, doc: describeParam(in)}
		if o.required {
			o.detail = "input, required"
		}
		out = append(out, o)
	}
	return out
}

// actionParams are the inputs of an action, as far as they are known.
func (m *meaning) actionParams(name string) []workflow.Param {
	for _, a := range m.workflow.Actions {
		if a.Name == name || a.FullName() == name {
			return a.Input
		}
	}
	if sig := m.rules.Actions[name]; sig != nil {
		return sig.Inputs
	}
	if sig := workflow.OpenStackAction(name); sig != nil {
		return sig.Inputs
	}
	in, _, _ := workflow.KnownAction(name)
	var out []workflow.Param
	for _, n := range sortedKeys(in) {
		out = append(out, workflow.Param{Name: n, HasDefault: !in[n]})
	}
	return out
}
