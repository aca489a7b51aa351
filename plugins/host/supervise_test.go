//go:build unix

package host

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
)

func TestProviderStartsWhenItIsNeededAndIsKept(t *testing.T) {
	t.Parallel()
	h, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	if p.Starts() != 0 || p.PID() != 0 {
		t.Errorf("started %d times before it is needed", p.Starts())
	}
	var wg sync.WaitGroup
	for range 20 { // all at once, and all wait for the one process
		wg.Go(func() {
			if _, err := p.Describe(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	first := p.PID()
	if _, err := p.Describe(t.Context()); err != nil || p.Starts() != 1 || p.PID() != first {
		t.Errorf("%v; %d starts, process %d and then %d", err, p.Starts(), first, p.PID())
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(first, 0); err == nil && !zombie(first) {
		t.Error("it runs after the host is closed")
	}
	if _, err := p.Describe(t.Context()); !resources.IsKind(err, resources.Interrupted) || p.Starts() != 1 {
		t.Errorf("after the end of the host: %v, %d starts", err, p.Starts())
	}
}

// TestCrashedProviderRestsLongerEachTime: the pause before each start doubles, and a caller who has no time for it is told.
func TestCrashedProviderRestsLongerEachTime(t *testing.T) {
	t.Parallel()
	const backoff = 40 * time.Millisecond
	_, p, _ := startHost(t, Options{Backoff: backoff}, testSource(t, "crash"))
	var ended time.Time
	for n := range 4 {
		_, err := p.Describe(t.Context())
		if !resources.IsKind(err, resources.Interrupted) || !strings.Contains(err.Error(), "does not start") {
			t.Fatalf("%v, want that it does not start", err)
		}
		if pause := time.Since(ended); n > 0 && pause < backoff<<(n-1) {
			t.Errorf("start %d came after %s, want at least %s", n, pause, backoff<<(n-1))
		}
		ended = time.Now()
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := p.Describe(ctx); !errors.Is(err, plugins.ErrLost) || !strings.Contains(err.Error(), "4 times in a row") {
		t.Errorf("%v, want how often it has ended", err)
	}

	_, p, _ = startHost(t, Options{Backoff: backoff}, testSource(t, "probe"))
	for n := range 3 {
		if _, err := p.Describe(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.mu.Lock()
		crashes := p.crashes
		p.mu.Unlock()
		if crashes != 0 {
			t.Errorf("an answer does not end the row of %d crashes", crashes)
		}
		if n < 2 {
			if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	if p.Starts() != 3 {
		t.Errorf("%d starts, want one after each kill", p.Starts())
	}
}

// TestOnlyItsHostCanTalkToAProvider: the provider's socket takes none but the host that started it.
func TestOnlyItsHostCanTalkToAProvider(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	if _, err := p.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	sockets, err := filepath.Glob(filepath.Join(p.process.dir, "plugin*"))
	if err != nil || len(sockets) != 1 {
		t.Fatalf("sockets %v %v", sockets, err)
	}
	for how, c := range map[string]credentials.TransportCredentials{
		"in the clear":          insecure.NewCredentials(),
		"without a certificate": credentials.NewTLS(&tls.Config{InsecureSkipVerify: true}), //nolint:gosec // that the provider refuses is what is tested
	} {
		conn, err := grpc.NewClient("unix:"+sockets[0], grpc.WithTransportCredentials(c))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		d, err := proto.NewProviderClient(conn).Describe(ctx, &proto.DescribeRequest{})
		if err == nil {
			t.Errorf("%s: it answers %s", how, d.GetName())
		}
		if ctx.Err() != nil {
			t.Errorf("%s: it leaves the caller waiting", how)
		}
		cancel()
		_ = conn.Close()
	}
	if _, err := p.Describe(t.Context()); err != nil || p.Starts() != 1 {
		t.Errorf("after them: %v, %d starts", err, p.Starts())
	}
}

// TestSlowProviderIsKept: a call has a deadline of its own, and a provider that only takes its time answers others meanwhile.
func TestSlowProviderIsKept(t *testing.T) {
	t.Parallel()
	source := testSource(t, "probe")
	source.CallTimeout = 300 * time.Millisecond // as hotloom.yaml sets it
	_, p, _ := startHost(t, Options{}, source)
	slow := probeOp(t, resources.Create, resources.Values{"mode": "VALIDATE:hang"})
	if _, err := p.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := p.Validate(t.Context(), slow.Resource)
		done <- err
	}()
	if _, err := finish(t.Context(), p, probeOp(t, resources.Create, nil)); err != nil {
		t.Errorf("another call meanwhile: %v", err)
	}
	if err := <-done; !errors.Is(err, plugins.ErrSlow) || !strings.Contains(err.Error(), "provider probe: validate") {
		t.Errorf("%v, want that the call was not answered in time", err)
	}
	if p.Starts() != 1 {
		t.Errorf("%d starts: a provider that answers its health check is replaced", p.Starts())
	}
}

func TestWhatProvidersPrintIsLoggedWithItsLevel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ printed, want string }{
		{`{"@level":"warn","@message":"disk is full","free":3}`, "level=WARN msg=\"disk is full\" provider=p free=3"},
		{`{"@level":"error","@message":"no"}`, "level=ERROR msg=no provider=p"},
		{`{"@level":"debug","@message":"quiet"}`, ""},
		{`{"level":"warn"}`, `level=INFO msg="{\"level\":\"warn\"}" provider=p stream=stderr`},
		{"[WARN] old style", `level=WARN msg="[WARN] old style" provider=p stream=stderr`},
		{"plain", "level=INFO msg=plain provider=p stream=stderr"},
		{"panic: oh\n\ngoroutine 1 [running]:", `level=ERROR msg="panic: oh" provider=p stream=stderr` + "\n" + `level=ERROR msg="goroutine 1 [running]:" provider=p stream=stderr`},
		{"the password is hush-hush", "level=INFO msg=\"the password is " + resources.Hidden + `" provider=p stream=stderr`},
		{ // a secret that a cut of a long line would go through
			strings.Repeat("x", maxLine-4) + "hush-hush" + strings.Repeat("y", maxLine),
			"level=INFO msg=" + strings.Repeat("x", maxLine-4) + resources.Hidden + "y provider=p stream=stderr\nlevel=INFO msg=" + strings.Repeat("y", maxLine-1) + " provider=p stream=stderr",
		},
		{"key: -BEGIN-\n  first-line-of-it\nsecond-line\n-END-", strings.NewReplacer("L", "level=INFO msg=", "P", " provider=p stream=stderr").Replace("L\"key: -BEGIN-\"P\nL\"  ***\"P\nL***P\nL-END-P")},
	} {
		log := &logs{}
		handler := slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}})
		hidden := &secrets{}
		hidden.known.Add([]any{"hush-hush", "-BEGIN-\nfirst-line-of-it\nsecond-line\n-END-"})
		w := newLines(slog.New(handler).With("provider", "p"), hidden, "stderr")
		for text := c.printed + "\n"; text != ""; { // in pieces, as pipes give it
			n := min(len(text), 4000)
			if _, err := w.Write([]byte(text[:n])); err != nil {
				t.Fatal(err)
			}
			text = text[n:]
		}
		if got := strings.TrimSpace(log.String()); got != c.want {
			t.Errorf("%.60q is logged as\n%.200s\nwant\n%.200s", c.printed, got, c.want)
		}
	}
	l := &logs{}
	source := testSource(t, "probe")
	source.Log = "error"
	_, p, _ := startHost(t, Options{Log: slog.New(slog.NewTextHandler(l, nil))}, source)
	if _, err := finish(t.Context(), p, probeOp(t, resources.Create, resources.Values{"mode": "CREATE:panic"})); err == nil {
		t.Error("no error of a panic")
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if text := l.String(); !strings.Contains(text, "level=ERROR") || !strings.Contains(text, "provider=probe") || strings.Contains(text, "level=INFO") {
		t.Errorf("the log of a provider that is to show errors only:\n%s", text)
	}
}
