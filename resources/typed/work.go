package typed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/hotloom/hotloom/resources"
)

// Tokens are of two kinds: work that runs in this process, and what an author's method gave to Call.Later.
const (
	runToken  = "run"
	userToken = "user:"
)

func authorToken(token string) (string, bool) { return strings.CutPrefix(token, userToken) }

// maxEnded is how many ended operations are remembered, so that a second Start of the same gets the first one's end.
const maxEnded = 4096

// work is one method that runs, or has ended.
type work struct {
	call   *Call
	cancel context.CancelFunc
	token  string // of its results while it runs

	mu      sync.Mutex
	changed chan struct{} // closed at the next news
	fresh   bool          // there are news that no result has told
	done    bool
	err     error
	left    string // the token under which the work goes on without this process, once a result has told it
}

// Start implements resources.Provider.
func (s *server) Start(ctx context.Context, op *resources.Operation) (*resources.Result, error) {
	switch {
	case op.Token != "":
		return nil, resources.Errorf(resources.Permanent, "a start has no token: poll")
	case op.Key == "":
		return nil, resources.Errorf(resources.Permanent, "the operation has no key")
	}
	w := s.find(op.Key)
	if w == nil {
		var err error
		if w, err = s.begin(op); err != nil {
			return nil, err
		}
	}
	return s.report(ctx, op, w)
}

// Poll implements resources.Provider.
func (s *server) Poll(ctx context.Context, op *resources.Operation) (*resources.Result, error) {
	if op.Token == "" {
		return nil, resources.Errorf(resources.Permanent, "a poll needs a token: start")
	}
	w := s.find(op.Key)
	if w != nil && w.hasLeft(op.Token) {
		s.forget(op.Key, w) // the host has the token, so that it is for the author's method to say how the work stands
		w = nil
	}
	if w == nil {
		var err error
		if w, err = s.begin(op); err != nil {
			return nil, err
		}
	}
	return s.report(ctx, op, w)
}

// Cancel implements resources.Provider.
func (s *server) Cancel(ctx context.Context, op *resources.Operation) error {
	if w := s.find(op.Key); w != nil {
		w.cancel()
	}
	token, left := authorToken(op.Token)
	if !left {
		return nil
	}
	cancel, err := s.canceler(op)
	if err != nil || cancel == nil {
		return err
	}
	c := newCall(op.Resource)
	c.Key, c.Action, c.Token = op.Key, op.Action, token
	return cancel(ctx, c)
}

// canceler is what stops work that an operation has left; nil where the author gave nothing for it.
func (s *server) canceler(op *resources.Operation) (func(context.Context, *Call) error, error) {
	if op.Call != nil {
		if f := s.provider.Actions[op.Call.Name].Cancel; f != nil {
			return f, nil
		}
		return func(context.Context, *Call) error { s.drop(op.Key); return nil }, nil
	}
	if op.Resource == nil {
		return nil, nil
	}
	t, err := s.typeOf(op.Resource)
	if err != nil {
		return nil, err
	}
	r, _ := t.value(op.Resource)
	if k, ok := r.(Canceler); ok {
		return k.Cancel, nil
	}
	return nil, nil
}

// drop ends work that was left, so that Poll tells that it was cancelled.
func (s *server) drop(key string) {
	w := &work{call: newCall(nil), cancel: func() {}, changed: make(chan struct{})}
	s.mu.Lock()
	s.works[key] = w
	s.mu.Unlock()
	s.end(key, w, resources.Errorf(resources.Cancelled, "it was cancelled"))
}

func (s *server) find(key string) *work {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.works[key]
}

// begin runs an operation's method, unless another call has begun it meanwhile.
func (s *server) begin(op *resources.Operation) (*work, error) {
	run, again, err := s.method(op)
	if err != nil {
		return nil, err
	}
	if (op.Repeated || op.Token != "") && !again {
		return nil, resources.Errorf(resources.Interrupted,
			"provider %s ended in the middle of the %s; whether it was done is not known", s.provider.Name, strings.ToLower(string(op.Action)))
	}
	c := newCall(op.Resource)
	c.Key, c.Action, c.Authentic, c.prior = op.Key, op.Action, op.Authentic, op.Prior
	w := &work{call: c, token: runToken, changed: make(chan struct{})}
	if _, ok := authorToken(op.Token); ok {
		w.token = op.Token
	}
	c.news = w.tell
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.works[op.Key]; other != nil {
		return other, nil
	}
	if s.closed {
		return nil, resources.Errorf(resources.Interrupted, "provider %s is ending", s.provider.Name)
	}
	s.works[op.Key] = w
	s.running.Add(1)
	// The work lives longer than the call that began it: its end is the operation's.
	ctx := context.Background()
	if op.Deadline.IsZero() {
		ctx, w.cancel = context.WithCancel(ctx)
	} else {
		ctx, w.cancel = context.WithDeadline(ctx, op.Deadline)
	}
	go func() {
		defer s.running.Done()
		err := guarded(ctx, run, c)
		if ctx.Err() != nil && err != nil {
			err = stopped(ctx, err)
		}
		w.cancel()
		s.end(op.Key, w, err)
	}()
	return w, nil
}

