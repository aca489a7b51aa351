package stack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hotloom/hotloom/internal/cloud"
)

// Step is what Follow tells at once.
type Step struct {
	Stack   *Stack
	Tree    *Tree
	Events  []Event // new ones
	Trouble error   // Heat did not answer; it is asked again
}

// FollowOptions say what to wait for.
type FollowOptions struct {
	// Action is what was asked for, such as UPDATE; "" is whatever the stack is doing now.
	Action string
	// Before is the stack as it was before that, Known its resources and History its events until then; nil where it has
	// just been created. Client.Before reads them.
	Before  *Stack
	Known   []Resource
	History *History
	// Backlog are events that Step is told first, as if they were new.
	Backlog []Event
	// Step is told what is new, Tick that a second has passed. They are called by Follow alone.
	Step func(Step)
	Tick func()

	// Fastest and Slowest are the pauses between polls; 0 is one and five seconds.
	Fastest, Slowest time.Duration
	// Outage is how long Heat may be away; 0 is ten minutes.
	Outage time.Duration
}

const (
	rollbackBegins = 20 * time.Second // after a failure, until Heat says that it rolls back
	actionBegins   = 30 * time.Second // after an action was accepted, until the stack shows it
	pollShare      = 2                // between polls passes at least so many times the time of the last one
	// between lists of resources passes a multiple of the time that Heat took for the last one
	listShare        = 5
	longestListPause = 10 * time.Second
	callPatience     = 20 * time.Second
)

// Before reads what Follow needs to know of a stack before an action is asked for.
func (c *Client) Before(ctx context.Context, ref Ref, action string) (FollowOptions, error) {
	o := FollowOptions{Action: action, History: c.Events(ref)}
	var err error
	if o.Before, err = c.Show(ctx, ref, false); err != nil {
		return o, err
	}
	if _, err = o.History.Next(ctx); err != nil {
		return o, err
	}
	// without the list Follow still has all but the types of what is gone before it can ask
	o.Known, err = c.Resources(ctx, ref, MaxDepth)
	if errors.Is(err, ErrNotFound) || cloud.IsStatus(err, http.StatusForbidden) {
		err = nil
	}
	return o, err
}

// Follow waits for the end of an action and tells what happens on the way. The stack that it gives has the last state; of
// a deleted one that is DELETE_COMPLETE. When the context ends the stack is left alone.
func (c *Client) Follow(ctx context.Context, ref Ref, o FollowOptions) (*Stack, error) {
	f := &follower{c: c, ref: ref, o: o, history: o.History, tree: NewTree(ref), began: time.Now(), stack: o.Before}
	if f.history == nil {
		f.history = c.Events(ref)
	}
	f.tree.Load(o.Known)
	if f.o.Step == nil {
		f.o.Step = func(Step) {}
	}
	fastest, slowest, outage := o.Fastest, o.Slowest, o.Outage
	if fastest == 0 {
		fastest = time.Second
	}
	if slowest == 0 {
		slowest = 5 * time.Second
	}
	if outage == 0 {
		outage = 10 * time.Minute
	}
	wait, lastAnswer := fastest, time.Now()
	for {
		began := time.Now()
		done, news, err := f.poll(cloud.WithPatience(ctx, min(callPatience, outage/4)))
		switch {
		case ctx.Err() != nil:
			return f.stack, context.Cause(ctx)
		case err == nil:
			lastAnswer = time.Now()
		case !passes(err) || time.Since(lastAnswer) > outage:
			return f.stack, err
		default:
			f.o.Step(Step{Stack: f.stack, Tree: f.tree, Trouble: err})
		}
		if done {
			return f.stack, nil
		}
		if wait = min(wait*13/10, slowest); news {
			wait = fastest
		}
		// what is large, or busy, is asked less often
		wait = max(wait, min(pollShare*time.Since(began), slowest))
		if err := f.wait(ctx, wait); err != nil {
			return f.stack, err
		}
	}
}

func (f *follower) wait(ctx context.Context, d time.Duration) error {
	for ; f.o.Tick != nil && d > time.Second; d -= time.Second {
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
		f.o.Tick()
	}
	return pause(ctx, d)
}

// passes reports whether an error may be gone at the next try.
func passes(err error) bool {
	var refused *cloud.Error
	if errors.As(err, &refused) {
		return refused.Status >= 500 || refused.Status == http.StatusTooManyRequests || refused.Status == http.StatusRequestTimeout
	}
	return !errors.Is(err, ErrNotFound)
}

type follower struct {
	c       *Client
	ref     Ref
	o       FollowOptions
	history *History
	tree    *Tree
	stack   *Stack
	began   time.Time

	started  bool // an event or the status shows the action
	failedAt time.Time

	held   []heldEvent   // not told yet: from the first on whose resource's place or type is not known
	lists  int           // of resources, so far
	listed time.Time     // the last one
	pause  time.Duration // until the next
}

