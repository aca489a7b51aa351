package heat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A user who could open the socket, were its mode changed, is refused by what the kernel says of who connects.
func TestOthersMayNotConnect(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil || os.Geteuid() != 0 {
		t.Skip("needs root, who can be somebody else, and python3")
	}
	dir, err := os.MkdirTemp("", "hotloom-heat-") // not within a folder of the test's, which others cannot enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	e := &engine{t: t, dir: dir, kept: map[string]string{}}
	e.serve()
	for name, mode := range map[string]os.FileMode{"": 0o755, "heat.sock": 0o666} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(user uint32) string {
		cmd := exec.Command(python, "-c", `import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
try:
    s.sendall(b'{"call": "types"}')
    s.shutdown(socket.SHUT_WR)
    print(s.recv(10))
except OSError:  # closed before it is read
    print(b'')`, filepath.Join(dir, "heat.sock"))
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if got := ask(0); !strings.HasPrefix(got, `b'{"done"`) {
		t.Errorf("root is answered %s", got)
	}
	if got := ask(65534); got != "b''" {
		t.Errorf("somebody else is answered %s", got)
	}
	if log := e.logs.String(); !strings.Contains(log, "user 65534") {
		t.Errorf("log %s", log)
	}
}
