//go:build machine

package components_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// machine is one that is on.
type machine struct {
	t      *testing.T
	folder string
}

// inits are what a machine's services are started by: systemd, which Debian's images have, and the init scripts, by which
// they start elsewhere. The latter's first process has nothing to do but to take in orphans.
var inits = map[string][]string{
	"systemd": {"/lib/systemd/systemd", "--unit=basic.target"},
	"scripts": {"/bin/bash", "-c", "mkdir -m 1777 /run/lock; sleep infinity & wait; wait"},
}

// address is one of each machine's, besides the loopback's.
const address = "198.51.100.1"

// onEach runs the test of a service on a new machine of each kind; with -short, of the kind alone that Debian's images are.
func onEach(t *testing.T, test func(t *testing.T, m *machine)) {
	t.Helper()
	t.Parallel()
	for kind := range inits {
		if testing.Short() && kind != "systemd" {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			test(t, boot(t, kind))
		})
	}
}

// onOne is onEach for what starts no service.
func onOne(t *testing.T, test func(m *machine)) {
	t.Helper()
	t.Parallel()
	test(boot(t, "systemd"))
}

// boot makes a machine and switches it on. It has a network of its own, with an address.
func boot(t *testing.T, init string) *machine {
	t.Helper()
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(strings.TrimPrefix(t.Name(), "Test")))
	for n := 1; ; n++ { // a test may have several
		if _, err := os.Stat(filepath.Join(state, "machines", name)); err != nil {
			break
		}
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(n)
	}
	m := &machine{t: t, folder: filepath.Join(state, "machines", name)}
	disk := filepath.Join(m.folder, "disk")
	m.host("mkdir", "-p", m.folder)
	m.host("cp", "-al", filepath.Join(state, "image", "disk"), disk) // nothing on it is written in place
	m.host("cp", filepath.Join(state, "hotloom"), filepath.Join(disk, "usr/local/bin/"))
	m.host("mkdir", "-p", filepath.Join(disk, "root"))
	m.host("cp", "-r", "testdata", filepath.Join(disk, "root/templates"))
	for path, text := range map[string]string{"hostname": name, "disk/etc/hostname": name, "disk/etc/hosts": "127.0.0.1 localhost\n127.0.1.1 " + name} {
		if err := os.WriteFile(filepath.Join(m.folder, path), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	console, err := os.Create(filepath.Join(m.folder, "console.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer console.Close()
	on := exec.Command("../machine/boot", append([]string{m.folder}, inits[init]...)...)
	on.Env = append(os.Environ(), "MACHINE_HIDE="+state, "MACHINE_OWN=1")
	on.Stdout, on.Stderr = console, console
	if err := on.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := powerOff(m.folder); err != nil {
			t.Error(err)
		}
		_ = on.Wait() // it was killed
	})
	m.wait("it is on", func() error {
		_, err := os.Stat(filepath.Join(m.folder, "run", "booted"))
		return err
	})
	m.run("ip address add " + address + " dev lo")
	if init == "systemd" {
		m.comes("running", "systemctl is-system-running")
	}
	return m
}

// first is the process id, on this machine, of the machine's first process.
func (m *machine) first() string {
	m.t.Helper()
	boot := strings.TrimSpace(m.host("cat", filepath.Join(m.folder, "boot.pid")))
	return strings.Fields(m.host("cat", fmt.Sprintf("/proc/%s/task/%s/children", boot, boot)))[0]
}

// host runs a command on this machine.
func (m *machine) host(name string, arguments ...string) string {
	m.t.Helper()
	out, err := exec.CommandContext(m.t.Context(), name, arguments...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// try runs a shell script on the machine, and answers what it writes.
func (m *machine) try(script string) (string, error) {
	cmd := exec.CommandContext(m.t.Context(), "../machine/enter", m.folder, "/bin/bash", "-euo", "pipefail", "-c", script)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second // services that it starts may hold its output open
	err := cmd.Run()
	if err != nil && cmd.ProcessState != nil && cmd.ProcessState.Success() {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", script, err, out.String())
	}
	return strings.TrimSpace(out.String()), err
}

// run is try for a script that has to succeed.
func (m *machine) run(script string) string {
	m.t.Helper()
	out, err := m.try(script)
	if err != nil {
		m.t.Fatalf("%s: %v", filepath.Base(m.folder), err)
	}
	return out
}

// fails is try for a script that has to fail.
func (m *machine) fails(script string) string {
	m.t.Helper()
	out, err := m.try(script)
	if err == nil {
		m.t.Fatalf("%s: this succeeds: %s\n%s", filepath.Base(m.folder), script, out)
	}
	return out
}

// says wants a script's output to be that.
func (m *machine) says(want, script string) {
	m.t.Helper()
	if got := m.run(script); got != want {
		m.t.Fatalf("%s: %s\nsays %q, want %q", filepath.Base(m.folder), script, got, want)
	}
}

// comes waits until a script's output is that.
func (m *machine) comes(want, script string) {
	m.t.Helper()
	m.wait(script, func() error {
		got, err := m.try(script)
		if err == nil && got != want {
			err = fmt.Errorf("it says %q, want %q", got, want)
		}
		return err
	})
}

func (m *machine) wait(what string, done func() error) {
	m.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := done()
		switch {
		case err == nil:
			return
		case time.Now().After(deadline) || m.t.Context().Err() != nil:
			m.t.Fatalf("%s: not within 30 s: %s: %v", filepath.Base(m.folder), what, err)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// stack is what `hotloom up` came to.
type stack struct {
	Outputs map[string]any
	States  map[string]string // of the steps, by HOST.COMPONENT
	text    string            // all that it said, the log of a step that failed too
}

// values are parameters of a template.
type values map[string]string

// up makes or updates a stack from testdata/TEMPLATE.yaml, on the machine. It has to succeed.
func (m *machine) up(name, template string, parameters values) *stack {
	m.t.Helper()
	s, err := m.tryUp(name, template, parameters)
	if err != nil {
		m.t.Fatalf("%s: hotloom up %s: %v\n%s", filepath.Base(m.folder), template, err, s.text)
	}
	return s
}

func (m *machine) tryUp(name, template string, parameters values) (*stack, error) {
	m.t.Helper()
	arguments := []string{m.folder, "hotloom", "up", "--yes", "--format", "json", "--name", name}
	for k, v := range parameters {
		arguments = append(arguments, "--param", k+"="+v)
	}
	cmd := exec.CommandContext(m.t.Context(), "../machine/enter", append(arguments, "/root/templates/"+template+".yaml")...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	s := &stack{States: map[string]string{}, text: out.String() + log.String()}
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var event struct {
			Node, Kind, State string
			Outputs           map[string]any
		}
		if json.Unmarshal([]byte(line), &event) != nil {
			continue // what is no event is a message
		}
		if event.Kind == "step" {
			s.States[event.Node] = event.State
		}
		if event.Outputs != nil {
			s.Outputs = event.Outputs
		}
	}
	return s, err
}

// down removes a stack.
func (m *machine) down(name string) {
	m.t.Helper()
	m.run("hotloom down " + name + " 2>&1")
}
