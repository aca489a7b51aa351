package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hotloom/hotloom/plugins/sdk"
	"github.com/hotloom/hotloom/plugins/sdk/conformance"
)

func examples(t *testing.T) []conformance.Example {
	dir := t.TempDir()
	return []conformance.Example{{
		Type:       "Example::Note",
		Properties: sdk.Values{"path": filepath.Join(dir, "note"), "text": "one", "seal": "a-secret-seal"},
		Update:     sdk.Values{"path": filepath.Join(dir, "note"), "text": "two", "seal": "a-secret-seal"},
		Left: func(t *testing.T) []string {
			files, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil {
				t.Fatal(err)
			}
			return files
		},
	}, {
		Action: "notes.read", Properties: sdk.Values{"path": "main.go", "most": int64(1)},
	}, {
		Action: "notes.await", Properties: sdk.Values{"path": "main.go"},
	}}
}

func TestConformance(t *testing.T) { conformance.Test(t, provider, examples(t)...) }

// TestConformanceOfTheProgram tests what is built, as a process that is killed in each phase of its work.
func TestConformanceOfTheProgram(t *testing.T) {
	built := filepath.Join(t.TempDir(), "hotloom-provider-notes")
	if out, err := exec.Command("go", "build", "-o", built, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	conformance.TestProvider(t, conformance.Program(built), examples(t)...)
}
