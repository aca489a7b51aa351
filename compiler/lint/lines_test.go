package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// lines is a part of a file, both ends included.
type lines struct{ from, to int }

// changes compares a mutant's tree with its parent's and gives the parts of the mutant's text that are new or other. Of
// what was taken out it gives the first lines of the map or list that had it, and the key that this stands under.
func changes(was, is, key *source.Node) []lines {
	here := lines{is.Start.Line, is.End.Line}
	if key != nil {
		here.from = key.Start.Line
	}
	head := lines{here.from, max(here.from, is.Start.Line)}
	switch {
	case was.Kind != is.Kind:
		return []lines{here}
	case is.Kind == source.Map:
		var out []lines
		for _, p := range is.Pairs {
			if old := was.Pair(p.Key.Text); old == nil {
				out = append(out, lines{p.Key.Start.Line, p.Value.End.Line})
			} else {
				out = append(out, changes(old.Value, p.Value, p.Key)...)
			}
		}
		for _, p := range was.Pairs {
			if is.Pair(p.Key.Text) == nil {
				out = append(out, head)
			}
		}
		return out
	case is.Kind == source.List:
		var out []lines
		for i, item := range is.Items {
			if i < len(was.Items) {
				out = append(out, changes(was.Items[i], item, nil)...)
			} else {
				out = append(out, lines{item.Start.Line, item.End.Line})
			}
		}
		if len(was.Items) > len(is.Items) {
			out = append(out, head)
		}
		return out
	case was.Text != is.Text:
		return []lines{here}
	}
	return nil
}

// TestErrorsStandAtTheMutation compares where errors are with what was changed in a template that was valid.
func TestErrorsStandAtTheMutation(t *testing.T) {
	t.Parallel()
	root := sharedFolder(t, "corpus")
	parse := func(path string) *source.Node {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		tree, found := source.ParseFile(&source.File{Path: path, Text: text}, source.Options{Reader: source.YAML})
		if found.HasErrors() {
			return nil
		}
		return tree
	}
	at, compared := 0, 0
	for _, r := range readRows(t, filepath.Join(root, "mutants", "verdicts.jsonl")) {
		if r.at(r.Strict).Verdict == "valid" || len(r.Environments) > 0 || strings.HasPrefix(r.Kind, "yaml_") {
			continue
		}
		was, is := parse(filepath.Join(root, r.Base)), parse(filepath.Join(root, "mutants", r.Path))
		if was == nil || is == nil {
			continue
		}
		parts := changes(was, is, nil)
		if len(parts) == 0 {
			continue // a duplicate key, or another spelling
		}
		var places []string
		hit := false
		for _, d := range check(t, filepath.Join(root, "mutants"), r).Diagnostics {
			if d.Severity != diag.Error {
				continue
			}
			places = append(places, d.String())
			hit = hit || slices.ContainsFunc(parts, func(l lines) bool { return l.from <= d.Start.Line && d.Start.Line <= l.to })
		}
		if len(places) == 0 {
			continue // the test of agreement counts it
		}
		compared++
		if hit {
			at++
		} else {
			t.Logf("%s [%s] changed %v, errors at\n        %s", r.Path, r.Kind, parts, strings.Join(places, "\n        "))
		}
	}
	t.Logf("%d of %d mutants have an error at the line of the mutation (%.2f %%)", at, compared, 100*float64(at)/float64(compared))
	if float64(at) < 0.95*float64(compared) {
		t.Error("less than 95 %")
	}
}
