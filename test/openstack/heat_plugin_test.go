//go:build openstack

package openstack_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// heatPlugin is `hotloom heat-plugin serve` with its providers, and the engine that has loaded the plugin.
type heatPlugin struct {
	hotloom, folder, state string
	things                 string // where the provider of the tests has its things
	serve                  *exec.Cmd
	ended                  chan struct{} // serve has ended
}

// startHeatPlugin builds the providers, starts serve, and restarts the engine with the plugin.
func startHeatPlugin(t *testing.T) *heatPlugin {
	t.Helper()
	hotloom, err := command()
	if err != nil {
		t.Fatal(err)
	}
	p := &heatPlugin{hotloom: hotloom, folder: t.TempDir(), things: t.TempDir(), state: filepath.Join(bed.state, "heat-plugin-state")}
	for _, b := range []struct{ dir, name string }{{"testdata/provider", "bed"}, {"../../examples/provider-notes", "notes"}} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(p.folder, "hotloom-provider-"+b.name), ".")
		cmd.Dir = b.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", b.dir, err, out)
		}
	}
	plugins := filepath.Join(bed.state, "heat-plugins")
	out, err := exec.Command(hotloom, "heat-plugin", "install", "--dir", plugins, "--state", p.state, "--unit", "").CombinedOutput()
	if err != nil {
		t.Fatalf("hotloom heat-plugin install: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		p.kill()
		_ = os.Remove(filepath.Join(plugins, "hotloom_heat.py"))
		_ = os.RemoveAll(p.state)
		up(t, "restart", "heat", "--only", "heat")
	})
	p.start(t)
	up(t, "restart", "heat", "--only", "heat")
	return p
}

