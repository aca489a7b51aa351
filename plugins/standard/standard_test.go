package standard_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/plugins/standard"
	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
)

// ran is what has become of a plan.
type ran struct {
	code           int
	stdout, stderr string
	outputs        resources.Values
	failed         error // by the tool's own judgement of what was read
}

// run runs what a tool plans, in a folder of its own.
func run(t *testing.T, task resources.ToolRun, action resources.Action, env ...string) ran {
	t.Helper()
	tl := standard.Tools[task.Tool]
	if task.Component == "" {
		task.Component = "web.component"
	}
	plan, err := tl.Prepare(tool.Task{ToolRun: &task, Action: action})
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	file := filepath.Join(work, "program")
	if err := os.WriteFile(file, []byte(plan.Program), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), file)
	cmd.Dir = work
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + work, "LANG=C.UTF-8", "heat_outputs_path=" + filepath.Join(work, "output")}, plan.Env...)
	cmd.Env = append(cmd.Env, env...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	out := ran{stdout: stdout.String(), stderr: stderr.String(), outputs: resources.Values{}}
	out.code, _ = tl.Outcome(cmd.ProcessState.ExitCode())
	read := map[string]string{}
	for _, name := range plan.Outputs {
		if text, err := os.ReadFile(filepath.Join(work, "output."+name)); err == nil {
			read[name] = string(text)
			out.outputs[name] = string(text)
		}
	}
	if plan.Finish != nil {
		out.outputs, out.failed = plan.Finish(read)
	}
	return out
}

// need skips a test whose program is not installed.
func need(t *testing.T, program, pkg string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed (Debian: apt-get install %s)", program, pkg)
	}
}

// hostile is a text that would end any quoting which is not right.
const hostile = "it's \"$HOME\" `id` \\ %s {{ 1 }}\nsecond\tline ü"

func TestScript(t *testing.T) {
	t.Parallel()
	r := run(t, resources.ToolRun{
		Tool: "script", Config: "#!/bin/sh\nprintf '%s' \"$text\" >$heat_outputs_path.text; echo $flag $list; exit 3",
		Inputs: resources.Values{"text": hostile, "flag": true, "list": []any{int64(1), "a"}}, Outputs: []string{"text", "none"},
	}, resources.Create)
	if r.code != 3 || r.stdout != "True [1, \"a\"]\n" || !cmp.Equal(r.outputs, resources.Values{"text": hostile}) {
		t.Errorf("%+v", r)
	}
}

func TestAnsible(t *testing.T) {
	t.Parallel()
	need(t, "ansible-playbook", "ansible-core")
	const playbook = `- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - copy: {content: "{{ text }}|{{ answer + 1 }}|{{ nested.a }}", dest: "{{ heat_outputs_path }}.out"}
      tags: [writes]
    - fail: {msg: "as asked"}
      when: answer == 0
`
	config := resources.ToolRun{
		Tool: "ansible", Config: playbook, Outputs: []string{"out"},
		Inputs: resources.Values{"text": "it's \"$HOME\"\nü", "answer": int64(41), "nested": resources.Values{"a": "b"}},
	}
	if r := run(t, config, resources.Create); r.code != 0 || r.outputs["out"] != "it's \"$HOME\"\nü|42|b" {
		t.Errorf("%+v", r)
	}
	config.Options = resources.Values{"skip_tags": "writes"}
	if r := run(t, config, resources.Update); r.code != 0 || r.outputs["out"] != nil {
		t.Errorf("skip_tags: %+v", r)
	}
	config.Inputs = resources.Values{"answer": int64(0), "text": "", "nested": resources.Values{"a": ""}}
	if r := run(t, config, resources.Create); r.code != 2 || !strings.Contains(r.stdout+r.stderr, "as asked") {
		t.Errorf("a failed task: %+v", r)
	}
	config.Config = "- hosts: [localhost\n"
	if r := run(t, config, resources.Create); r.code == 0 {
		t.Errorf("a playbook that is no YAML: %+v", r)
	}
}

