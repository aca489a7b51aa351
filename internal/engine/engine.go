// Package engine runs workflows on this machine, durably.
//
// It is the shell around the interpreter in package flow: one scheduler goroutine applies events to runs, the store
// makes each transition durable, and only then are its actions started and its observers told. So a process that is
// killed at any moment goes on where it was: nothing that was seen is lost, and no action whose result was stored
// runs again.
package engine

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

// Options of Open. The zero value has the standard actions and full durability.
type Options struct {
	// Actions are what workflows may call; nil is the std.* actions.
	Actions *action.Registry
	// ProcessOnly gives up what the last commits before a loss of power wrote, for speed.
	ProcessOnly bool
	// Patience is how long to wait for a full or failing disk; 0 is ten seconds, negative not at all.
	Patience time.Duration
	// Parallel is how many actions run at once; 0 is 256.
	Parallel int
	// MaxResult is the largest result of an action, in bytes as JSON; 0 is 1 MiB, as Mistral's.
	MaxResult int
	// CallbackBase is where server.Callbacks can be reached, as "http://host:port". It stands before the path that
	// asynchronous actions hand on for their completion; "" leaves the path alone, as Mistral does.
	CallbackBase string
	// Now is the clock; nil is time.Now. For tests.
	Now func() time.Time
}

const (
	defaultPatience  = 10 * time.Second
	defaultParallel  = 256
	defaultMaxResult = 1 << 20
)

func (o Options) withDefaults() (Options, error) {
	if o.Actions == nil {
		var err error
		if o.Actions, err = action.NewRegistry(action.Std(action.Config{})); err != nil {
			return o, err
		}
	}
	switch {
	case o.Patience == 0:
		o.Patience = defaultPatience
	case o.Patience < 0:
		o.Patience = 0
	}
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	if o.MaxResult <= 0 {
		o.MaxResult = defaultMaxResult
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o, nil
}

// Refusal is an error of what was asked: there is no such run, or its state does not allow it.
type Refusal = flow.Refusal

// ErrLocked says that another process owns the state folder. Ask can leave it a request.
var ErrLocked = store.ErrLocked

// ErrClosed says that the engine was closed.
var ErrClosed = errors.New("the workflow engine is closed")

// Engine runs workflows. Its methods may be called from any goroutine.
type Engine struct {
	opts  Options
	store *store.Store
	defs  *definitions

	ctx    context.Context // ends when the engine closes or fails
	stop   context.CancelCauseFunc
	inbox  chan message
	exec   *executor
	broker broker
	wg     sync.WaitGroup
	once   sync.Once
}

// message is an event for the scheduler. Reply is called when the event is durable, or refused. With remove the run
// goes, instead of an event that happens to it.
type message struct {
	run    string
	ev     flow.Event
	remove *removal
	reply  func(error)
}

// removal says what is to be removed: id may be of a part of the run.
type removal struct {
	id    string
	force bool
}

// Open opens a state folder and goes on with what is unfinished in it. The error is ErrLocked if another process has it.
func Open(dir string, o Options) (*Engine, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s, err := store.Open(dir, store.Options{ProcessOnly: o.ProcessOnly, Patience: o.Patience})
	if err != nil {
		return nil, err
	}
	e := &Engine{opts: o, store: s, inbox: make(chan message, 1024)}
	e.ctx, e.stop = context.WithCancelCause(context.Background())
	e.defs = newDefinitions(s, o.Actions)
	e.exec = newExecutor(e, o.Parallel)
	sch := newScheduler(e)
	if err := sch.recover(); err != nil {
		e.stop(ErrClosed)
		return nil, errors.Join(err, s.Close())
	}
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		sch.loop()
	}()
	return e, nil
}

// Close ends the engine: actions that run are interrupted, and run again when the folder is opened again if they may.
// What was begun is stored.
func (e *Engine) Close() error {
	var err error
	e.once.Do(func() {
		e.stop(ErrClosed)
		e.wg.Wait()
		e.exec.wait()
		err = e.store.Close()
		e.broker.close()
	})
	return err
}

// fail ends the engine because its state cannot be stored.
func (e *Engine) fail(err error) {
	e.stop(fmt.Errorf("the workflow engine has stopped: %w", err))
	e.broker.wake()
}

// Err says why the engine has ended; nil while it runs.
func (e *Engine) Err() error { return context.Cause(e.ctx) }

// send hands a message to the scheduler and waits until what it changes is durable.
func (e *Engine) send(ctx context.Context, m message) error {
	answer := make(chan error, 1)
	m.reply = func(err error) { answer <- err }
	select {
	case e.inbox <- m:
	case <-e.ctx.Done():
		return e.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case err := <-answer:
		return err
	case <-e.ctx.Done():
		return e.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// newID makes a UUID of version 7: ordered by time, so that rows of one run lie together.
func newID() string {
	var b [16]byte
	if _, err := rand.Read(b[6:]); err != nil {
		panic(err) // the system has no randomness: nothing can go on
	}
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(time.Now().UnixMilli()))
	copy(b[:6], ms[2:])
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
