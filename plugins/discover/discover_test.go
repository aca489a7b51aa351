package discover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// project makes a folder with a hotloom.yaml and executables.
func project(t *testing.T, config string, programs ...string) (*Config, error) {
	t.Helper()
	dir := t.TempDir()
	for _, p := range programs {
		path := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "hotloom.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return LoadConfig(path)
}

func TestProvidersHaveTheSettingsOfTheProject(t *testing.T) {
	t.Setenv(FoldersEnv, "")
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	c, err := project(t, `plugins:
  folders: [more]
  providers:
    notes: {path: bin/notes, env: {REGION: north, DEBUG: true, N: 3}, log: debug, start_timeout: 60, call_timeout: 0.5}
    found: {env: {A: b}}
    part: {log: error}
`, "more/hotloom-provider-found")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Find(c, []Source{{Name: "part", Path: "self", Args: []string{"provider", "part"}}})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(c.Path)
	want := []Source{
		{Name: "found", Path: filepath.Join(dir, "more", "hotloom-provider-found"), Origin: filepath.Join(dir, "more"), Env: []string{"A=b"}},
		{
			Name: "notes", Path: filepath.Join(dir, "bin", "notes"), Origin: c.Path, Env: []string{"REGION=north", "DEBUG=true", "N=3"},
			Log: "debug", StartTimeout: time.Minute, CallTimeout: 500 * time.Millisecond,
		},
		{Name: "part", Path: "self", Args: []string{"provider", "part"}, Origin: Bundled, Log: "error"},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWrongSettingsAreSaidAtTheirPlace(t *testing.T) {
	t.Setenv(FoldersEnv, "")
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	for want, setting := range map[string]string{
		"log must be one of":              "{path: x, log: loud}",
		"call_timeout must be a number":   "{path: x, call_timeout: -1}",
		"start_timeout must be a number":  "{path: x, start_timeout: soon}",
		"env must be a map":               "{path: x, env: [A]}",
		"names of variables":              "{path: x, env: {A-B: c}}",
		`did you mean "call_timeout"`:     "{path: x, call_timout: 3}",
		"sha256 must have 64 hexadecimal": "{path: x, sha256: abc}",
		"must be a path, or a map":        "[x]",
	} {
		_, err := project(t, "plugins: {providers: {notes: "+setting+"}}\n")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hotloom.yaml:1:") {
			t.Errorf("%s: %v, want %q", setting, err, want)
		}
	}
	c, err := project(t, "plugins: {providers: {nowhere: {log: debug}}}\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Find(c, []Source{}); err == nil || !strings.Contains(err.Error(), "provider nowhere, which is nowhere") {
		t.Errorf("%v", err)
	}
}