// guarded runs a method; a panic is its error.
func guarded(ctx context.Context, run func(context.Context, *Call) error, c *Call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("the provider's code panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = resources.Errorf(resources.Permanent, "the provider's code panicked: %v", p)
		}
	}()
	return run(ctx, c)
}

// stopped says why a method ended whose context has ended.
func stopped(ctx context.Context, err error) error {
	why := "it was cancelled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		why = "its time is over"
	}
	return resources.Errorf(resources.Cancelled, "%s: %w", why, err)
}

// tell wakes those that wait for news.
func (w *work) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fresh = true
	close(w.changed)
	w.changed = make(chan struct{})
}

func (s *server) end(key string, w *work, err error) {
	w.mu.Lock()
	w.done, w.err = true, err
	w.mu.Unlock()
	w.tell()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, key)
	for len(s.ended) > maxEnded {
		if old := s.works[s.ended[0]]; old != nil && old.over() {
			delete(s.works, s.ended[0])
		}
		s.ended = s.ended[1:]
	}
}

func (w *work) over() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done
}

// hasLeft reports whether the work goes on under a token.
func (w *work) hasLeft(token string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.left != "" && w.left == token
}

// settle is how much longer news wait for the end of the work, so that quick work takes one call.
const settle = 50 * time.Millisecond

// report waits as long as the host allows for something new, and says how the work stands.
func (s *server) report(ctx context.Context, op *resources.Operation, w *work) (*resources.Result, error) {
	if op.Wait > 0 && !w.over() {
		timeout := time.NewTimer(op.Wait)
		defer timeout.Stop()
		var settled <-chan time.Time
		for waiting := true; waiting; {
			w.mu.Lock()
			done, fresh, changed := w.done, w.fresh, w.changed
			w.mu.Unlock()
			if done {
				break
			}
			if fresh && settled == nil {
				t := time.NewTimer(settle)
				defer t.Stop()
				settled = t.C
			}
			select {
			case <-changed:
			case <-settled:
				waiting = false
			case <-timeout.C:
				waiting = false
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
	}
	return s.result(op, w)
}

// result tells the news, and forgets works that another call has to run again.
func (s *server) result(op *resources.Operation, w *work) (*resources.Result, error) {
	c := w.call
	w.mu.Lock()
	w.fresh = false
	done, err := w.done, w.err
	w.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &resources.Result{ID: c.id, Progress: c.events}
	c.events = nil
	if c.dataSet {
		r.Data = c.data
	}
	if !done {
		r.Token = w.token
		return r, nil
	}
	if err != nil {
		if resources.IsKind(err, resources.Retryable) {
			s.forget(op.Key, w)
		}
		if op.Action == resources.Delete && resources.IsKind(err, resources.NotFound) {
			r.Done = true
			return r, nil
		}
		return r, err
	}
	if c.later != nil {
		// It is remembered until the host comes with the token: a host that is killed before it has kept the answer
		// starts the operation once more.
		r.Token, r.After = userToken+c.later.token, c.later.after
		w.mu.Lock()
		w.left = r.Token
		w.mu.Unlock()
		return r, nil
	}
	r.Done, r.Replace, r.Attributes, r.Output = true, c.replace, c.attributes, c.output
	return r, nil
}

func (s *server) forget(key string, w *work) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.works[key] == w {
		delete(s.works, key)
	}
}

// Close cancels what runs and waits for it. Nothing can be started afterwards.
func (s *server) Close() error {
	s.mu.Lock()
	s.closed = true
	for _, w := range s.works {
		w.cancel()
	}
	s.mu.Unlock()
	s.running.Wait()
	return nil
}
