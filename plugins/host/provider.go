package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/resources"
)

// Provider is one provider under supervision.
type Provider struct {
	source Source
	opts   Options
	log    *slog.Logger
	slots  chan struct{}
	hidden *secrets

	mu      sync.Mutex
	process *process    // nil while none runs
	starts  int         // how many were started
	crashes int         // in a row
	rest    time.Time   // not to be started before
	broken  *startError // why it cannot be started at all
	closed  bool

	described *resources.Description
}

var _ resources.Provider = (*Provider)(nil)

func newProvider(s Source, o Options) *Provider {
	hidden := &secrets{}
	if s.StartTimeout > 0 {
		o.StartTimeout = s.StartTimeout
	}
	if s.CallTimeout > 0 {
		o.CallTimeout = s.CallTimeout
	}
	if s.Log != "" {
		o.Log = slog.New(atLevel(s.Log, o.Log.Handler()))
	}
	return &Provider{
		source: s, opts: o, hidden: hidden, log: o.Log.With("provider", s.Name), slots: make(chan struct{}, o.Parallel),
	}
}

// Name is the provider's name.
func (p *Provider) Name() string { return p.source.Name }

// Starts is how many processes were started so far.
func (p *Provider) Starts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

// PID is the process id of the running provider, 0 where none runs.
func (p *Provider) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil {
		return 0
	}
	return p.process.pid()
}

// Close ends the provider's process. It is not started again.
func (p *Provider) Close() error {
	p.mu.Lock()
	running := p.process
	p.process, p.closed = nil, true
	p.mu.Unlock()
	if running != nil {
		running.stop()
	}
	return nil
}

// running gives the running process, and starts one where there is none: after a crash not before its rest is over.
func (p *Provider) running(ctx context.Context) (*process, error) {
	for {
		p.mu.Lock()
		if p.process != nil && p.process.exited() {
			p.lostLocked(p.process)
		}
		switch {
		case p.closed:
			p.mu.Unlock()
			return nil, resources.Errorf(resources.Interrupted, "provider %s: hotloom is ending", p.Name())
		case p.process != nil:
			defer p.mu.Unlock()
			return p.process, nil
		case p.broken != nil:
			defer p.mu.Unlock()
			return nil, resources.Errorf(resources.Permanent, "provider %s: %w", p.Name(), p.broken)
		}
		pause := time.Until(p.rest)
		if pause <= 0 {
			defer p.mu.Unlock()
			return p.startLocked()
		}
		p.mu.Unlock()
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil, resources.Errorf(resources.Interrupted, "provider %s has ended %d times in a row: %w", p.Name(), p.crashes, plugins.ErrLost)
		}
	}
}

func (p *Provider) startLocked() (*process, error) {
	started, err := start(p.source, p.opts, p.log, p.hidden)
	var final *startError
	switch {
	case errors.As(err, &final): // trying again changes nothing
		p.broken = final
		return nil, resources.Errorf(resources.Permanent, "provider %s: %w", p.Name(), err)
	case err != nil:
		p.restLocked()
		return nil, resources.Errorf(resources.Interrupted, "provider %s does not start: %w", p.Name(), err)
	}
	if err := p.introduce(started); err != nil {
		started.stop()
		p.restLocked()
		return nil, err
	}
	p.process = started
	p.starts++
	return started, nil
}

// introduce asks a new process what it offers: without it, nobody would know which values are secret.
func (p *Provider) introduce(proc *process) error {
	ctx, cancel := context.WithTimeout(context.Background(), p.opts.CallTimeout)
	defer cancel()
	d, err := proc.client.Describe(ctx)
	if err != nil {
		return p.explain("describe", err)
	}
	if d.Name != p.Name() {
		p.broken = &startError{fmt.Sprintf("it calls itself %s: name its file %s%s", d.Name, discover.Prefix, d.Name)}
		return resources.Errorf(resources.Permanent, "provider %s: %w", p.Name(), p.broken)
	}
	p.described = d
	p.hidden.learn(d)
	if err := p.source.Remember(d); err != nil {
		p.log.Debug("its description is not kept", "error", err)
	}
	return nil
}

// Described says what the provider offers: as it said before, if its file is the same since, or by starting it.
func (p *Provider) Described(ctx context.Context) (*resources.Description, error) {
	p.mu.Lock()
	d := p.described
	p.mu.Unlock()
	if d != nil {
		return d, nil
	}
	if d, ok := p.source.Recall(); ok {
		return d, nil
	}
	return p.Describe(ctx)
}

func (p *Provider) restLocked() {
	pause := p.opts.Backoff << min(p.crashes, 7)
	p.crashes++
	p.rest = time.Now().Add(min(pause, 100*p.opts.Backoff))
}

