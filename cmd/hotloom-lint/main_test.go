package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

const (
	good = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: inside}}\n"
	bad  = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nmae: inside}}\n"
	note = "heat_template_version: 2018-08-31\nresources:\n  note: {type: Notes::Note, properties: {text: remember}}\n"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// alone: the command-line library has its flags for help and version in variables, and writes to them in each run.
var alone sync.Mutex

// lint runs the program and gives its exit code and what it prints.
func lint(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	alone.Lock()
	defer alone.Unlock()
	var out, complaints bytes.Buffer
	code = run(t.Context(), append([]string{"hotloom-lint"}, args...), strings.NewReader(""), &out, &complaints)
	return code, out.String(), complaints.String()
}

func TestSaysWhatLintSays(t *testing.T) {
	t.Parallel()
	wrong := file(t, "bad.yaml", bad)
	for _, c := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string // parts
	}{
		{"good", []string{file(t, "good.yaml", good)}, command.ExitOK, "no findings", ""},
		{"bad", []string{wrong}, command.ExitInput, wrong + ":3:46: error: ", ""},
		{"flags behind the path", []string{wrong, "--format", "json"}, command.ExitInput, `"rule":"unknown-property"`, ""},
		{"a rule of the command line", []string{"--rule", "unknown-property=off", wrong}, command.ExitOK, "no findings", ""},
		{"a rule's page", []string{"--explain", "unknown-property"}, command.ExitOK, "unknown-property", ""},
		{"help", []string{"--help"}, command.ExitOK, "hotloom-lint --explain property-type", ""},
		{"version", []string{"--version"}, command.ExitOK, "hotloom-lint version ", ""},
		{"no path", nil, command.ExitUsage, "", "no PATH given (hotloom-lint --help explains)"},
		{"no such flag", []string{"--nothing", wrong}, command.ExitUsage, "", "hotloom-lint --help explains"},
		{"no such format", []string{"--format", "yaml", wrong}, command.ExitUsage, "", "--format takes one of"},
		{"no such file", []string{filepath.Join(t.TempDir(), "none.yaml")}, command.ExitEnvironment, "", "none.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := lint(t, c.args...)
			if code != c.code || !strings.Contains(strings.ReplaceAll(stdout, `": "`, `":"`), c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("exit code %d, want %d; want %q and %q in\n%s%s", code, c.code, c.stdout, c.stderr, stdout, stderr)
			}
		})
	}
}

// TestKnowsTypesOfProviders checks against what hotloom has kept of the project's providers. None is started.
func TestKnowsTypesOfProviders(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv(discover.FoldersEnv, folder)
	program, template := filepath.Join(folder, discover.Prefix+"notes"), file(t, "note.yaml", note)
	if err := os.WriteFile(program, []byte("no program"), 0o700); err != nil { //nolint:gosec // providers are found by this bit
		t.Fatal(err)
	}
	code, stdout, stderr := lint(t, template)
	if code != command.ExitInput || !strings.Contains(stderr, "hotloom plugins verify notes") {
		t.Errorf("exit code %d; want the type unknown and the way out told:\n%s%s", code, stdout, stderr)
	}
	source := discover.Source{Name: "notes", Path: program}
	if err := source.Remember(&resources.Description{Name: "notes", Types: map[string]*catalog.Type{
		"Notes::Note": {Name: "Notes::Note", Properties: map[string]*catalog.Property{"text": {Type: catalog.String}}},
	}}); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := lint(t, template); code != command.ExitOK {
		t.Errorf("exit code %d; want the provider's type known:\n%s%s", code, stdout, stderr)
	}
}

// TestServesEditors: an editor whose messages are all there from the start.
func TestServesEditors(t *testing.T) {
	t.Parallel()
	var in, out, complaints bytes.Buffer
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	alone.Lock()
	code := run(t.Context(), []string{"hotloom-lint", "--lsp", "--stdio"}, &in, &out, &complaints)
	alone.Unlock()
	if code != command.ExitOK || !strings.Contains(out.String(), "completionProvider") {
		t.Errorf("exit code %d\n%s%s", code, out.String(), complaints.String())
	}
	if code, _, stderr := lint(t, "--lsp", "t.yaml"); code != command.ExitUsage || !strings.Contains(stderr, "takes no arguments") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}
