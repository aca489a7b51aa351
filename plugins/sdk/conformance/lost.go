package conformance

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/resources"
)

// phases are where in an operation a provider is lost.
var phases = []string{"before the work", "in the middle", "after the work"}

// lost: the provider ends before an operation, in the middle of it and after it, and another process goes on.
func (k *kit) lost(t *testing.T) {
	actions := []resources.Action{resources.Create, resources.Check, resources.Delete}
	if k.e.Update != nil {
		actions = append(actions, resources.Update)
	}
	if k.typ.HasHandle("suspend") {
		actions = append(actions, resources.Suspend, resources.Resume)
	}
	for _, action := range actions {
		for _, phase := range phases {
			t.Run(strings.ToLower(string(action))+" "+phase, func(t *testing.T) { k.lose(t, action, phase) })
		}
	}
}

func (k *kit) lose(t *testing.T, action resources.Action, phase string) {
	first := k.start(t)
	p := connect(t, first)
	op := k.operation(t, resources.Create)
	if action != resources.Create {
		made := k.create(t, p)
		if action == resources.Resume {
			if _, err := k.run(t, p, k.then(t, made, resources.Suspend)); err != nil {
				t.Fatalf("suspend: %v", err)
			}
		}
		op = k.then(t, made, action)
	}
	if phase != "before the work" {
		op.Wait = 0
		if phase == "after the work" {
			op.Wait = time.Second
		}
		r, err := p.Start(t.Context(), op)
		k.look(t, op, r, err)
		if err != nil && !resources.IsKind(err, resources.Unsupported) {
			t.Fatal(k.secret.Error(err))
		}
		op.Follow(r)
	}
	lose(t, first)
	next := connect(t, k.start(t))
	op.Repeated, op.Wait = op.Token == "", time.Second
	_, err := k.finish(t, next, op)
	switch {
	case err == nil || action == resources.Check && resources.IsKind(err, resources.Unsupported):
	case action == resources.Delete || action == resources.Check:
		t.Errorf("the next process says %v; a %s runs again", err, strings.ToLower(string(action)))
	case !resources.IsKind(err, resources.Interrupted):
		t.Errorf("the next process says %v; it has to go on (Recover, Later) or say that the operation was interrupted", err)
	}
	most := 1
	if action == resources.Delete {
		most = 0
	}
	k.exist(t, "once it was lost "+phase, most)
	k.delete(t, next, op)
}

// patience is how long a provider may take to end, and a cancelled operation.
const patience = 30 * time.Second

// lose ends a provider: with kill -9 where it is a process, else as the end of its host does.
func lose(t *testing.T, p resources.Provider) {
	t.Helper()
	if k, ok := p.(interface{ Kill() error }); ok {
		if err := k.Kill(); err != nil {
			t.Fatal(err)
		}
		return
	}
	c, ok := p.(io.Closer)
	if !ok {
		return
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Close() }()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatalf("the provider has not ended %s after it was told to: let its methods end with their context", patience)
	}
}

// cancel: a cancelled operation ends soon, and what it made can be deleted.
func (k *kit) cancel(t *testing.T) {
	p := connect(t, k.start(t))
	op := k.operation(t, resources.Create)
	k.cancelled(t, p, op)
	k.delete(t, p, op)
	if k.e.Update != nil {
		op = k.create(t, p)
		k.cancelled(t, p, k.then(t, op, resources.Update))
		k.delete(t, p, op)
	}
	if err := p.Cancel(t.Context(), k.operation(t, resources.Create)); err != nil {
		t.Errorf("cancel of what does not run: %v", err)
	}
}

func (k *kit) cancelled(t *testing.T, p resources.Provider, op *resources.Operation) {
	t.Helper()
	op.Wait = 0
	r, err := p.Start(t.Context(), op)
	k.look(t, op, r, err)
	op.Follow(r) // quick work has ended by now, and its id is what the delete needs
	if err == nil && !r.Done {
		if err := p.Cancel(t.Context(), op); err != nil {
			t.Errorf("cancel: %v", err)
		}
		op.Wait = time.Second
		for end := time.Now().Add(patience); err == nil && !r.Done; k.look(t, op, r, err) {
			if time.Now().After(end) {
				t.Fatalf("the operation goes on %s after it was cancelled: let its method end with its context", patience)
			}
			if r, err = p.Poll(t.Context(), op); r != nil {
				op.Follow(r)
			}
		}
	}
	if err != nil && !resources.IsKind(err, resources.Cancelled) {
		t.Errorf("a cancelled %s ended with %v", strings.ToLower(string(op.Action)), k.secret.Error(err))
	}
	op.Token = ""
}
