package workflow

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// ignoredKeys finds keys of a workflow that Mistral takes and does not look at.
func (l *linter) ignoredKeys(w *Workflow) {
	known := append(workflowShape.keyNames(), "name", "version", "description")
	for _, p := range w.Node.Pairs {
		if p.Key.Kind == source.String && !contains(known, p.Key.Text) {
			d := l.warn(p.Key.At(), "workflow-ignored-key", "Mistral ignores the key %q of a workflow", p.Key.Text)
			if near := diag.Nearest(p.Key.Text, known); near != "" {
				d.Suggestion = fmt.Sprintf("did you mean %q?", near)
			}
		}
	}
}

// unreachable finds tasks that no task leads to which can start.
func (l *linter) unreachable(w *Workflow) {
	if w.Reverse || len(w.Start()) == 0 {
		return
	}
	reached := w.reachable()
	for _, t := range w.Tasks {
		if !reached[t.Name] {
			l.warn(t.At, "workflow-unreachable", "task %q never runs: only tasks that never run lead to it", t.Name)
		}
	}
}

func (w *Workflow) reachable() map[string]bool {
	reached := map[string]bool{}
	var visit func(t *Task)
	visit = func(t *Task) {
		if t == nil || reached[t.Name] {
			return
		}
		reached[t.Name] = true
		for _, next := range w.Outbound(t) {
			visit(w.Task(next.Name))
		}
	}
	for _, t := range w.Start() {
		visit(t)
	}
	return reached
}

// edge is one transition between tasks.
type edge struct {
	from  *Task
	event string
	next  Next
}

func (w *Workflow) edgesTo(name string) []edge {
	var out []edge
	for _, t := range w.Tasks {
		for event, list := range map[string][]Next{
			"on-success": w.OnSuccess(t), "on-error": w.OnError(t), "on-complete": w.OnComplete(t), "on-skip": w.OnSkip(t),
		} {
			for _, next := range list {
				if next.Name == name {
					out = append(out, edge{t, event, next})
				}
			}
		}
	}
	return out
}

// joins finds joins that cannot start, or fail when a guard says no.
func (l *linter) joins(w *Workflow) {
	for _, t := range w.Tasks {
		if w.Reverse || !t.Join.Is() {
			continue
		}
		if !t.Join.All {
			if n := float64(len(w.Inbound(t))); t.Join.Count < n {
				l.warn(t.At, "workflow-join-again", "task %q joins fewer tasks than lead to it: each that ends after it has run makes it run again", t.Name)
			}
			continue
		}
		if a, b, by, ok := w.exclusive(t); ok {
			l.warn(t.At, "workflow-join-never", "task %q joins %q and %q, of which only one runs: it depends on whether %q fails", t.Name, a, b, by)
			continue
		}
		l.guardedJoin(w, t)
	}
}

// exclusive finds two parents of a join of which one runs only if a task succeeds and the other only if it fails.
func (w *Workflow) exclusive(join *Task) (a, b, by string, ok bool) {
	after := map[string]map[string]string{} // task → event → parent that runs only then
	for _, p := range w.Inbound(join) {
		edges := w.edgesTo(p.Name)
		if len(edges) != 1 || edges[0].from == p {
			continue
		}
		e := edges[0]
		if after[e.from.Name] == nil {
			after[e.from.Name] = map[string]string{}
		}
		after[e.from.Name][e.event] = p.Name
		if other := after[e.from.Name][map[string]string{"on-success": "on-error", "on-error": "on-success"}[e.event]]; other != "" {
			return other, p.Name, e.from.Name, true
		}
	}
	return "", "", "", false
}

func (l *linter) guardedJoin(w *Workflow, t *Task) {
	for _, p := range w.Inbound(t) {
		guards := 0
		edges := 0
		var at diag.Location
		for _, e := range w.edgesTo(t.Name) {
			if e.from != p {
				continue
			}
			edges++
			if value.Truth(e.next.Condition) {
				guards++
				at = e.next.At
			}
		}
		if guards > 0 && guards == edges && edges == 1 {
			l.warn(at, "workflow-join-guarded", "task %q joins all, but %q leads to it only if a condition holds; when it does not, the join fails", t.Name, p.Name)
			continue
		}
		in := w.edgesTo(p.Name)
		if len(in) == 1 && value.Truth(in[0].next.Condition) {
			l.warn(in[0].next.At, "workflow-join-guarded", "task %q joins all, but %q runs only if a condition holds; when it does not, the join fails", t.Name, p.Name)
		}
	}
}

