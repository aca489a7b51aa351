//go:build openstack

package openstack_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// works are the ways in which a provider can be at work when something ends: in its process, alone or with what it makes there
// already, known by its id or not; and work that goes on by itself.
const works = `
  lost: {type: Bed::Thing, properties: {label: lost, seconds: 8}}
  half: {type: Bed::Thing, properties: {label: half, seconds: 8, early: true}}
  found: {type: Bed::Found, properties: {label: found, seconds: 8}}
  alone: {type: Bed::Thing, properties: {label: alone, seconds: 8, alone: true}}
`

// beginWorks begins a stack of works, and waits until all are in their middle.
func (p *heatPlugin) beginWorks(t *testing.T) *stack {
	t.Helper()
	s := newStack(t)
	s.begin(inline(works, ""))
	waitFor(t, "all begun", func() bool {
		for _, name := range []string{"lost", "half", "found", "alone"} {
			if len(p.done("begin", name)) == 0 {
				return false
			}
		}
		return s.resource("half").PhysicalID != "" && s.resource("alone").PhysicalID != ""
	})
	return s
}

// endedWorks looks what has become of works in whose middle their provider ended: what was in its process is lost, and that is
// what the stack says; what can be found by its key or its token is there; nothing was begun or made twice, and the
// deletion leaves nothing. The provider's own files say so.
func (p *heatPlugin) endedWorks(t *testing.T, s *stack) {
	t.Helper()
	state, err := bed.wait(s.ctx, s.name, "CREATE")
	if err != nil || state.Status != "CREATE_FAILED" || !strings.Contains(state.Reason, "provider bed ended in the middle of the create; whether it was done is not known") {
		t.Errorf("%+v %v", state, err)
	}
	ended := map[string]string{"lost": "CREATE_FAILED", "half": "CREATE_FAILED", "found": "CREATE_COMPLETE", "alone": "CREATE_COMPLETE"}
	for name, want := range ended {
		waitFor(t, "the end of "+name, func() bool { return s.resource(name).Status != "CREATE_IN_PROGRESS" })
		if r := s.resource(name); r.Status != want {
			t.Errorf("%s: %s %s, want %s", name, r.Status, r.Reason, want)
		}
		if begun := p.done("begin", name); len(begun) != 1 {
			t.Errorf("%s was begun %d times: %v", name, len(begun), begun)
		}
		if made := p.done("made", name); (want == "CREATE_COMPLETE") != (len(made) == 1) {
			t.Errorf("%s is %s, and was made %d times: %v", name, want, len(made), made)
		}
	}
	if left := p.left(); len(left) != 3 { // half, found and alone
		t.Errorf("there are %v, want three things", left)
	}
	s.delete()
	if left := p.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	p.forget(t)
}

// forget clears what things have recorded, so that the next test can use their names.
func (p *heatPlugin) forget(t *testing.T) {
	t.Helper()
	if err := os.Remove(filepath.Join(p.things, "done")); err != nil {
		t.Fatal(err)
	}
}

func (p *heatPlugin) providerKilled(t *testing.T) {
	s := p.beginWorks(t)
	p.killProvider(t)
	p.endedWorks(t, s)
}

// serveKilled: the providers end with serve; the engine waits for the next one.
func (p *heatPlugin) serveKilled(t *testing.T) {
	s := p.beginWorks(t)
	orphan := p.provider(t)
	p.kill()
	waitFor(t, "the provider's end", func() bool { return syscall.Kill(orphan, 0) != nil })
	p.start(t)
	p.endedWorks(t, s)
}

