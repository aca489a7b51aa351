//go:build openstack

package openstack_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// guest is one machine of the test bed; its files can be read also after its deletion.
type guest struct {
	ID       string            `json:"id"`
	Number   int               `json:"number"` // counts up in order of creation
	Name     string            `json:"name"`
	Status   string            `json:"status"`
	Address  string            `json:"address"`
	Metadata map[string]string `json:"metadata"`
	UserData string            `json:"user_data"` // base64
	bed      *testBed
}

func (b *testBed) guest(t *testing.T, id string) *guest {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(b.state, "guests", id, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{bed: b}
	if err := json.Unmarshal(raw, g); err != nil {
		t.Fatal(err)
	}
	return g
}

// guests lists all machines that there ever were, oldest first.
func (b *testBed) guests(t *testing.T) []*guest {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(b.state, "guests"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*guest
	for _, entry := range entries {
		if _, err := os.Stat(filepath.Join(b.state, "guests", entry.Name(), "server.json")); err == nil { // else: in the making
			all = append(all, b.guest(t, entry.Name()))
		}
	}
	slices.SortFunc(all, func(x, y *guest) int { return cmp.Compare(x.Number, y.Number) })
	return all
}

// path is where the guest's file lies on this machine. Only what the guest wrote is there.
func (g *guest) path(name string) string {
	if under, ok := strings.CutPrefix(name, "/run/"); ok {
		return filepath.Join(g.bed.state, "guests", g.ID, "run", under)
	}
	return filepath.Join(g.bed.state, "guests", g.ID, "disk", name)
}

// read is a file that the guest wrote.
func (g *guest) read(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(g.path(name))
	if err != nil {
		t.Fatalf("%s: %v\nits console:\n%s", g.Name, err, g.console())
	}
	return string(raw)
}

// has tells whether the guest wrote that file.
func (g *guest) has(t *testing.T, name string) bool {
	t.Helper()
	info, err := os.Lstat(g.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil && info.Mode()&fs.ModeCharDevice == 0 // the overlay's mark for a deleted file
}

// console is the last of what the boot and the agent printed.
func (g *guest) console() string {
	raw, err := os.ReadFile(filepath.Join(g.bed.state, "guests", g.ID, "console.log"))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "ci-info:") })
	return strings.Join(lines[max(0, len(lines)-40):], "\n")
}

// userData is what the guest was booted with.
func (g *guest) userData(t *testing.T) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(g.UserData)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func (g *guest) powerOff(ctx context.Context) {
	_, _ = g.bed.call(ctx, http.MethodDelete, g.bed.endpoints["compute"]+"/servers/"+g.ID, nil, nil) // 404: gone already
}

// boot makes a machine that Heat does not manage, with the given metadata where its agent looks first.
func (b *testBed) boot(ctx context.Context, name, image, stack string, metadata map[string]any) error {
	content, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{"write_files": []any{map[string]any{
		"path": "/var/lib/heat-cfntools/cfn-init-data", "permissions": "0600", "content": string(content),
	}}})
	if err != nil {
		return err
	}
	server := map[string]any{
		"name": name, "imageRef": image, "flavorRef": "bare", "metadata": map[string]string{"stack": stack, "resource": name},
		"user_data": base64.StdEncoding.EncodeToString(append([]byte("#cloud-config\n"), config...)),
	}
	_, err = b.call(ctx, http.MethodPost, b.endpoints["compute"]+"/servers", map[string]any{"server": server}, nil)
	return err
}

// operate does the operator's part for each OS::Heat::DeployedServer of the stack, nested ones included: takes its
// attribute os_collect_config to a machine and switches that on. It ends with the returned function.
func (s *stack) operate() (stop func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	done := make(chan error, 1)
	go func() { done <- s.bootDeployedServers(ctx) }()
	return func() {
		s.t.Helper()
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			s.t.Errorf("booting deployed servers: %v", err)
		}
	}
}

func (s *stack) bootDeployedServers(ctx context.Context) error {
	booted := map[string]bool{}
	for {
		resources, err := bed.resources(ctx, s.name)
		if err != nil {
			return err
		}
		for _, r := range resources {
			if r.Type != "OS::Heat::DeployedServer" || !strings.HasSuffix(r.Status, "_COMPLETE") || booted[r.PhysicalID] {
				continue
			}
			config, err := bed.collectConfig(ctx, r)
			if err != nil {
				return err
			}
			if len(config) == 0 {
				continue
			}
			booted[r.PhysicalID] = true
			name := strings.TrimPrefix(r.Parent+"-"+r.Name, "-")
			if err := bed.boot(ctx, name, "debian-12", s.name, map[string]any{"os-collect-config": config}); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// collectConfig is the attribute os_collect_config of a deployed server.
func (b *testBed) collectConfig(ctx context.Context, r resourceState) (map[string]any, error) {
	for _, link := range r.Links {
		if link.Rel == "self" {
			var answer struct{ Resource resourceState }
			if _, err := b.call(ctx, http.MethodGet, link.Href+"?with_attr=os_collect_config", nil, &answer); err != nil {
				return nil, err
			}
			config, _ := answer.Resource.Attributes["os_collect_config"].(map[string]any)
			return config, nil
		}
	}
	return nil, errors.New("resource " + r.Name + " has no link to itself")
}

// machine is the guest that operate booted for the deployed server of that name.
func (s *stack) machine(resource string) *guest {
	s.t.Helper()
	for _, g := range bed.guests(s.t) {
		if maps.Equal(g.Metadata, map[string]string{"stack": s.name, "resource": resource}) {
			return g
		}
	}
	s.t.Fatalf("stack %s has no machine for %s", s.name, resource)
	return nil
}