// heldEvent is an event with the number of lists that had been made when it came.
type heldEvent struct {
	Event
	lists int
}

// poll reads what is new. The stack comes first: what its state says has then happened in the events.
func (f *follower) poll(ctx context.Context) (done, news bool, err error) {
	s, err := f.c.Show(ctx, f.ref, false)
	if errors.Is(err, ErrNotFound) && f.deleting() {
		s = f.gone()
	} else if err != nil {
		return false, false, err
	}
	f.stack = s
	read := f.history.Next
	if s.State() != "IN_PROGRESS" {
		read = f.history.Final
	}
	events, err := read(ctx)
	if s.Status == "DELETE_COMPLETE" {
		rest, _ := f.history.Rest(ctx) // which is all there is, if it is there
		events, err = append(events, rest...), nil
	}
	if err != nil && len(events) == 0 {
		return false, false, err
	}
	events, f.o.Backlog = append(f.o.Backlog, events...), nil
	for i := range events {
		if n := f.tree.Apply(&events[i]); n == nil && events[i].Stack().ID == f.ref.ID && events[i].Action() == f.o.Action {
			f.started = true
		}
		f.held = append(f.held, heldEvent{events[i], f.lists})
	}
	done = f.ended(s)
	if listErr := f.list(ctx, done); !done {
		err = errors.Join(err, listErr)
	}
	tell := f.release(done)
	if len(events) > 0 || len(tell) > 0 || done {
		f.o.Step(Step{Stack: s, Tree: f.tree, Events: tell})
	}
	return done && err == nil, len(events) > 0, err
}

// list reads the resources where events need them: these tell neither the type nor, in a nested stack, the place of what
// they are of. A list of a large stack costs Heat seconds, so that it gets time for other work in between.
func (f *follower) list(ctx context.Context, done bool) error {
	lacking := slices.ContainsFunc(f.held, func(h heldEvent) bool { return !f.tree.told(&h.Event) })
	if !f.listed.IsZero() && !done && !(lacking && time.Since(f.listed) > f.pause) {
		return nil
	}
	began := time.Now()
	rs, err := f.c.Resources(ctx, f.ref, MaxDepth)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	f.lists, f.listed = f.lists+1, time.Now()
	f.pause = min(listShare*f.listed.Sub(began), longestListPause)
	f.tree.Load(rs)
	return nil
}

// release gives the events that can be told, in their order. Of a resource that two lists did not have, and at the end, what
// can be guessed must do.
func (f *follower) release(done bool) []Event {
	var out []Event
	for len(f.held) > 0 {
		h := &f.held[0]
		if !f.tree.told(&h.Event) {
			if !done && f.lists < h.lists+2 {
				break
			}
			f.tree.Guess(&h.Event)
		}
		out = append(out, h.Event)
		f.held = f.held[1:]
	}
	return out
}

func (f *follower) deleting() bool {
	return f.o.Action == "DELETE" || f.stack != nil && f.stack.Action() == "DELETE"
}

func (f *follower) gone() *Stack {
	s := Stack{ID: f.ref.ID, Name: f.ref.Name}
	if f.stack != nil {
		s = *f.stack
	}
	s.Status, s.Reason = "DELETE_COMPLETE", ""
	f.started = true
	return &s
}

// ended reports whether the action is over. Heat accepts an action before the stack shows it, and may roll back after it
// has said that the stack failed.
func (f *follower) ended(s *Stack) bool {
	action := f.o.Action
	f.started = f.started || action == "" || f.o.Before == nil || s.Action() == action && s.State() == "IN_PROGRESS" ||
		s.Action() == action && !s.Updated.Equal(f.o.Before.Updated.Time)
	switch {
	case s.State() == "IN_PROGRESS":
		f.failedAt = time.Time{}
		return false
	case !f.started:
		return time.Since(f.began) > actionBegins
	case s.Action() != action && s.Action() != "ROLLBACK" && action != "" && s.Action() != "DELETE":
		return time.Since(f.began) > actionBegins
	case s.State() == "FAILED" && (s.Action() == "CREATE" || s.Action() == "UPDATE") && !s.DisableRollback && action != "":
		if f.failedAt.IsZero() {
			f.failedAt = time.Now()
		}
		return time.Since(f.failedAt) > rollbackBegins
	}
	return true
}

// Failure is the error of an action that ended otherwise than asked for, or nil.
func Failure(s *Stack, action string) error {
	if s.State() == "COMPLETE" && (action == "" && s.Action() != "ROLLBACK" || s.Action() == action) {
		return nil
	}
	text := fmt.Sprintf("stack %s is %s", s.Name, s.Status)
	if why := Reason(s.Reason); why != "" {
		text += ": " + why
	}
	return &FailureError{Stack: s, text: text}
}

// FailureError says that a stack did not come to what was asked for.
type FailureError struct {
	Stack *Stack
	text  string
}

func (e *FailureError) Error() string { return e.text }
