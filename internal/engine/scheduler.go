package engine

import (
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

// lookEvery is how often requests of other processes are looked for.
const lookEvery = 200 * time.Millisecond

// scheduler owns the runs that are in memory. All its methods run in one goroutine.
type scheduler struct {
	e      *Engine
	runs   map[string]*live
	timers timerHeap
	asked  int64 // the last request of another process that was taken up
}

// live is a run in memory.
type live struct {
	run     *flow.Run
	pending int // actions started and not ended
}

func newScheduler(e *Engine) *scheduler {
	s := &scheduler{e: e, runs: map[string]*live{}}
	e.defs.executions = s.executions
	return s
}

// executions are those of all runs in memory, for the expression functions that look beyond their own run.
func (s *scheduler) executions() []*flow.Execution {
	var out []*flow.Execution
	for _, l := range s.runs {
		out = append(out, l.run.Executions()...)
	}
	return out
}

func (s *scheduler) loop() {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	alarm := time.NewTimer(time.Hour)
	defer alarm.Stop()
	for {
		alarm.Reset(s.untilNext())
		select {
		case m := <-s.e.inbox:
			s.handle(m)
		case <-alarm.C:
			s.fire()
		case <-look.C:
			s.requests()
		case <-s.e.ctx.Done():
			return
		}
	}
}

func (s *scheduler) untilNext() time.Duration {
	if len(s.timers) == 0 {
		return time.Hour
	}
	return max(s.timers[0].at.Sub(s.e.opts.Now()), 0)
}

// fire applies the timers whose time has come.
func (s *scheduler) fire() {
	now := s.e.opts.Now()
	for len(s.timers) > 0 && !s.timers[0].at.After(now) {
		t := heap.Pop(&s.timers).(alarm)
		s.handle(message{run: t.run, ev: flow.TimerFired{Timer: t.id}})
	}
}

// recover loads what is unfinished, and settles what became of the actions that were running.
func (s *scheduler) recover() error {
	if err := s.e.store.ForgetRequests(); err != nil {
		return err
	}
	open, err := s.e.store.Runs(true)
	if err != nil {
		return err
	}
	for _, r := range open {
		l, err := s.load(r.ID)
		if err != nil {
			return err
		}
		for _, a := range l.run.Unfinished() {
			if !a.Sync {
				continue // its result comes from outside
			}
			l.pending++
			if s.e.mayRepeat(a) {
				s.e.exec.start(s.e.resumed(l.run, a))
				continue
			}
			s.handle(message{run: r.ID, ev: flow.ActionDone{Action: a.ID, Result: flow.Result{Error: fmt.Sprintf(
				"Request to run an action was redelivered, but it cannot be re-run safely. The only safe thing to do is fail it [action=%s].", s.e.shown(a))}}})
		}
	}
	return nil
}

// load brings a run into memory; nil if there is none of that id.
func (s *scheduler) load(id string) (*live, error) {
	if l := s.runs[id]; l != nil {
		return l, nil
	}
	s.e.store.Sync() // what was queued before it was dropped from memory must be in the store
	run, err := s.e.store.LoadRun(id, s.e.defs)
	if err != nil || run == nil {
		return nil, err
	}
	l := &live{run: run}
	s.runs[id] = l
	for _, t := range run.Timers() {
		heap.Push(&s.timers, alarm{t.At, id, t.ID})
	}
	return l, nil
}

// forget drops a run whose state in memory cannot be relied upon; it is loaded again when it is needed.
func (s *scheduler) forget(id string) { delete(s.runs, id) }

func (s *scheduler) handle(m message) {
	reply := m.reply
	if reply == nil {
		reply = func(error) {}
	}
	if m.remove != nil {
		s.remove(m.run, *m.remove, reply)
		return
	}
	var l *live
	if _, starts := m.ev.(flow.Start); starts {
		l = &live{run: flow.NewRun(m.run, s.e.defs)}
		s.runs[m.run] = l
	} else {
		var err error
		if l, err = s.load(m.run); err != nil {
			reply(err)
			return
		}
		if l == nil {
			reply(&Refusal{Message: fmt.Sprintf("execution %s does not exist", m.run)})
			return
		}
	}
	if _, done := m.ev.(flow.ActionDone); done && l.pending > 0 {
		l.pending--
	}
	changes, commands, err := l.run.Apply(m.ev, flow.Env{Now: s.e.opts.Now(), NewID: newID})
	var batch *store.Batch
	if err == nil {
		batch, err = store.NewBatch(l.run, changes)
	}
	if err != nil {
		pending := l.pending
		s.forget(m.run)
		if again, loadErr := s.load(m.run); loadErr == nil && again != nil {
			again.pending = pending
		}
		reply(err)
		return
	}
	effects := s.begin(l, commands)
	batch.Done = func(err error) {
		if err != nil {
			s.e.fail(err)
			reply(err)
			return
		}
		s.e.release(effects)
		reply(nil)
	}
	s.e.store.Write(batch)
	if l.run.Done() && l.pending == 0 {
		delete(s.runs, m.run)
	}
}

// remove takes a run out of memory and of the store. One that is not completed is cancelled first, so that those who
// wait for it hear of it; results of its actions that come later find nothing.
func (s *scheduler) remove(run string, what removal, reply func(error)) {
	l, err := s.load(run)
	switch {
	case err != nil:
		reply(err)
		return
	case l == nil || what.id != run:
		reply(&Refusal{Message: fmt.Sprintf("%s is not an execution that was started by itself, but a part of %s: delete that one", what.id, run)})
		return
	case !l.run.Done() && !what.force:
		reply(&Refusal{Message: fmt.Sprintf("Only completed executions can be deleted. Use --force to override this. Execution ID %s is in %s state", run, l.run.Root().State)})
		return
	case !l.run.Done():
		s.handle(message{run: run, ev: flow.Stop{Execution: run, State: flow.Cancelled}})
	}
	delete(s.runs, run)
	batch := store.NewRemoval(run)
	batch.Done = func(err error) {
		if err != nil {
			s.e.fail(err)
		}
		reply(err)
	}
	s.e.store.Write(batch)
}

// begin notes what the commands mean for the scheduler itself, and gives what is to be done once the changes are
// durable: jobs and Events. Timers need not wait for that: what they lead to is stored after it.
func (s *scheduler) begin(l *live, commands []flow.Command) []any {
	effects := make([]any, 0, len(commands))
	for _, c := range commands {
		switch c := c.(type) {
		case flow.StartTimer:
			heap.Push(&s.timers, alarm{c.Timer.At, l.run.ID, c.Timer.ID})
		case flow.RunAction:
			if c.Action.Sync {
				l.pending++
			}
			effects = append(effects, s.e.job(l.run, c.Action))
		case flow.StateChanged:
			effects = append(effects, event(l.run, c))
		}
	}
	return effects
}

// release carries out effects whose changes are durable.
func (e *Engine) release(effects []any) {
	for _, x := range effects {
		switch x := x.(type) {
		case job:
			e.exec.start(x)
		case Event:
			e.exec.stop(x) // before anybody who waits for the end closes the engine
			e.broker.publish(x)
		}
	}
}

// requests applies what other processes ask for.
func (s *scheduler) requests() {
	list, err := s.e.store.Requests(s.asked)
	if err != nil {
		return // they are looked for again; the asker waits
	}
	for _, r := range list {
		s.asked = r.ID // its answer may take longer than the next look
		var ask Request
		if err := json.Unmarshal([]byte(r.Body), &ask); err != nil {
			s.answer(r.ID, err)
			continue
		}
		m, err := s.e.resolve(ask)
		if err != nil {
			s.answer(r.ID, err)
			continue
		}
		m.reply = func(err error) { s.e.answerLater(r.ID, err) }
		s.handle(m)
	}
}

func answerOf(err error) store.Answer {
	if err == nil {
		return store.Answer{}
	}
	var refusal *Refusal
	return store.Answer{Failure: err.Error(), Refused: errors.As(err, &refusal)}
}

func (s *scheduler) answer(id int64, err error) {
	if err := s.e.store.Answer(id, answerOf(err)); err != nil {
		s.e.fail(err)
	}
}

// answerLater answers from the writer's goroutine, which must not wait for its own connection.
func (e *Engine) answerLater(id int64, err error) {
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		if err := e.store.Answer(id, answerOf(err)); err != nil && !errors.Is(e.Err(), ErrClosed) {
			e.fail(err)
		}
	}()
}

type alarm struct {
	at      time.Time
	run, id string
}

type timerHeap []alarm

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h timerHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *timerHeap) Push(x any)        { *h = append(*h, x.(alarm)) }
func (h *timerHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func mapOf(v any) *value.Map {
	m, _ := value.From(v).(*value.Map)
	return m
}