func TestPuppet(t *testing.T) {
	t.Parallel()
	need(t, "puppet", "puppet-agent")
	target := filepath.Join(t.TempDir(), "made")
	const manifest = `file { $facts['target']: content => $facts['text'] }
file { "${facts['heat_outputs_path']}.out": content => "made ${facts['text']}" }
if $facts['wrong'] == 'yes' { exec { '/bin/false': } }
`
	config := resources.ToolRun{
		Tool: "puppet", Config: manifest, Outputs: []string{"out"}, Inputs: resources.Values{"target": target, "text": "it's \"this\"", "wrong": "no"},
	}
	if r := run(t, config, resources.Create); r.code != 0 || r.outputs["out"] != "made it's \"this\"" {
		t.Errorf("changes (exit code 2) are success: %+v", r)
	}
	config.Inputs["wrong"] = "yes"
	if r := run(t, config, resources.Update); r.code != 6 && r.code != 4 {
		t.Errorf("a failed resource: %+v", r)
	}
	config.Config = "file {"
	if r := run(t, config, resources.Update); r.code != 1 {
		t.Errorf("a manifest that cannot be compiled: %+v", r)
	}
	hiera := t.TempDir()
	config = resources.ToolRun{
		Tool: "puppet", Component: "a/b", Config: "notice('x')", Inputs: resources.Values{"text": hostile},
		Options: resources.Values{"enable_facter": false, "enable_hiera": true},
	}
	run(t, config, resources.Create, "HEAT_PUPPET_HIERA_DATADIR="+hiera)
	text, _ := os.ReadFile(filepath.Join(hiera, "heat_config_a_b.json"))
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil || got["text"] != hostile {
		t.Errorf("hiera: %s %v", text, err)
	}
}

// cfn-init of heat-cfntools writes to /var/cache, so this runs where that may be: as root, in a mount namespace of its own.
func TestCfnInit(t *testing.T) {
	t.Parallel()
	need(t, "cfn-init", "heat-cfntools")
	if os.Geteuid() != 0 {
		t.Skip("cfn-init needs root")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "made")
	config := resources.ToolRun{Tool: "cfn-init", Config: map[string]any{"config": map[string]any{
		"files":    map[string]any{file: map[string]any{"content": hostile, "mode": "000600", "owner": "root", "group": "root"}},
		"commands": map[string]any{"01": map[string]any{"command": "echo done >" + filepath.Join(dir, "command")}},
	}}}
	if r := run(t, config, resources.Create); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != hostile {
		t.Errorf("%q %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "command")); err != nil || string(text) != "done\n" {
		t.Errorf("%q %v", text, err)
	}
}

// stand puts a program in PATH that records its arguments and the files of its folder, and says what it is told to.
func stand(t *testing.T, name, says string) (path, record string) {
	t.Helper()
	dir := t.TempDir()
	record = filepath.Join(dir, "record")
	program := "#!/bin/sh\n{ for a; do printf '%s\\n' \"$a\"; done; for f in *.json *.rb minion states/* *.yml conf/*; do [ ! -f \"$f\" ] || { echo \"== $f\"; cat \"$f\"; }; done; } >" + record + "\n" + says + "\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + dir + ":/usr/bin:/bin", record
}

// recorded is what a stand-in has recorded, with the working folder as WORK.
func recorded(t *testing.T, record string) string {
	t.Helper()
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		if j := strings.Index(l, os.TempDir()); j >= 0 {
			rest := l[j+len(os.TempDir())+1:]
			parts := strings.SplitN(rest, "/", 3) // TEST/001/…
			if len(parts) == 3 {
				lines[i] = l[:j] + "WORK/" + parts[2]
			} else if len(parts) == 2 {
				lines[i] = l[:j] + "WORK" + strings.TrimLeft(parts[1], "0123456789")
			}
		}
	}
	return strings.Join(lines, "\n")
}

func TestChefsCommandLineAndFiles(t *testing.T) {
	t.Parallel()
	path, record := stand(t, "chef-client", `printf made >"$heat_outputs_path.out"; exit 35`)
	r := run(t, resources.ToolRun{
		Tool: "chef", Config: `["recipe[web]"]`, Outputs: []string{"out"}, Options: resources.Values{"kitchen_path": "/srv/kitchen"},
		Inputs: resources.Values{"port": int64(80), "environment": "prod", "deploy_action": "CREATE", "name": "it's"},
	}, resources.Create, path)
	if r.code != 0 || r.outputs["out"] != "made" {
		t.Errorf("%+v", r)
	}
	want := `--local-mode
--config
client.rb
--json-attributes
node.json
--environment
prod
--no-color
--no-fork
== node.json
{"name": "it's", "port": 80, "run_list": ["recipe[web]"]}
== client.rb
cookbook_path "/srv/kitchen/cookbooks"
role_path "/srv/kitchen/roles"
environment_path "/srv/kitchen/environments"
node_path "WORK/nodes"
`
	if d := cmp.Diff(want, recorded(t, record)); d != "" {
		t.Error(d)
	}
	path, _ = stand(t, "cinc-client", "exit 1")
	if r := run(t, resources.ToolRun{Tool: "chef", Config: []any{"recipe[web]"}}, resources.Create, path); r.code != 1 {
		t.Errorf("Cinc's client is taken where Chef's is not: %+v", r)
	}
}

