package local

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// script is heat-config's tool of that name: the config is executed, inputs are environment variables, outputs are what
// it writes to the files $heat_outputs_path.NAME.
type script struct{}

var _ Tool = script{}

var variable = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (script) Run(ctx context.Context, host Host, job *Job, stdout, stderr io.Writer) (Result, error) {
	text, ok := job.Config.V.(string)
	switch {
	case !ok && job.Config.V != nil:
		return Result{}, errors.New("the config of a script must be a text, not a " + value.TypeName(job.Config.V))
	case text == "":
		return Result{}, errors.New("the script is empty")
	case !strings.HasPrefix(text, "#!"):
		return Result{}, errors.New("the script does not begin with #! and the program that runs it")
	}
	c := Command{Name: fileName(job.Key) + "." + job.Action, Script: text, Stdout: stdout, Stderr: stderr}
	for _, in := range job.Inputs {
		v := spelled(in)
		switch {
		case !variable().MatchString(in.Name):
			return Result{}, errors.New("input " + in.Name + " can not be an environment variable: rename it")
		case strings.ContainsRune(v, 0):
			return Result{}, errors.New("input " + in.Name + " holds a zero byte, which no environment variable can")
		}
		c.Env = append(c.Env, in.Name+"="+v)
	}
	for _, o := range job.Outputs {
		if strings.ContainsAny(o.Name, "/\x00\n") {
			return Result{}, errors.New("output " + o.Name + " can not be a file's name: rename it")
		}
		c.Outputs = append(c.Outputs, o.Name)
	}
	done, err := host.Run(ctx, c)
	out := Result{Code: done.Code, Outputs: map[string]any{}}
	for name, v := range done.Outputs {
		out.Outputs[name] = v
	}
	return out, err
}
