package local_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/local"
)

// machine is a state folder and a folder of templates.
type machine struct {
	t         *testing.T
	root, dir string

	mu     sync.Mutex
	events []local.Event
	onto   func(local.Event)
	tools  local.Tools // nil: the standard ones
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	return &machine{t: t, root: t.TempDir(), dir: t.TempDir()}
}

func (m *machine) options() local.Options {
	return local.Options{Tools: m.tools, Events: func(ev local.Event) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.events = append(m.events, ev)
		if m.onto != nil {
			m.onto(ev)
		}
	}}
}

func (m *machine) prepare(text string, params map[string]string, bindings local.Bindings) *local.Prepared {
	m.t.Helper()
	path := filepath.Join(m.dir, "template.yaml")
	if err := os.WriteFile(path, []byte("heat_template_version: 2018-08-31\n"+text), 0o600); err != nil {
		m.t.Fatal(err)
	}
	u := compiler.Load(compiler.NewFiles(), path, lint.Options{Parameters: params})
	p, found := local.Prepare(u, local.Source{Template: path, Path: path, Parameters: params, Bindings: bindings}, m.options())
	if found.HasErrors() {
		m.t.Fatal(found)
	}
	return p
}

// up makes the template's stack and gives its outcome, and what happened: "STATE NODE MESSAGE", without beginnings and
// what is left as it is.
func (m *machine) up(ctx context.Context, text string, params map[string]string) (*local.Outcome, []string) {
	m.t.Helper()
	out, err := local.Up(ctx, m.root, "s", m.prepare(text, params, nil), m.options())
	if err != nil {
		m.t.Fatal(err)
	}
	return out, m.happened()
}

func (m *machine) happened() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []string
	for _, ev := range m.events {
		if ev.State != local.Unchanged && !strings.HasSuffix(ev.State, "_IN_PROGRESS") {
			out = append(out, strings.TrimSpace(ev.State+" "+ev.Node+" "+ev.Message))
		}
	}
	m.events = nil
	slices.Sort(out)
	return out
}

func (m *machine) state() *local.State {
	m.t.Helper()
	s, err := local.OpenState(m.root, "s")
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

// output is one of the template's outputs as text.
func output(out *local.Outcome, name string) string { return value.Str(out.Outputs.Get(name)) }

func TestPureResources(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ resources, value, want string }{
		"random string": {
			"  r: {type: OS::Heat::RandomString, properties: {length: 8, character_classes: [{class: digits, min: 3}, {class: uppercase, min: 2}]}}",
			"{get_attr: [r, value]}", `^[0-9A-Z]{8}$`,
		},
		"reference to a random string": {
			"  r: {type: OS::Heat::RandomString, properties: {length: 4, character_sequences: [{sequence: ab, min: 2}]}}",
			"{get_resource: r}", `^[ab]{4}$`,
		},
		"value":          {"  v: {type: OS::Heat::Value, properties: {value: [1, {a: b}]}}", "{get_attr: [v, value, 1, a]}", `^b$`},
		"value of type":  {"  v: {type: OS::Heat::Value, properties: {type: number, value: '7'}}", "{get_attr: [v, value]}", `^7$`},
		"test resource":  {"  v: {type: OS::Heat::TestResource, properties: {value: x}}", "{get_attr: [v, output]}", `^x$`},
		"cloud config":   {"  v: {type: OS::Heat::CloudConfig, properties: {cloud_config: {packages: [vim]}}}", "{get_attr: [v, config]}", `^#cloud-config\npackages:\n *- vim\n$`},
		"absent":         {"  v: {type: OS::Heat::TestResource, condition: {equals: [1, 2]}}", "{if: [{equals: [1, 2]}, {get_attr: [v, output]}, none]}", `^none$`},
		"chain":          {"  v: {type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::TestResource], resource_properties: {value: c}}}", "{get_attr: [v, output]}", `^\['c'\]$`},
		"map of a group": {"  v: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Heat::TestResource, properties: {value: '%index%'}}}}", "{get_attr: [v, attributes, output]}", `^\{'0': '0', '1': '1'\}$`},
		"member of a group": {
			"  v: {type: OS::Heat::ResourceGroup, properties: {count: 2, index_var: NNN, resource_def: {type: OS::Heat::TestResource, properties: {value: v-NNN}}}}",
			"{get_attr: [v, resource.1.output]}", `^v-1$`,
		},
		"multipart": {
			"  c: {type: OS::Heat::SoftwareConfig, properties: {config: '#!/bin/sh'}}\n" +
				"  v: {type: OS::Heat::MultipartMime, properties: {parts: [{config: {get_resource: c}, filename: run.sh}, {config: größe}]}}",
			"{get_attr: [v, config]}", `(?s)^Content-Type: multipart/mixed; boundary="=.*Content-Type: text/run; charset=us-ascii.*#!/bin/sh\n.*charset=utf-8.*größe`,
		},
		"stack name": {"  n: {type: OS::Heat::None}", "{get_param: 'OS::stack_name'}", `^s$`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			text := "resources:\n" + test.resources + "\noutputs: {o: {value: " + test.value + "}}\n"
			out, _ := m.up(t.Context(), text, nil)
			if got := output(out, "o"); !regexp.MustCompile(test.want).MatchString(got) || out.Reason != "" {
				t.Errorf("got %q, want %s; %s", got, test.want, out.Reason)
			}
			again, happened := m.up(t.Context(), text, nil)
			if len(happened) > 0 || output(again, "o") != output(out, "o") {
				t.Errorf("the second time %q, output %q", happened, output(again, "o"))
			}
		})
	}
}

