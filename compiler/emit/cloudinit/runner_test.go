package cloudinit

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/emit/plain"
)

// guest is a set of programs as some image has them.
type guest struct{ shell, awk, http string }

func (g guest) String() string { return strings.Join([]string{g.shell, g.awk, g.http}, "+") }

var guests = []guest{
	{"dash", "mawk", "curl"},
	{"dash", "gawk", "wget"},
	{"bash", "gawk", "curl"},
	{"busybox", "busybox", "curl"},
	{"busybox", "mawk", "wget"},
}

// tools are what the runner and the tests' scripts call besides shell, awk and HTTP client.
var tools = []string{
	"cat", "chmod", "cp", "date", "dd", "env", "find", "grep", "head", "kill", "ls", "mkdir", "mv", "printf", "rm", "sed", "setsid",
	"sleep", "tail", "tr", "true", "wc", "touch", "sort",
}

// bin makes a folder with exactly the guest's programs, or skips where this machine lacks one.
func (g guest) bin(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	link := func(name, program string) {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skipf("%s is not installed", program)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("sh", g.shell)
	link("awk", g.awk)
	client, err := exec.LookPath(g.http)
	if err != nil {
		t.Skipf("%s is not installed", g.http)
	}
	recorder := "#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$HOME/arguments\"\nexec " + client + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, g.http), []byte(recorder), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		if g.shell == "busybox" {
			link(tool, "busybox")
		} else {
			link(tool, tool)
		}
	}
	return dir
}

// signal is what Heat gets for a wait condition handle.
type signal struct {
	Handle string          `json:"-"`
	ID     string          `json:"id"`
	Status string          `json:"status"`
	Reason string          `json:"reason"`
	Data   json.RawMessage `json:"data"`
}

func (s signal) String() string {
	return fmt.Sprintf("%s %s %s %q %.200s", s.Handle, s.ID, s.Status, s.Reason, s.Data)
}

// cloud stands for Keystone and Heat, as far as a signal needs them.
type cloud struct {
	*httptest.Server
	mu      sync.Mutex
	refuse  int // so many signals get 503 first
	expire  int // so many tokens are refused
	logins  int
	signals []signal
}

