//go:build openstack

package openstack_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestProfileIsTheCloud captures the real services and checks the examples without them.
func TestProfileIsTheCloud(t *testing.T) {
	t.Parallel()
	binary, err := command()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cloud.json")
	run := func(want int, arguments ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, arguments...)
		cmd.Env = append(os.Environ(), credentials(t)...)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Fatalf("hotloom %s: exit code %d, want %d\n%s", strings.Join(arguments, " "), code, want, out)
		}
		return string(out)
	}
	if log := run(0, "profile", "capture", "--names", "flavors,images,networks", "-o", file); strings.Contains(log, "not captured") {
		t.Errorf("the capture is not complete:\n%s", log)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Types    map[string]json.RawMessage
		Versions []struct{ Functions []string } `json:"template_versions"`
		Names    struct{ Flavors []any }
	}
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if p.Types["OS::Nova::Server"] == nil || len(p.Versions) < 10 || len(p.Versions[len(p.Versions)-1].Functions) == 0 || len(p.Names.Flavors) == 0 {
		t.Errorf("the profile has %d types, %d versions, %d flavors", len(p.Types), len(p.Versions), len(p.Names.Flavors))
	}
	for _, example := range []string{"two-tier", "cluster", "lifecycle"} {
		run(0, "lint", "--profile", file, "../../examples/"+example+"/template.yaml")
	}
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	source := "heat_template_version: 2018-08-31\nresources:\n  host: {type: OS::Nova::Server, properties: {image: debian-12, flavor: no-such-flavor}}\n"
	if err := os.WriteFile(wrong, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(0, "lint", "--profile", file, wrong); !strings.Contains(out, `no flavor "no-such-flavor"`) {
		t.Errorf("lint says\n%s", out)
	}
}
