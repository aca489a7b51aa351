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

// executable makes a provider's file in a folder.
func executable(t *testing.T, dir, name string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(dir+name), mode); err != nil {
		t.Fatal(err)
	}
}

// TestWhatComesFirstCounts: the configuration, its folders, the variable's folders in order, the user's own, the bundled.
func TestWhatComesFirstCounts(t *testing.T) {
	first, second, own := t.TempDir(), t.TempDir(), t.TempDir()
	users := filepath.Join(own, "hotloom", "providers")
	t.Setenv(FoldersEnv, first+string(filepath.ListSeparator)+second)
	t.Setenv("XDG_DATA_HOME", own)
	for _, name := range []string{"named", "folder", "first"} {
		executable(t, first, Prefix+name, 0o700)
	}
	for _, name := range []string{"named", "folder", "first", "second"} {
		executable(t, second, Prefix+name, 0o700)
	}
	for _, name := range []string{"named", "folder", "first", "second", "own"} {
		executable(t, users, Prefix+name, 0o700)
	}
	executable(t, second, Prefix+"not-executable", 0o600)
	executable(t, second, Prefix+"Not_A_Name", 0o700)
	executable(t, second, "something-else", 0o700)
	if err := os.Mkdir(filepath.Join(second, Prefix+"directory"), 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := project(t, "plugins: {folders: [more], providers: {named: bin/named}}\n", "more/"+Prefix+"folder", "more/"+Prefix+"named", "bin/named")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Find(c, []Source{{Name: "bundled", Path: "self"}, {Name: "own", Path: "self"}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range all {
		got[s.Name] = s.Origin
	}
	want := map[string]string{
		"named": c.Path, "folder": filepath.Join(filepath.Dir(c.Path), "more"), "first": first, "second": second, "own": users, "bundled": Bundled,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	t.Setenv(FoldersEnv, filepath.Join(first, "absent"))
	if _, err := Find(nil, nil); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a folder that the variable names is not there: %v", err)
	}
}

// TestPinnedProjectsRunWhatTheyPin: what has no checksum is left out and said, except for what is part of hotloom.
func TestPinnedProjectsRunWhatTheyPin(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(FoldersEnv, folder)
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	executable(t, folder, Prefix+"stray", 0o700)
	executable(t, folder, Prefix+"good", 0o700)
	sum, err := Source{Path: filepath.Join(folder, Prefix+"good")}.Checksum()
	if err != nil {
		t.Fatal(err)
	}
	c, err := project(t, "plugins: {pinned: true, providers: {good: {sha256: "+strings.ToUpper(sum)+"}}}\n")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Find(c, []Source{{Name: "part", Path: "self"}})
	if err == nil || !strings.Contains(err.Error(), "provider stray") || !strings.Contains(err.Error(), "is not pinned") {
		t.Errorf("%v, want that stray is not pinned", err)
	}
	if len(all) != 2 || all[0].Name != "good" || all[0].SHA256 != sum || all[1].Name != "part" {
		t.Errorf("found %+v", all)
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
