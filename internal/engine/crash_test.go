package engine_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

var crashRuns = flag.Int("crash.runs", 12, "how many runs the crash test makes; 200 is the whole test")

// crashDir tells a copy of the test program that it is the process to be killed, and where to work.
const crashDir = "HOTLOOM_TEST_CRASH_DIR"

// inNamespaces is what a copy of the test program does in namespaces of its own, where the system has them.
var inNamespaces func(dir string) error

func TestMain(m *testing.M) {
	for name, work := range map[string]func(dir string) error{crashDir: victim, "HOTLOOM_TEST_DISK_DIR": inNamespaces} {
		if dir := os.Getenv(name); dir != "" {
			if err := work(dir); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

const mix = `
version: '2.0'
mix:
  output: {items: <% $.items.len() %>, sub: <% $.sub %>, joined: <% $.joined %>}
  tasks:
    many:
      with-items: i in <% range(100) %>
      concurrency: 16
      action: test.log key="item-<% $.i %>"
      safe-rerun: true
      publish: {items: <% task().result %>}
      on-success: joined
    again:
      action: test.flaky key="flaky"
      safe-rerun: true
      retry: {count: 50, delay: 0}
      on-success: joined
    below:
      workflow: below n=3
      publish: {sub: <% task().result.n %>}
      on-success: joined
    waits:
      wait-before: 0
      action: test.log key="waits"
      safe-rerun: true
      on-success: joined
    joined:
      join: all
      action: test.log key="joined"
      safe-rerun: true
      publish: {joined: true}
      on-success: last
    last: {action: std.noop}
below:
  input: [n]
  output: {n: <% $.n %>}
  tasks:
    one: {action: test.log key="below-1", safe-rerun: true, on-success: two}
    two:
      with-items: i in [1, 2, 3, 4]
      action: test.log key="below-2-<% $.i %>"
      safe-rerun: true
`

// crashActions write to a file outside of the engine's state what they did, one line each time.
func crashActions(dir string) []action.Definition {
	path := filepath.Join(dir, "log")
	write := func(key, id string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "%s %s\n", id, key)
		return errors.Join(err, f.Close())
	}
	key := []action.Input{{Name: "key", Required: true}}
	return []action.Definition{
		{Name: "test.log", Class: "test.Log", Inputs: key, Run: func(_ context.Context, in *value.Map, c action.Call) (any, error) {
			k, _ := in.GetStr("key")
			return k, write(k.(string), c.ActionID)
		}},
		{Name: "test.flaky", Class: "test.Flaky", Inputs: key, Run: func(_ context.Context, in *value.Map, c action.Call) (any, error) {
			if err := write("flaky", c.ActionID); err != nil {
				return nil, err
			}
			lines, err := readLog(dir)
			if n := strings.Count(strings.Join(lines, "\n"), " flaky"); err == nil && n < 4 {
				err = fmt.Errorf("try %d fails", n)
			}
			return nil, err
		}},
	}
}

func readLog(dir string) ([]string, error) {
	f, err := os.Open(filepath.Join(dir, "log"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	for s := bufio.NewScanner(f); s.Scan(); {
		out = append(out, s.Text())
	}
	return out, nil
}

// victim runs the mix to its end, or goes on with it.
func victim(dir string) error {
	actions, err := action.NewRegistry(action.Std(action.Config{}), crashActions(dir))
	if err != nil {
		return err
	}
	e, err := engine.Open(filepath.Join(dir, "state"), engine.Options{Actions: actions})
	if err != nil {
		return err
	}
	defer e.Close()
	runs, err := e.List()
	if err != nil {
		return err
	}
	var id string
	if len(runs) == 0 {
		if _, findings, err := e.Define(&source.File{Path: "mix.yaml", Text: []byte(mix)}, workflow.Workflows, ""); err != nil || findings.HasErrors() {
			return fmt.Errorf("%v %v", err, findings)
		}
		if id, err = e.Start(context.Background(), engine.StartOptions{Workflow: "mix"}); err != nil {
			return err
		}
	} else {
		id = runs[0].ID
	}
	_, err = e.Wait(context.Background(), id)
	return err
}

// finished gives the actions whose success is stored.
func finished(t *testing.T, dir string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	v, err := engine.View(filepath.Join(dir, "state"))
	if err != nil {
		return out // it was killed before there was a state
	}
	defer v.Close()
	runs, err := v.List()
	if err != nil {
		t.Fatal(err)
	}
	var walk func(*engine.Snapshot)
	walk = func(s *engine.Snapshot) {
		for _, task := range s.Tasks {
			for _, a := range task.Actions {
				if a.State == flow.Success {
					out[a.ID] = true
				}
			}
			for _, w := range task.Workflows {
				walk(w)
			}
		}
	}
	for _, r := range runs {
		s, err := v.Show(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		walk(s)
	}
	return out
}

// TestKilledProcessesGoOn kills a process that runs a mix of workflows at a random moment, again and again, and starts
// it anew until the run is done. Nothing may be lost, and nothing whose end was stored may run again.
func TestKilledProcessesGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills many processes")
	}
	t.Parallel()
	kills := 0
	for n := range *crashRuns {
		kills += crashRun(t, uint64(n))
	}
	t.Logf("%d runs, killed %d times", *crashRuns, kills)
}

func crashRun(t *testing.T, seed uint64) (kills int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	for {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), crashDir+"="+dir)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		// Later tries live longer, so that a slow machine comes to an end too.
		alive := time.Duration(random.IntN(60)+20*kills) * time.Millisecond
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("seed %d: %v: %s", seed, err, stderr.String())
			}
			checkRun(t, dir, seed)
			return kills
		case <-time.After(alive):
		}
		kills++
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		<-ended
		before := finished(t, dir)
		lines, err := readLog(dir)
		if err != nil {
			t.Fatal(err)
		}
		checkNotRepeated(t, dir, seed, kills, before, len(lines))
	}
}

// checkNotRepeated notes what is finished now, and has it looked at when the run is over.
func checkNotRepeated(t *testing.T, dir string, seed uint64, kill int, before map[string]bool, lines int) {
	t.Cleanup(func() {
		after, err := readLog(dir)
		if err != nil {
			t.Error(err)
			return
		}
		for _, line := range after[lines:] {
			if id, key, _ := strings.Cut(line, " "); before[id] {
				t.Errorf("seed %d: %s ran again after kill %d though its end was stored", seed, key, kill)
			}
		}
	})
}

func checkRun(t *testing.T, dir string, seed uint64) {
	t.Helper()
	v, err := engine.View(filepath.Join(dir, "state"))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	runs, err := v.List()
	if err != nil || len(runs) != 1 {
		t.Fatalf("seed %d: runs %v, %v", seed, runs, err)
	}
	s, err := v.Show(runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if out := value.Str(s.Output); s.State != flow.Success || out != "{'items': 100, 'sub': 3, 'joined': True}" {
		t.Errorf("seed %d: ended %s %s (%s)", seed, s.State, out, value.Repr(value.From(s.Info)))
	}
	lines, err := readLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, line := range lines {
		_, key, _ := strings.Cut(line, " ")
		have[key] = true
	}
	want := []string{"waits", "joined", "below-1", "below-2-1", "below-2-2", "below-2-3", "below-2-4", "flaky"}
	for i := range 100 {
		want = append(want, fmt.Sprintf("item-%d", i))
	}
	for _, key := range want {
		if !have[key] {
			t.Errorf("seed %d: %s never ran", seed, key)
		}
	}
}
