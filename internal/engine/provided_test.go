package engine_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/typed"
)

// outside is work that goes on outside of every process: what the tests' provider starts, asks for and cancels.
type outside struct {
	mu        sync.Mutex
	begun     int
	polled    chan struct{} // one for each poll
	finished  bool
	cancelled []string
	heard     chan struct{} // one for the first cancellation; nil where no test waits for it
}

type workInput struct {
	Name string `hot:"name,required" length:"1..20"`
}

func (o *outside) provider(t *testing.T) resources.Provider {
	t.Helper()
	work := typed.Func("work outside", func(_ context.Context, in workInput, c *typed.Call) (any, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		switch {
		case c.Token == "":
			o.begun++
			c.Later("job-"+in.Name, time.Millisecond)
			return nil, nil
		case len(o.cancelled) > 0:
			return nil, resources.Errorf(resources.Cancelled, "%s has stopped", c.Token)
		case o.finished:
			return "done: " + c.Token, nil
		}
		select {
		case o.polled <- struct{}{}:
		default:
		}
		c.Later(c.Token, time.Millisecond)
		return nil, nil
	})
	work.Cancel = func(_ context.Context, c *typed.Call) error {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.cancelled = append(o.cancelled, c.Token)
		select {
		case o.heard <- struct{}{}:
		default:
		}
		return nil
	}
	tries := 0
	p, err := typed.New(typed.Provider{Name: "outside", Version: "1", Actions: typed.Actions{
		"outside.work": work,
		"outside.flaky": typed.Func("fails at first", func(context.Context, struct{}, *typed.Call) (any, error) {
			if tries++; tries == 1 {
				return nil, resources.RetryAfter(0, "not yet")
			}
			return tries, nil
		}),
		"outside.fail": typed.Func("fails with data", func(context.Context, struct{}, *typed.Call) (any, error) {
			return nil, &resources.Error{Kind: resources.Permanent, Message: "no", Data: resources.Values{"code": int64(7)}}
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const outsideWork = `version: '2.0'
work:
  output: {result: <% task(work).result %>}
  tasks:
    work: {action: outside.work name="x"}
short:
  tasks:
    work: {action: outside.work name="x", timeout: 1}
flaky:
  tasks:
    work: {action: outside.flaky}
fail:
  tasks:
    work: {action: outside.fail}
wrong:
  tasks:
    work: {action: outside.work name=""}
`

func openOutside(t *testing.T, dir string, o *outside) *engine.Engine {
	t.Helper()
	p := o.provider(t) // another process of it
	d, err := p.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	registry, err := action.NewRegistry(action.Std(action.Config{}), action.Provided("outside", p, d.Actions))
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(dir, engine.Options{Actions: registry, ProcessOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	define(t, e, outsideWork)
	return e
}

func TestWorkOfAProviderGoesOnInTheNextProcess(t *testing.T) {
	t.Parallel()
	o, dir := &outside{polled: make(chan struct{}, 1)}, t.TempDir()
	e := openOutside(t, dir, o)
	id := start(t, e, engine.StartOptions{Workflow: "work"})
	<-o.polled // its token is kept by then
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	o.finished = true
	now := wait(t, openOutside(t, dir, o), id)
	if got, _ := now.Output.GetStr("result"); now.State != flow.Success || got != "done: job-x" || o.begun != 1 || len(o.cancelled) > 0 {
		t.Errorf("%s %v, begun %d times, cancelled %v", now.State, got, o.begun, o.cancelled)
	}
}

func TestProviderHearsThatNobodyWaitsAnyMore(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"work", "short"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &outside{polled: make(chan struct{}, 1), heard: make(chan struct{}, 1)}
			e := openOutside(t, t.TempDir(), o)
			id := start(t, e, engine.StartOptions{Workflow: name})
			<-o.polled
			want := flow.Failed
			if name == "work" {
				want = flow.Cancelled
				if err := e.Do(t.Context(), engine.Request{Do: "stop", ID: id, State: string(flow.Cancelled)}); err != nil {
					t.Fatal(err)
				}
			}
			if now := wait(t, e, id); now.State != want {
				t.Fatalf("%s, want %s", now.State, want)
			}
			<-o.heard // an engine that closes leaves what runs to the next process
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			if len(o.cancelled) != 1 || o.cancelled[0] != "job-x" {
				t.Errorf("cancelled %v", o.cancelled)
			}
		})
	}
}

func TestErrorsOfProvidersActions(t *testing.T) {
	t.Parallel()
	e := openOutside(t, t.TempDir(), &outside{})
	for name, want := range map[string]string{
		"flaky": "", "fail": `7`, "wrong": "name: is out of range: length 1 to 20",
	} {
		now := wait(t, e, start(t, e, engine.StartOptions{Workflow: name}))
		info := ""
		if now.Info != nil {
			info = *now.Info
		}
		if (now.State == flow.Success) != (want == "") || !strings.Contains(info, want) {
			t.Errorf("%s: %s %s, want %q", name, now.State, info, want)
		}
	}
}