// up runs test/openstack/up.
func up(t *testing.T, arguments ...string) {
	t.Helper()
	if out, err := exec.Command("./up", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("up %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
}

// start starts serve and waits until it answers.
func (p *heatPlugin) start(t *testing.T) {
	t.Helper()
	p.serve = exec.Command(p.hotloom, "heat-plugin", "serve", "--state", p.state, "--providers", p.folder, "--allow-local")
	p.serve.Env = append(os.Environ(), "BED_FOLDER="+p.things)
	log, err := p.serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.serve.Start(); err != nil {
		t.Fatal(err)
	}
	ready, ended := make(chan struct{}), make(chan struct{})
	p.ended = ended
	go func() {
		defer close(ended)
		var text strings.Builder
		for lines := bufio.NewScanner(log); lines.Scan(); {
			text.WriteString(lines.Text() + "\n")
			if strings.Contains(lines.Text(), "heat-engine is answered") {
				close(ready)
			}
		}
		_ = p.serve.Wait()
		_ = os.WriteFile(filepath.Join(bed.state, "log", "heat-plugin.log"), []byte(text.String()), 0o600)
	}()
	select {
	case <-ready:
	case <-ended:
		t.Fatal("hotloom heat-plugin serve has ended")
	case <-time.After(30 * time.Second):
		t.Fatal("hotloom heat-plugin serve is not ready")
	}
}

// kill is kill -9 of serve, where it runs.
func (p *heatPlugin) kill() {
	if p.ended != nil {
		_ = p.serve.Process.Kill()
		<-p.ended
	}
}

// killProvider is kill -9 of the provider of the tests.
func (p *heatPlugin) killProvider(t *testing.T) {
	t.Helper()
	pid := p.provider(t)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// provider is the process of the provider of the tests: a child of serve.
func (p *heatPlugin) provider(t *testing.T) int {
	t.Helper()
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range processes {
		program, _ := os.Readlink(filepath.Join(dir, "exe"))
		status, _ := os.ReadFile(filepath.Join(dir, "status"))
		if filepath.Base(program) == "hotloom-provider-bed" && strings.Contains(string(status), fmt.Sprintf("PPid:\t%d\n", p.serve.Process.Pid)) {
			var pid int
			fmt.Sscan(filepath.Base(dir), &pid)
			return pid
		}
	}
	t.Fatal("the provider does not run")
	return 0
}

// done are the lines that things have recorded: "made", "begin" and so on, each with the thing's name behind it.
func (p *heatPlugin) done(what, name string) []string {
	text, _ := os.ReadFile(filepath.Join(p.things, "done"))
	var out []string
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, what+" "+name+" ") || line == what+" "+name {
			out = append(out, line)
		}
	}
	return out
}

// left are the things that exist.
func (p *heatPlugin) left() []string {
	files, _ := filepath.Glob(filepath.Join(p.things, "thing-*"))
	return files
}

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); !so(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// thing is a template with one thing of the provider of the tests.
func thing(name, properties string) bundle {
	return inline(fmt.Sprintf("  %s:\n    type: Bed::Thing\n    properties: {%s}\n", name, properties), "")
}

// inline is a template of resources and outputs.
func inline(resources, outputs string) bundle {
	text := "heat_template_version: 2018-08-31\nresources:\n" + resources
	if outputs != "" {
		text += "outputs:\n" + outputs
	}
	return bundle{"template": text}
}

// act is suspend, resume or check.
func (s *stack) act(action string) stackState {
	s.t.Helper()
	s.post("/actions", map[string]any{action: nil})
	return s.expect(strings.ToUpper(action) + "_COMPLETE")
}

func (s *stack) post(path string, body any) {
	s.t.Helper()
	state, err := bed.show(s.ctx, s.name)
	if err == nil {
		err = bed.heat(s.ctx, http.MethodPost, "/stacks/"+s.name+"/"+state.ID+path, body, nil)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// resource is one of the stack's resources, with all its attributes.
func (s *stack) resource(name string) resourceState {
	s.t.Helper()
	state, err := bed.show(s.ctx, s.name)
	var answer struct{ Resource resourceState }
	if err == nil {
		err = bed.heat(s.ctx, http.MethodGet, "/stacks/"+s.name+"/"+state.ID+"/resources/"+name, nil, &answer)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.Resource
}

// refused is the reason for which Heat refuses a template.
func (s *stack) refused(b bundle) string {
	s.t.Helper()
	body := b.with(map[string]any{"stack_name": s.name, "timeout_mins": s.minutes, "disable_rollback": true, "tags": mark})
	err := bed.heat(s.ctx, http.MethodPost, "/stacks", body, nil)
	if err == nil {
		s.t.Fatalf("the stack is not refused")
	}
	return err.Error()
}

// TestHeatPlugin has no t.Parallel: it restarts the engine, and goes before those that have.
func TestHeatPlugin(t *testing.T) {
	p := startHeatPlugin(t)
	t.Run("Life", p.life)
	t.Run("Proposal", p.proposal)
	t.Run("Engines", p.engines)
	t.Run("PropertyErrors", p.propertyErrors)
	t.Run("StockWorkflow", p.stockWorkflow)
	t.Run("ProviderKilled", p.providerKilled)
	t.Run("ServeKilled", p.serveKilled)
	t.Run("EngineKilled", p.engineKilled)
	t.Run("Cancelled", p.cancelled)
	t.Run("Ratio", p.ratio)
	t.Run("Slow", p.slow)
	if left := p.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	t.Run("TypesWithoutServe", p.typesWithoutServe)
}

func (p *heatPlugin) life(t *testing.T) {
	s := newStack(t)
	note := filepath.Join(t.TempDir(), "note")
	first := inline(fmt.Sprintf("  note:\n    type: Example::Note\n    properties: {path: %s, text: one, seal: a-secret}\n", note)+
		"  thing:\n    type: Bed::Thing\n    depends_on: note\n    properties: {label: one, secret: another-secret}\n",
		"  size: {value: {get_attr: [note, size]}}\n  path: {value: {get_attr: [thing, path]}}\n  id: {value: {get_resource: thing}}\n"+
			"  signals: {value: {get_attr: [thing, signals]}}\n")
	state := s.create(first)
	if got := state.output(t, "size"); got != float64(len("one\na-secret")) {
		t.Errorf("size %v", got)
	}
	id, path := state.output(t, "id").(string), state.output(t, "path").(string)
	if text, _ := os.ReadFile(path); string(text) != "one" || !strings.HasSuffix(path, id) {
		t.Errorf("the thing %s at %s is %q", id, path, text)
	}
	if events, err := bed.events(s.ctx, s.name); err != nil || !slices.ContainsFunc(events, func(e eventState) bool {
		return e.Reason == "10 %: making one"
	}) {
		t.Errorf("no event tells the progress: %v %v", events, err)
	}

	second := strings.ReplaceAll(first["template"].(string), "label: one", "label: two")
	state = s.update(bundle{"template": second})
	if got := state.output(t, "id"); got != id {
		t.Errorf("an update in place has made a new thing: %v, %v before", got, id)
	}
	if got := p.done("update", "thing"); len(got) != 1 || !strings.HasSuffix(got[0], "one>two") {
		t.Errorf("updates %v", got)
	}
	third := strings.ReplaceAll(second, "label: two", "label: two, place: there")
	state = s.update(bundle{"template": third})
	if got := state.output(t, "id"); got == id || len(p.done("made", "thing")) != 2 || len(p.done("delete", "thing")) != 1 {
		t.Errorf("after a replacement: %v, %v before; made %v, deleted %v", got, id, p.done("made", "thing"), p.done("delete", "thing"))
	}

	s.act("check")
	s.act("suspend")
	s.act("resume")
	if len(p.done("suspend", "thing")) != 1 || len(p.done("resume", "thing")) != 1 {
		t.Errorf("suspended %v, resumed %v", p.done("suspend", "thing"), p.done("resume", "thing"))
	}
	for range 2 {
		s.post("/resources/thing/signal", map[string]any{"hello": 1})
	}
	waitFor(t, "two signals", func() bool { return len(p.done("signal", "thing")) == 2 })
	if got := p.done("signal", "thing")[0]; !strings.HasSuffix(got, "map[hello:1] authentic=true") {
		t.Errorf("signal %q", got)
	}
	r := s.resource("thing")
	if r.Attributes["signals"] != float64(2) {
		t.Errorf("attributes %v", r.Attributes)
	}
	var signal map[string]any
	text, _ := r.Attributes["signal"].(string)
	if err := json.Unmarshal([]byte(text), &signal); err != nil || signal["password"] == nil || signal["alarm_url"] == nil {
		t.Errorf("credentials for signals: %v %v", r.Attributes["signal"], err)
	}

	_ = os.Remove(state.output(t, "path").(string))
	s.post("/actions", map[string]any{"check": nil})
	if state, err := bed.wait(s.ctx, s.name, "CHECK"); err != nil || state.Status != "CHECK_FAILED" || !strings.Contains(state.Reason, "the thing thing is gone") {
		t.Errorf("check of a lost thing: %+v %v", state, err)
	}
	s.delete()
	if _, err := os.Stat(note); !os.IsNotExist(err) {
		t.Errorf("the note is left: %v", err)
	}
}

func (p *heatPlugin) propertyErrors(t *testing.T) {
	s := newStack(t)
	for _, c := range []struct{ properties, want string }{
		{"label: 'Not Good'", "resources.thing.properties.label: "},
		{"label: one, seconds: 601", "resources.thing.properties.seconds: "},
		{"label: one, colour: red", "resources.thing.properties: Unknown Property colour"},
		{"seconds: 1", "resources.thing.properties: Property label not assigned"},
		{"label: one, forbid: one", `resources.thing.properties.label: must not be \"one\"`},
	} {
		if got := s.refused(thing("thing", c.properties)); !strings.Contains(got, c.want) {
			t.Errorf("{%s}: %s; want %s", c.properties, got, c.want)
		}
	}
	s.begin(thing("thing", "label: one, fail: true"))
	if state, err := bed.wait(s.ctx, s.name, "CREATE"); err != nil || !strings.Contains(state.Reason, "resources.thing: provider bed: the thing one does not want to be made") {
		t.Errorf("%+v %v", state, err)
	}
	s.delete()
}

// cancelled: a deletion in the middle of a creation stops the provider's work.
func (p *heatPlugin) cancelled(t *testing.T) {
	s := newStack(t)
	s.begin(thing("cancelled", "label: slow, seconds: 300"))
	waitFor(t, "begun", func() bool { return len(p.done("begin", "cancelled")) == 1 })
	began := time.Now()
	s.delete()
	if took := time.Since(began); took > 30*time.Second || len(p.done("made", "cancelled")) > 0 {
		t.Errorf("the deletion took %s; made %v", took, p.done("made", "cancelled"))
	}
}

// many is a template of n resources.
func many(n int, format string) bundle {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "  r%d: %s\n", i, strings.ReplaceAll(format, "N", fmt.Sprint(i)))
	}
	return inline(text.String(), "")
}

// cost is what a stack's creation took: wall time, and the engine's CPU time, which says more on a busy machine.
type cost struct{ wall, cpu time.Duration }

// timed creates a stack and says what it took.
func timed(t *testing.T, b bundle) cost {
	t.Helper()
	s := newStack(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	s.ctx, s.minutes = ctx, 20
	before, began := engineCPU(t), time.Now()
	s.create(b)
	took := cost{time.Since(began), engineCPU(t) - before}
	s.delete()
	return took
}

// enginePID is the engine's process.
func enginePID(t *testing.T) (pid int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(bed.state, "run", "heat.pid"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	return pid
}

// engineCPU is the CPU time that the engine has used.
func engineCPU(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", enginePID(t)))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * (time.Second / 100)
}

// manyResources is how many make a large stack; Heat takes about a second for each on a busy machine. None: nothing is measured.
var manyResources = flag.Int("many", 0, "resources of the stacks that TestHeatPlugin/Ratio compares")

// ratio measures resources of a provider beside as many of Heat's own.
func (p *heatPlugin) ratio(t *testing.T) {
	n := *manyResources
	if n == 0 {
		t.Skip("a measurement: give -many 200")
	}
	stock := timed(t, many(n, "{type: OS::Heat::Value, properties: {value: vN}}"))
	ours := timed(t, many(n, "{type: Bed::Quick, properties: {value: vN}}"))
	wall, cpu := ours.wall.Seconds()/stock.wall.Seconds(), ours.cpu.Seconds()/stock.cpu.Seconds()
	t.Logf("%d OS::Heat::Value: %.1f s, CPU of the engine %.1f s; %d Bed::Quick: %.1f s, %.1f s; ratio %.2f, of CPU %.2f",
		n, stock.wall.Seconds(), stock.cpu.Seconds(), n, ours.wall.Seconds(), ours.cpu.Seconds(), wall, cpu)
}

// slow looks whether other stacks are held up by a provider that takes its time: they are complete long before it is.
func (p *heatPlugin) slow(t *testing.T) {
	small := many(5, "{type: OS::Heat::Value, properties: {value: vN}}")
	alone := min(timed(t, small).wall, timed(t, small).wall)
	busy, five := newStack(t), newStack(t)
	busy.begin(many(20, "{type: Bed::Thing, properties: {label: slow, seconds: 600}}"))
	waitFor(t, "the slow provider's work", func() bool { return len(p.done("begin", "r19")) > 0 })
	five.begin(many(20, "{type: Bed::Thing, properties: {label: five, seconds: 5}}"))
	waitFor(t, "more of it", func() bool { return len(p.done("begin", "r19")) > 1 })
	beside := min(timed(t, small).wall, timed(t, small).wall)
	if state, err := bed.show(busy.ctx, busy.name); err != nil || state.Status != "CREATE_IN_PROGRESS" {
		t.Errorf("the slow stack is over: %s %v", state.Status, err)
	}
	t.Logf("a stack of 5 OS::Heat::Value: %.1f s alone, %.1f s beside 40 resources of a slow provider, half of which take 5 s each", alone.Seconds(), beside.Seconds())
	five.expect("CREATE_COMPLETE")
	five.delete()
	busy.delete()
}

// typesWithoutServe: the engine starts while nobody serves, and has the types all the same.
func (p *heatPlugin) typesWithoutServe(t *testing.T) {
	p.kill()
	up(t, "restart", "heat", "--only", "heat")
	var answer struct{ Properties map[string]any }
	if err := bed.heat(context.Background(), http.MethodGet, "/resource_types/Bed::Thing", nil, &answer); err != nil || answer.Properties["label"] == nil {
		t.Errorf("%+v %v", answer, err)
	}
	p.start(t)
	s := newStack(t)
	s.create(thing("late", "label: late"))
	s.delete()
}
