package heat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/plugins/heat"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
	"github.com/hotloom/hotloom/resources/typed"
)

// thing counts what is done, and keeps what it is told to.
type thing struct {
	Name  string `hot:"name,required,update" length:"1..5"`
	Keep  int    `hot:"keep" default:"0" range:"0..3000000"`
	Mode  string `hot:"mode" default:"quick" allowed:"quick,slow,flaky,fail"`
	Token string `hot:"token,secret" default:""`
	Big   int    `hot:"big" default:"0"`

	Size int `attr:"size"`
	made *atomic.Int32
}

func (t *thing) Create(ctx context.Context, c *typed.Call) error {
	n := t.made.Add(1)
	c.SetID("id-" + c.Key)
	switch {
	case t.Mode == "slow":
		c.Progress(50, "half")
		<-ctx.Done()
		return context.Cause(ctx)
	case t.Mode == "flaky" && n == 1:
		return resources.RetryAfter(0, "not yet")
	case t.Mode == "fail":
		return resources.InvalidAt([]string{"name"}, "is not liked")
	}
	c.Set("text", strings.Repeat("é", t.Keep/2))
	c.Set("big", t.Big)
	t.Size = len(t.Name)
	return nil
}

func (t *thing) Update(_ context.Context, c *typed.Call) error {
	if t.Name == "new" {
		c.Replace()
	}
	return nil
}

func (t *thing) Delete(context.Context, *typed.Call) error { return nil }

func (t *thing) Validate(_ context.Context, c *typed.Call) []resources.Fault {
	if t.Name == "bad" {
		return []resources.Fault{{Path: []string{"name"}, Message: "is bad"}, {Path: []string{"mode"}, Message: "so is this"}}
	}
	return nil
}

func (t *thing) Signal(_ context.Context, c *typed.Call, details any) error {
	c.Set("signals", details)
	c.SetOutput(fmt.Sprintf("%v by %v", details, c.Authentic))
	return nil
}

func (t *thing) Read(_ context.Context, c *typed.Call) error {
	n, _ := c.Get("big").(int64)
	t.Size = int(n)
	return nil
}

// engine stands for a heat-engine: it speaks the socket's language, and keeps what it is told to keep.
type engine struct {
	t    *testing.T
	dir  string
	made atomic.Int32
	stop context.CancelFunc
	kept map[string]string
	id   string
	logs syncText
}

type syncText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func start(t *testing.T, change ...func(*resources.Description)) *engine {
	t.Helper()
	e := &engine{t: t, dir: t.TempDir(), kept: map[string]string{}}
	e.serve(change...)
	return e
}

// serve starts a server on a new provider, which knows nothing of what another did before.
func (e *engine) serve(change ...func(*resources.Description)) {
	e.t.Helper()
	p, err := typed.New(typed.Provider{Name: "things", Version: "1", Types: typed.Types{
		"Test::Thing": func() typed.Resource { return &thing{made: &e.made} },
	}})
	if err != nil {
		e.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(e.t.Context())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- heat.Serve(ctx, heat.Options{
			State: e.dir, Log: slog.New(slog.NewTextHandler(&e.logs, nil)), Ready: func() { close(ready) },
			Offers: func(ctx context.Context) ([]heat.Offer, []error) {
				d, _ := p.Describe(ctx)
				for _, f := range change {
					f(d)
				}
				return []heat.Offer{{Provider: p, Description: d}}, []error{errors.New("another provider is broken")}
			},
		})
	}()
	select {
	case <-ready:
	case err := <-ended:
		e.t.Fatal(err)
	}
	e.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			e.t.Error(err)
		}
	}
	e.t.Cleanup(func() { cancel() })
}

type reply struct {
	Done, Replace bool
	ID            string
	Keep          [][]*string
	Events        []string
	Error         *struct {
		Message string
		Path    []string
	}
	Types      map[string]any
	Attributes map[string]any
	Text       string
}

func (e *engine) send(text string) (reply, error) {
	c, err := net.Dial("unix", filepath.Join(e.dir, "heat.sock"))
	if err != nil {
		return reply{}, err
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		return reply{}, err
	}
	if err := c.(*net.UnixConn).CloseWrite(); err != nil {
		return reply{}, err
	}
	out, err := io.ReadAll(c)
	var r reply
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	return r, err
}

