package workflow

import (
	"regexp"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/expression"
	"github.com/hotloom/hotloom/compiler/jinja"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// uncheckedExpressions finds broken expressions where Mistral's validation does not look: below the first level,
// in output-on-error, target, and the messages of commands.
func (l *linter) uncheckedExpressions(w *Workflow) {
	p := &parser{}
	deep := func(n *source.Node) {
		if n == nil {
			return
		}
		for _, item := range n.Items {
			walkTexts(item, false, p.expression)
		}
		for _, pair := range n.Pairs {
			walkTexts(pair.Value, false, p.expression)
		}
	}
	for _, key := range []string{"output", "vars"} {
		deep(w.Node.Get(key))
	}
	walkTexts(w.Node.Get("output-on-error"), true, p.expression)
	for _, t := range w.Tasks {
		for _, key := range []string{"input", "publish", "publish-on-error", "publish-on-skip"} {
			deep(t.Node.Get(key))
		}
		walkTexts(t.Node.Get("target"), true, p.expression)
		for _, c := range []*Clause{t.OnSuccess, t.OnError, t.OnComplete, t.OnSkip} {
			if c == nil {
				continue
			}
			if section := c.Node.Get("publish"); section != nil {
				for _, pair := range section.Pairs {
					deep(pair.Value)
				}
			}
			for _, next := range c.Next {
				l.message(next)
			}
		}
	}
	for _, d := range p.findings {
		l.advise(d.Location, "workflow-late-expression", d.Suggestion, "Mistral does not see this before it runs, and fails then: %s", d.Message)
	}
}

// message checks the parameters of a command.
func (l *linter) message(next Next) {
	for _, v := range next.Params.All() {
		if text, ok := v.(string); ok {
			p := &parser{}
			p.expression(&source.Node{Kind: source.String, Text: text})
			for _, d := range p.findings {
				l.warn(next.At, "workflow-late-expression", "Mistral does not see this before it runs, and fails then: %s", d.Message)
			}
		}
	}
}

// walkTexts visits the texts of a tree; top says whether n itself counts.
func walkTexts(n *source.Node, top bool, visit func(*source.Node)) {
	if n == nil {
		return
	}
	if n.Kind == source.String {
		if top {
			visit(n)
		}
		return
	}
	for _, item := range n.Items {
		walkTexts(item, true, visit)
	}
	for _, pair := range n.Pairs {
		walkTexts(pair.Value, true, visit)
	}
}

// use is one expression text of a workflow, and where it is evaluated.
type use struct {
	node  *source.Node
	task  *Task // nil for the workflow's own sections
	key   string
	after bool // sees what the task itself publishes
}

// uses gives all texts of a workflow that are evaluated.
func (w *Workflow) uses() []use {
	var out []use
	add := func(n *source.Node, t *Task, key string, after bool) {
		walkTexts(n, true, func(n *source.Node) { out = append(out, use{n, t, key, after}) })
	}
	for _, key := range []string{"vars", "output", "output-on-error"} {
		add(w.Node.Get(key), nil, key, false)
	}
	for _, t := range w.Tasks {
		for _, pair := range t.Node.Pairs {
			switch key := pair.Key.Text; key {
			case "description", "tags", "join", "requires", "name", "version", "type":
			case "on-success", "on-error", "on-complete", "on-skip":
				if section := pair.Value.Get("publish"); section != nil {
					add(section, t, key, false)
				}
				walkTexts(pair.Value.Get("next"), true, func(n *source.Node) { out = append(out, use{n, t, key, true}) })
				for _, item := range pair.Value.Items {
					add(item, t, key, true)
				}
			default:
				add(pair.Value, t, key, key == "retry" || key == "fail-on")
			}
		}
	}
	return out
}

// unclosed finds texts in which an expression begins and does not end: to Mistral they are texts.
func (l *linter) unclosed(w *Workflow) {
	for _, u := range w.uses() {
		for _, mark := range [][2]string{{"<%", "%>"}, {"{{", "}}"}} {
			at := strings.LastIndex(u.node.Text, mark[0])
			if at < 0 || strings.Contains(u.node.Text[at:], mark[1]) {
				continue
			}
			l.advise(u.node.Inside(at), "workflow-unclosed-expression", "put the value in quotes where it holds a comma and stands in { } or [ ]",
				"the expression has no %s, so Mistral takes the value for a text", mark[1])
		}
	}
}

// functions finds functions that Mistral's YAQL does not have, and filters, tests and functions that its Jinja lacks.
func (l *linter) functions(w *Workflow) {
	for _, u := range w.uses() {
		if expression.IsJinja(u.node.Text) {
			for _, name := range jinja.Unknown(u.node.Text, expression.HasFunction) {
				d := l.warn(u.node.Inside(name.Offset), "workflow-function", "Mistral's Jinja has no %s %q%s", name.Kind, name.Name, u.consequence())
				if near := diag.Nearest(name.Name, jinja.Names(name.Kind)); near != "" {
					d.Suggestion = "did you mean " + near + "?"
				} else if near := diag.Nearest(name.Name, expression.Functions()); near != "" && name.Kind != jinja.TestName {
					d.Suggestion = "did you mean " + near + "?"
				}
			}
			continue
		}
		for _, part := range yaql.ParseText(u.node.Text).Parts {
			if part.Err != nil {
				continue
			}
			for _, f := range part.Expr.Functions() {
				if yaql.Known(yaql.Mistral, f.Name, f.Method) || yaql.Known(yaql.Mistral, f.Name, !f.Method) {
					continue
				}
				at := u.node.Inside(value.Offset(u.node.Text, part.Inner+f.Start))
				d := l.warn(at, "workflow-function", "Mistral's YAQL has no function %q%s", f.Name, u.consequence())
				if near := diag.Nearest(f.Name, yaql.Names(yaql.Mistral, f.Method)); near != "" {
					d.Suggestion = "did you mean " + near + "?"
				}
			}
		}
	}
}

// consequence says what an expression that fails leads to.
func (u use) consequence() string {
	switch {
	case u.key == "vars":
		return "; the workflow cannot start"
	case u.task == nil:
		return "; the workflow ends with ERROR"
	}
	return "; the workflow ends with ERROR, on-error does not help"
}

// read is a variable of the context that an expression needs to be there.
type read struct {
	name string
	at   diag.Location
}

// reads gives the variables of a text that must be there: `$.x` of YAQL where $ is the context, `_.x` of Jinja.
func (u use) reads() []read {
	var out []read
	for _, part := range yaql.ParseText(u.node.Text).Parts {
		if part.Err != nil {
			continue
		}
		for _, r := range contextReads(part.Expr.Root) {
			out = append(out, read{r.name, u.node.Inside(value.Offset(u.node.Text, part.Inner+r.at))})
		}
	}
	if jinjaParts().MatchString(u.node.Text) {
		for _, r := range jinja.Reads(u.node.Text) {
			if r.Of == "_" && !r.Safe {
				out = append(out, read{r.Name, u.node.Inside(r.Offset)})
			}
		}
	}
	return out
}

type yaqlRead struct {
	name string
	at   int
}

// contextReads finds $.name where $ is the whole context: not in the arguments of calls, which may be lambdas, and not
// to the right of ->.
func contextReads(n yaql.Node) []yaqlRead {
	switch n := n.(type) {
	case *yaql.Binary:
		if v, ok := n.Left.(*yaql.Var); ok && n.Op == "." && v.Name == "1" {
			if word, ok := n.Right.(*yaql.Const); ok && word.Word {
				name, _ := word.Value.(string)
				return []yaqlRead{{name, v.Start()}}
			}
			return nil
		}
		if n.Op == "->" {
			return contextReads(n.Left)
		}
		if n.Op == "." || n.Op == "?." {
			return contextReads(n.Left)
		}
		return append(contextReads(n.Left), contextReads(n.Right)...)
	case *yaql.Unary:
		return contextReads(n.X)
	case *yaql.Paren:
		return contextReads(n.X)
	case *yaql.Index:
		return contextReads(n.X)
	case *yaql.List:
		var out []yaqlRead
		for _, a := range n.Args {
			out = append(out, contextReads(a)...)
		}
		return out
	}
	return nil
}

// variables finds variables that nothing before the reader publishes.
func (l *linter) variables(w *Workflow) {
	always := map[string]bool{"openstack": true, "__env": true, "__execution": true, "__task_execution": true}
	for _, p := range w.Input {
		always[p.Name] = true
	}
	addKeys(always, w.Vars)
	anywhere := map[string]*Task{} // variables and who publishes them
	for _, t := range w.Tasks {
		for _, m := range t.globalSections() {
			addKeys(always, m)
		}
		for name := range t.publishes("") {
			anywhere[name] = t
		}
	}
	seen, before := w.visible(), w.ancestors()
	for _, u := range w.uses() {
		for _, r := range u.reads() {
			// Variables do not see each other; an input does not become one by being hidden.
			known := always[r.name] && (u.key != "vars" || w.hasInput(r.name) || strings.HasPrefix(r.name, "__"))
			if known || seen.at(u, r.name) {
				continue
			}
			switch by := anywhere[r.name]; {
			case by == nil:
				l.warn(r.at, "workflow-variable", "nothing publishes the variable %q%s", r.name, u.consequence())
			case u.task == nil:
			case before[u.task.Name][by.Name]:
				l.warn(r.at, "workflow-variable", "task %q publishes the variable %q in another case than that in which %q follows%s", by.Name, r.name, u.task.Name, u.consequence())
			case by == u.task && u.after:
				l.warn(r.at, "workflow-variable", "task %q publishes the variable %q in another case than that of %s%s", by.Name, r.name, u.key, u.consequence())
			default:
				l.warn(r.at, "workflow-variable", "variable %q is published by task %q, which does not come before %q%s", r.name, by.Name, u.task.Name, u.consequence())
			}
		}
	}
}

func (w *Workflow) hasInput(name string) bool {
	for _, p := range w.Input {
		if p.Name == name {
			return true
		}
	}
	return false
}

func addKeys(to map[string]bool, m *value.Map) {
	if m == nil {
		return
	}
	for k := range m.All() {
		if s, ok := k.(string); ok {
			to[s] = true
		}
	}
}

func (t *Task) globalSections() []*value.Map {
	var out []*value.Map
	for _, c := range []*Clause{t.OnSuccess, t.OnError, t.OnComplete, t.OnSkip} {
		if c != nil && c.Publish != nil {
			out = append(out, c.Publish.Global)
		}
	}
	return out
}

// bareContext is a use of the whole context, which may read anything.
var bareContext = lazyregexp.New(`\$\s*(?:%>|[^.\w\s]|\))|\b_\s*(?:\}\}|[^.\w\s\[]|\|)|\$\.(?:keys|values|items)\b`)

// unusedInputs finds inputs whose name stands in no expression.
func (l *linter) unusedInputs(w *Workflow) {
	var all strings.Builder
	for _, u := range w.uses() {
		if yaql.HasExpression(u.node.Text) || jinjaParts().MatchString(u.node.Text) {
			if bareContext().MatchString(u.node.Text) {
				return
			}
			all.WriteString(u.node.Text + "\n")
		}
	}
	if w.Output == nil {
		return // the output is the final context, but inputs are not in it: they may still be meant for callers
	}
	text := all.String()
	for _, p := range w.Input {
		word := regexp.MustCompile(`(?:^|[^\pL\pN_])` + regexp.QuoteMeta(p.Name) + `(?:[^\pL\pN_]|$)`)
		if !word.MatchString(text) {
			l.warn(p.At, "workflow-unused-input", "input %q of workflow %q is never read", p.Name, w.Name)
		}
	}
}