// engineKilled: what was begun goes on without the engine. Heat leaves such stacks IN_PROGRESS, whatever they are made of, until
// somebody updates or deletes them: an update takes the work over, a deletion stops it and removes what there is.
func (p *heatPlugin) engineKilled(t *testing.T) {
	taken, dropped := newStack(t), newStack(t)
	two := func(name string) bundle {
		return inline(fmt.Sprintf("  %s: {type: Bed::Thing, properties: {label: taken, seconds: 8}}\n  %s-alone: {type: Bed::Thing, properties: {label: taken, seconds: 8, alone: true}}\n", name, name), "")
	}
	taken.begin(two("taken"))
	dropped.begin(two("dropped"))
	for _, name := range []string{"taken", "taken-alone", "dropped", "dropped-alone"} {
		waitFor(t, "begun", func() bool { return len(p.done("begin", name)) == 1 })
	}
	if err := syscall.Kill(enginePID(t), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	up(t, "restart", "heat", "--only", "heat") // which has nothing to stop
	dropped.delete()
	taken.update(two("taken"))
	for _, name := range []string{"taken", "taken-alone"} {
		if len(p.done("begin", name)) != 1 || len(p.done("made", name)) != 1 {
			t.Errorf("%s: begun %v, made %v", name, p.done("begin", name), p.done("made", name))
		}
	}
	if left := p.left(); len(left) != 2 {
		t.Errorf("there are %v, want the two things that were taken over", left)
	}
	taken.delete()
	if left := p.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// engines: several engines on one database share a serve and its providers, and any of them goes on with what another has
// begun. Here they have no message bus between them: each has an API of its own.
func (p *heatPlugin) engines(t *testing.T) {
	one := bed.endpoints["orchestration"]
	two, other := p.secondEngine(t, one)
	through := func(url string) { bed.endpoints["orchestration"] = url }
	defer through(one)

	const n = 6
	things := many(n, "{type: Bed::Thing, properties: {label: engines, seconds: 1}}")
	a, b := newStack(t), newStack(t)
	a.begin(things)
	through(two)
	b.begin(things)
	b.expect("CREATE_COMPLETE")
	through(one)
	a.expect("CREATE_COMPLETE")
	for i := range n {
		if name := fmt.Sprintf("r%d", i); len(p.done("begin", name)) != 2 || len(p.done("made", name)) != 2 {
			t.Errorf("%s of two stacks: begun %v, made %v", name, p.done("begin", name), p.done("made", name))
		}
	}
	through(two)
	a.update(many(n, "{type: Bed::Thing, properties: {label: changed, seconds: 1}}"))
	through(one)
	if len(p.done("update", "r0")) != 1 || len(p.done("made", "r0")) != 2 {
		t.Errorf("an update by another engine: %v, made %v", p.done("update", "r0"), p.done("made", "r0"))
	}
	a.act("suspend")
	through(two)
	a.act("resume")
	a.delete()
	through(one)
	b.delete()
	if left := p.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	p.forget(t)

	// An engine is killed, and another takes over what it had begun.
	through(two)
	s := newStack(t)
	s.begin(thing("over", "label: over, seconds: 8"))
	waitFor(t, "begun", func() bool { return len(p.done("begin", "over")) == 1 })
	if err := other.Kill(); err != nil {
		t.Fatal(err)
	}
	through(one)
	s.update(thing("over", "label: over, seconds: 8"))
	if len(p.done("begin", "over")) != 1 || len(p.done("made", "over")) != 1 || len(p.left()) != 1 {
		t.Errorf("taken over: begun %v, made %v, there are %v", p.done("begin", "over"), p.done("made", "over"), p.left())
	}
	s.delete()
}

// secondEngine starts another heat-all on the bed's database and gives its API's endpoint.
func (p *heatPlugin) secondEngine(t *testing.T, first string) (endpoint string, engine *os.Process) {
	t.Helper()
	config, err := os.ReadFile(filepath.Join(bed.state, "etc", "heat", "heat.conf"))
	if err != nil {
		t.Fatal(err)
	}
	var api string
	lines := strings.Split(string(config), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "bind_port") {
			address := freeAddress(t)
			_, port, _ := net.SplitHostPort(address)
			lines[i] = "bind_port = " + port
			if api == "" { // that of [heat_api], which comes first
				api = address
			}
		}
	}
	file := filepath.Join(t.TempDir(), "heat.conf")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(bed.state, "log", "heat-second.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command("heat-all", "--config-file", file)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(bed.state, "python"), "PYTHONWARNINGS=ignore")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	_, path, _ := strings.Cut(strings.TrimPrefix(first, "http://"), "/")
	endpoint = "http://" + api + "/" + path
	waitFor(t, "the second engine", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := bed.call(ctx, http.MethodGet, endpoint+"/build_info", nil, nil)
		return err == nil
	})
	return endpoint, cmd.Process
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