// ask makes a call, and keeps what the answer says.
func (e *engine) ask(call string, more map[string]any) reply {
	e.t.Helper()
	body := map[string]any{"call": call, "data": e.kept}
	for k, v := range more {
		body[k] = v
	}
	text, err := json.Marshal(body)
	if err != nil {
		e.t.Fatal(err)
	}
	r, err := e.send(string(text))
	if err != nil {
		e.t.Fatalf("%s: %v", call, err)
	}
	for _, k := range r.Keep {
		if k[1] == nil {
			delete(e.kept, *k[0])
		} else {
			e.kept[*k[0]] = *k[1]
		}
	}
	if r.ID != "" {
		e.id = r.ID
	}
	return r
}

func (e *engine) instance(properties map[string]any) map[string]any {
	return map[string]any{"type": "Test::Thing", "name": "r", "stack": "s", "id": e.id, "properties": properties}
}

// act begins an action and steps until it has ended.
func (e *engine) act(action string, properties map[string]any) reply {
	e.t.Helper()
	if r := e.ask("begin", map[string]any{"action": action, "seconds": 600, "instance": e.instance(properties)}); r.Error != nil {
		e.t.Fatalf("begin: %+v", r.Error)
	}
	return e.finish()
}

func (e *engine) finish() reply {
	e.t.Helper()
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if r := e.ask("step", nil); r.Done || r.Error != nil {
			return r
		}
	}
	e.t.Fatal("no end")
	return reply{}
}

func TestLife(t *testing.T) {
	t.Parallel()
	e := start(t)
	r := e.act("CREATE", map[string]any{"name": "a", "big": 9007199254740993, "token": "hush-hush"})
	if r.Error != nil || !strings.HasPrefix(e.id, "id-") {
		t.Fatalf("create: %+v", r)
	}
	at := map[string]any{"instance": e.instance(map[string]any{"name": "a"}), "names": []string{"size"}}
	if r = e.ask("attributes", at); r.Attributes["size"] != float64(9007199254740993) {
		t.Errorf("attributes: %+v", r)
	}
	if r = e.ask("signal", map[string]any{"instance": e.instance(nil), "details": map[string]any{"n": 1}}); r.Text != "map[n:1] by true" || !strings.Contains(e.kept["hotloom"], `"signals"`) {
		t.Errorf("signal: %+v; kept %v", r, e.kept)
	}
	if r = e.act("UPDATE", map[string]any{"name": "b"}); r.Error != nil || r.Replace {
		t.Errorf("update: %+v", r)
	}
	if r = e.act("UPDATE", map[string]any{"name": "new"}); r.Error != nil || !r.Replace {
		t.Errorf("update that replaces: %+v", r)
	}
	if r = e.act("SUSPEND", nil); r.Error == nil || !strings.Contains(r.Error.Message, "cannot suspend") {
		t.Errorf("suspend: %+v", r)
	}
	if r = e.act("DELETE", nil); r.Error != nil {
		t.Errorf("delete: %+v", r)
	}
}

func TestFaultsHavePaths(t *testing.T) {
	t.Parallel()
	e := start(t)
	r := e.ask("validate", map[string]any{"instance": e.instance(map[string]any{"name": "bad"})})
	if r.Error == nil || !cmp.Equal(r.Error.Path, []string{"name"}) || r.Error.Message != "is bad; mode: so is this" {
		t.Errorf("validate: %+v", r.Error)
	}
	if r = e.ask("validate", map[string]any{"instance": e.instance(nil), "unknown": [][]string{{"name"}}}); r.Error != nil {
		t.Errorf("what is not known yet is no fault: %+v", r.Error)
	}
	if r = e.act("CREATE", map[string]any{"name": "a", "mode": "fail"}); r.Error == nil || !cmp.Equal(r.Error.Path, []string{"name"}) || e.id == "" {
		t.Errorf("create: %+v, id %q", r, e.id)
	}
}

func TestRetriesWhatMayPass(t *testing.T) {
	t.Parallel()
	e := start(t)
	if r := e.act("CREATE", map[string]any{"name": "a", "mode": "flaky"}); r.Error != nil || e.made.Load() != 2 {
		t.Errorf("%+v, %d tries", r, e.made.Load())
	}
}

