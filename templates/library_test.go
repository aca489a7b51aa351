package templates_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/templates"
)

func TestLookUp(t *testing.T) {
	t.Parallel()
	for _, name := range templates.ComponentTypes() {
		p := templates.ComponentType(name)
		if _, err := fs.ReadFile(templates.FS(), p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "..", "../components/file", "file/../file", "no-such-type"} {
		if p := templates.ComponentType(name); p != "" {
			t.Errorf("%q is found at %s", name, p)
		}
	}
}

// script runs a library script as heat-config's script hook does and returns its outputs, its text and its exit code.
func script(t *testing.T, name string, inputs map[string]string) (outputs map[string]string, text string, code int) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "script")
	body, err := fs.ReadFile(templates.FS(), "components/"+name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, body, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", file)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "heat_outputs_path=" + filepath.Join(dir, "out")}
	for k, v := range inputs {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	outputs = map[string]string{}
	found, _ := filepath.Glob(filepath.Join(dir, "out.*"))
	for _, f := range found {
		value, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		outputs[strings.TrimPrefix(filepath.Ext(f), ".")] = string(value)
	}
	return outputs, string(out), cmd.ProcessState.ExitCode()
}

func TestFileIsWrittenWholeWithItsMode(t *testing.T) {
	t.Parallel()
	target := filepath.Join(t.TempDir(), "a folder", "file")
	content := "first 'line'\n\"$second\" `third` größer 🧵"
	inputs := map[string]string{
		"path": target, "content": content, "mode": "0640", "owner": fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid()),
	}
	outputs, text, code := script(t, "file/write.sh", inputs)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	got, err := os.ReadFile(target)
	if err != nil || string(got) != content {
		t.Errorf("file holds %q, %v", got, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
	if len(outputs["sha256"]) != 64 {
		t.Errorf("sha256 is %q", outputs["sha256"])
	}
	if left, _ := filepath.Glob(target + ".new*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	if _, text, code := script(t, "file/remove.sh", inputs); code != 0 {
		t.Errorf("remove: exit code %d: %s", code, text)
	}
	if _, err := os.Stat(target); !os.IsNotExist(err) {
		t.Errorf("file is still there: %v", err)
	}
}

func TestFileRefusesARelativePath(t *testing.T) {
	t.Parallel()
	_, text, code := script(t, "file/write.sh", map[string]string{"path": "etc/passwd", "content": "", "mode": "0644", "owner": "0"})
	if code != 2 || !strings.Contains(text, "absolute") {
		t.Errorf("exit code %d: %s", code, text)
	}
}

func TestPackagesUsesTheManagerThatIsThere(t *testing.T) {
	t.Parallel()
	for manager, program := range map[string]string{"apt": "apt-get", "dnf": "dnf", "zypper": "zypper", "apk": "apk"} {
		t.Run(manager, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			record := filepath.Join(bin, "record")
			recorder := "#!/bin/sh\nprintf '%s\\n' \"$@\" >>" + record + "\n"
			if err := os.WriteFile(filepath.Join(bin, program), []byte(recorder), 0o700); err != nil {
				t.Fatal(err)
			}
			// The script's own dialect has printf and echo built in; nothing else is on this PATH.
			outputs, text, code := script(t, "packages/install.sh", map[string]string{"PATH": bin, "names": "curl *"})
			if code != 0 || outputs["manager"] != manager {
				t.Fatalf("exit code %d, outputs %v: %s", code, outputs, text)
			}
			args, err := os.ReadFile(record)
			if err != nil || !strings.HasSuffix(string(args), "--\ncurl\n*\n") {
				t.Errorf("called with %q, %v", args, err)
			}
		})
	}
}
