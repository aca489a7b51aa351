package workflow

// visible says which variables the context of a task can hold when it starts: those that some path to it publishes. A
// variable that is published when a task succeeds does not come to what follows its failure, and the other way round.
type visible struct {
	w      *Workflow
	before map[string]map[string]bool // by task
}

func (w *Workflow) visible() *visible {
	v := &visible{w, map[string]map[string]bool{}}
	for _, t := range w.Tasks {
		v.before[t.Name] = map[string]bool{}
	}
	for changed := true; changed; {
		changed = false
		for _, t := range w.Tasks {
			for _, e := range w.edgesInto(t) {
				changed = v.add(t.Name, v.before[e.from.Name]) || changed
				changed = v.add(t.Name, e.from.publishes(e.event)) || changed
			}
		}
	}
	return v
}

// edgesInto are the edges that lead to a task; a required task of a reverse workflow leads to what requires it.
func (w *Workflow) edgesInto(t *Task) []edge {
	if !w.Reverse {
		return w.edgesTo(t.Name)
	}
	var out []edge
	for _, name := range w.Required(t) {
		if p := w.Task(name); p != nil {
			out = append(out, edge{from: p, event: "on-success"})
		}
	}
	return out
}

func (v *visible) add(task string, names map[string]bool) (changed bool) {
	to := v.before[task]
	for name := range names {
		if !to[name] {
			to[name], changed = true, true
		}
	}
	return changed
}

// publishes gives the variables that a task has published when one of its events comes.
func (t *Task) publishes(event string) map[string]bool {
	out := map[string]bool{}
	branch := func(c *Clause) {
		if c != nil && c.Publish != nil {
			addKeys(out, c.Publish.Branch)
		}
	}
	success := func() { addKeys(out, t.Publish); branch(t.OnSuccess); branch(t.OnComplete) }
	failure := func() { addKeys(out, t.PublishOnError); branch(t.OnError); branch(t.OnComplete) }
	skip := func() { addKeys(out, t.PublishOnSkip); branch(t.OnSkip) }
	switch event {
	case "on-success":
		success()
		skip() // a skipped task without on-skip goes on with on-success
		if t.Policies.Retry != nil {
			failure() // by an earlier run
		}
	case "on-error":
		failure()
		if t.Policies.Retry != nil || t.Policies.FailOn != nil {
			success() // by an earlier run, or before fail-on made a failure of it
		}
	case "on-skip":
		skip()
	default:
		success()
		failure()
		skip()
	}
	return out
}

// at says whether a use of an expression can see a variable.
func (v *visible) at(u use, name string) bool {
	if u.task == nil { // output sees what any branch ended with
		for _, t := range v.w.Tasks {
			if u.key != "vars" && t.publishes("")[name] {
				return true
			}
		}
		return false
	}
	for _, item := range u.task.WithItems {
		if item.Var == name {
			return true
		}
	}
	return v.before[u.task.Name][name] || u.after && u.task.publishes(u.key)[name]
}

// ancestors gives for each task those that can have run before it; itself too, if it can run again.
func (w *Workflow) ancestors() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, t := range w.Tasks {
		seen := map[string]bool{}
		var visit func(t *Task)
		visit = func(t *Task) {
			for _, e := range w.edgesInto(t) {
				if !seen[e.from.Name] {
					seen[e.from.Name] = true
					visit(e.from)
				}
			}
		}
		visit(t)
		out[t.Name] = seen
	}
	return out
}