func TestSaltsCommandLineAndFiles(t *testing.T) {
	t.Parallel()
	const answer = `cat >"$heat_outputs_path.salt" <<'X'
{"local": {"file_|-motd_|-/etc/motd_|-managed": {"result": RESULT, "comment": "as asked", "changes": {}}, "other": {"result": true}}}
X
exit CODE`
	task := resources.ToolRun{Tool: "salt", Config: "motd:\n  file.managed: []\n", Outputs: []string{"motd"}, Inputs: resources.Values{"who": "it's"}}
	path, record := stand(t, "salt-call", strings.NewReplacer("RESULT", "true", "CODE", "0").Replace(answer))
	r := run(t, task, resources.Create, path)
	if got, ok := r.outputs["motd"].(map[string]any); r.code != 0 || r.failed != nil || !ok || got["comment"] != "as asked" {
		t.Errorf("%+v", r)
	}
	want := `--local
--config-dir
WORK
--file-root
WORK/states
--cachedir
WORK/cache
--out
json
--out-file
WORK/output.salt
--retcode-passthrough
state.sls
component
== minion
{"file_client": "local", "log_file": "/dev/null", "who": "it's"}
== states/component.sls
motd:
  file.managed: []
`
	if d := cmp.Diff(want, recorded(t, record)); d != "" {
		t.Error(d)
	}
	path, _ = stand(t, "salt-call", strings.NewReplacer("RESULT", "false", "CODE", "2").Replace(answer))
	if r = run(t, task, resources.Create, path); r.code != 2 || r.failed == nil || !strings.Contains(r.failed.Error(), "motd_|-/etc/motd_|-managed: as asked") {
		t.Errorf("%+v", r)
	}
	path, _ = stand(t, "salt-call", `echo '{"local": ["Rendering SLS failed"]}' >"$heat_outputs_path.salt"; exit 1`)
	if r = run(t, task, resources.Create, path); r.failed == nil || !strings.Contains(r.failed.Error(), "Rendering SLS failed") {
		t.Errorf("%+v", r)
	}
}

func TestComposesCommandLineAndFiles(t *testing.T) {
	t.Parallel()
	path, record := stand(t, "docker", "exit 0")
	task := resources.ToolRun{
		Tool: "docker-compose", Component: "db.App", Config: map[string]any{"web": map[string]any{"image": "nginx"}},
		Inputs: resources.Values{"env_files": []any{map[string]any{"file_name": "conf/web.env", "content": map[string]any{"A": int64(1), "B": "it's"}}}},
	}
	// On a machine with docker-compose that one is taken: hide it.
	path = "PATH=" + strings.Split(strings.TrimPrefix(path, "PATH="), ":")[0] + ":" + coreutils(t)
	if r := run(t, task, resources.Create, path); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	want := "compose\n-p\nheat-db-app\n-f\ndocker-compose.yml\nup\n-d\n--no-build\n--remove-orphans\n" +
		"== docker-compose.yml\n{\"web\": {\"image\": \"nginx\"}}\n== conf/web.env\nA=1\nB=it's\n"
	if d := cmp.Diff(want, recorded(t, record)); d != "" {
		t.Error(d)
	}
	if run(t, task, resources.Delete, path); !strings.Contains(recorded(t, record), "down\n--remove-orphans\n") {
		t.Errorf("%s", recorded(t, record))
	}
}

