// Package why finds out why a stack failed, or why it does not go on: the resource that all comes from, through nested
// stacks; for what waits for a server, which step on the way from the server to Heat is missing.
//
// It reads what Heat, Nova and Mistral tell. What the user may not see is said, and the rest is made of what is left. Of
// consoles and logs only single lines are shown; values of hidden parameters are not in what it reads.
package why

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/internal/stack"
)

// Report is what was found.
type Report struct {
	Stack  string
	Status string // ACTION_STATE
	Reason string // Heat's own
	// Causes come in the order of weight: the first is where to begin.
	Causes []Cause
	// Others are resources that failed, or wait, because of the causes.
	Others []string
	// Unseen says what could not be looked at, and why.
	Unseen []string
}

// Cause is why one resource failed or does not go on.
type Cause struct {
	Path   string // through nested stacks
	Type   string
	Status string
	Since  time.Time
	Kind   string // a word for machines, such as step-failed
	What   string // in plain words
	Advice string
	Steps  []Step   // of a wait: how far it has come
	Lines  []string // of consoles and logs

	// Reason is Heat's, or that of the service that was asked.
	Reason string
	// At is the author's line, the zero location where the source is not at hand.
	At diag.Location

	node *resource
}

// Step is one of the steps on the way from a server to Heat.
type Step struct {
	Name   string // active, booted, started, ran, sent, accepted
	State  State
	Detail string
}

// State says whether a step is done.
type State uint8

// The states.
const (
	Unknown State = iota // it could not be looked at, or nothing tells
	Missing
	Running
	Failed
	Done
)

var stateNames = [...]string{"unknown", "missing", "running", "failed", "done"}

func (s State) String() string { return stateNames[s] }

// MarshalText gives the state's name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Stack looks at a stack.
func Stack(ctx context.Context, from Sources, ref stack.Ref) (*Report, error) {
	d := &doctor{Sources: from, root: ref, templates: map[string]*half{}}
	if d.Now == nil {
		d.Now = time.Now
	}
	s, err := from.Heat.Show(ctx, ref, false)
	if err != nil {
		return nil, err
	}
	d.stack = s
	r := &Report{Stack: s.Name, Status: s.Status, Reason: stack.Reason(s.Reason)}
	if err := d.load(ctx); err != nil {
		d.unseen("the stack's resources", err)
	}
	failed, running := d.leaves("FAILED"), d.leaves("IN_PROGRESS")
	switch {
	case s.State() == "FAILED":
		d.failed(ctx, r, failed, running)
	case s.State() == "IN_PROGRESS":
		d.hanging(ctx, r, failed, running)
	case len(failed) > 0:
		d.failed(ctx, r, failed, nil)
	}
	r.Unseen = d.notSeen
	return r, ctx.Err()
}

// failed tells of what failed first, and of what only ended because of it.
func (d *doctor) failed(ctx context.Context, r *Report, failed, running []*resource) {
	slices.SortStableFunc(failed, func(a, b *resource) int {
		return cmp.Or(weight(a)-weight(b), a.Updated.Compare(b.Updated.Time))
	})
	for _, f := range failed {
		if len(r.Causes) > 0 && weight(f) > 0 {
			r.Others = append(r.Others, f.path+" ("+f.Status+")")
			continue
		}
		r.Causes = append(r.Causes, d.cause(ctx, f))
	}
	if len(r.Causes) == 0 {
		c := byReason(&Cause{Path: d.root.Name, Type: "stack", Status: d.stack.Status, Reason: r.Reason})
		for _, n := range running {
			r.Causes = append(r.Causes, d.cause(ctx, n))
		}
		r.Causes = append([]Cause{*c}, r.Causes...)
		return
	}
	for _, n := range running {
		r.Others = append(r.Others, n.path+" ("+n.Status+")")
	}
}

// hanging tells of what is being waited for, the longest first.
func (d *doctor) hanging(ctx context.Context, r *Report, failed, running []*resource) {
	if len(failed) > 0 {
		d.failed(ctx, r, failed, nil)
	}
	slices.SortStableFunc(running, func(a, b *resource) int { return a.Updated.Compare(b.Updated.Time) })
	for _, n := range running {
		r.Causes = append(r.Causes, d.cause(ctx, n))
	}
	for _, n := range d.all {
		if n.Status == "INIT_COMPLETE" && len(d.children[n.path]) == 0 {
			r.Others = append(r.Others, n.path+" (not begun)")
		}
	}
}

// aborted are reasons of resources that Heat stopped because something else failed.
var aborted = []string{"aborted", "Stack CREATE cancelled", "Stack UPDATE cancelled", "cancelled", "Engine went down"}

// weight is 0 for a failure of its own, and more for one that came of another.
func weight(r *resource) int {
	for _, a := range aborted {
		if strings.Contains(r.Reason, a) {
			return 1
		}
	}
	return 0
}

// cause looks at one resource, the way its type asks for.
func (d *doctor) cause(ctx context.Context, r *resource) Cause {
	c := &Cause{Path: r.path, Type: r.Type, Status: r.Status, Since: r.Updated.Time, Reason: stack.Reason(r.Resource.Reason), node: r}
	if look := lookAt(r.Type); look != nil {
		look(ctx, d, c)
	}
	if c.What == "" {
		byReason(c)
	}
	return *c
}

func (d *doctor) unseen(what string, err error) {
	text := fmt.Sprintf("%s: %v", what, err)
	if !slices.Contains(d.notSeen, text) {
		d.notSeen = append(d.notSeen, text)
	}
}
