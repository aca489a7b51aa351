// Package workflow is OS::Mistral::Workflow in the form of the 2013 proposal: it runs a workflow by reference, with a
// handle whose participants must all have reported, and completes with the execution.
//
// Which engine runs it is for the host to say: the embedded one, or an OpenStack Mistral. Both are an Engine.
package workflow

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/typed"
	"github.com/hotloom/hotloom/resources/workflowhandle"
)

// Type is the resource type's name.
const Type = "OS::Mistral::Workflow"

// Engine runs workflows. Its methods may be called from any goroutine; their errors are *resources.Error where more can
// be said than that it failed.
type Engine interface {
	// Start starts a workflow and gives the execution's id. The same key gives the same execution, also after a crash.
	Start(ctx context.Context, r Run) (id string, err error)
	// State says how an execution stands.
	State(ctx context.Context, id string) (*Execution, error)
	// Cancel stops an execution. One that has ended or does not exist is no error.
	Cancel(ctx context.Context, id, reason string) error
}

// Run is what to run and with what.
type Run struct {
	Key        string
	Stack      string // id of the stack whose resource it is
	Reference  string // the workflow's name, WORKBOOK.WORKFLOW in a workbook
	Definition string // YAML that defines it; "": the engine knows it
	Namespace  string
	Input      resources.Values
	Env        resources.Values
}

// Execution is how a run stands.
type Execution struct {
	State  string // IDLE RUNNING PAUSED SUCCESS ERROR CANCELLED
	Info   string // why, where it failed
	Output any
	Tasks  int // so far
	Ended  int // of them
}

// Workflow is the resource.
type Workflow struct {
	Handle     string         `hot:"handle" doc:"get_resource of an OS::Mistral::WorkflowHandle; the workflow starts when its participants have reported"`
	Reference  string         `hot:"workflow_reference,required,update" length:"1..255" doc:"name of the workflow"`
	Definition string         `hot:"definition,update" doc:"text that defines the workflow, for example of get_file; without it the engine has to know it"`
	Namespace  string         `hot:"namespace,update" default:""`
	Params     map[string]any `hot:"params,update" default:"{}" doc:"the workflow's input"`
	Secret     map[string]any `hot:"secret_params,update,secret" default:"{}" doc:"more input, which is not shown"`
	Env        map[string]any `hot:"env,update" default:"{}" doc:"the workflow's environment"`
	Timeout    int            `hot:"timeout,update" default:"3600" range:"1..604800" doc:"seconds that it may take, waiting included"`

	Execution string `attr:"execution" doc:"id of the execution"`
	State     string `attr:"state,nocache" doc:"state of the execution"`
	Info      string `attr:"state_info,nocache" doc:"why it failed"`
	Output    any    `attr:"output" doc:"the workflow's output"`

	engine  Engine
	handles *workflowhandle.Store
}

// New gives the type's constructor for a provider.
func New(e Engine, handles *workflowhandle.Store) func() typed.Resource {
	return func() typed.Resource { return &Workflow{engine: e, handles: handles} }
}

var (
	_ typed.Updater   = (*Workflow)(nil)
	_ typed.Reader    = (*Workflow)(nil)
	_ typed.Poller    = (*Workflow)(nil)
	_ typed.Canceler  = (*Workflow)(nil)
	_ typed.Recoverer = (*Workflow)(nil)
)

// interval is how long the host may wait before it asks again.
const interval = time.Second

// Tokens: wait/DEADLINE while the handle is not complete, run/DEADLINE/EXECUTION afterwards. DEADLINE is in seconds
// since 1970, so that a restart does not give the workflow new time.
const (
	waiting = "wait"
	running = "run"
)

// Create starts the workflow, or waits for the handle first.
func (w *Workflow) Create(ctx context.Context, c *typed.Call) error {
	return w.begin(ctx, c, time.Now().Add(time.Duration(w.Timeout+1)*time.Second-1).Unix()) // whole seconds, never less
}

// Update runs the workflow again with what has changed.
func (w *Workflow) Update(ctx context.Context, c *typed.Call) error { return w.Create(ctx, c) }

// Recover starts again under the same key, which the engine knows if it was started before.
func (w *Workflow) Recover(ctx context.Context, c *typed.Call) error { return w.Create(ctx, c) }

