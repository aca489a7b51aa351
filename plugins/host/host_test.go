//go:build unix

package host

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/resources"
)

// logs is a log that a test reads while it is written.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func startHost(t testing.TB, o Options, source Source) (*Host, *Provider, *logs) {
	t.Helper()
	l := &logs{}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if o.Backoff == 0 {
		o.Backoff = time.Millisecond
	}
	h, err := New([]Source{source}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, h.Provider("probe"), l
}

func probeOp(t testing.TB, action resources.Action, properties resources.Values) *resources.Operation {
	t.Helper()
	all := resources.Values{"file": filepath.Join(t.TempDir(), "lines")}
	for k, v := range properties {
		all[k] = v
	}
	return &resources.Operation{
		Key: "key-" + strings.ToLower(string(action)), Action: action, Wait: 5 * time.Second,
		Resource: &resources.Instance{Type: "Test::Probe", Name: "probe", Stack: "s", Properties: all},
	}
}

// finish polls an operation to its end as a host does.
func finish(ctx context.Context, p resources.Provider, op *resources.Operation) (*resources.Result, error) {
	r, err := p.Start(ctx, op)
	for err == nil && !r.Done {
		op.Follow(r)
		r, err = p.Poll(ctx, op)
	}
	return r, err
}

func lineCount(t testing.TB, op *resources.Operation, with string) int {
	t.Helper()
	text, err := os.ReadFile(op.Resource.Properties["file"].(string))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, with) {
			n++
		}
	}
	return n
}

func TestLifeOfAResource(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	op := probeOp(t, resources.Create, resources.Values{"list": []any{"a", "b"}})
	r, err := finish(t.Context(), p, op)
	if err != nil {
		t.Fatal(err)
	}
	if r.ID != "lines" || r.Attributes["text"] != "a b" || r.Data == nil {
		t.Fatalf("%+v", r)
	}
	op.Follow(r)
	for _, action := range []resources.Action{resources.Check, resources.Suspend, resources.Resume, resources.Update, resources.Signal, resources.Delete} {
		next := *op
		next.Token, next.Key, next.Action, next.Details = "", "key-"+string(action), action, "body"
		if _, err := finish(t.Context(), p, &next); err != nil {
			t.Errorf("%s: %v", action, err)
		}
	}
	got, err := p.Attributes(t.Context(), op.Resource, []string{"text"})
	if err != nil || len(got) != 1 || got["text"] != "a b" {
		t.Errorf("attributes: %v %v", got, err)
	}
	if p.Starts() != 1 {
		t.Errorf("%d processes, want one for all calls", p.Starts())
	}
}

func TestStartTwiceIsDoneOnce(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	op := probeOp(t, resources.Create, nil)
	for range 3 {
		if r, err := p.Start(t.Context(), op); err != nil || !r.Done || r.ID != "lines" {
			t.Fatalf("%+v %v", r, err)
		}
	}
	if n := lineCount(t, op, "CREATE"); n != 1 {
		t.Errorf("created %d times", n)
	}
}

// TestProviderKilledInEachPhase is the crash test: a provider that is killed before or after its work makes the one
// operation fail, or recovers; and never does the work twice.
func TestProviderKilledInEachPhase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action   resources.Action
		mode     string
		recovers bool
		want     string // "" or an error
		done     int
	}{
		{resources.Create, "die-once", true, "", 1},
		{resources.Create, "die-once", false, "not to recover", 0},
		{resources.Create, "die-after", true, "", 1},
		{resources.Create, "die-after", false, "not to recover", 1},
		{resources.Update, "die-once", false, "not to recover", 0},
		{resources.Update, "die-after", true, "", 1},
		{resources.Suspend, "die-once", true, "", 1},
		{resources.Signal, "die-after", true, "", 1},
		{resources.Delete, "die-once", false, "", 1},                             // deleting runs again
		{resources.Check, "die-after", false, "the provider has ended", maxLost}, // and so does checking, but not for ever
	} {
		t.Run(fmt.Sprintf("%s %s recovers=%v", c.action, c.mode, c.recovers), func(t *testing.T) {
			t.Parallel()
			_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
			op := probeOp(t, c.action, resources.Values{"mode": string(c.action) + ":" + c.mode, "recover": c.recovers})
			_, err := finish(t.Context(), p, op)
			if (c.want == "") != (err == nil) || !strings.Contains(fmt.Sprint(err), c.want) && c.want != "" {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if n := lineCount(t, op, string(c.action)); n != c.done {
				t.Errorf("done %d times, want %d", n, c.done)
			}
			// The host is as before: the next operation works.
			next := probeOp(t, resources.Create, nil)
			next.Key = "next"
			if _, err := finish(t.Context(), p, next); err != nil {
				t.Errorf("after the crash: %v", err)
			}
		})
	}
}