// A lost answer is asked for again; a second start of the same does not do it twice.
func TestRepeatedStepsDoNothingTwice(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.ask("begin", map[string]any{"action": "CREATE", "seconds": 600, "instance": e.instance(map[string]any{"name": "a"})})
	data := map[string]any{"data": clone(e.kept)}
	e.ask("step", data)
	data["repeated"] = true
	if r := e.ask("step", data); !r.Done || e.made.Load() != 1 {
		t.Errorf("%+v; made %d times", r, e.made.Load())
	}
}

func clone(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func TestEngineTurnsToSomethingElse(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.ask("begin", map[string]any{"action": "CREATE", "seconds": 600, "instance": e.instance(map[string]any{"name": "a", "mode": "slow"})})
	if r := e.ask("step", nil); r.Done || r.Error != nil || len(r.Events) != 1 || r.Events[0] != "50 %: half" {
		t.Fatalf("%+v", r)
	}
	e.id = "" // the engine was killed before it had stored it
	if r := e.act("DELETE", nil); r.Error != nil || e.id == "" {
		t.Errorf("the deletion does not know what was begun: %+v, id %q", r, e.id)
	}
}

func TestServerIsKilled(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.ask("begin", map[string]any{"action": "CREATE", "seconds": 600, "instance": e.instance(map[string]any{"name": "a", "mode": "slow"})})
	e.ask("step", nil)
	e.stop()
	if _, err := e.send(`{"call":"step"}`); err == nil {
		t.Error("somebody answers")
	}
	e.serve()
	if r := e.ask("adopt", nil); !r.Done || !r.Replace {
		t.Errorf("adopt: %+v", r)
	}
	if r := e.finish(); r.Error == nil || !strings.Contains(r.Error.Message, "ended in the middle of the create") || e.made.Load() != 1 {
		t.Errorf("%+v, made %d times", r.Error, e.made.Load())
	}
}

func TestAdoptsWhatHasEndedWell(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.ask("begin", map[string]any{"action": "CREATE", "seconds": 600, "instance": e.instance(map[string]any{"name": "a"})})
	e.ask("step", map[string]any{"data": clone(e.kept)})
	if r := e.ask("adopt", nil); !r.Done || r.Replace && e.made.Load() != 1 {
		t.Errorf("%+v", r)
	}
	if r := e.ask("adopt", nil); !r.Done || !r.Replace {
		t.Errorf("there is nothing to adopt any more: %+v", r)
	}
}

// What is long is cut into parts, each small enough for a column of 64 KiB when it is encrypted, and the old parts go.
func TestKeepsLongData(t *testing.T) {
	t.Parallel()
	e := start(t)
	if r := e.act("CREATE", map[string]any{"name": "a", "keep": 300000, "big": 7}); r.Error != nil {
		t.Fatalf("%+v", r.Error)
	}
	if len(e.kept) < 9 || len(e.kept) > 12 {
		t.Errorf("%d parts", len(e.kept))
	}
	for name, part := range e.kept {
		if len(part) > 37<<10 || !strings.HasPrefix(name, "hotloom") {
			t.Errorf("part %s has %d bytes", name, len(part))
		}
	}
	r := e.ask("attributes", map[string]any{"instance": e.instance(map[string]any{"name": "a"})})
	if r.Attributes["size"] != float64(7) {
		t.Errorf("%+v", r)
	}
	if r = e.act("DELETE", nil); r.Error != nil {
		t.Errorf("%+v", r.Error)
	}
	e.kept = map[string]string{}
	if r = e.act("CREATE", map[string]any{"name": "a", "keep": 2500000}); r.Error == nil || !strings.Contains(r.Error.Message, "wants") {
		t.Errorf("too much is kept: %+v", r.Error)
	}
}

func TestWrongRequests(t *testing.T) {
	t.Parallel()
	e := start(t)
	for text, want := range map[string]string{
		`{"call":"dance"}`:                       "no call",
		`nonsense`:                               "cannot be read",
		``:                                       "cannot be read",
		`{"call":"begin"}`:                       "without",
		`{"call":"step"}`:                        "no work",
		`{"call":"signal"}`:                      "without a resource",
		`{"call":"step","data":{"hotloom":"{"}}`: "cannot be read",
		`{"call":"step","data":{"hotloom":"parts a b"}}`:                           "part a is not there",
		`{"call":"step","data":{"hotloom_work":"[]"}}`:                             "cannot be read",
		`{"call":"attributes","instance":{"type":"No::Such"}}`:                     "No::Such",
		`{"call":"validate","instance":{"type":"Test::Thing","properties":[1]}}`:   "cannot be read",
		`{"call":"types","data":{"a":` + strings.Repeat("[", 100000):               "cannot be read",
		`{"call":"step","data":{"hotloom":"` + strings.Repeat("x", 17<<20) + `"}}`: "larger",
	} {
		r, err := e.send(text)
		if err != nil || r.Error == nil || !strings.Contains(r.Error.Message, want) {
			t.Errorf("%.60s: %v %+v; want %q", text, err, r.Error, want)
		}
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	e := start(t)
	for name, mode := range map[string]os.FileMode{"": 0o700, "heat.sock": 0o600, "types.json": 0o600} {
		if info, err := os.Stat(filepath.Join(e.dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: %v %v", name, info.Mode(), err)
		}
	}
	err := heat.Serve(t.Context(), heat.Options{State: e.dir, Offers: func(context.Context) ([]heat.Offer, []error) { return nil, nil }})
	if err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second server: %v", err)
	}
	if !strings.Contains(e.logs.String(), "another provider is broken") {
		t.Errorf("log %s", e.logs.String())
	}
}

// A type that Heat could not load is left out, and does not keep the others away.
func TestLeavesOutWhatHeatRefuses(t *testing.T) {
	t.Parallel()
	e := start(t, func(d *resources.Description) {
		d.Types["Test::Wrong"] = &catalog.Type{Properties: map[string]*catalog.Property{"p": {Type: "string", Update: true, Immutable: true}}}
	})
	r := e.ask("types", nil)
	if r.Types["Test::Thing"] == nil || r.Types["Test::Wrong"] != nil {
		t.Errorf("types %v", r.Types)
	}
	if !strings.Contains(e.logs.String(), "immutable at once") {
		t.Errorf("log %s", e.logs.String())
	}
}

func TestInstall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := heat.Installation{
		Dir: dir, State: "/var/lib/it's \"mine\"", Unit: filepath.Join(dir, "hotloom-heat.service"), User: "heat",
		Command: []string{"/usr/bin/hotloom", "heat-plugin", "serve", "--providers", "/opt/my providers"},
	}
	for range 2 { // it may write over its own
		if err := heat.Install(i); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, heat.PluginName))
	if !strings.Contains(string(text), "\nSTATE = \"/var/lib/it's \\\"mine\\\"\"\n") {
		t.Errorf("%s", text)
	}
	unit, _ := os.ReadFile(i.Unit)
	if !strings.Contains(string(unit), `ExecStart=/usr/bin/hotloom heat-plugin serve --providers "/opt/my providers"`) {
		t.Errorf("%s", unit)
	}
	if err := os.WriteFile(i.Unit, []byte("[Unit]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := heat.Install(i); err == nil || !strings.Contains(err.Error(), "not by this command") {
		t.Errorf("another's unit is overwritten: %v", err)
	}
	i.State = "relative"
	if err := heat.Install(i); err == nil {
		t.Error("a relative state folder is taken")
	}
}

// The Python file makes Heat's classes of what the server says, with Heat's own code, where that is installed.
func TestPluginLoadsInHeat(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import heat.engine.resource").Run(); err != nil {
		t.Skip("python3-heat is not installed")
	}
	e := start(t)
	if err := heat.Install(heat.Installation{Dir: e.dir, State: e.dir}); err != nil {
		t.Fatal(err)
	}
	load := func() string {
		cmd := exec.Command(python, "testdata/load.py", e.dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return lines[len(lines)-1]
	}
	want := load()
	if !strings.Contains(want, `"length": [1, 5]`) || !strings.Contains(want, `"signal"`) || !strings.Contains(want, `"concurrent": true`) {
		t.Errorf("%s", want)
	}
	e.stop()
	if got := load(); got != strings.Replace(want, `"concurrent": true`, `"concurrent": null`, 1) {
		t.Errorf("without a server: %s\nwith one: %s", got, want)
	}
}