// lost says that a process is of no more use.
func (p *Provider) lost(gone *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lostLocked(gone)
}

func (p *Provider) lostLocked(gone *process) {
	if p.process != gone {
		return
	}
	p.process = nil
	p.restLocked()
	p.log.Warn("the provider has ended", "in_a_row", p.crashes)
	go gone.stop() // what is left of it: waits for its pipes
}

// maxLost is in how many processes one call may be lost before it fails.
const maxLost = 3

// call makes one call, under its deadline. A lost call is tried again in the next process if again says so.
func (p *Provider) call(ctx context.Context, what string, about *resources.Operation, wait time.Duration, again func() bool, f func(context.Context, *plugins.Client) error) error {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return resources.Errorf(resources.Cancelled, "provider %s: %w", p.Name(), context.Cause(ctx))
	}
	var err error
	for range maxLost {
		if err = p.once(ctx, about, wait, f); !errors.Is(err, plugins.ErrLost) || ctx.Err() != nil || !again() {
			break
		}
	}
	return p.explain(what, err)
}

func (p *Provider) once(ctx context.Context, about *resources.Operation, wait time.Duration, f func(context.Context, *plugins.Client) error) error {
	proc, err := p.running(ctx)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, p.opts.CallTimeout+wait)
	defer cancel()
	if about != nil {
		p.hidden.note(about) // its schemas are known since the process runs
	}
	err = f(limited, proc.client)
	switch {
	case errors.Is(err, plugins.ErrLost):
		p.lost(proc)
	case errors.Is(err, plugins.ErrSlow) && ctx.Err() == nil && !proc.healthy():
		p.log.Error("the provider does not answer any more and is killed")
		proc.kill()
		p.lost(proc)
	case err == nil:
		p.mu.Lock()
		p.crashes = 0
		p.mu.Unlock()
	}
	return err
}

// explain puts the provider's name before an error and takes secrets out.
func (p *Provider) explain(what string, err error) error {
	if err == nil {
		return nil
	}
	e := resources.AsError(p.hidden.error(err))
	out := *e
	prefix := "provider " + p.Name()
	if errors.Is(err, plugins.ErrLost) || errors.Is(err, plugins.ErrSlow) {
		prefix += ": " + what
	}
	if len(out.Faults) == 0 && !strings.HasPrefix(out.Message, "provider ") {
		out.Message = prefix + ": " + out.Message
	}
	return &out
}

func never() bool { return false }

func always() bool { return true }

// Describe implements resources.Provider: it asks the running provider. Described may answer from the cache.
func (p *Provider) Describe(ctx context.Context) (d *resources.Description, err error) {
	err = p.call(ctx, "describe", nil, 0, always, func(ctx context.Context, c *plugins.Client) (err error) {
		d, err = c.Describe(ctx)
		return err
	})
	return d, err
}

// Validate implements resources.Provider.
func (p *Provider) Validate(ctx context.Context, of *resources.Instance) (faults []resources.Fault, err error) {
	err = p.call(ctx, "validate", &resources.Operation{Resource: of}, 0, always, func(ctx context.Context, c *plugins.Client) (err error) {
		faults, err = c.Validate(ctx, of)
		return err
	})
	return faults, err
}

// Start implements resources.Provider. Where the provider ends during the call, its next process is asked to go on.
func (p *Provider) Start(ctx context.Context, op *resources.Operation) (r *resources.Result, err error) {
	attempt := *op
	err = p.call(ctx, strings.ToLower(string(op.Action)), op, op.Wait, func() bool { attempt.Repeated = true; return true },
		func(ctx context.Context, c *plugins.Client) (err error) {
			r, err = c.Start(ctx, &attempt)
			return err
		})
	return r, err
}

// Poll implements resources.Provider.
func (p *Provider) Poll(ctx context.Context, op *resources.Operation) (r *resources.Result, err error) {
	err = p.call(ctx, strings.ToLower(string(op.Action)), op, op.Wait, always, func(ctx context.Context, c *plugins.Client) (err error) {
		r, err = c.Poll(ctx, op)
		return err
	})
	return r, err
}

// Cancel implements resources.Provider.
func (p *Provider) Cancel(ctx context.Context, op *resources.Operation) error {
	return p.call(ctx, "cancel", op, 0, never, func(ctx context.Context, c *plugins.Client) error { return c.Cancel(ctx, op) })
}

// Attributes implements resources.Provider.
func (p *Provider) Attributes(ctx context.Context, of *resources.Instance, names []string) (v resources.Values, err error) {
	err = p.call(ctx, "attributes", &resources.Operation{Resource: of}, 0, always, func(ctx context.Context, c *plugins.Client) (err error) {
		v, err = c.Attributes(ctx, of, names)
		return err
	})
	return v, err
}
