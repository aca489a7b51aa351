package resources

import (
	"context"
	"time"
)

// Carrier carries operations to their end, for hosts that can wait for it.
type Carrier struct {
	Provider Provider
	// Keep makes durable what is needed to go on with the operation: it is called before the operation is started and
	// whenever it has changed. Nil keeps nothing.
	Keep func(op *Operation) error
	// Progress is told what the provider says on the way; nil tells nobody.
	Progress func(Event)
}

// attempts is how often an operation is begun that may go well later.
const attempts = 5

// The pauses between polls of a provider that answers at once and does not say when it is to be asked again.
const (
	shortestPause = 100 * time.Millisecond
	longestPause  = 2 * time.Second
)

// Carry starts an operation, or goes on with one that has a token or is Repeated, until it is done or has failed; the
// result is the last one, also with an error. When ctx ends first, the error is its cause: the work goes on, and so can
// the operation as Keep was last given it.
func (c Carrier) Carry(ctx context.Context, op *Operation) (*Result, error) {
	if op.Token == "" && !op.Repeated {
		if err := c.keep(op); err != nil {
			return nil, err
		}
	}
	pause := shortestPause
	for attempt := 1; ; {
		asked := time.Now()
		r, err := c.ask(ctx, op)
		switch {
		case err == nil && r.Done:
			return r, nil
		case ctx.Err() != nil:
			return r, context.Cause(ctx)
		}
		var wait time.Duration
		switch {
		case IsKind(err, Retryable) && attempt < attempts:
			wait = max(AsError(err).After, time.Second<<attempt)
			attempt++
			op.Token = ""
		case err != nil:
			return r, err
		case r.After > 0:
			wait = r.After
		case time.Since(asked) < shortestPause:
			wait, pause = pause, min(2*pause, longestPause)
		}
		if err := c.keep(op); err != nil {
			return r, err
		}
		if err := rest(ctx, wait); err != nil {
			return r, err
		}
	}
}

// ask starts or polls, and takes over what the answer says.
func (c Carrier) ask(ctx context.Context, op *Operation) (*Result, error) {
	call := c.Provider.Start
	if op.Token != "" {
		call = c.Provider.Poll
	}
	r, err := call(ctx, op)
	if r == nil {
		return nil, err
	}
	op.Follow(r)
	if c.Progress != nil {
		for _, e := range r.Progress {
			c.Progress(e)
		}
	}
	return r, err
}

func (c Carrier) keep(op *Operation) error {
	if c.Keep == nil {
		return nil
	}
	return c.Keep(op)
}

func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
