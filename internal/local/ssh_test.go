package local_test

import (
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/local"
)

// sshMachine is an SSH server that runs what it is asked to, with a home of its own, for the owner of one key.
func sshMachine(t *testing.T, home string, client ssh.PublicKey) (addr string, key ssh.PublicKey) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, k ssh.PublicKey) (*ssh.Permissions, error) {
		if string(k.Marshal()) != string(client.Marshal()) {
			return nil, errors.New("another key")
		}
		return nil, nil
	}}
	config.AddHostKey(signer)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serveSSH(conn, config, home)
		}
	}()
	return l.Addr().String(), signer.PublicKey()
}

func serveSSH(conn net.Conn, config *ssh.ServerConfig, home string) {
	defer conn.Close()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		ch, reqs, err := c.Accept()
		if err != nil {
			return
		}
		go func() {
			defer ch.Close()
			for r := range reqs {
				if r.Type != "exec" {
					_ = r.Reply(false, nil)
					continue
				}
				_ = r.Reply(true, nil)
				var command struct{ Text string }
				_ = ssh.Unmarshal(r.Payload, &command)
				cmd := exec.Command("sh", "-c", command.Text)
				cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
				cmd.Stdout, cmd.Stderr = ch, ch.Stderr()
				in, err := cmd.StdinPipe()
				if err != nil {
					return
				}
				go func() { _, _ = io.Copy(in, ch); _ = in.Close() }()
				status := uint32(0)
				var exit *exec.ExitError
				if err := cmd.Run(); errors.As(err, &exit) {
					status = uint32(exit.ExitCode())
				}
				_, _ = ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
				return
			}
		}()
	}
}

// TestSSHHosts runs steps on a machine that is logged in to: values arrive as they are, outputs come back, what takes too
// long is ended there, and a machine whose key is not known is refused.
func TestSSHHosts(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid here")
	}
	t.Setenv("SSH_AUTH_SOCK", "")
	keys, home := t.TempDir(), t.TempDir()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(keys, "id_ed25519"), pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	addr, hostKey := sshMachine(t, home, signer.PublicKey())
	known := filepath.Join(keys, "known_hosts")
	if err := os.WriteFile(known, []byte(knownhosts.Line([]string{addr}, hostKey)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := `
parameters: {wait: {type: number, default: 0}}
component_types:
  c:
    tool: script
    inputs: {text: {type: String}, wait: {type: Number}}
    outputs: {seen: {type: String}, empty: {type: String}, absent: {type: String}}
    configs:
      CREATE: |
        #!/bin/sh
        echo "on $HOTLOOM_HOST, as told"
        echo "$$" >"$HOME/pid"
        sleep "$wait"
        printf '%s' "$text" >"$heat_outputs_path.seen"
        : >"$heat_outputs_path.empty"
        read -r nothing || echo no input
      DELETE: "#!/bin/sh\necho gone >\"$HOME/gone\"\n"
resources:
  h:
    type: OS::Nova::Server
    properties: {image: i, flavor: f}
    components: {c: {component_type: c, timeout: 2, params: {text: "it's\n\"quoted\" $(touch x) größer\n", wait: {get_param: wait}}}}
outputs:
  seen: {value: {get_attr: [h, components, c, seen]}}
  empty: {value: {get_attr: [h, components, c, empty]}}
  absent: {value: {get_attr: [h, components, c, absent]}}
  out: {value: {get_attr: [h, components, c, deploy_stdout]}}
  address: {value: {get_attr: [h, first_address]}}
`
	m := newMachine(t)
	bindings := local.Bindings{"h": "ssh://me@" + addr}
	o := m.options()
	o.SSH = action.Config{KnownHosts: known, KeyFolder: keys}
	run := func(o local.Options, params map[string]string) *local.Outcome {
		t.Helper()
		out, err := local.Up(t.Context(), m.root, "s", m.prepare(text, params, bindings), o)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	strange := o
	strange.SSH.KnownHosts = os.DevNull
	if out := run(strange, nil); !strings.Contains(out.Reason, "is not in "+os.DevNull) {
		t.Errorf("a machine that is not known: %q", out.Reason)
	}
	if out := run(o, map[string]string{"wait": "60"}); !strings.Contains(out.Reason, "h.c: no end after 2s") {
		t.Errorf("a step that takes too long: %q", out.Reason)
	}
	pid, err := os.ReadFile(filepath.Join(home, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run(); err == nil {
		t.Error("the step that took too long runs on")
	}
	out := run(o, nil)
	if out.Reason != "" {
		t.Fatal(out.Reason)
	}
	want := []any{"it's\n\"quoted\" $(touch x) größer\n", "", nil, "on h, as told\nno input\n", "127.0.0.1"}
	var got []any
	for _, name := range []string{"seen", "empty", "absent", "out", "address"} {
		got = append(got, out.Outputs.Get(name))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := local.Down(t.Context(), m.root, "s", o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(home, "gone")); err != nil {
		t.Errorf("DELETE did not run: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(home, ".hotloom", "*", "*", "*"))
	if len(left) > 0 {
		t.Errorf("left on the machine: %q", left)
	}
}