// clauses finds transitions that mean something else than they say.
func (l *linter) clauses(w *Workflow) {
	for _, t := range append(append([]*Task{}, w.Tasks...), w.defaults()...) {
		for key, c := range map[string]*Clause{"on-success": t.OnSuccess, "on-error": t.OnError, "on-complete": t.OnComplete, "on-skip": t.OnSkip} {
			if c == nil {
				continue
			}
			if key == "on-skip" {
				l.warn(c.At(), "workflow-new", "on-skip needs a Mistral newer than release 15 (Zed)")
			}
			if c.Node.Kind != source.Map {
				continue
			}
			if c.Publish == nil && c.Node.Get("next") == nil {
				l.advise(c.At(), "workflow-void-clause", "write it as a list: - TASK: <% condition %>", "Mistral reads this mapping as publish and next, so %s leads nowhere", key)
			}
			if next := c.Node.Get("next"); next.Is(source.Map) {
				l.advise(next.At(), "workflow-lost-condition", "write it as a list: - TASK: <% condition %>", "Mistral drops the condition of a transition that is a mapping under next")
			}
		}
	}
}

func (w *Workflow) defaults() []*Task {
	if w.Defaults == nil {
		return nil
	}
	return []*Task{w.Defaults}
}

// publishing finds what is published and lost.
func (l *linter) publishing(w *Workflow) {
	for _, t := range w.Tasks {
		if t.PublishOnSkip != nil {
			l.warn(t.Node.Get("publish-on-skip").At(), "workflow-new", "publish-on-skip needs a Mistral newer than release 15 (Zed)")
		}
		for _, c := range []*Clause{t.OnSuccess, t.OnError, t.OnComplete} {
			if c != nil && c.Publish != nil && c.Publish.Atomic != nil {
				l.warn(c.Node.Get("publish").Get("atomic").At(), "workflow-atomic", "Mistral reads publish.atomic and does nothing with it")
			}
		}
		for _, x := range []struct {
			own    *value.Map
			clause *Clause
			key    string
		}{{t.Publish, t.OnSuccess, "publish"}, {t.PublishOnError, t.OnError, "publish-on-error"}} {
			if x.own != nil && x.clause != nil && x.clause.Publish != nil && x.clause.Publish.Branch == nil {
				l.advise(t.Node.Get(x.key).At(), "workflow-lost-publish", "move it into the clause's publish, under branch",
					"Mistral loses %s of task %q, because its clause publishes and has no branch section", x.key, t.Name)
			}
			own := x.own != nil || x.clause != nil && x.clause.Publish != nil
			if own && t.OnComplete != nil && t.OnComplete.Publish != nil && t.OnComplete.Publish.Global != nil &&
				(x.clause == nil || x.clause.Publish == nil || x.clause.Publish.Global == nil) {
				l.warn(t.OnComplete.Node.Get("publish").At(), "workflow-lost-publish",
					"Mistral loses the global values of on-complete of task %q when %s applies too", t.Name, x.key)
			}
		}
	}
}

// policies finds policies without effect.
func (l *linter) policies(w *Workflow) {
	for _, t := range w.Tasks {
		if t.Policies.Concurrency != nil && len(t.WithItems) == 0 {
			l.warn(t.Node.Get("concurrency").At(), "workflow-no-effect", "concurrency has an effect on with-items only")
		}
		if !t.Join.Is() {
			continue
		}
		for _, key := range []string{"wait-before", "pause-before", "timeout", "concurrency"} {
			if n := t.Node.Get(key); n != nil {
				l.warn(n.At(), "workflow-no-effect", "Mistral does not apply %s to a task that joins", key)
			}
		}
	}
}

// names finds names that Mistral's database or its commands get in the way of.
func (l *linter) names(w *Workflow) {
	if strings.ContainsFunc(w.Name, unicode.IsSpace) {
		l.warn(w.At, "workflow-blank-name", "Mistral stores no workflow with a blank in its name: %q", w.Name)
	}
	for _, t := range w.Tasks {
		if contains(Commands, t.Name) {
			l.warn(t.At, "workflow-command-name", "a transition to the task %q runs the engine's command of that name", t.Name)
		}
	}
}
