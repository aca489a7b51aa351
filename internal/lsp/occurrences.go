package lsp

import (
	"strings"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// space is a set of names of which each means one thing.
type space string

const (
	parameterNames space = "parameter"
	resourceNames  space = "resource"
	conditionNames space = "condition"
	typeNames      space = "component type"
	outputNames    space = "output"
	// Components are named within their resource, tasks within their workflow: the owner's name follows.
	componentNames space = "component of "
	taskNames      space = "task of "
	workflowNames  space = "workflow"
	actionNames    space = "action"
)

// occurrence is one place where a name stands.
type occurrence struct {
	space      space
	name       string
	at         diag.Location // of the name as it is written, quotes included
	definition bool
}

// occurrences are all places of names in a document, by which they mean things of the same document.
func (m *meaning) occurrences() []occurrence {
	g := &gatherer{m: m, v: m.version()}
	for _, p := range m.Template.Parameters {
		g.define(parameterNames, p.Name)
	}
	for _, group := range m.Template.ParameterGroups {
		for _, name := range group.Parameters {
			g.use(parameterNames, name)
		}
	}
	for _, c := range m.Template.Conditions {
		g.define(conditionNames, c.Name)
		g.condition(c.Value)
	}
	for _, t := range m.Template.ComponentTypes {
		g.define(typeNames, t.Name)
	}
	for _, r := range m.Template.Resources {
		g.resource(r)
	}
	for _, o := range m.Template.Outputs {
		g.define(outputNames, o.Name)
		g.value(o.Value)
		g.condition(o.Condition)
	}
	for _, w := range m.workflow.Workflows {
		g.workflow(w)
	}
	for _, a := range m.workflow.Actions {
		g.add(actionNames, a.Name, a.At, true)
	}
	return g.out
}

type gatherer struct {
	m   *meaning
	v   *hot.Version
	out []occurrence
}

func (g *gatherer) add(s space, name string, at diag.Location, definition bool) {
	if at.Start.Line > 0 && at.Path == g.m.Path {
		g.out = append(g.out, occurrence{s, name, at, definition})
	}
}

func (g *gatherer) define(s space, n *source.Node) { g.add(s, n.Text, n.At(), true) }

func (g *gatherer) use(s space, n *source.Node) {
	if n.Is(source.String) {
		g.add(s, n.Text, n.At(), false)
	}
}

// part is a use of which the name is a part of the text, from one offset to another.
func (g *gatherer) part(s space, n *source.Node, from, to int) {
	at := n.Inside(from)
	at.End = diag.Pos{Line: at.Start.Line, Column: at.Start.Column + utf8.RuneCountInString(n.Text[from:to])}
	g.add(s, n.Text[from:to], at, false)
}

func (g *gatherer) resource(r *hot.Resource) {
	g.define(resourceNames, r.Name)
	for _, n := range []*source.Node{r.Properties, r.Metadata, r.UpdatePolicy, r.DeletionPolicy, r.ExternalID} {
		g.value(n)
	}
	g.condition(r.Condition)
	for _, name := range r.DependsOn {
		g.use(resourceNames, name)
	}
	for _, c := range r.Components {
		g.define(componentNames+space(r.Name.Text), c.Name)
		g.value(c.Params)
		g.value(c.Metadata)
		g.condition(c.Condition)
		if c.Type != nil {
			g.use(typeNames, c.Type)
		}
		for _, name := range c.DependsOn {
			g.dependsOn(r, name)
		}
	}
}

// dependsOn is a name in a component's depends_on: HOST, HOST.COMPONENT, or a component of the same host.
func (g *gatherer) dependsOn(r *hot.Resource, n *source.Node) {
	if r.Component(n.Text) != nil {
		g.use(componentNames+space(r.Name.Text), n)
		return
	}
	if g.m.Template.Resource(n.Text) != nil {
		g.use(resourceNames, n)
		return
	}
	host, component, ok := cutLast(n.Text)
	if !ok || n.Style == source.Literal || n.Style == source.Folded {
		return
	}
	g.part(resourceNames, n, 0, len(host))
	g.part(componentNames+space(host), n, len(n.Text)-len(component), len(n.Text))
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

func (g *gatherer) value(n *source.Node) {
	if n != nil {
		g.references(function.References(g.v, n))
	}
}

func (g *gatherer) condition(n *source.Node) {
	if n != nil {
		g.references(function.ConditionReferences(g.v, n))
	}
}

func (g *gatherer) references(refs []function.Reference) {
	for _, r := range refs {
		switch r.Kind {
		case function.Parameter:
			g.use(parameterNames, r.Target)
		case function.Condition:
			g.use(conditionNames, r.Target)
		case function.Resource, function.Attribute:
			g.use(resourceNames, r.Target)
			if len(r.Path) > 1 && r.Path[0].Str() == "components" {
				g.use(componentNames+space(r.Target.Text), r.Path[1])
			}
		case function.ParameterOrResource:
			if g.m.Template.Resource(r.Target.Text) != nil {
				g.use(resourceNames, r.Target)
			} else {
				g.use(parameterNames, r.Target)
			}
		}
	}
}

func (g *gatherer) workflow(w *workflow.Workflow) {
	g.add(workflowNames, w.Name, w.At, true)
	tasks := taskNames + space(w.Name)
	for _, t := range w.Tasks {
		g.add(tasks, t.Name, t.At, true)
		g.clauses(tasks, w, t)
		g.called(t)
		requires := t.Node.Get("requires")
		if requires.Is(source.String) {
			g.use(tasks, requires)
		} else if requires != nil {
			for _, n := range requires.Items {
				g.use(tasks, n)
			}
		}
	}
	if w.Defaults != nil {
		g.clauses(tasks, w, w.Defaults)
	}
}

func (g *gatherer) clauses(tasks space, w *workflow.Workflow, t *workflow.Task) {
	for _, c := range []*workflow.Clause{t.OnSuccess, t.OnError, t.OnComplete, t.OnSkip} {
		if c == nil {
			continue
		}
		for _, next := range c.Next {
			if w.Task(next.Name) != nil {
				g.add(tasks, next.Name, next.At, false)
			}
		}
	}
}

// called is the name of what a task runs, where this document defines it.
func (g *gatherer) called(t *workflow.Task) {
	for key, s := range map[string]space{"action": actionNames, "workflow": workflowNames} {
		n := t.Node.Get(key)
		name, _, _ := strings.Cut(n.Str(), " ")
		if name == "" || n.Style == source.Literal || n.Style == source.Folded {
			continue
		}
		_, short, qualified := strings.Cut(name, ".")
		if qualified && g.m.workflow.Name != "" && strings.HasPrefix(name, g.m.workflow.Name+".") {
			g.part(s, n, len(name)-len(short), len(name))
		} else {
			g.part(s, n, 0, len(name))
		}
	}
}