func TestTokensSurviveTheProvider(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	op := probeOp(t, resources.Create, resources.Values{"mode": "CREATE:later"})
	r, err := p.Start(t.Context(), op)
	if err != nil || r.Done || r.Token == "" {
		t.Fatalf("%+v %v", r, err)
	}
	op.Follow(r)
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for !r.Done {
		if r, err = p.Poll(t.Context(), op); err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Progress {
			if e.Percent != 50 || e.Time.IsZero() {
				t.Errorf("progress %+v", e)
			}
		}
	}
	if n := lineCount(t, op, "CREATE key-create polled file:key-create"); n != 1 || p.Starts() != 2 {
		t.Errorf("done %d times by %d processes", n, p.Starts())
	}
}

func TestCancelAndDeadline(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	op := probeOp(t, resources.Create, resources.Values{"mode": "CREATE:slow"})
	r, err := p.Start(t.Context(), op)
	if err != nil || r.Done || r.ID == "" {
		t.Fatalf("%+v %v: the id has to be known while the work runs", r, err)
	}
	op.Follow(r)
	if err := p.Cancel(t.Context(), op); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = p.Poll(t.Context(), op)
	}
	if !resources.IsKind(err, resources.Cancelled) {
		t.Errorf("%v, want cancelled", err)
	}

	timed := probeOp(t, resources.Update, resources.Values{"mode": "UPDATE:slow"})
	timed.Deadline = time.Now().Add(50 * time.Millisecond)
	if _, err := finish(t.Context(), p, timed); !resources.IsKind(err, resources.Cancelled) || !strings.Contains(err.Error(), "time is over") {
		t.Errorf("%v, want that its time is over", err)
	}
}

