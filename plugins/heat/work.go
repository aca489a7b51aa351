package heat

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/hotloom/hotloom/resources"
)

const (
	attempts  = 5                // how often an operation is begun that may go well later
	stopping  = 5 * time.Minute  // how long earlier work may take to stop
	signalled = 45 * time.Second // how long a signal may take
	maxEvents = 20               // told of one step
)

// begin makes a new operation. Nothing is done yet: Heat has to keep the key first.
func (s *Server) begin(_ context.Context, r *request, k *kept) (*answer, error) {
	if r.Instance == nil || r.Action == "" {
		return nil, fmt.Errorf("begin without an action or a resource")
	}
	if k.Work != nil && k.Earlier == nil { // otherwise Work was not begun: it waited for Earlier
		k.Earlier = k.Work
	}
	k.Work = &work{Key: rand.Text(), Action: r.Action, Instance: *r.Instance, Prior: r.Prior, Begun: time.Now().UTC().Truncate(time.Second)}
	if r.Seconds > 0 {
		k.Work.Deadline = time.Now().Add(time.Duration(r.Seconds * float64(time.Second))).UTC().Truncate(time.Second)
	}
	return &answer{}, nil
}

// step goes on with the operation, begins it where it has not begun, and says how it stands.
func (s *Server) step(ctx context.Context, r *request, k *kept) (*answer, error) {
	if k.Work == nil {
		return nil, fmt.Errorf("no work is kept for the resource")
	}
	w := k.Work
	p, err := s.provider(ctx, w.Instance.Type)
	if err != nil {
		k.Work = nil
		return nil, err
	}
	a := &answer{}
	if e := k.Earlier; e != nil {
		if ended := s.stop(ctx, p, k, e, a); !ended {
			return a, nil
		}
		w.Instance.ID, k.Earlier = e.Instance.ID, nil
	}
	if time.Now().Before(w.NotUntil) {
		return a, nil
	}
	w.NotUntil = time.Time{}
	before := *w
	res, err := s.carry(ctx, p, k, w, r.Repeated, a)
	switch {
	case resources.IsKind(err, resources.Retryable) && w.Attempts+1 < attempts:
		w.Attempts++
		w.Token = ""
		w.NotUntil = time.Now().Add(max(resources.AsError(err).After, time.Second<<w.Attempts)).UTC().Truncate(time.Second)
		a.Events = append(a.Events, err.Error())
		return a, nil
	case err != nil:
		k.Work = nil
		return a, err
	case res.Done:
		k.Work = nil
		a.Done, a.Replace = true, res.Replace
	case w.Token == before.Token && w.Instance.ID == before.Instance.ID && len(a.Events) == 0:
		pause(ctx, min(res.After, w.wait(time.Now()))) // there is no use in asking before, and nothing to keep
	}
	return a, nil
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// carry makes one call for work.
func (s *Server) carry(ctx context.Context, p resources.Provider, k *kept, w *work, repeated bool, a *answer) (*resources.Result, error) {
	op := w.operation(k.Data)
	call := p.Poll
	if op.Token == "" {
		call = p.Start
		op.Repeated = repeated
	}
	res, err := call(ctx, op)
	op.Follow(res)
	k.follow(w, op)
	if len(w.Instance.ID) > resources.MaxID {
		return res, resources.Errorf(resources.Permanent, "the id has %d characters; Heat keeps %d", len(w.Instance.ID), resources.MaxID)
	}
	a.ID = w.Instance.ID
	if res != nil {
		for _, e := range res.Progress {
			a.Events = append(a.Events, progressText(e))
		}
		a.Events = a.Events[max(0, len(a.Events)-maxEvents):]
	}
	return res, err
}

func progressText(e resources.Event) string {
	if e.Percent > 0 {
		return strings.TrimSuffix(fmt.Sprintf("%.0f %%: %s", e.Percent, e.Message), ": ")
	}
	return e.Message
}

// stop brings work to an end that Heat has turned away from, and tells whether it has ended. How, is nobody's concern:
// what there is then is known, and the operation that waits sees to it.
func (s *Server) stop(ctx context.Context, p resources.Provider, k *kept, w *work, a *answer) bool {
	if !w.Stopped {
		if err := p.Cancel(ctx, w.operation(k.Data)); err != nil {
			s.log.Info("work does not stop", "resource", w.Instance.Name, "stack", w.Instance.Stack, "error", err)
		}
		w.Stopped, w.Deadline = true, time.Now().Add(stopping).UTC().Truncate(time.Second)
	}
	res, err := s.carry(ctx, p, k, w, true, a)
	return err != nil || res.Done || time.Now().After(w.Deadline)
}

// adopt goes on with work whose engine has ended in the middle of it. Done with Replace says that there is none, or that it
// has failed: then Heat shall do as it would without us, and make the resource anew.
func (s *Server) adopt(ctx context.Context, _ *request, k *kept) (*answer, error) {
	a := &answer{Done: true, Replace: true}
	w := k.Work
	if w == nil || k.Earlier != nil || w.Action == resources.Delete {
		return a, nil
	}
	p, err := s.provider(ctx, w.Instance.Type)
	if err != nil {
		return a, nil //nolint:nilerr // the new resource's creation will tell
	}
	res, err := s.carry(ctx, p, k, w, true, a)
	switch {
	case err != nil: // it stays as it is: the deletion that follows sees to what there is
	case res.Done:
		k.Work = nil
		a.Replace = res.Replace
	default:
		a.Done = false
	}
	return a, nil
}

// cancel stops the operation, since its stack has turned to something else or its time is over.
func (s *Server) cancel(ctx context.Context, _ *request, k *kept) (*answer, error) {
	if k.Work == nil {
		return &answer{}, nil
	}
	p, err := s.provider(ctx, k.Work.Instance.Type)
	if err != nil {
		return nil, err
	}
	return &answer{}, p.Cancel(ctx, k.Work.operation(k.Data))
}

// validate finds what is wrong with properties beyond the schema.
func (s *Server) validate(ctx context.Context, r *request, k *kept) (*answer, error) {
	p, err := s.providerOf(ctx, r)
	if err != nil {
		return nil, err
	}
	of := r.Instance.instance(k.Data)
	of.Unknown = r.Unknown
	faults, err := p.Validate(ctx, of)
	if err == nil && len(faults) > 0 {
		err = &resources.Error{Kind: resources.Invalid, Faults: faults}
	}
	return &answer{Done: true}, err
}

// attributes reads attributes. Those of a thing that is gone have no value.
func (s *Server) attributes(ctx context.Context, r *request, k *kept) (*answer, error) {
	p, err := s.providerOf(ctx, r)
	if err != nil {
		return nil, err
	}
	v, err := p.Attributes(ctx, r.Instance.instance(k.Data), r.Names)
	if resources.IsKind(err, resources.NotFound) {
		v, err = resources.Values{}, nil
	}
	if v == nil {
		v = resources.Values{}
	}
	return &answer{Done: true, Attributes: v}, err
}

// signal hands over a signal, whose sender Heat has authenticated. It is answered when it is done: Heat waits in a thread
// of its own.
func (s *Server) signal(ctx context.Context, r *request, k *kept) (*answer, error) {
	p, err := s.providerOf(ctx, r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, signalled)
	defer cancel()
	w := &work{Key: rand.Text(), Action: resources.Signal, Instance: *r.Instance, Deadline: time.Now().Add(signalled)}
	a := &answer{}
	for {
		op := w.operation(k.Data)
		op.Authentic, op.Details = true, r.Details.v
		call := p.Start
		if w.Token != "" {
			call = p.Poll
		}
		res, err := call(ctx, op)
		op.Follow(res)
		k.follow(w, op)
		if err != nil {
			return a, err
		}
		if res.Done {
			a.Done = true
			a.Text, _ = res.Output.(string)
			return a, nil
		}
		pause(ctx, min(max(res.After, 10*time.Millisecond), time.Second))
		if ctx.Err() != nil {
			return a, resources.Errorf(resources.Permanent, "the signal took longer than %s", signalled)
		}
	}
}

func (s *Server) providerOf(ctx context.Context, r *request) (resources.Provider, error) {
	if r.Instance == nil {
		return nil, fmt.Errorf("%s without a resource", r.Call)
	}
	return s.provider(ctx, r.Instance.Type)
}
