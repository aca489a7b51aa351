package local_test

import (
	"crypto/ed25519"
	"encoding/pem"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/hotloom/hotloom/internal/local"
	"github.com/hotloom/hotloom/plugins/standard"
	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
)

const shownScript = "#!/bin/sh\necho \"$deploy_action $word\"; printf '%s' \"$word\" >\"$heat_outputs_path.said\"; echo trouble >&2; exit \"$code\""

func shown(host resources.Host, code int64) tool.Task {
	return tool.Task{Action: resources.Create, ToolRun: &resources.ToolRun{
		Tool: "script", Component: "c", Config: shownScript, Outputs: []string{"said"}, Secrets: []string{"word"},
		Inputs: resources.Values{"word": "it's a secret", "code": code}, Host: host,
	}}
}

func checkShown(t *testing.T, host resources.Host) {
	t.Helper()
	dir := t.TempDir()
	got, err := local.RunTool(t.Context(), standard.Tools["script"], shown(host, 0), dir, "key")
	want := resources.Values{
		"said": "it's a secret", "deploy_stdout": "CREATE ******\n", "deploy_stderr": "trouble\n", "deploy_status_code": int64(0),
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v %s", err, d)
	}
	got, err = local.RunTool(t.Context(), standard.Tools["script"], shown(host, 4), dir, "key")
	if err == nil || err.Error() != "exit code 4: trouble" || got["deploy_status_code"] != int64(4) || got["said"] != "it's a secret" {
		t.Errorf("%v %v", got, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRunToolHere(t *testing.T) {
	t.Parallel()
	checkShown(t, resources.Host{})
	place := t.TempDir()
	checkShown(t, resources.Host{Dir: place})
	if os.Geteuid() == 0 {
		if _, err := exec.LookPath("sudo"); err == nil {
			checkShown(t, resources.Host{Sudo: true})
		}
	}
	bad := shown(resources.Host{}, 0)
	bad.Config = ""
	if _, err := local.RunTool(t.Context(), standard.Tools["script"], bad, t.TempDir(), "key"); !resources.IsKind(err, resources.Invalid) {
		t.Errorf("an empty script: %v", err)
	}
}

func TestRunToolOverSSH(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid here")
	}
	t.Setenv("SSH_AUTH_SOCK", "")
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	addr, hostKey := sshMachine(t, home, signer.PublicKey())
	address, portText, _ := net.SplitHostPort(addr)
	port, _ := strconv.Atoi(portText)
	host := resources.Host{
		Address: address, Port: port, User: "me", Key: string(pem.EncodeToMemory(block)), KnownHosts: knownhosts.Line([]string{addr}, hostKey) + "\n",
	}
	checkShown(t, host)
	if left, _ := filepath.Glob(filepath.Join(home, ".hotloom", "*", "*", "*")); len(left) > 0 {
		t.Errorf("left on the machine: %q", left)
	}
	host.KnownHosts = "# none\n"
	if _, err := local.RunTool(t.Context(), standard.Tools["script"], shown(host, 0), t.TempDir(), "key"); err == nil || !strings.Contains(err.Error(), "the key of "+addr) {
		t.Errorf("a machine that is not known: %v", err)
	}
	host.User = ""
	if _, err := local.RunTool(t.Context(), standard.Tools["script"], shown(host, 0), t.TempDir(), "key"); err == nil || !strings.Contains(err.Error(), "host.user: required") {
		t.Errorf("nobody to log in as: %v", err)
	}
}
