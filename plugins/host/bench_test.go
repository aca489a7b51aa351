//go:build unix

package host

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/resources"
)

// echo is the least that a go-plugin can be: one unary call that gives a text back. It is the peer of the benchmarks.
type echo struct {
	goplugin.NetRPCUnsupportedPlugin
}

var echoService = grpc.ServiceDesc{
	ServiceName: "test.Echo", HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Echo", Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		in := new(wrapperspb.StringValue)
		return in, decode(in)
	}}},
}

func (echo) GRPCServer(_ *goplugin.GRPCBroker, s *grpc.Server) error {
	s.RegisterService(&echoService, struct{}{})
	return nil
}

func (echo) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return c, nil
}

func serveEcho() {
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: plugins.Handshake, Plugins: goplugin.PluginSet{"echo": echo{}}, GRPCServer: goplugin.DefaultGRPCServer,
		Logger: hclog.NewNullLogger(),
	})
}

func startEcho(tb testing.TB) *grpc.ClientConn {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "HOTLOOM_TEST_PROVIDER=echo")
	c := goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig: plugins.Handshake, Plugins: goplugin.PluginSet{"echo": echo{}}, Cmd: cmd, AutoMTLS: true, SkipHostEnv: true,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC}, Logger: hclog.NewNullLogger(),
	})
	tb.Cleanup(c.Kill)
	protocol, err := c.Client()
	if err != nil {
		tb.Fatal(err)
	}
	raw, err := protocol.Dispense("echo")
	if err != nil {
		tb.Fatal(err)
	}
	return raw.(*grpc.ClientConn)
}

// BenchmarkCall compares an operation by the whole contract (start of an action, checked input, a method in its own
// goroutine, result) with a bare echo over go-plugin, call by call in turn. The aim is a ratio below 2.
func BenchmarkCall(b *testing.B) {
	conn := startEcho(b)
	h, err := New([]Source{testSource(b, "probe")}, Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	p := h.Provider("probe")
	ctx := b.Context()
	ours := func(i int) {
		op := &resources.Operation{
			Key: strconv.Itoa(i), Action: resources.Run, Wait: time.Second,
			Call: &resources.Call{Name: "test.echo", Input: resources.Values{"text": "sixteen letters."}},
		}
		if r, err := p.Start(ctx, op); err != nil || !r.Done {
			b.Fatal(r, err)
		}
	}
	theirs := func(int) {
		out := new(wrapperspb.StringValue)
		if err := conn.Invoke(ctx, "/test.Echo/Echo", wrapperspb.String("sixteen letters."), out); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 100 {
		ours(-i - 1)
		theirs(i)
	}
	var a, z []time.Duration
	for i := range b.N {
		t := time.Now()
		ours(i)
		u := time.Now()
		theirs(i)
		a, z = append(a, u.Sub(t)), append(z, time.Since(u))
	}
	slices.Sort(a)
	slices.Sort(z)
	micro := func(d []time.Duration, percent int) float64 {
		return float64(d[(len(d)-1)*percent/100].Nanoseconds()) / 1000
	}
	b.ReportMetric(micro(a, 50), "p50-µs")
	b.ReportMetric(micro(a, 99), "p99-µs")
	b.ReportMetric(micro(z, 50), "echo-p50-µs")
	b.ReportMetric(micro(z, 99), "echo-p99-µs")
	b.ReportMetric(micro(a, 50)/micro(z, 50), "p50-ratio")
	b.ReportMetric(micro(a, 99)/micro(z, 99), "p99-ratio")
}

// BenchmarkStart is a provider's start to its first answer, and what its process takes of memory, beside a bare echo.
func BenchmarkStart(b *testing.B) {
	var ours, theirs, memory float64
	for b.Loop() {
		h, err := New([]Source{testSource(b, "probe")}, Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		t := time.Now()
		if _, err := h.Provider("probe").Describe(b.Context()); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(t).Seconds()
		memory = max(memory, resident(b, h.Provider("probe").PID()))
		h.Close()
		t = time.Now()
		conn := startEcho(b)
		if err := conn.Invoke(b.Context(), "/test.Echo/Echo", wrapperspb.String("x"), new(wrapperspb.StringValue)); err != nil {
			b.Fatal(err)
		}
		theirs += time.Since(t).Seconds()
	}
	b.ReportMetric(ours*1000/float64(b.N), "start-ms")
	b.ReportMetric(theirs*1000/float64(b.N), "echo-start-ms")
	b.ReportMetric(ours/theirs, "start-ratio")
	b.ReportMetric(memory, "resident-MB")
}

// resident is a process's memory in megabytes.
func resident(tb testing.TB, pid int) float64 {
	tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		tb.Skip("no /proc: ", err)
	}
	for line := range strings.Lines(string(text)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kb); err == nil {
			return kb / 1024
		}
	}
	return 0
}