// coreutils is a folder with only what plans use of a system.
func coreutils(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"sh", "cat", "mkdir", "dirname"} {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func TestJSONFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "it's new", "data.json")
	task := resources.ToolRun{Tool: "json-file", Config: map[string]any{file: map[string]any{"a": hostile, "n": int64(9007199254740993)}}}
	if r := run(t, task, resources.Create); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	text, _ := os.ReadFile(file)
	v, err := resources.DecodeValues(text)
	if err != nil || v["a"] != hostile || v["n"] != int64(9007199254740993) {
		t.Errorf("%s %v", text, err)
	}
	run(t, task, resources.Delete)
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("DELETE leaves it: %v", err)
	}
}

func TestHiera(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	task := resources.ToolRun{Tool: "hiera", Config: map[string]any{
		"hierarchy": []any{"node/%{::hostname}", "common"}, "datafiles": map[string]any{"common": map[string]any{"a": hostile}},
	}}
	r := run(t, task, resources.Create, "HEAT_HIERA_CONFIG="+filepath.Join(dir, "etc", "hiera.yaml"), "HEAT_PUPPET_HIERA_DATADIR="+filepath.Join(dir, "data"))
	config, _ := os.ReadFile(filepath.Join(dir, "etc", "hiera.yaml"))
	want := "---\n:backends:\n  - json\n:json:\n  :datadir: " + filepath.Join(dir, "data") + "\n:hierarchy:\n  - \"node/%{::hostname}\"\n  - \"common\"\n"
	if d := cmp.Diff(want, string(config)); d != "" || r.code != 0 {
		t.Errorf("%+v %s", r, d)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "data", "common.json"))
	if v, err := resources.DecodeValues(text); err != nil || v["a"] != hostile {
		t.Errorf("%s %v", text, err)
	}
}

// Where the program is missing, heat-agents report success; a component that was not installed is none.
func TestMissingPrograms(t *testing.T) {
	t.Parallel()
	empty := "PATH=" + coreutils(t)
	for name, config := range map[string]any{
		"ansible": "- hosts: all\n", "puppet": "notice('a')", "chef": "[]", "salt": "a: {}", "cfn-init": `{"config": {}}`, "docker-compose": "a: 1",
	} {
		if r := run(t, resources.ToolRun{Tool: name, Config: config}, resources.Create, empty); r.code != 127 || !strings.Contains(r.stderr, "is not installed on this host") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		task resources.ToolRun
		want string
	}{
		{resources.ToolRun{Tool: "script", Config: ""}, "config: the script is empty"},
		{resources.ToolRun{Tool: "script", Config: "echo"}, "does not begin with #!"},
		{resources.ToolRun{Tool: "script", Config: map[string]any{}}, "config: must be a text"},
		{resources.ToolRun{Tool: "script", Config: "#!x", Inputs: resources.Values{"a b": ""}}, "inputs.a b: input a b can not be an environment variable"},
		{resources.ToolRun{Tool: "script", Config: "#!x", Inputs: resources.Values{"a": "\x00"}}, "zero byte"},
		{resources.ToolRun{Tool: "script", Config: "#!x", Outputs: []string{"../a"}}, "can not be a file's name"},
		{resources.ToolRun{Tool: "ansible", Config: " \n"}, "config: is empty"},
		{resources.ToolRun{Tool: "ansible", Config: "a", Options: resources.Values{"tag": "x"}}, `options.tag: unknown property; did you mean "tags"?`},
		{resources.ToolRun{Tool: "puppet", Config: "a", Options: resources.Values{"enable_hiera": "maybe"}}, "options.enable_hiera: must be"},
		{resources.ToolRun{Tool: "chef", Config: "recipe[web]"}, "config: a run list is a list"},
		{resources.ToolRun{Tool: "salt", Config: "a", Inputs: resources.Values{"file_roots": "/"}}, "inputs.file_roots"},
		{resources.ToolRun{Tool: "cfn-init", Config: "text"}, "config: must be a map"},
		{resources.ToolRun{Tool: "json-file", Config: map[string]any{"a/../b": 1}}, "must be the absolute path"},
		{resources.ToolRun{Tool: "hiera", Config: map[string]any{"datafiles": map[string]any{"../x": 1}}}, "must be a file's name"},
		{resources.ToolRun{Tool: "docker-compose", Config: "a", Inputs: resources.Values{"env_files": `[{"file_name": "/etc/x"}]`}}, "must be a path below"},
	} {
		if _, err := standard.Tools[c.task.Tool].Prepare(tool.Task{ToolRun: &c.task, Action: resources.Create}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.task.Tool, err, c.want)
		}
	}
}