func TestErrorsKeepTheirKind(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	for mode, want := range map[string]resources.Error{
		"invalid": {Kind: resources.Invalid, Faults: []resources.Fault{{Path: []string{"list", "0"}, Message: "no good"}}},
		"retry":   {Kind: resources.Retryable, Message: "provider probe: not now", After: time.Second},
		"panic":   {Kind: resources.Permanent, Message: "provider probe: the provider's code panicked: on purpose, with "},
	} {
		op := probeOp(t, resources.Create, resources.Values{"mode": "CREATE:" + mode})
		op.Key = mode
		_, err := finish(t.Context(), p, op)
		got := resources.AsError(err)
		if got == nil || got.Kind != want.Kind || got.Message != want.Message || got.After != want.After ||
			fmt.Sprint(got.Faults) != fmt.Sprint(want.Faults) {
			t.Errorf("%s: %+v, want %+v", mode, got, want)
		}
	}
	for name, properties := range map[string]resources.Values{
		"fil: unknown property; did you mean \"file\"?": {"fil": "x"},
		"list: is out of range: length at most 3":       {"list": []any{"a", "b", "c", "d"}},
		"list.1: does not match [a-z]+":                 {"list": []any{"a", "B"}},
		"size: must be an integer, not a string":        {"size": "many"},
	} {
		op := probeOp(t, resources.Create, properties)
		op.Key = name
		if _, err := finish(t.Context(), p, op); !resources.IsKind(err, resources.Invalid) || err.Error() != name {
			t.Errorf("%v, want %s", err, name)
		}
		if faults, err := p.Validate(t.Context(), op.Resource); err != nil || len(faults) != 1 || faults[0].String() != name {
			t.Errorf("validate: %v %v, want %s", faults, err, name)
		}
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	_, p, l := startHost(t, Options{}, testSource(t, "probe"))
	const secret = `s3cr"et-passphrase`
	for _, mode := range []string{"leak", "panic"} {
		op := probeOp(t, resources.Create, resources.Values{"mode": "CREATE:" + mode, "secret": secret})
		op.Key = mode
		_, err := finish(t.Context(), p, op)
		if err == nil || strings.Contains(err.Error(), "s3cr") || !strings.Contains(err.Error(), resources.Hidden) {
			t.Errorf("%s: error %v", mode, err)
		}
	}
	if err := p.Close(); err != nil { // waits for the last of the log
		t.Fatal(err)
	}
	text := l.String()
	for _, want := range []string{"logged", "printed: ***", "written: ***", "provider=probe"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "s3cr") {
		t.Errorf("the log shows the secret:\n%s", text)
	}
}

func TestHangingProviderIsReplaced(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{CallTimeout: 2 * time.Second}, testSource(t, "probe"))
	if _, err := p.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	hang := probeOp(t, resources.Create, resources.Values{"mode": "CREATE:hang"})
	hang.Wait = 10 * time.Millisecond
	r, err := p.Start(t.Context(), hang)
	if err != nil || r.Done {
		t.Fatalf("a hanging method holds up the call: %+v %v", r, err)
	}
	// Stopped, the process answers nothing, not even its health check.
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	op := probeOp(t, resources.Update, nil)
	op.Wait = 0
	if _, err := p.Start(t.Context(), op); !errors.Is(err, plugins.ErrSlow) {
		t.Fatalf("%v, want that it does not answer", err)
	}
	op.Key, op.Wait = "next", time.Second
	if _, err := finish(t.Context(), p, op); err != nil || p.Starts() != 2 {
		t.Errorf("%v after %d starts, want a new process", err, p.Starts())
	}
}

// TestCloseEndsAProcessThatIsStopped: it cannot be asked to end.
func TestCloseEndsAProcessThatIsStopped(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{}, testSource(t, "probe"))
	if _, err := p.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestMessagesHaveALimit(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{MaxMessage: 1 << 20}, testSource(t, "probe"))
	op := probeOp(t, resources.Create, resources.Values{"size": 2 << 20})
	if _, err := finish(t.Context(), p, op); !resources.IsKind(err, resources.Permanent) || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v, want that the answer is too large", err)
	}
	op = probeOp(t, resources.Update, resources.Values{"secret": strings.Repeat("x", 2<<20)})
	if _, err := finish(t.Context(), p, op); !strings.Contains(fmt.Sprint(err), "too large") {
		t.Errorf("%v, want that the request is too large", err)
	}
	op = probeOp(t, resources.Check, resources.Values{"size": 100 << 10})
	if _, err := finish(t.Context(), p, op); err != nil || p.Starts() != 1 {
		t.Errorf("after them: %v", err)
	}
}

