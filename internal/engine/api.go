package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

// StartOptions say what to run and with what. Nil maps are empty.
type StartOptions struct {
	ID          string // of the execution; "" for a new one. Of one that is there already, nothing is started
	Workflow    string
	Namespace   string
	Input       *value.Map
	Params      *value.Map // Mistral's: env, evaluate_env, task_name, …
	Description string
}

// Start starts a workflow and gives the id of its execution. The error is a *Refusal if the input or the parameters
// do not fit; then no execution exists.
func (e *Engine) Start(ctx context.Context, o StartOptions) (string, error) {
	id := o.ID
	if id == "" {
		id = newID()
	} else if run, err := e.store.RunOf(id); err != nil || run != "" {
		return id, err
	}
	err := e.send(ctx, message{run: id, ev: flow.Start{
		Workflow: o.Workflow, Namespace: o.Namespace, Input: o.Input, Params: o.Params, Description: o.Description,
	}})
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
	Do   string `json:"do"` // pause, resume, stop, rerun, skip, complete, update or delete
	ID   string `json:"id"`
	Env  any    `json:"env,omitempty"`  // resume, rerun: merged into the environment
	Keep bool   `json:"keep,omitempty"` // rerun: of a with-items task only the items that failed
	// State is what stop ends an execution with, complete an action (SUCCESS, ERROR or CANCELLED), or update sets
	// (PAUSED, RUNNING).
	State   string  `json:"state,omitempty"`
	Message *string `json:"message,omitempty"` // stop
	Result  any     `json:"result,omitempty"`  // complete
	Force   bool    `json:"force,omitempty"`   // delete: an execution that is not completed too; it is cancelled first
}

// Do carries out a request. The error is a *Refusal if the state does not allow it.
func (e *Engine) Do(ctx context.Context, r Request) error {
	m, err := e.resolve(r)
	if err != nil {
		return err
	}
	return e.send(ctx, m)
}

// Ask has the process that owns a state folder carry out a request; it waits for the answer until ctx ends. The error
// is a *Refusal as that of Do is.
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
	a, err := s.Ask(ctx, string(body))
	switch {
	case a.Refused:
		return &Refusal{Message: a.Failure}
	case a.Failure != "":
		return errors.New(a.Failure)
	}
	return err
}

// resolve finds the run of a request and makes the message for the scheduler.
func (e *Engine) resolve(r Request) (message, error) {
	run, err := e.store.RunOf(r.ID)
	if err != nil {
		return message{}, err
	}
	if run == "" {
		return message{}, &Refusal{Message: fmt.Sprintf("there is no execution, task or action %s", r.ID)}
	}
	if r.Do == "delete" {
		return message{run: run, remove: &removal{r.ID, r.Force}}, nil
	}
	ev, err := e.eventOf(r)
	return message{run: run, ev: ev}, err
}

// eventOf is what a request means for its run.
func (e *Engine) eventOf(r Request) (flow.Event, error) {
	state := flow.State(r.State)
	switch r.Do {
	case "pause":
		return flow.Pause{Execution: r.ID}, nil
	case "resume":
		return flow.Resume{Execution: r.ID, Env: mapOf(r.Env)}, nil
	case "stop":
		return flow.Stop{Execution: r.ID, State: state, Message: r.Message}, nil
	case "rerun":
		return flow.Rerun{Task: r.ID, Reset: !r.Keep, Env: mapOf(r.Env)}, nil
	case "skip":
		return flow.Skip{Task: r.ID}, nil
	case "update":
		return flow.ActionUpdate{Action: r.ID, State: state}, nil
	case "complete":
		result, err := e.fits(r.Result)
		if err != nil {
			return nil, err
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
			return nil, &Refusal{Message: fmt.Sprintf("Error. Expected one of [SUCCESS, ERROR, CANCELLED], actual: %s", r.State)}
		}
		return flow.ActionDone{Action: r.ID, Result: res}, nil
	}
	return nil, &Refusal{Message: fmt.Sprintf("unknown request %q", r.Do)}
}

// List lists the root executions, the newest first.
func (e *Engine) List() ([]Summary, error) { return e.store.Runs(false) }

// Summary is one line of List.
type Summary = store.Summary
