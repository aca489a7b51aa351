package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

// StartOptions say what to run and with what. Nil maps are empty.
type StartOptions struct {
	Workflow    string
	Namespace   string
	Input       *value.Map
	Params      *value.Map // Mistral's: env, evaluate_env, task_name, …
	Description string
}

// Start starts a workflow and gives the id of its execution. The error is a *Refusal if the input or the parameters
// do not fit; then no execution exists.
func (e *Engine) Start(ctx context.Context, o StartOptions) (string, error) {
	id := newID()
	err := e.send(ctx, id, flow.Start{
		Workflow: o.Workflow, Namespace: o.Namespace, Input: o.Input, Params: o.Params, Description: o.Description,
	})
	if err != nil {
		return "", err
	}
	return id, nil
}

// Wait waits until an execution is completed or paused, and gives what Show then gives.
func (e *Engine) Wait(ctx context.Context, id string) (*Snapshot, error) {
	run, err := e.store.RunOf(id)
	if err != nil {
		return nil, err
	}
	if run == "" {
		return nil, &Refusal{Message: fmt.Sprintf("execution %s does not exist", id)}
	}
	s := e.broker.subscribe(run)
	defer e.broker.leave(s)
	ended := func(st flow.State) bool { return st.Completed() || st == flow.Paused }
	now, err := e.Show(id)
	if err != nil || ended(now.State) {
		return now, err
	}
	err = e.follow(ctx, s, func(ev Event) bool { return ev.Execution != id || ev.TaskID != "" || !ended(ev.State) })
	if err != nil {
		return nil, err
	}
	return e.Show(id)
}

// Request is an operation on an execution, a task or an action, by its id.
type Request struct {
	Do   string `json:"do"` // pause, resume, stop, rerun, skip, complete or update
	ID   string `json:"id"`
	Env  any    `json:"env,omitempty"`  // resume, rerun: merged into the environment
	Keep bool   `json:"keep,omitempty"` // rerun: of a with-items task only the items that failed
	// State is what stop ends an execution with, complete an action (SUCCESS, ERROR or CANCELLED), or update sets
	// (PAUSED, RUNNING).
	State   string  `json:"state,omitempty"`
	Message *string `json:"message,omitempty"` // stop
	Result  any     `json:"result,omitempty"`  // complete
}

// Do carries out a request. The error is a *Refusal if the state does not allow it.
func (e *Engine) Do(ctx context.Context, r Request) error {
	run, ev, err := e.resolve(r)
	if err != nil {
		return err
	}
	return e.send(ctx, run, ev)
}

// Ask has the process that owns a state folder carry out a request; it waits for the answer until ctx ends.
func Ask(ctx context.Context, dir string, r Request) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s, err := store.View(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Ask(ctx, string(body))
}

// resolve finds the run of a request and makes the event.
func (e *Engine) resolve(r Request) (string, flow.Event, error) {
	run, err := e.store.RunOf(r.ID)
	if err != nil {
		return "", nil, err
	}
	if run == "" {
		return "", nil, &Refusal{Message: fmt.Sprintf("there is no execution, task or action %s", r.ID)}
	}
	state := flow.State(r.State)
	switch r.Do {
	case "pause":
		return run, flow.Pause{Execution: r.ID}, nil
	case "resume":
		return run, flow.Resume{Execution: r.ID, Env: mapOf(r.Env)}, nil
	case "stop":
		return run, flow.Stop{Execution: r.ID, State: state, Message: r.Message}, nil
	case "rerun":
		return run, flow.Rerun{Task: r.ID, Reset: !r.Keep, Env: mapOf(r.Env)}, nil
	case "skip":
		return run, flow.Skip{Task: r.ID}, nil
	case "update":
		return run, flow.ActionUpdate{Action: r.ID, State: state}, nil
	case "complete":
		result, err := e.fits(r.Result)
		if err != nil {
			return "", nil, err
		}
		res := flow.Result{Data: result}
		switch state {
		case flow.Success:
		case flow.Failed:
			if res = (flow.Result{Error: result}); result == nil {
				res.Error = "Unknown error" // Mistral's word for an error without one
			}
		case flow.Cancelled:
			res = flow.Result{Error: result, Cancel: true}
		default:
			return "", nil, &Refusal{Message: fmt.Sprintf("Error. Expected one of [SUCCESS, ERROR, CANCELLED], actual: %s", r.State)}
		}
		return run, flow.ActionDone{Action: r.ID, Result: res}, nil
	}
	return "", nil, &Refusal{Message: fmt.Sprintf("unknown request %q", r.Do)}
}

// List lists the root executions, the newest first.
func (e *Engine) List() ([]Summary, error) { return e.store.Runs(false) }

// Summary is one line of List.
type Summary = store.Summary

// Delete removes a root execution with all below it. It must be completed, unless force is set; then it is cancelled
// first.
func (e *Engine) Delete(ctx context.Context, id string, force bool) error {
	now, err := e.Show(id)
	if err != nil {
		return err
	}
	if !now.State.Completed() {
		if !force {
			return &Refusal{Message: fmt.Sprintf("Only completed executions can be deleted. Use --force to override this. Execution %s is in %s state", id, now.State)}
		}
		if err := e.Do(ctx, Request{Do: "stop", ID: id, State: string(flow.Cancelled)}); err != nil {
			return err
		}
	}
	return e.store.DeleteRun(id)
}