func newCloud(t *testing.T) *cloud {
	t.Helper()
	c := &cloud{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v3/auth/tokens", c.login)
	mux.HandleFunc("POST /signal/{handle}", c.signal)
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	return c
}

const password = `pa"ss\word ü`

func (c *cloud) login(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Auth struct {
			Identity struct {
				Password struct{ User struct{ ID, Password string } }
			}
			Scope struct{ Project struct{ ID string } }
		}
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	user := body.Auth.Identity.Password.User
	if err != nil || user.Password != password || user.ID != "u1" || body.Auth.Scope.Project.ID != "p1" {
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.logins++
	w.Header().Set("X-Subject-Token", fmt.Sprint("token", c.logins))
	w.WriteHeader(http.StatusCreated)
	io.WriteString(w, `{"token":{}}`)
}

func (c *cloud) signal(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var s signal
	err := json.NewDecoder(r.Body).Decode(&s)
	switch {
	case c.refuse > 0:
		c.refuse--
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	case r.Header.Get("X-Auth-Token") != fmt.Sprint("token", c.logins), c.expire > 0:
		c.expire--
		http.Error(w, "no", http.StatusUnauthorized)
		return
	case err != nil, r.Header.Get("Content-Type") != "application/json":
		http.Error(w, fmt.Sprint(err), http.StatusBadRequest)
		return
	}
	s.Handle = r.PathValue("handle")
	c.signals = append(c.signals, s)
	io.WriteString(w, "null")
}

// handle is the `signal` attribute of a handle with HEAT_SIGNAL.
func (c *cloud) handle(name string) string {
	return python(map[string]any{
		"auth_url": c.URL + "/v3/", "username": "s-" + name, "user_id": "u1", "password": password,
		"project_id": "p1", "domain_id": "d1", "region_name": "R", "alarm_url": c.URL + "/signal/" + name,
	})
}

// python writes JSON as Heat does: sorted keys, ASCII.
func python(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r < 128:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

const member = "0f3c8a5e-9d1b-4a53-8f0e-2f6a4b1c9d77"

// boot runs the runner with a program on a guest. It gives the guest's root and the runner's own messages.
func boot(t *testing.T, g guest, program map[string]any) (root, messages string, err error) {
	t.Helper()
	bin := g.bin(t)
	root = t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "var/lib/cloud/data"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/cloud/data/instance-id"), []byte(member+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(root, "runner")
	text := strings.Replace(runner, placeholder, python(program), 1)
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{script}
	if g.shell == "busybox" {
		args = []string{"sh", script}
	}
	shell, err := exec.LookPath(g.shell)
	if err != nil {
		t.Skipf("%s is not installed", g.shell)
	}
	cmd := exec.CommandContext(t.Context(), shell, args...)
	cmd.Env = []string{"PATH=" + bin, "HOTLOOM_ROOT=" + root, "HOME=" + root}
	out, err := cmd.CombinedOutput()
	return root, string(out), err
}

// onGuests runs a test on every kind of guest.
func onGuests(t *testing.T, test func(t *testing.T, g guest)) {
	for _, g := range guests {
		t.Run(g.String(), func(t *testing.T) {
			t.Parallel()
			test(t, g)
		})
	}
}

type m = map[string]any

func TestRunnerHandsValuesOverIntact(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"quotes":    `it's "so" ` + "`x` $(touch pwned) ${HOME} %index% %s",
		"newlines":  "\n\nfirst\nlast\n\n",
		"utf8":      "größer & schöner é 漢 🧵\u2028",
		"backslash": `\ \\ \n \u0041 \" '\'' \`,
		"control":   "\x01\x02\t\r\x7f",
		"empty":     "",
		"heredoc":   "HOTLOOM_PROGRAM\n'HOTLOOM_PROGRAM'\n",
		"big":       strings.Repeat("0123456é", plain.ValueBytes/9-1) + "end",
		"name":      "shadows", "file": "shadows", "work": "/nowhere", "PATH_": "x", "n": "7", "code": "9",
	}
	script := "#!/bin/sh\nLC_ALL=C\n"
	inputs := m{"number": 3306, "float": 0.5, "yes": true, "no": false, "null": nil, "map": m{"a": []any{1, "ü'"}}, "list": []any{"x", nil}}
	outputs := []string{}
	for name, v := range values {
		inputs[name] = v
	}
	for name := range inputs {
		script += fmt.Sprintf("printf %%s \"$%s\" >\"$heat_outputs_path.%s\"\n", name, name)
		outputs = append(outputs, name)
	}
	onGuests(t, func(t *testing.T, g guest) {
		c := newCloud(t)
		_, messages, err := boot(t, g, m{
			"host": "db", "handles": []any{c.handle("db")},
			"steps": []any{m{
				"name": "mysql", "config": script, "inputs": inputs, "outputs": outputs, "data": outputs,
				"timeout": 60, "deadline": 60, "handle": 0,
			}},
		})
		if err != nil || len(c.signals) != 1 {
			t.Fatalf("%v, %d signals\n%s", err, len(c.signals), messages)
		}
		want := map[string]any{"deploy_status_code": 0.0}
		for name, v := range values {
			want[name] = v
		}
		spelled := m{
			"number": "3306", "float": "0.5", "yes": "True", "no": "False", "null": "None",
			"map": python(m{"a": []any{1, "ü'"}}), "list": `["x",null]`,
		}
		maps.Copy(want, spelled)
		var got map[string]any
		if err := json.Unmarshal(c.signals[0].Data, &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if s := c.signals[0]; s.ID != "mysql" || s.Status != "SUCCESS" || s.Reason != "db.mysql: complete" {
			t.Errorf("signal %v", s)
		}
	})
}

func TestRunnerTellsFailureAndKeepsSecrets(t *testing.T) {
	t.Parallel()
	const secret = "s3cret 'value'"
	const key = "-----BEGIN KEY-----\nMIIEfirstline\nMIIEsecondline\n-----END KEY-----\n"
	script := "#!/bin/sh\necho \"out $password $password\"\necho \"$key\"\necho \"leaf: deep-secret-leaf\"\n" +
		"echo visible\necho \"cannot log in with $password\" >&2\nexit 3\n"
	onGuests(t, func(t *testing.T, g guest) {
		c := newCloud(t)
		c.refuse, c.expire = 1, 1
		root, messages, err := boot(t, g, m{
			"host": "db", "handles": []any{c.handle("db")},
			"steps": []any{
				m{
					"name": "mysql", "config": script, "timeout": 60, "deadline": 60, "handle": 0,
					"inputs": m{"password": secret, "key": key, "tree": m{"a": m{"b": "deep-secret-leaf"}}},
					"secret": []any{"password", "key", "tree"},
				},
				m{"name": "later", "config": "#!/bin/sh\ntouch \"$HOME/later\"\n", "timeout": 60, "deadline": 60, "handle": 0},
			},
		})
		if err == nil {
			t.Error("the runner ended well")
		}
		if len(c.signals) != 1 {
			t.Fatalf("%d signals\n%s", len(c.signals), messages)
		}
		s := c.signals[0]
		if s.Status != "FAILURE" || s.Reason != "db.mysql: exit code 3: cannot log in with ******" {
			t.Errorf("signal %v", s)
		}
		if c.logins != 2 {
			t.Errorf("%d log-ins, want one more for the token that was refused", c.logins)
		}
		log, err := os.ReadFile(filepath.Join(root, "var/log/hotloom/db.mysql.log"))
		if err != nil {
			t.Fatal(err)
		}
		want := "out ****** ******\n******\n******\n******\n******\n\nleaf: ******\nvisible\ncannot log in with ******\nhotloom: exit code 3\n"
		if d := cmp.Diff(want, string(log)); d != "" {
			t.Error(d)
		}
		var data struct {
			Code int    `json:"deploy_status_code"`
			Log  string `json:"log"`
		}
		if err := json.Unmarshal(s.Data, &data); err != nil || data.Code != 3 || data.Log != want {
			t.Errorf("data %s", s.Data)
		}
		arguments, err := os.ReadFile(filepath.Join(root, "arguments"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{messages, string(s.Data), string(arguments)} {
			for _, secret := range []string{secret, "MIIE", "deep-secret-leaf", "pa\"ss", "token1", "token2"} {
				if strings.Contains(text, secret) {
					t.Errorf("%q shows in %s", secret, text)
				}
			}
		}
		if _, err := os.Stat(filepath.Join(root, "later")); err == nil {
			t.Error("a later step ran")
		}
		checkModes(t, root)
	})
}

// checkModes finds files that others may read.
func checkModes(t *testing.T, root string) {
	t.Helper()
	for _, dir := range []string{"var/lib/hotloom", "var/log/hotloom"} {
		filepath.Walk(filepath.Join(root, dir), func(path string, info os.FileInfo, err error) error {
			if err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v", path, info.Mode())
			}
			return err
		})
	}
}

func TestRunnerGoesOnWhereAskedTo(t *testing.T) {
	t.Parallel()
	onGuests(t, func(t *testing.T, g guest) {
		c := newCloud(t)
		_, messages, err := boot(t, g, m{
			"host": "h", "handles": []any{c.handle("h")},
			"steps": []any{
				m{"name": "a", "config": "#!/bin/sh\nprintf x >$heat_outputs_path.o; umask; pwd; exit 5\n", "continue": true, "outputs": []any{"o"}, "data": []any{"o", "deploy_stdout"}, "timeout": 60, "deadline": 60, "handle": 0},
				m{"name": "b", "skip": true, "deadline": 60, "handle": 0},
				m{
					"name": "c", "config": "#!/bin/sh\nprintf '%s' \"$got\" >$heat_outputs_path.o\nprintf '%s|%s|%s' \"$code\" \"$none\" \"$deploy_server_id\" >$heat_outputs_path.p\n",
					"local": m{"got": "0.o", "code": "0.deploy_status_code", "none": "1.o"}, "outputs": []any{"o", "p"}, "data": []any{"o", "p"}, "timeout": 60, "deadline": 60, "handle": 0,
				},
			},
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, messages)
		}
		var got []string
		for _, s := range c.signals {
			got = append(got, s.ID+" "+s.Status+" "+s.Reason+" "+string(s.Data))
		}
		if len(got) > 0 {
			got[0] = strings.NewReplacer("0022", "U", "022", "U").Replace(got[0])
			i := strings.Index(got[0], `U\u000a`)
			if i < 0 || !strings.Contains(got[0][i:], `/var/lib/hotloom\u000a`) {
				t.Errorf("umask or folder of %s", got[0])
			} else {
				got[0] = got[0][:i]
			}
		}
		want := []string{
			`a SUCCESS h.a: exit code 5: `,
			`b SUCCESS h.b: left out by its condition {}`,
			`c SUCCESS h.c: complete {"deploy_status_code":0,"o":"x","p":"5|None|` + member + `"}`,
		}
		got[0] = got[0][:min(len(got[0]), len(want[0]))]
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	})
}

func TestRunnerEndsStepsThatTakeTooLong(t *testing.T) {
	t.Parallel()
	onGuests(t, func(t *testing.T, g guest) {
		c := newCloud(t)
		script := "#!/bin/sh\necho waiting\nsleep 3600 &\necho $! >\"$HOME/child\"\nwait\n"
		root, messages, err := boot(t, g, m{
			"host": "h", "handles": []any{c.handle("h")},
			"steps": []any{m{"name": "slow", "config": script, "timeout": 2, "deadline": 60, "handle": 0}},
		})
		if err == nil || len(c.signals) != 1 || c.signals[0].Reason != "h.slow: no end after 2 s: waiting" {
			t.Fatalf("%v %v\n%s", err, c.signals, messages)
		}
		text, err := os.ReadFile(filepath.Join(root, "child"))
		if err != nil {
			t.Skip("the machine is too slow for the step to begin within its time")
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(20 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
			if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(state), ") Z ") {
				break // ended, and not yet buried
			}
			if time.Now().After(end) {
				t.Fatal("a child of the step outlives it")
			}
		}
	})
}

func TestRunnerRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", plain.ValueBytes+1)
	tests := map[string]struct {
		step m
		want string
	}{
		"input":  {m{"inputs": m{"a": big}, "config": "#!/bin/sh\n"}, "h.s: input a has 8193 bytes, more than 8192"},
		"nul":    {m{"inputs": m{"a": "x\x00y"}, "config": "#!/bin/sh\n"}, "h.s: input a holds a NUL character"},
		"output": {m{"outputs": []any{"o"}, "data": []any{"o"}, "config": "#!/bin/sh\nhead -c 8193 /dev/zero | tr '\\0' x >$heat_outputs_path.o\necho done\n"}, "h.s: output o has 8193 bytes, more than 8192: done"},
		"script": {m{"config": "#!/no/such/program\n"}, "h.s: exit code 12"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, g := range []guest{guests[0], guests[3]} {
				c := newCloud(t)
				step := m{"name": "s", "timeout": 60, "deadline": 60, "handle": 0}
				maps.Copy(step, test.step)
				_, messages, err := boot(t, g, m{"host": "h", "handles": []any{c.handle("h")}, "steps": []any{step}})
				if err == nil || len(c.signals) != 1 || !strings.HasPrefix(c.signals[0].Reason, test.want) {
					t.Errorf("%v: want %q\n%v %v\n%s", g, test.want, err, c.signals, messages)
				}
			}
		})
	}
}

func TestRunnerSignalsForEachMember(t *testing.T) {
	t.Parallel()
	onGuests(t, func(t *testing.T, g guest) {
		c := newCloud(t)
		program := m{
			"host": "g", "group": true, "handles": []any{c.handle("a.done"), c.handle("b.done")},
			"steps": []any{
				m{"name": "a", "config": "#!/bin/sh\nprintf '\\303(\\377é' >$heat_outputs_path.o\n", "outputs": []any{"o"}, "data": []any{"o"}, "timeout": 60, "deadline": 60, "handle": 0},
				m{"name": "between", "config": "#!/bin/sh\n", "timeout": 60, "deadline": 60},
				m{"name": "b", "config": "#!/bin/sh\nexit 1\n", "timeout": 60, "deadline": 60, "handle": 1},
			},
		}
		_, messages, _ := boot(t, g, program)
		var got []string
		for _, s := range c.signals {
			got = append(got, s.Handle+" "+s.ID+" "+s.Status+" "+string(s.Data))
		}
		want := []string{
			"a.done " + member + ` SUCCESS {"deploy_status_code":0,"o":"\ufffd(\ufffdé"}`,
			"b.done " + member + ` FAILURE {"deploy_status_code":1,"log":"hotloom: exit code 1\u000a"}`,
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s\n%s", d, messages)
		}
	})
}

func TestRunnerGivesUpWhenTheConditionDoes(t *testing.T) {
	t.Parallel()
	onGuests(t, func(t *testing.T, g guest) {
		c := newCloud(t)
		c.refuse = 1000
		_, messages, err := boot(t, g, m{
			"host": "h", "handles": []any{c.handle("h")},
			"steps": []any{m{"name": "s", "config": "#!/bin/sh\n", "timeout": 60, "deadline": 2, "handle": 0}},
		})
		if err == nil || !strings.Contains(messages, "no signal reached Heat within 2 s, the last answer was 503") {
			t.Errorf("%v\n%s", err, messages)
		}
	})
}
