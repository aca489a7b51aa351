package templates_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/templates"
)

// TestScriptsAreShell has every script read by the shell that runs it.
func TestScriptsAreShell(t *testing.T) {
	t.Parallel()
	scripts, err := fs.Glob(templates.FS(), "components/*/*.sh")
	if err != nil || len(scripts) < 10 {
		t.Fatal(scripts, err)
	}
	for _, path := range scripts {
		text, err := fs.ReadFile(templates.FS(), path)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", "-n")
		cmd.Stdin = strings.NewReader(string(text))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
		if !strings.Contains(string(text), "\nset -eu\n") {
			t.Errorf("%s goes on after a failure", path)
		}
	}
}

// TestScriptsShareTheirFunctions has a function of one name be the same in all scripts: each is a file that goes to a host
// alone, so they cannot have it in one place.
func TestScriptsShareTheirFunctions(t *testing.T) {
	t.Parallel()
	scripts, err := fs.Glob(templates.FS(), "components/*/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	function := regexp.MustCompile(`(?m)^([a-z]+)\(\) \{(?:.*\}$|(?s:.*?)^\})`)
	first, shared := map[string][2]string{}, 0 // the script and the text, by name
	for _, path := range scripts {
		text, err := fs.ReadFile(templates.FS(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range function.FindAllStringSubmatch(string(text), -1) {
			was, ok := first[found[1]]
			if !ok {
				first[found[1]] = [2]string{path, found[0]}
				continue
			}
			shared++
			if was[1] != found[0] {
				t.Errorf("%s() of %s is not that of %s:\n%s", found[1], path, was[0], cmp.Diff(was[1], found[0]))
			}
		}
	}
	if shared < 20 {
		t.Errorf("only %d functions found more than once", shared)
	}
}

// TestValuesCannotLeaveTheirPlace hands the scripts values that would add lines to a configuration or commands to a shell:
// they are refused before anything is installed.
func TestValuesCannotLeaveTheirPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		inputs map[string]string
		says   string
	}{
		{"nginx/install.sh", map[string]string{"port": "80", "server_name": "x; include /etc/shadow", "root": "/srv", "backends": "[]"}, "server_name"},
		{"nginx/install.sh", map[string]string{"port": "80;", "server_name": "x", "root": "/srv", "backends": "[]"}, "port"},
		{"haproxy/install.sh", map[string]string{"port": "80", "backends": "[]", "mode": "http", "balance": "roundrobin", "check": ""}, "no backends"},
		{"haproxy/install.sh", map[string]string{"port": "80", "backends": `["a:1"]`, "mode": "http\nglobal", "balance": "roundrobin", "check": ""}, "mode"},
		{"keepalived/install.sh", map[string]string{"interface": "eth0}", "virtual_ip": "10.0.0.1/24", "router_id": "1", "priority": "1", "password": ""}, "interface"},
		{"mariadb/install.sh", map[string]string{"database": "a`; DROP", "user": "", "password": "", "bind_address": "::", "port": "1"}, "database"},
		{"mariadb/install.sh", map[string]string{"database": "", "user": "u", "password": "", "bind_address": "::", "port": "1"}, "no password"},
		{"user/install.sh", map[string]string{"name": "root", "groups": "[]", "shell": "/bin/sh", "ssh_keys": "", "sudo": "False"}, "not for a user"},
		{"user/install.sh", map[string]string{"name": "a; id", "groups": "[]", "shell": "/bin/sh", "ssh_keys": "", "sudo": "False"}, "name"},
		{"user/remove.sh", map[string]string{"name": "../x"}, "not for a user"},
		{"mount/install.sh", map[string]string{"device": "/dev/x", "path": "/a/../etc", "fstype": "ext4", "options": "ro", "format": "False"}, "path"},
		{"mount/install.sh", map[string]string{"device": "/dev/x", "path": "relative", "fstype": "ext4", "options": "ro", "format": "False"}, "absolute"},
		{"mount/install.sh", map[string]string{"device": "/dev/x y", "path": "/a", "fstype": "ext4", "options": "ro", "format": "False"}, "device"},
		{"chrony/install.sh", map[string]string{"servers": "[]", "allow": ""}, "no servers"},
		{"node_exporter/install.sh", map[string]string{"port": `1"`, "address": ""}, "port"},
	} {
		_, text, code := script(t, c.script, c.inputs)
		if code != 2 || !strings.Contains(text, c.says) {
			t.Errorf("%s %v: exit code %d, want 2 and %q:\n%s", c.script, c.inputs, code, c.says, text)
		}
	}
}

// TestMountKeepsTheOthers mounts nothing real: the programs are recorders, the table is a file of the test.
func TestMountKeepsTheOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	table := filepath.Join(dir, "fstab")
	const others = "# a comment about /data\n/dev/sda1 / ext4 defaults 0 1\n"
	if err := os.WriteFile(table, []byte(others+"/dev/old "+dir+"/data xfs ro 0 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"mountpoint": "exit 1", "mount": "echo mount $* >>" + dir + "/record"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	inputs := map[string]string{
		"PATH": dir + ":" + os.Getenv("PATH"), "fstab": table,
		"device": "LABEL=data", "path": dir + "/data", "fstype": "ext4", "options": "defaults,nofail", "format": "False",
	}
	if _, text, code := script(t, "mount/install.sh", inputs); code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	want := others + "LABEL=data " + dir + "/data ext4 defaults,nofail 0 2\n"
	if got, err := os.ReadFile(table); err != nil || string(got) != want {
		t.Errorf("the table is %q, %v", got, err)
	}
	if got, err := os.ReadFile(dir + "/record"); err != nil || string(got) != "mount "+dir+"/data\n" {
		t.Errorf("called %q, %v", got, err)
	}
	if _, text, code := script(t, "mount/remove.sh", inputs); code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	if got, err := os.ReadFile(table); err != nil || string(got) != others {
		t.Errorf("the table is %q, %v", got, err)
	}
}
