package workflow

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hotloom/hotloom/compiler/source"
)

// TestPrintKeepsMeaning prints what Mistral takes and reads it again.
func TestPrintKeepsMeaning(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/lint/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if root := corpusFolder(); root != "" {
		for _, v := range verdicts(t, filepath.Join(root, "verdicts.jsonl")) {
			if v.Verdict == "valid" {
				files = append(files, filepath.Join(root, v.Path))
			}
		}
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, findings := Parse(&source.File{Path: path, Text: text}, Auto)
		if findings.HasErrors() {
			continue // of another kind than it looks
		}
		again, findings := Parse(&source.File{Path: path, Text: Print(doc)}, doc.Kind)
		if findings.HasErrors() || !source.Equal(doc.Node, again.Node) {
			t.Errorf("%s: printed with another meaning: %v\n%s", path, findings, Print(doc))
		}
	}
}
