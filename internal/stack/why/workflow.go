package why

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// lookAtWorkflow asks Mistral for the execution behind an OS::Mistral::ExternalResource.
func lookAtWorkflow(ctx context.Context, d *doctor, c *Cause) {
	if d.Mistral == nil {
		if err := d.Missing["workflow"]; err != nil {
			d.unseen("the workflow of "+c.Path, err)
		}
		return
	}
	e := d.execution(ctx, c)
	if e == nil {
		return
	}
	name := e.Workflow
	switch {
	case e.State == flow.Running || e.State == flow.Paused || e.State == flow.Idle:
		c.Kind = "workflow-" + strings.ToLower(string(e.State))
		c.What = "workflow " + name + " is " + string(e.State)
		if doing := running(e); len(doing) > 0 {
			c.What += ", in task " + strings.Join(doing, ", ")
		}
		c.Advice = "follow it: openstack task execution list " + e.ID
	case e.State == flow.Failed || e.State == flow.Cancelled:
		c.Kind, c.What = "workflow-failed", "workflow "+name+" is "+string(e.State)
		if e.Info != nil {
			c.Reason = *e.Info
		}
		if task, message := failedTask(e); task != "" {
			c.What = "task " + task + " of workflow " + name + " failed: " + message
		} else if c.Reason != "" {
			c.What += ": " + firstLine(c.Reason)
		}
		c.Advice = "mend what the task needs; all of it: openstack task execution list " + e.ID
	}
}

// candidates is how many executions are looked at.
const candidates = 100

// execution finds the one that Heat started for the resource, or nil.
func (d *doctor) execution(ctx context.Context, c *Cause) *engine.Snapshot {
	workflow := ""
	if actions, ok := d.templateOf(ctx, c.node).property(c.node.Name, "actions").(*value.Map); ok {
		action, _, _ := strings.Cut(c.Status, "_")
		if def, ok := actions.GetStr(action); ok {
			if m, isMap := def.(*value.Map); isMap {
				v, _ := m.GetStr("workflow")
				workflow, _ = v.(string)
			}
		}
	}
	if workflow == "" {
		return nil
	}
	all, err := d.Mistral.List(ctx, candidates)
	if err != nil {
		d.unseen("the workflow of "+c.Path, err)
		return nil
	}
	began := d.began(ctx, c.node).Add(-2 * time.Second)
	stackID := c.node.Stack().ID
	var fits []*engine.Snapshot
	for _, e := range all {
		if e.Workflow != workflow || e.Created.Before(began) {
			continue
		}
		s, err := d.Mistral.Show(ctx, e.ID)
		if err != nil {
			d.unseen("execution "+e.ID, err)
			continue
		}
		if s.Input != nil && strings.Contains(value.Repr(s.Input), stackID) { // hotloom's own workflows are told the stack
			if resource, told := s.Input.GetStr("resource"); !told || resource == c.node.Name {
				return s
			}
			continue
		}
		fits = append(fits, s)
	}
	if len(fits) == 0 {
		d.unseen("the workflow of "+c.Path, fmt.Errorf("Mistral has no execution of %s that began then", workflow))
		return nil
	}
	return slices.MinFunc(fits, func(a, b *engine.Snapshot) int { return a.Created.Compare(b.Created) })
}

// failedTask is the task that an execution failed with, in the deepest workflow, and its message.
func failedTask(e *engine.Snapshot) (task, message string) {
	for _, t := range e.Tasks {
		if t.State != flow.Failed {
			continue
		}
		for _, sub := range t.Workflows {
			if inner, m := failedTask(sub); inner != "" {
				return t.Name + " → " + inner, m
			}
		}
		message = "no message"
		if t.Info != nil {
			message = firstLine(*t.Info)
		}
		if r, ok := t.Result.(string); ok && r != "" {
			message = firstLine(r)
		}
		return t.Name, message
	}
	return "", ""
}

// running are the tasks that run, those of sub-workflows behind the tasks that started them.
func running(e *engine.Snapshot) []string {
	var out []string
	for _, t := range e.Tasks {
		if t.State != flow.Running {
			continue
		}
		var below []string
		for _, sub := range t.Workflows {
			for _, name := range running(sub) {
				below = append(below, t.Name+" → "+name)
			}
		}
		if below == nil {
			below = []string{t.Name}
		}
		out = append(out, below...)
	}
	return out
}

// firstLine is what a message begins with.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	line, _, _ := strings.Cut(s, "\n")
	return printable(line)
}