func TestWhatCannotStart(t *testing.T) {
	t.Parallel()
	pinned := testSource(t, "probe")
	pinned.SHA256 = strings.Repeat("0", 64)
	absent := testSource(t, "probe")
	absent.Path = filepath.Join(t.TempDir(), "nothing")
	open := testSource(t, "probe")
	open.Path = filepath.Join(t.TempDir(), "open")
	if err := os.WriteFile(open.Path, []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open.Path, 0o777); err != nil { // whatever the umask
		t.Fatal(err)
	}
	renamed := testSource(t, "probe")
	renamed.Name = "other"
	for want, source := range map[string]Source{
		"is not the pinned one":                     pinned,
		"no such file":                              absent,
		"can be changed by anybody":                 open,
		"speaks another version of the protocol":    testSource(t, "future"),
		"is no provider of hotloom":                 testSource(t, "hello"),
		"does not start":                            testSource(t, "crash"),
		"it calls itself probe: name its file hotl": renamed,
	} {
		h, err := New([]Source{source}, Options{Log: slog.New(slog.DiscardHandler), Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Provider(source.Name).Describe(t.Context())
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("more than one line: %v", err)
		}
		_ = h.Close()
	}
	good := testSource(t, "probe")
	sum, err := good.Checksum()
	if err != nil {
		t.Fatal(err)
	}
	good.SHA256 = sum
	_, p, _ := startHost(t, Options{}, good)
	if _, err := p.Describe(t.Context()); err != nil {
		t.Errorf("with the right checksum: %v", err)
	}
}

func TestDescriptionIsRemembered(t *testing.T) {
	t.Parallel()
	source := testSource(t, "probe")
	_, p, _ := startHost(t, Options{}, source)
	first, err := p.Described(t.Context())
	if err != nil || p.Starts() != 1 {
		t.Fatal(err, p.Starts())
	}
	h, q, _ := startHost(t, Options{}, source)
	second, err := q.Described(t.Context())
	if err != nil || q.Starts() != 0 {
		t.Fatalf("%v, %d starts: the cache did not answer", err, q.Starts())
	}
	typ := second.Types["Test::Probe"]
	if typ == nil || typ.Name != "Test::Probe" || len(typ.Properties) != len(first.Types["Test::Probe"].Properties) ||
		!typ.Properties["secret"].Secret || !typ.HasHandle("signal") || typ.HasHandle("snapshot") {
		t.Errorf("%+v", typ)
	}
	if got, err := h.ForType(t.Context(), "Test::Probe"); err != nil || got != q {
		t.Errorf("for type: %v %v", got, err)
	}
	if _, err := h.ForType(t.Context(), "Test::Prob"); !strings.Contains(fmt.Sprint(err), `did you mean "Test::Probe"`) {
		t.Errorf("for a misspelt type: %v", err)
	}
}

// hostForKill is a host that a test kills: it says its provider's process id and socket folder.
func hostForKill() {
	self, _ := os.Executable()
	h, err := New([]Source{{Name: "probe", Path: self, Env: []string{"HOTLOOM_TEST_PROVIDER=probe"}, Cache: os.TempDir()}},
		Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	p := h.Provider("probe")
	if _, err := p.Describe(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(p.PID(), p.process.dir)
	select {}
}

func TestProviderEndsWithItsHost(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "HOTLOOM_TEST_PROVIDER=host", "TMPDIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanErr := fmt.Sscan(line, &pid, &dir); err != nil || scanErr != nil {
		t.Fatal(line, err, scanErr)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()
	for end := time.Now().Add(10 * time.Second); ; {
		gone := errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid)
		_, statErr := os.Stat(dir)
		if gone && errors.Is(statErr, os.ErrNotExist) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("provider %d gone: %v, its folder: %v", pid, gone, statErr)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// zombie reports whether a process has ended and only waits for whoever is its parent now.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	_, p, _ := startHost(t, Options{Parallel: 4}, testSource(t, "probe"))
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			op := &resources.Operation{
				Key: strconv.Itoa(i), Action: resources.Run, Wait: time.Second,
				Call: &resources.Call{Name: "test.echo", Input: resources.Values{"text": strconv.Itoa(i)}},
			}
			if r, err := finish(t.Context(), p, op); err != nil || r.Output != strconv.Itoa(i) {
				t.Errorf("%d: %+v %v", i, r, err)
			}
		})
	}
	wg.Wait()
	if p.Starts() != 1 {
		t.Errorf("%d processes", p.Starts())
	}
}
