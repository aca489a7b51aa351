package main

import (
	"path/filepath"
	"testing"

	"github.com/hotloom/hotloom/plugins/sdk"
	"github.com/hotloom/hotloom/plugins/sdk/conformance"
)

func TestConformance(t *testing.T) {
	dir := t.TempDir()
	conformance.Test(t, provider, conformance.Example{
		Type:       "Example::Note",
		Properties: sdk.Values{"path": filepath.Join(dir, "note"), "text": "one", "seal": "a-secret-seal"},
		Update:     sdk.Values{"path": filepath.Join(dir, "note"), "text": "two", "seal": "a-secret-seal"},
	}, conformance.Example{
		Action: "notes.read", Properties: sdk.Values{"path": "main.go", "most": int64(1)},
	}, conformance.Example{
		Action: "notes.await", Properties: sdk.Values{"path": "main.go"},
	})
}
