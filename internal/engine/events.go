package engine

import (
	"context"
	"sync"
	"time"

	"github.com/hotloom/hotloom/internal/engine/flow"
)

// Event says that an execution, or a task of it, changed its state. Events come in order and after the change is
// durable.
type Event struct {
	Time      time.Time  `json:"time"`
	Run       string     `json:"run"`
	Execution string     `json:"execution"`
	Workflow  string     `json:"workflow"`
	TaskID    string     `json:"task_id,omitempty"` // "" if the execution itself changed
	Task      string     `json:"task,omitempty"`
	From      flow.State `json:"from,omitempty"`
	State     flow.State `json:"state"`
	Info      string     `json:"info,omitempty"`
}

func event(run *flow.Run, c flow.StateChanged) Event {
	ev := Event{Time: c.At, Run: run.ID, Execution: c.Execution.ID, Workflow: c.Execution.Name, From: c.From, State: c.To, Info: c.Info}
	if c.Task != nil {
		ev.TaskID, ev.Task = c.Task.ID, c.Task.Name
	}
	return ev
}

// broker hands events to subscribers, each at its own pace.
type broker struct {
	mu   sync.Mutex
	subs map[*subscription]bool
}

type subscription struct {
	run    string // "" is all
	mu     sync.Mutex
	queue  []Event
	signal chan struct{} // holds one signal that there is something to look at
}

func (b *broker) publish(ev Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subs {
		if s.run == "" || s.run == ev.Run {
			s.mu.Lock()
			s.queue = append(s.queue, ev)
			s.mu.Unlock()
			s.poke()
		}
	}
}

func (s *subscription) poke() {
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

func (s *subscription) take() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.queue
	s.queue = nil
	return out
}

func (b *broker) subscribe(run string) *subscription {
	s := &subscription{run: run, signal: make(chan struct{}, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subs == nil {
		b.subs = map[*subscription]bool{}
	}
	b.subs[s] = true
	return s
}

func (b *broker) leave(s *subscription) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.subs, s)
}

// wake lets all subscribers see that the engine has ended.
func (b *broker) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subs {
		s.poke()
	}
}

func (b *broker) close() { b.wake() }

// Events calls f with each event of a run ("" is all runs) until ctx ends, the engine ends, or f returns false. It
// gives the reason, nil if f ended it. Events before the call are not repeated; see Show for the state then.
func (e *Engine) Events(ctx context.Context, run string, f func(Event) bool) error {
	s := e.broker.subscribe(run)
	defer e.broker.leave(s)
	return e.follow(ctx, s, f)
}

func (e *Engine) follow(ctx context.Context, s *subscription, f func(Event) bool) error {
	for {
		for _, ev := range s.take() {
			if !f(ev) {
				return nil
			}
		}
		select {
		case <-s.signal:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-e.ctx.Done():
			return e.Err()
		}
	}
}
