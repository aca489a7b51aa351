package local

import (
	"context"
	"fmt"
	"io"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/plugins/standard"
	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
)

// StandardTools are those that hotloom itself has.
func StandardTools() Tools {
	all := Tools{}
	for name, t := range standard.Tools {
		all[name] = standardTool{t}
	}
	return all
}

// standardTool runs on a host what a tool plans.
type standardTool struct{ *tool.Tool }

var _ Tool = standardTool{}

// Run implements Tool.
func (s standardTool) Run(ctx context.Context, host Host, job *Job, stdout, stderr io.Writer) (Result, error) {
	run, err := job.toolRun()
	if err != nil {
		return Result{}, err
	}
	return perform(ctx, s.Tool, host, tool.Task{ToolRun: run, Action: resources.Action(job.Action)},
		Command{Name: fileName(job.Key) + "." + job.Action, Stdout: stdout, Stderr: stderr})
}

// perform plans a task, and runs it on a host. An exit code that means failure has its meaning as the last line of stderr.
func perform(ctx context.Context, t *tool.Tool, host Host, task tool.Task, c Command) (Result, error) {
	plan, err := t.Prepare(task)
	if err != nil {
		return Result{}, err
	}
	c.Script, c.Env, c.Outputs = plan.Program, plan.Env, plan.Outputs
	done, err := host.Run(ctx, c)
	if err != nil {
		return Result{Code: done.Code}, err
	}
	out := Result{Outputs: map[string]any{}}
	var meaning string
	if out.Code, meaning = t.Outcome(done.Code); meaning != "" {
		fmt.Fprintf(c.Stderr, "%s: %s\n", task.Tool, meaning)
	}
	if plan.Finish == nil {
		for name, v := range done.Outputs {
			out.Outputs[name] = v
		}
		return out, nil
	}
	values, err := plan.Finish(done.Outputs)
	for name, v := range values {
		out.Outputs[name] = value.From(v)
	}
	if err != nil { // the program ran, and says itself what has failed
		fmt.Fprintf(c.Stderr, "%v\n", err)
		if out.Code == 0 {
			out.Code = 1
		}
	}
	return out, nil
}

// toolRun is a job as tools know it: with plain values.
func (j *Job) toolRun() (*resources.ToolRun, error) {
	config, err := plainValue(j.Config.V)
	if err != nil {
		return nil, err
	}
	run := &resources.ToolRun{Tool: j.Tool, Component: j.Name, Config: config, Inputs: resources.Values{}}
	if !j.Options.IsZero() {
		if run.Options, err = plainMap(j.Options.Map); err != nil {
			return nil, err
		}
	}
	for _, in := range j.Inputs {
		v := in.Value.V
		if in.Type == "String" { // as the agent does
			v = spelled(in)
		}
		if run.Inputs[in.Name], err = plainValue(v); err != nil {
			return nil, err
		}
		if in.Secret {
			run.Secrets = append(run.Secrets, in.Name)
		}
	}
	for _, o := range j.Outputs {
		run.Outputs = append(run.Outputs, o.Name)
	}
	return run, nil
}

// plainValue turns a value of the expression languages into a plain one.
func plainValue(v any) (any, error) {
	switch v.(type) {
	case nil, bool, int64, float64, string:
		return v, nil
	}
	text, err := value.JSON(v, value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	return resources.Decode([]byte(text))
}
