package local

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/resources"
)

// ProviderTools are the tools of a provider.
func ProviderTools(p resources.Provider, tools map[string]*resources.Tool) Tools {
	out := Tools{}
	for name := range tools {
		out[name] = providerTool{p}
	}
	return out
}

// providerTool runs jobs by a provider, which finds its way to the host by itself.
type providerTool struct{ provider resources.Provider }

var _ Tool = providerTool{}

// Run implements Tool.
func (t providerTool) Run(ctx context.Context, host Host, job *Job, stdout, stderr io.Writer) (Result, error) {
	run, err := job.toolRun()
	if err != nil {
		return Result{}, err
	}
	if run.Host, err = hostFor(host); err != nil {
		return Result{}, err
	}
	op := &resources.Operation{Key: newUUID(), Action: resources.Action(job.Action), Tool: run, Wait: patience}
	if deadline, ok := ctx.Deadline(); ok {
		op.Deadline = deadline
	}
	res, err := t.carry(ctx, op)
	var outputs any
	switch {
	case err != nil:
		outputs = resources.AsError(err).Data
	default:
		outputs = res.Output
	}
	values, _ := outputs.(map[string]any)
	result := Result{Outputs: map[string]any{}}
	for name, v := range values {
		switch name {
		case "deploy_stdout":
			_, _ = io.WriteString(stdout, value.Str(value.From(v)))
		case "deploy_stderr":
			_, _ = io.WriteString(stderr, value.Str(value.From(v)))
		case "deploy_status_code":
			code, _ := v.(int64)
			result.Code = int(code)
		default:
			result.Outputs[name] = value.From(v)
		}
	}
	if err != nil && result.Code != 0 { // the software has failed, and it says why
		fmt.Fprintf(stderr, "%v\n", err)
		err = nil
	}
	return result, err
}

// carry carries an operation to its end; when ctx ends, it is cancelled.
func (t providerTool) carry(ctx context.Context, op *resources.Operation) (*resources.Result, error) {
	ask := t.provider.Start
	for {
		res, err := ask(ctx, op)
		if ctx.Err() != nil {
			stop, end := context.WithTimeout(context.WithoutCancel(ctx), grace)
			_ = t.provider.Cancel(stop, op)
			end()
			return nil, context.Cause(ctx)
		}
		if err != nil || res.Done {
			return res, err
		}
		op.Follow(res)
		ask = t.provider.Poll
		if err := pause(ctx, min(res.After, time.Minute).Seconds()); err != nil {
			return nil, err
		}
	}
}

// hostFor is a host as providers know it.
func hostFor(h Host) (resources.Host, error) {
	switch h := h.(type) {
	case *folderHost:
		return resources.Host{Dir: h.dir}, nil
	case *sshHost:
		target, err := action.ParseSSH(h.target)
		if err != nil {
			return resources.Host{}, err
		}
		address, portText, err := net.SplitHostPort(target.Address)
		if err != nil {
			return resources.Host{}, err
		}
		port, err := strconv.Atoi(portText)
		return resources.Host{Address: address, Port: port, User: target.User}, err
	}
	return resources.Host{}, fmt.Errorf("a provider cannot reach a host of kind %T", h)
}
