package local_test

import (
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
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
	"github.com/hotloom/hotloom/resources/typed"
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

// TestToolsOfProviders: `hotloom up` runs a component by a tool that a provider has, on the host's folder, with the failure's
// words where it fails.
func TestToolsOfProviders(t *testing.T) {
	t.Parallel()
	p, err := typed.New(typed.Provider{Name: "shout", Version: "1", Tools: typed.Tools{"shout": {
		Run: func(_ context.Context, c *typed.Call, run *resources.ToolRun) (resources.Values, error) {
			out := resources.Values{
				"loud": strings.ToUpper(run.Inputs["word"].(string)), "deploy_stdout": "in " + filepath.Base(run.Host.Dir) + "\n", "deploy_status_code": int64(0),
			}
			if run.Inputs["word"] == "wrong" {
				out["deploy_status_code"] = int64(3)
				return out, errors.New("that was wrong")
			}
			return out, os.WriteFile(filepath.Join(run.Host.Dir, "said"), []byte(run.Config.(string)), 0o600)
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const text = `
parameters: {word: {type: string}}
component_types:
  c: {tool: shout, inputs: {word: {type: String}}, outputs: {loud: {type: String}}, config: aloud}
resources:
  h:
    type: OS::Nova::Server
    properties: {image: i, flavor: f}
    components: {c: {component_type: c, params: {word: {get_param: word}}}}
outputs:
  loud: {value: {get_attr: [h, components, c, loud]}}
  out: {value: {get_attr: [h, components, c, deploy_stdout]}}
`
	m := newMachine(t)
	m.tools = local.ProviderTools(p, d.Tools)
	for word, want := range map[string]string{"hello": "", "wrong": "h.c: exit code 3: that was wrong"} {
		out, err := local.Up(t.Context(), m.root, word, m.prepare(text, map[string]string{"word": word}, nil), m.options())
		if err != nil {
			t.Fatal(err)
		}
		if (want == "" && out.Reason != "") || !strings.Contains(out.Reason, want) {
			t.Errorf("%s: %q; want %q", word, out.Reason, want)
		}
		if word == "hello" && (output(out, "loud") != "HELLO" || !strings.HasPrefix(output(out, "out"), "in ")) {
			t.Errorf("loud %q, out %q", output(out, "loud"), output(out, "out"))
		}
	}
}
