package workflow

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

func (p *parser) workflow(pair source.Pair, workbook string) *Workflow {
	n := pair.Value
	w := &Workflow{
		Name: pair.Key.Text, Workbook: workbook, Node: n, At: pair.Key.At(),
		Reverse: n.Get("type").Str() == "reverse", byName: map[string]*Task{},
	}
	ok := p.shape(n, workflowShape)
	w.Description = n.Get("description").Str()
	w.Tags = texts(n.Get("tags"))
	w.Input = p.params(n.Get("input"))
	w.Output = optionalMapping(n.Get("output"))
	w.OutputError = optionalMapping(n.Get("output-on-error"))
	w.Vars = optionalMapping(n.Get("vars"))
	p.expressions(n.Get("output"))
	p.expressions(n.Get("vars"))
	if d := n.Get("task-defaults"); d.Is(source.Map) {
		p.shape(d, defaultsShape)
		p.expressions(d.Get("safe-rerun"))
		w.Defaults = &Task{Node: d, At: d.At(), Policies: p.policies(d), Requires: texts(d.Get("requires")), SafeRerun: optional(d.Get("safe-rerun"))}
		p.clauses(w.Defaults)
	}
	tasks := n.Get("tasks")
	if tasks.Is(source.Map) {
		for _, t := range tasks.Pairs {
			if !t.Value.Is(source.Map) {
				if !wordKey().MatchString(t.Key.Text) {
					p.add(noMapping(t.Value, "task", t.Key.Text))
				}
				continue
			}
			task := p.task(t, w)
			w.Tasks = append(w.Tasks, task)
			w.byName[task.Name] = task
		}
	}
	w.Spec = w.spec()
	if likeUUID(w.Name) {
		p.add(nameLikeUUID(w))
	}
	w.link()
	if ok && len(w.Tasks) > 0 {
		p.flow(w)
	}
	return w
}

// spec is the definition as execution().spec shows it.
func (w *Workflow) spec() *value.Map {
	spec := mapping(w.Node)
	tasks := value.NewMap(len(w.Tasks))
	for _, t := range w.Tasks {
		tasks.SetStr(t.Name, t.Spec)
	}
	spec.SetStr("tasks", tasks)
	spec.SetStr("name", w.Name)
	spec.SetStr("version", "2.0")
	return spec
}

func likeUUID(name string) bool {
	s := strings.NewReplacer("urn:", "", "uuid:", "").Replace(name)
	s = strings.ToLower(strings.ReplaceAll(strings.Trim(s, "{}"), "-", ""))
	return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == ""
}

// The clauses of a task, its own or, where it has none of that kind, those of task-defaults.

// OnSuccess, OnError, OnComplete and OnSkip give the transitions that follow a task.
func (w *Workflow) OnSuccess(t *Task) []Next {
	return w.transitions(t, func(t *Task) *Clause { return t.OnSuccess })
}

// OnError gives the transitions after ERROR.
func (w *Workflow) OnError(t *Task) []Next {
	return w.transitions(t, func(t *Task) *Clause { return t.OnError })
}

// OnComplete gives the transitions after SUCCESS and ERROR.
func (w *Workflow) OnComplete(t *Task) []Next {
	return w.transitions(t, func(t *Task) *Clause { return t.OnComplete })
}

// OnSkip gives the transitions after SKIPPED.
func (w *Workflow) OnSkip(t *Task) []Next {
	return w.transitions(t, func(t *Task) *Clause { return t.OnSkip })
}

func (w *Workflow) transitions(t *Task, of func(*Task) *Clause) []Next {
	if own := of(t); own != nil && len(own.Next) > 0 {
		return own.Next
	}
	if w.Defaults == nil || of(w.Defaults) == nil {
		return nil
	}
	var out []Next
	for _, next := range of(w.Defaults).Next {
		if next.Name != t.Name {
			out = append(out, next)
		}
	}
	return out
}

// Outbound gives all transitions of a task whatever its end.
func (w *Workflow) Outbound(t *Task) []Next {
	var out []Next
	for _, list := range [][]Next{w.OnError(t), w.OnSuccess(t), w.OnComplete(t), w.OnSkip(t)} {
		out = append(out, list...)
	}
	return out
}

// link computes who leads to whom.
func (w *Workflow) link() {
	w.inbound = map[string][]*Task{}
	for _, t := range w.Tasks {
		seen := map[string]bool{}
		for _, next := range w.Outbound(t) {
			if !seen[next.Name] {
				seen[next.Name] = true
				w.inbound[next.Name] = append(w.inbound[next.Name], t)
			}
		}
	}
}

// Inbound gives the tasks of a direct workflow that have a transition to t, in document order.
func (w *Workflow) Inbound(t *Task) []*Task { return w.inbound[t.Name] }

// Start gives the tasks of a direct workflow that no transition leads to, in document order.
func (w *Workflow) Start() []*Task {
	var out []*Task
	for _, t := range w.Tasks {
		if len(w.inbound[t.Name]) == 0 {
			out = append(out, t)
		}
	}
	return out
}

// Required gives the names of the tasks that a task of a reverse workflow needs, its own before those of the defaults.
func (w *Workflow) Required(t *Task) []string {
	var out []string
	add := func(names []string) {
		for _, name := range names {
			if name != t.Name && !contains(out, name) {
				out = append(out, name)
			}
		}
	}
	add(t.Requires)
	if w.Defaults != nil {
		add(w.Defaults.Requires)
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (w *Workflow) taskNames() []string {
	names := make([]string, 0, len(w.Tasks))
	for _, t := range w.Tasks {
		names = append(names, t.Name)
	}
	return names
}

// flow checks how the tasks hang together.
func (p *parser) flow(w *Workflow) {
	if w.Reverse {
		for _, t := range w.Tasks {
			for _, name := range w.Required(t) {
				if w.byName[name] == nil {
					p.add(unknownTask(requireAt(w, t, name), w, name, false))
				}
			}
		}
		return
	}
	if len(w.Start()) == 0 {
		p.add(noStart(w))
	}
	for _, t := range w.Tasks {
		for _, next := range w.Outbound(t) {
			if w.byName[next.Name] == nil && !contains(Commands, next.Name) {
				p.add(unknownTask(next.At, w, next.Name, true))
			}
		}
		p.join(w, t)
	}
}

func requireAt(w *Workflow, t *Task, name string) diag.Location {
	for _, owner := range []*Task{t, w.Defaults} {
		if owner == nil {
			continue
		}
		n := owner.Node.Get("requires")
		if n.Str() == name {
			return n.At()
		}
		if n != nil {
			for _, item := range n.Items {
				if item.Str() == name {
					return item.At()
				}
			}
		}
	}
	return t.At
}

func (p *parser) join(w *Workflow, t *Task) {
	have := len(w.Inbound(t))
	switch {
	case t.Join.All && have == 0:
		p.add(joinWithoutInbound(t))
	case !t.Join.All && float64(have) < t.Join.Count:
		p.add(joinTooFew(t, strconv.FormatFloat(t.Join.Count, 'f', -1, 64), have))
	}
}

// String names the workflow, for logs.
func (w *Workflow) String() string { return fmt.Sprintf("workflow %s", w.FullName()) }
