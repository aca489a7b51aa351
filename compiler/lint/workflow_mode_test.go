package lint_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/lint"
)

// TestNamedWorkflowsAreWorkflows checks files as documents of Mistral that do not look like ones, and leaves out what a
// folder has besides.
func TestNamedWorkflowsAreWorkflows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"broken.yaml":   "flow: [\n",
		"book.yaml":     "version: 3\nname: book\nworkflows: {}\n",
		"template.yaml": "heat_template_version: 2018-08-31\nresources: {a: {type: OS::Heat::None}}\n",
		"ok.yaml":       "version: '2.0'\nflow:\n  tasks:\n    t: {action: ironic.nodes_list}   # hotloom: ignore=workflow-misspelt-action\n",
		"slip.yaml":     "version: '2.0'\nflow:\n  tasks:\n    t: {action: ironic.nodes_list}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path string
		want map[string]lint.File // by name
	}{
		{"broken.yaml", map[string]lint.File{"broken.yaml": {Kind: lint.KindWorkflow}}},
		{"book.yaml", map[string]lint.File{"book.yaml": {Kind: lint.KindWorkbook}}},
		{"template.yaml", map[string]lint.File{"template.yaml": {Kind: lint.KindWorkflow}}},
		{".", map[string]lint.File{"ok.yaml": {Kind: lint.KindWorkflow, Valid: true}, "slip.yaml": {Kind: lint.KindWorkflow}}},
	} {
		r, err := lint.Run(t.Context(), []string{filepath.Join(dir, c.path)}, lint.Options{Workflows: true})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]lint.File{}
		for _, f := range r.Files {
			got[filepath.Base(f.Path)] = lint.File{Kind: f.Kind, Valid: f.Valid}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, d)
		}
	}
}
