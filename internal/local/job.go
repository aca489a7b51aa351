package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// Job is one lifecycle action of one piece of software on one host, with all that it needs.
type Job struct {
	Key      string // of the node
	Name     string // for messages: HOST.COMPONENT, or the deployment's name
	Action   string
	Tool     string
	Config   Value // text, or a map or list where the tool takes that
	Options  Values
	Inputs   []Input
	Outputs  []Output
	Timeout  time.Duration
	Continue bool // a failure does not fail the stack
}

// Input is the value of one input.
type Input struct {
	Name, Type string
	Value      Value
	Secret     bool
}

// Output is one output to read.
type Output struct {
	Name   string
	Error  bool // a value means failure
	Hidden bool
}

// Tool runs a job on a host: what Heat calls a hook.
type Tool interface {
	// Run runs the job. Its inputs hold the deploy_* ones. The error is for what kept it from running; what it came to
	// stands in the result.
	Run(ctx context.Context, host Host, job *Job, stdout, stderr io.Writer) (Result, error)
}

// Result is what a job came to.
type Result struct {
	Code    int
	Outputs map[string]any
}

// Tools are the tools of this machine by name.
type Tools map[string]Tool

// grace is how long software has to end after it was told to.
const grace = 5 * time.Second

// tailBytes is how much of an output is kept as deploy_stdout and deploy_stderr.
const tailBytes = 64 << 10

// failure is software that failed.
type failure struct {
	job  *Job
	why  string
	last string
	code int
}

func (f *failure) Error() string {
	s := f.job.Name + ": " + f.why
	if f.last != "" {
		s += ": " + f.last
	}
	return s
}

// run runs a job and gives the attributes that it leaves: its outputs, deploy_stdout, deploy_stderr, deploy_status_code.
// The error is a *failure where the software failed; then the attributes are there too.
func (r *Runtime) run(ctx context.Context, job *Job, host *Record) (Values, error) {
	tool := r.tools[job.Tool]
	if tool == nil {
		return Values{}, fmt.Errorf("%s: tool %s is not there on this machine", job.Name, job.Tool)
	}
	h, unlock, err := r.host(ctx, host)
	if err != nil {
		return Values{}, err
	}
	defer unlock()
	for _, in := range job.Inputs {
		if in.Secret {
			r.redact.hide(spelled(in))
		}
	}
	log, err := openLog(r.state.LogFile(job.Key, job.Action))
	if err != nil {
		return Values{}, err
	}
	defer log.close()
	stdout := &logWriter{redact: &r.redact, log: log, limit: tailBytes}
	stderr := &logWriter{redact: &r.redact, log: log, limit: tailBytes}
	within := ctx
	if job.Timeout > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, job.Timeout)
		defer cancel()
	}
	full := *job
	full.Inputs = append(append([]Input{}, job.Inputs...), r.deployInputs(job, host)...)
	result, err := tool.Run(within, h, &full, stdout, stderr)
	stdout.flush()
	stderr.flush()
	if ctx.Err() != nil {
		return Values{}, context.Cause(ctx)
	}
	out := newValues()
	for _, o := range job.Outputs {
		v := result.Outputs[o.Name]
		if text, isText := v.(string); isText && o.Hidden {
			r.redact.hide(text)
		}
		out.SetStr(o.Name, v)
	}
	failed := &failure{job: job, last: lastLine(stderr.text(), stdout.text()), code: result.Code}
	switch {
	case errors.Is(within.Err(), context.DeadlineExceeded):
		failed.why, failed.code = "no end after "+job.Timeout.String(), 124
	case err != nil:
		failed.why, failed.code, failed.last = r.redact.text(err.Error()), 126, ""
	case result.Code != 0:
		failed.why = "exit code " + strconv.Itoa(result.Code)
	default:
		failed.why = errorOutputs(job, result, &r.redact)
	}
	out.SetStr("deploy_stdout", stdout.text())
	out.SetStr("deploy_stderr", stderr.text())
	out.SetStr("deploy_status_code", int64(failed.code))
	if failed.why == "" {
		return out, nil
	}
	log.write([]byte(logMark + failed.Error() + "\n"))
	return out, failed
}

// errorOutputs says which outputs are there that must not be.
func errorOutputs(job *Job, result Result, redact *redactor) string {
	var parts []string
	for _, o := range job.Outputs {
		if v, given := result.Outputs[o.Name]; o.Error && given && v != nil {
			parts = append(parts, o.Name+" : "+redact.text(value.Str(v)))
		}
	}
	return strings.Join(parts, ", ")
}

// deployInputs are the inputs that Heat adds to every deployment.
func (r *Runtime) deployInputs(job *Job, host *Record) []Input {
	info := r.state.Info()
	text := func(name, v string) Input { return Input{Name: name, Type: "String", Value: Value{v}} }
	return []Input{
		text("deploy_server_id", host.ID),
		text("deploy_action", job.Action),
		text("deploy_stack_id", info.Name+"/"+info.ID),
		text("deploy_resource_name", job.Name),
		text("deploy_signal_transport", "NO_SIGNAL"),
	}
}

// spelled is an input's value as a script gets it: what is no text as Python writes it, collections as JSON.
func spelled(in Input) string {
	switch v := in.Value.V.(type) {
	case string:
		return v
	case []any, *value.Map:
		text, err := value.JSON(v, value.JSONOptions{})
		if err != nil {
			return value.Str(v)
		}
		return text
	default:
		return value.Str(v)
	}
}