// TestUpdates changes templates step by step: what Heat updates is updated, what it replaces is replaced, and only that.
func TestUpdates(t *testing.T) {
	t.Parallel()
	const random = "  r: {type: OS::Heat::RandomString, properties: {length: %, salt: x}}\n"
	const reader = "  v: {type: OS::Heat::Value, properties: {value: {get_attr: [r, value]}}}\n"
	const other = "  n: {type: OS::Heat::TestResource, properties: {value: one}}\n"
	outputs := "outputs: {o: {value: {get_attr: [v, value]}}}\n"
	with := func(length, more string) string {
		return "resources:\n" + strings.Replace(random, "%", length, 1) + reader + more + outputs
	}
	m := newMachine(t)
	first, _ := m.up(t.Context(), with("10", other), nil)
	_, happened := m.up(t.Context(), with("10", strings.Replace(other, "one", "two", 1)), nil)
	if d := cmp.Diff([]string{"UPDATE_COMPLETE n"}, happened); d != "" {
		t.Errorf("a value that is updated: %s", d)
	}
	second, happened := m.up(t.Context(), with("12", ""), nil)
	if d := cmp.Diff([]string{"CREATE_COMPLETE r", "DELETE_COMPLETE n", "UPDATE_COMPLETE v"}, happened); d != "" {
		t.Errorf("one that is replaced, and one that is gone: %s", d)
	}
	if a, b := output(first, "o"), output(second, "o"); a == b || len(b) != 12 {
		t.Errorf("the random string was %s and is %s", a, b)
	}
}

const scripts = `
component_types:
  run:
    tool: script
    inputs: {text: {type: String}, list: {type: Json, default: [1, a]}, flag: {type: Boolean, default: true}, nothing: {type: String, default: null}}
    outputs: {seen: {type: String}, wrong: {type: String, error_output: true}}
    config: |
      #!/bin/sh
      %
`

func script(body string) string { return strings.Replace(scripts, "%", body, 1) }

