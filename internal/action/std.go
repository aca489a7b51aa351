package action

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

const stdModule = "mistral.actions.std_actions."

// Std gives the std.* actions. Config says what those that reach out may use.
func Std(c Config) []Definition {
	return []Definition{
		{Name: "std.noop", Repeatable: true, Class: stdModule + "NoOpAction", Run: noop},
		{Name: "std.async_noop", Class: stdModule + "AsyncNoOpAction", Async: true, Run: noop},
		{
			Name: "std.echo", Repeatable: true, Class: stdModule + "EchoAction", Run: echo, Check: checkEcho,
			Inputs: append(required("output"), Input{Name: "delay", Default: int64(0)}),
		},
		{Name: "std.fail", Repeatable: true, Class: stdModule + "FailAction", Repr: "Fail action", Inputs: with(nil, "error_data"), Run: fail},
		{
			Name: "std.sleep", Repeatable: true, Class: stdModule + "SleepAction", Run: sleep,
			Inputs: []Input{{Name: "seconds", Default: int64(1)}},
		},
		{
			Name: "std.test_dict", Repeatable: true, Class: stdModule + "TestDictAction", Run: testDict,
			Inputs: []Input{{Name: "size", Default: int64(0)}, {Name: "key_prefix", Default: ""}, {Name: "val", Default: ""}},
		},
		c.http("std.http", "HTTPAction", false),
		c.http("std.mistral_http", "MistralHTTPAction", true),
		c.email(),
		c.ssh(),
		c.sshProxied(),
		javascript("std.javascript"),
		javascript("std.js"),
	}
}

// Config is what the std actions may use of this machine.
type Config struct {
	// KnownHosts is the file of SSH host keys; "" is ~/.ssh/known_hosts. Unlike Mistral, which takes any key, a host
	// whose key is not there is refused.
	KnownHosts string
	// KeyFolder is where private key files without a path are; "" is ~/.ssh.
	KeyFolder string
	// NoKeyFiles refuses private key files: in a service the keys of its machine are not for the workflows of its users.
	NoKeyFiles bool
	// MaxBody is the largest HTTP answer in bytes; 0 is 16 MiB.
	MaxBody int64
}

func noop(context.Context, *value.Map, Call) (any, error) { return nil, nil }

// wait sleeps unless the context ends first.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func seconds(f float64) time.Duration {
	if math.IsNaN(f) || f <= 0 {
		return 0
	}
	return time.Duration(math.Min(f*1e9, math.MaxInt64/2))
}

func checkEcho(in *value.Map) error {
	v, ok := in.GetStr("delay")
	if !ok {
		return nil
	}
	if _, err := value.ToFloatValue(v); err != nil {
		if e := (*value.Error)(nil); errors.As(err, &e) && e.Class == "TypeError" {
			return err
		}
	}
	return nil
}

func echo(ctx context.Context, in *value.Map, _ Call) (any, error) {
	out, _ := in.GetStr("output")
	if delay, ok := in.GetStr("delay"); ok {
		f, err := value.ToFloatValue(delay)
		if x, isFloat := f.(float64); err == nil && isFloat {
			if err := wait(ctx, seconds(x)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func fail(_ context.Context, in *value.Map, _ Call) (any, error) {
	if data, _ := in.GetStr("error_data"); value.Truth(data) {
		return nil, &Failure{Data: data}
	}
	return nil, errors.New("Fail action expected exception.") //nolint:staticcheck // Mistral's words
}

func sleep(ctx context.Context, in *value.Map, _ Call) (any, error) {
	d := time.Second
	if v, ok := in.GetStr("seconds"); ok {
		d = 0
		if n, err := value.ToInt(v); err == nil {
			f, err := value.ToFloat(n)
			if err != nil {
				f = math.MaxInt64
			}
			d = seconds(f)
		}
	}
	return nil, wait(ctx, d)
}

// maxTestDict keeps a test action from filling the memory.
const maxTestDict = 1_000_000

func testDict(_ context.Context, in *value.Map, _ Call) (any, error) {
	n := 0
	if v, ok := in.GetStr("size"); ok {
		if n, ok = value.Int(v); !ok {
			return nil, value.Errorf("TypeError", "'%s' object cannot be interpreted as an integer", value.TypeName(v))
		}
	}
	if n > maxTestDict {
		return nil, errors.New("size is too large")
	}
	prefix, _ := in.GetStr("key_prefix")
	val, given := in.GetStr("val")
	if !given {
		val = ""
	}
	m := value.NewMap(max(n, 0))
	for i := range n {
		m.SetStr(text(prefix)+value.Str(int64(i)), val)
	}
	return m, nil
}