func (w *Workflow) begin(ctx context.Context, c *typed.Call, deadline int64) error {
	input := resources.Values{}
	for name, v := range w.Params {
		input[name] = v
	}
	for name, v := range w.Secret {
		input[name] = v
	}
	if w.Handle != "" {
		s, err := w.handles.Get(w.Handle)
		if err != nil {
			return err
		}
		if p := s.Failed(); p != nil {
			return resources.Errorf(resources.Permanent, "participant %s has failed: %s", p.ID, p.Reason)
		}
		if !s.Complete() {
			if time.Now().Unix() >= deadline {
				return resources.Errorf(resources.Permanent, "%d of %d participants have reported in time", len(s.Participants), s.Count)
			}
			c.Progress(0, "%d of %d participants have reported", len(s.Participants), s.Count)
			c.Later(fmt.Sprintf("%s/%d", waiting, deadline), interval)
			return nil
		}
		input["participants"] = s.List()
	}
	id, err := w.engine.Start(ctx, Run{
		Key: c.Key, Stack: c.StackID, Reference: w.Reference, Definition: w.Definition, Namespace: w.Namespace, Input: input, Env: w.Env,
	})
	if err != nil {
		return err
	}
	if c.ID() == "" {
		c.SetID(id) // and it stays when an update runs the workflow again
	}
	c.Set("execution", id)
	w.Execution = id
	return w.follow(ctx, c, id, deadline)
}

// Poll goes on with waiting, or with the execution.
func (w *Workflow) Poll(ctx context.Context, c *typed.Call) error {
	phase, rest, _ := strings.Cut(c.Token, "/")
	var deadline int64
	var id string
	if phase == waiting {
		if _, err := fmt.Sscanf(rest, "%d", &deadline); err == nil {
			return w.begin(ctx, c, deadline)
		}
	} else if _, err := fmt.Sscanf(rest, "%d/%s", &deadline, &id); err == nil && phase == running {
		return w.follow(ctx, c, id, deadline)
	}
	return resources.Errorf(resources.Permanent, "token %q is none of a workflow's", c.Token)
}

// follow says how the execution stands.
func (w *Workflow) follow(ctx context.Context, c *typed.Call, id string, deadline int64) error {
	x, err := w.engine.State(ctx, id)
	if err != nil {
		return err
	}
	w.State, w.Info = x.State, x.Info
	switch x.State {
	case "SUCCESS":
		w.Output = x.Output
		return nil
	case "ERROR", "CANCELLED":
		return resources.Errorf(resources.Permanent, "workflow %s ended in state %s: %s", w.Reference, x.State, x.Info)
	}
	if time.Now().Unix() >= deadline {
		if err := w.engine.Cancel(ctx, id, "the resource's timeout is over"); err != nil {
			return err
		}
		return resources.Errorf(resources.Permanent, "workflow %s has not ended within %d s and was cancelled", w.Reference, w.Timeout)
	}
	if said := fmt.Sprintf("%d of %d tasks have ended", x.Ended, x.Tasks); c.Get("progress") != said {
		c.Set("progress", said)
		c.Progress(0, "%s", said)
	}
	c.Later(fmt.Sprintf("%s/%d/%s", running, deadline, id), interval)
	return nil
}

// Cancel stops the execution of an operation that is cancelled.
func (w *Workflow) Cancel(ctx context.Context, c *typed.Call) error {
	if id, ok := executionOf(c.Token); ok {
		return w.engine.Cancel(ctx, id, "the resource's "+strings.ToLower(string(c.Action))+" was cancelled")
	}
	return nil
}

func executionOf(token string) (string, bool) {
	parts := strings.SplitN(token, "/", 3)
	if len(parts) == 3 && parts[0] == running {
		return parts[2], true
	}
	return "", false
}

// Delete cancels the execution if it still runs. What it has done stays done.
func (w *Workflow) Delete(ctx context.Context, c *typed.Call) error {
	if id := current(c); id != "" {
		return w.engine.Cancel(ctx, id, "the resource was deleted")
	}
	return nil
}

// current is the id of the last execution, "" where none was started.
func current(c *typed.Call) string {
	if id, ok := c.Get("execution").(string); ok {
		return id
	}
	return c.ID()
}

// Read shows how the execution stands.
func (w *Workflow) Read(ctx context.Context, c *typed.Call) error {
	id := current(c)
	if id == "" {
		return nil
	}
	x, err := w.engine.State(ctx, id)
	if err != nil {
		return err
	}
	w.State, w.Info = x.State, x.Info
	if x.State == "SUCCESS" {
		w.Output = x.Output
	}
	return nil
}
