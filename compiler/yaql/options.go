package yaql

import (
	"context"
	"time"
)

// Dialect is one of the two services' YAQL.
type Dialect uint8

const (
	// Heat is the yaql function of HOT: $ is {"data": data}; 200 items an iterator, 10,000 bytes a value.
	Heat Dialect = iota
	// Mistral is <% %> in OpenStack Mistral workflows: $ is the context, no limits of YAQL's own, more functions.
	Mistral
)

// Options change how expressions are evaluated. The zero Options are the dialect's own settings with limits that end
// a hostile expression within a tenth of a second and 64 MiB.
type Options struct {
	// MaxItems is YAQL's limitIterators: 0 is the dialect's (200 for Heat, none for Mistral), -1 none.
	MaxItems int
	// Quota is YAQL's memoryQuota in bytes, counted as Python objects: 0 is the dialect's (10,000 for Heat, none for
	// Mistral), -1 none.
	Quota int
	// MaxSteps bounds the work of one evaluation: calls, items walked, text looked at. 0 is DefaultSteps.
	MaxSteps int64
	// MaxMemory bounds the bytes of all values made in one evaluation, dropped ones included. 0 is DefaultMemory.
	MaxMemory int64

	// Workflow answers task(), execution() and their like; nil means that no workflow is running.
	Workflow Workflow
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// The default limits of Options.
const (
	DefaultSteps  = 200_000
	DefaultMemory = 32 << 20
)

func (o Options) normal(d Dialect) Options {
	pick := func(v *int, heat int) {
		switch {
		case *v != 0:
		case d == Heat:
			*v = heat
		default:
			*v = -1
		}
	}
	pick(&o.MaxItems, 200)
	pick(&o.Quota, 10_000)
	if o.MaxSteps <= 0 {
		o.MaxSteps = DefaultSteps
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = DefaultMemory
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Workflow is what Mistral's functions ask of the engine that runs the workflow which an expression belongs to.
// Results are plain values, mappings as *value.Map.
type Workflow interface {
	// Task gives the last execution of the named task, of the current task if name is empty; nil if there is none.
	Task(ctx context.Context, name string) (any, error)
	// Tasks lists task executions.
	Tasks(ctx context.Context, q TaskQuery) ([]any, error)
	// Execution gives the execution that the expression is evaluated in.
	Execution(ctx context.Context) (any, error)
	// Executions lists workflow executions.
	Executions(ctx context.Context, q ExecutionQuery) ([]any, error)
	// Global gives a workflow-level variable, nil if there is none.
	Global(ctx context.Context, name string) (any, error)
}

// TaskQuery are the arguments of tasks(). Empty fields do not restrict.
type TaskQuery struct {
	WorkflowExecutionID string
	Recursive           bool
	State               string
	Flat                bool
}

// ExecutionQuery are the arguments of executions(). Nil fields do not restrict.
type ExecutionQuery struct {
	ID, RootExecutionID, State, FromTime, ToTime any
}