func TestTheScriptContract(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	text := script(`printf '%s|%s|%s|%s|%s|%s|%s' "$text" "$list" "$flag" "$nothing" "$deploy_action" "$HOME" "$PWD" >"$heat_outputs_path.seen"; echo out; echo err >&2`) + `
resources:
  h:
    type: OS::Nova::Server
    properties: {image: i, flavor: f}
    components: {c: {component_type: run, params: {text: "it's \"so\" $HOME größer"}}}
outputs:
  seen: {value: {get_attr: [h, components, c, seen]}}
  std: {value: {get_attr: [h, components, c, deploy_stdout]}}
  err: {value: {get_attr: [h, components, c, deploy_stderr]}}
  code: {value: {get_attr: [h, components, c, deploy_status_code]}}
`
	out, _ := m.up(t.Context(), text, nil)
	dir := filepath.Join(m.root, "stacks", "s", "hosts", "h")
	want := `it's "so" $HOME größer|[1, "a"]|True|None|CREATE|` + dir + "/home|" + dir
	if d := cmp.Diff([]string{want, "out\n", "err\n", "0"}, []string{output(out, "seen"), output(out, "std"), output(out, "err"), output(out, "code")}); d != "" {
		t.Error(d)
	}
	for _, file := range []string{"logs/h.c.CREATE.log", "stack.json", "source.json", "nodes/h.c.json", "engine/engine.db"} {
		info, err := os.Stat(filepath.Join(m.root, "stacks", "s", file))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	server := `
resources:
  h:
    type: OS::Nova::Server
    properties: {image: i, flavor: f}
    components: {c: {component_type: run, timeout: 1, params: {text: x}}}
`
	tests := map[string]struct{ text, want string }{
		"exit code":        {script("echo this is why >&2; exit 9") + server, "template.yaml:16:18: h.c: exit code 9: this is why"},
		"error output":     {script(`printf 'no room' >"$heat_outputs_path.wrong"`) + server, "h.c: wrong : no room"},
		"time":             {script("trap '' TERM; sleep 60 & wait; wait") + server, "h.c: no end after 1s"},
		"signal":           {script("kill -s KILL $$") + server, "h.c: exit code 137"},
		"interpreter":      {strings.Replace(script("x"), "#!/bin/sh", "#!/no/such/program", 1) + server, "the program that the script's first line names is not there"},
		"test resource":    {"resources: {r: {type: OS::Heat::TestResource, properties: {fail: true}}}\n", "template.yaml:2:13: r: Test Resource failed r"},
		"random minimum":   {"resources:\n  v: {type: OS::Heat::Value, properties: {value: 3}}\n  r: {type: OS::Heat::RandomString, properties: {length: {get_attr: [v, value]}, character_classes: [{class: digits, min: 9}]}}\n", "template.yaml:4:58: property length of r is no number from 1 to 512"},
		"function at last": {"resources:\n  v: {type: OS::Heat::Value, properties: {value: {a: 1}}}\n  w: {type: OS::Heat::Value, properties: {value: {list_join: [',', {get_attr: [v, value]}]}}}\n", "template.yaml:4:51: list_join: works on lists, not on a map"},
		"wait condition": {
			"resources:\n  h: {type: OS::Heat::WaitConditionHandle}\n  w: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: h}, timeout: 1, count: 2}}\n",
			"template.yaml:4:3: w: 0 of 2 received after 1 s",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			begun := time.Now()
			out, _ := m.up(t.Context(), test.text, nil)
			if len(out.Failed) != 1 || !strings.Contains(out.Reason, test.want) || out.Outputs.Map != nil {
				t.Errorf("got %q, %d failed\nwant %q", out.Reason, len(out.Failed), test.want)
			}
			if took := time.Since(begun); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
			if got := m.state().Info(); got.Status != "CREATE_FAILED" || got.Reason != out.Reason {
				t.Errorf("the stack is %s, %s", got.Status, got.Reason)
			}
			if _, err := local.Down(t.Context(), m.root, "s", m.options()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSignals signals a wait condition by HTTP as scripts do.
func TestSignals(t *testing.T) {
	t.Parallel()
	text := `
resources:
  h: {type: OS::Heat::WaitConditionHandle}
  w: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: h}, timeout: 60, count: 2}}
outputs: {data: {value: {get_attr: [w, data]}}}
`
	m := newMachine(t)
	post := func(token, endpoint, body string) int {
		req, err := http.NewRequest(http.MethodPost, endpoint, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0
		}
		req.Header.Set("X-Auth-Token", token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode
	}
	var sent sync.WaitGroup
	m.onto = func(ev local.Event) {
		if ev.Node != "w" || ev.State != "CREATE_IN_PROGRESS" {
			return
		}
		a := m.state().Record("h").Attributes
		token, endpoint := value.Str(a.Get("token")), value.Str(a.Get("endpoint"))
		sent.Go(func() {
			got := []int{
				post("wrong", endpoint, `{}`), post(token, endpoint, `[]`), post(token, endpoint, `{"status": "MAYBE"}`), post(token, endpoint, `{"other": 1}`),
				post(token, endpoint, `{"id": "a", "data": "first"}`), post(token, endpoint, `{"id": "a", "data": "again"}`), post(token, endpoint, `{"id": "b"}`),
			}
			if d := cmp.Diff([]int{403, 400, 400, 400, 200, 200, 200}, got); d != "" {
				t.Error(d)
			}
		})
	}
	out, _ := m.up(t.Context(), text, nil)
	sent.Wait()
	if got := output(out, "data"); got != `{"a": "again", "b": null}` {
		t.Errorf("data %s; %s", got, out.Reason)
	}
}

// TestInterruption pauses a run, and sees that going on repeats nothing.
func TestInterruption(t *testing.T) {
	t.Parallel()
	text := `
resources:
  a: {type: OS::Heat::TestResource}
  w: {type: OS::Heat::TestResource, properties: {wait_secs: 0.2}, depends_on: a}
  b: {type: OS::Heat::TestResource, depends_on: w}
`
	m := newMachine(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m.onto = func(ev local.Event) {
		if ev.Node == "w" {
			cancel()
		}
	}
	out, happened := m.up(ctx, text, nil)
	if !out.Paused || out.Reason != "" || slices.ContainsFunc(happened, func(s string) bool { return strings.Contains(s, " b") }) {
		t.Errorf("%+v, %q", out, happened)
	}
	m.onto = nil
	out, happened = m.up(t.Context(), text, nil)
	if out.Paused || out.Reason != "" || slices.Contains(happened, "CREATE_COMPLETE a") || !slices.Contains(happened, "CREATE_COMPLETE b") {
		t.Errorf("%+v, %q", out, happened)
	}
}

// TestNothingIsLeftRunning counts goroutines before and after a run that fails, one that is interrupted, and one that is
// well. It does not run beside others.
func TestNothingIsLeftRunning(t *testing.T) {
	m := newMachine(t)
	before := runtime.NumGoroutine()
	m.up(t.Context(), "resources: {h: {type: OS::Heat::WaitConditionHandle}, r: {type: OS::Heat::TestResource, properties: {fail: true}}}\n", nil)
	ctx, cancel := context.WithCancel(t.Context())
	m.onto = func(local.Event) { cancel() }
	m.up(ctx, "resources: {r: {type: OS::Heat::TestResource, properties: {wait_secs: 60}}}\n", nil)
	m.onto = nil
	m.up(t.Context(), "resources: {r: {type: OS::Heat::TestResource, properties: {value: y}}}\n", nil)
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if n := runtime.NumGoroutine(); n > before {
		text := make([]byte, 1<<16)
		t.Errorf("%d goroutines, before %d:\n%s", n, before, text[:runtime.Stack(text, true)])
	}
}

func TestBindings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"h":                   "is not NAME=DIR",
		"=x":                  "is not NAME=DIR",
		"h=":                  "is not NAME=DIR",
		"h=http://x":          "hosts are folders or ssh",
		"h=ssh://x":           "is not ssh://user@address",
		"h=ssh://u@x/y":       "nothing stands behind the address",
		"h=ssh://u:p@x":       "a password does not belong",
		"h=ssh://u@[::1]:22":  "",
		"h=ssh://u@192.0.2.1": "",
		"h=some/folder":       "",
	} {
		_, to, err := local.ParseBinding(text)
		switch {
		case want == "" && (err != nil || !filepath.IsAbs(to) && !strings.HasPrefix(to, "ssh://")):
			t.Errorf("%s: %s, %v", text, to, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
