package heatconfig

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// result is what heat-config's script hook would report.
type result struct {
	Code    int
	Out     string
	Err     string
	Outputs map[string]string
}

// hook runs a script inside the wrapper as heat-config's script hook does: the config is an executable file, started
// by its path in a folder of the hook's, with the inputs as environment.
func hook(t *testing.T, script string, inputs map[string]string) result {
	t.Helper()
	dir := t.TempDir()
	text := strings.NewReplacer(scriptPlaceholder, script, endPlaceholder, "HOTLOOM_0123456789abcdef").Replace(wrapper)
	file := filepath.Join(dir, "6f7a")
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), file)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "heat_outputs_path=" + filepath.Join(dir, "outputs")}
	for name, v := range inputs {
		cmd.Env = append(cmd.Env, name+"="+v)
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := result{Code: cmd.ProcessState.ExitCode(), Out: stdout.String(), Err: stderr.String(), Outputs: map[string]string{}}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		name, ok := strings.CutPrefix(filepath.Base(f), "outputs.")
		if !ok {
			if f != file {
				t.Errorf("%s is left", filepath.Base(f))
			}
			continue
		}
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		r.Outputs[name] = string(content)
	}
	return r
}

func TestWrapper(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		script string
		inputs map[string]string
		want   result
	}{
		"success": {
			script: "#!/bin/sh\nprintf '%s' \"$value\" >\"$heat_outputs_path.socket\"\necho out\necho err >&2\n",
			inputs: map[string]string{"value": "a 'b' \"c\"\n$x `y`\n"},
			want: result{0, "out\n", "err\n", map[string]string{
				"socket": "a 'b' \"c\"\n$x `y`\n", "hotloom_status_code": "0",
			}},
		},
		"failure": {
			script: "#!/bin/sh\necho out\necho 'no such host' >&2\nexit 3\n",
			inputs: map[string]string{"hotloom_step": "db.mysql"},
			want: result{3, "out\n", "no such host\n", map[string]string{
				"hotloom_failure": "db.mysql: exit code 3: no such host", "hotloom_status_code": "3",
			}},
		},
		"failure that does not matter": {
			script: "#!/bin/sh\nexit 3\n",
			inputs: map[string]string{"hotloom_step": "db.mysql", "hotloom_on_failure": "continue"},
			want:   result{0, "", "", map[string]string{"hotloom_status_code": "3"}},
		},
		"secrets": {
			script: "#!/bin/sh\nprintf '%s\\n' \"$password\"\nprintf '%s\\n' \"$key\" \"refused: $password\" >&2\nexit 1\n",
			inputs: map[string]string{"hotloom_secrets": "password key", "password": `s3 'c"r\et`, "key": "first line\nsecond line\n"},
			want: result{1, "******\n", "******\n******\n\nrefused: ******\n", map[string]string{
				"hotloom_failure": "step: exit code 1: refused: ******", "hotloom_status_code": "1",
			}},
		},
		"time limit": {
			script: "#!/bin/sh\necho waiting\nsleep 30\n",
			inputs: map[string]string{"hotloom_step": "a.b", "hotloom_timeout": "1"},
			want: result{124, "waiting\n", "", map[string]string{
				"hotloom_failure": "a.b: no end after 1 s: waiting", "hotloom_status_code": "124",
			}},
		},
		"here-documents and other interpreters": {
			script: "#!/usr/bin/awk -f\nBEGIN { print \"EOF\\\\n $HOME `x` \\\\\" }\n",
			want:   result{0, "EOF\\n $HOME `x` \\\n", "", map[string]string{"hotloom_status_code": "0"}},
		},
		"names of the wrapper's own": {
			script: "#!/bin/sh\nprintf '%s|%s|%s' \"$out\" \"$line\" \"$n\"\n",
			inputs: map[string]string{"out": "1", "line": "2", "n": "3"},
			want:   result{0, "1|2|3\n", "", map[string]string{"hotloom_status_code": "0"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(test.want, hook(t, test.script, test.inputs)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWrapperKeepsOutputSmallEnoughForHeat(t *testing.T) {
	t.Parallel()
	r := hook(t, "#!/bin/sh\nhead -c 2000000 /dev/zero | tr '\\0' x\necho end\n", nil)
	if len(r.Out) > 400_001 || !strings.HasSuffix(r.Out, "xend\n") {
		t.Errorf("%d bytes", len(r.Out))
	}
}
