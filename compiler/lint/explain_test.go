package lint_test

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

var update = flag.Bool("update", false, "rewrite golden files and pages")

func runExample(t *testing.T, e lint.Example, on string) *lint.Report {
	t.Helper()
	opts := lint.Options{
		Given: true,
		Rules: map[string]lint.Level{},
		Files: source.NewFiles(source.FilesOptions{Read: func(p string) ([]byte, error) {
			if text, ok := e.Files[p]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}}),
	}
	if r := lint.RuleByID(on); r.Off {
		opts.Rules[on] = lint.Level(r.Severity.String())
	}
	if text := e.Files["profile.json"]; text != "" {
		var err error
		if opts.Catalog, err = catalog.ParseProfile([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if e.Env != "" {
		opts.Environments = []string{e.Env}
	}
	rep, err := lint.Run(context.Background(), []string{e.Main}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// marked are the places that an example says a finding must be at.
func marked(e lint.Example) map[string]bool {
	out := map[string]bool{}
	for _, name := range []string{e.Main, e.Env} {
		for i, line := range strings.Split(e.Files[name], "\n") {
			if strings.HasSuffix(line, "# here") {
				out[fmt.Sprintf("%s:%d", name, i+1)] = true
			}
		}
	}
	return out
}

// TestExamplesShowTheirRule runs the examples of all pages: the bad one has the finding, at the marked line where one is
// marked; the good one has neither the finding nor an error.
func TestExamplesShowTheirRule(t *testing.T) {
	t.Parallel()
	for _, r := range lint.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			_, examples := lint.Examples(r.ID)
			if len(examples) == 0 && !withoutExample[r.ID] {
				t.Fatal("the rule has no examples")
			}
			for _, e := range examples {
				rep := runExample(t, e, r.ID)
				places := map[string]bool{}
				severities := map[diag.Severity]bool{}
				for _, d := range rep.Diagnostics {
					if d.Rule == r.ID {
						places[fmt.Sprintf("%s:%d", d.Path, d.Start.Line)] = true
						severities[d.Severity] = true
					}
				}
				switch {
				case e.Name == "bad" && len(places) == 0:
					t.Errorf("the bad example has no finding:\n%s\n%v", e.Files[e.Main], rep.Diagnostics)
				case e.Name == "bad":
					for place := range marked(e) {
						if !places[place] {
							t.Errorf("no finding at %s, but at %v", place, places)
						}
					}
					if !severities[r.Severity] {
						t.Errorf("the findings have the severities %v, the rule has %s", severities, r.Severity)
					}
				case len(places) > 0 || rep.Diagnostics.HasErrors():
					t.Errorf("the good example has findings:\n%v", rep.Diagnostics)
				}
			}
		})
	}
}

// TestPagesAreCurrent compares docs/rules with the registry.
func TestPagesAreCurrent(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(moduleRoot(t), "docs", "rules")
	want := map[string]string{}
	var index strings.Builder
	index.WriteString("# Rules\n\nMade from the registry in compiler/lint; `go test ./compiler/lint -update` rewrites these pages.\n\n| rule | severity | finds |\n| --- | --- | --- |\n")
	for _, id := range lint.RuleIDs() {
		page, _ := lint.Explain(id)
		want[id+".md"] = page
		r := lint.RuleByID(id)
		fmt.Fprintf(&index, "| [%s](%s.md) | %s%s | %s |\n", id, id, r.Severity, map[bool]string{true: ", off"}[r.Off], r.Summary)
	}
	want["README.md"] = index.String()
	if *update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if _, ok := want[e.Name()]; ok {
			continue
		}
		if *update {
			os.Remove(filepath.Join(dir, e.Name()))
		} else {
			t.Errorf("%s is the page of no rule", e.Name())
		}
	}
	for name, page := range want {
		path := filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(page, string(got)); diff != "" {
			t.Errorf("%s (-want +got; run with -update):\n%s", name, diff)
		}
	}
}

func TestRegistryIsSound(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, r := range lint.Rules() {
		if r.ID == "" || r.Summary == "" || (r.Heat == "") == (r.Mistral == "") || !strings.HasSuffix(r.Summary, ".") {
			t.Errorf("%q lacks something", r.ID)
		}
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	if diff := cmp.Diff(slices.Compact(slices.Clone(ids)), ids); diff != "" {
		t.Errorf("an id is there twice:\n%s", diff)
	}
}

// TestEveryFindingHasARule looks for the ids of findings in the compiler's sources.
func TestEveryFindingHasARule(t *testing.T) {
	t.Parallel()
	made := regexp.MustCompile(`(?:diag\.(?:Errorf|Warnf|Infof)|l\.(?:warn|advise))\([^"\n]*, "([a-z0-9-]+)", ["\w]`)
	root := filepath.Join(moduleRoot(t), "compiler")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range made.FindAllSubmatch(text, -1) {
			if lint.RuleByID(string(m[1])) == nil {
				t.Errorf("%s: no rule %s", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutExample are rules that only need what an example cannot have: several environments, a whole tree of files, or
// hotloom's own compiler, whose packages test them.
var withoutExample = map[string]bool{
	"environment-merge": true, "dropped-parameter": true, "nested-too-deep": true, "file-circle": true, "function-value": true,
	"component-name": true, "component-type": true, "component-param-type": true, "conditional-read": true,
	"config": true, "file": true, "timeout": true, "script": true, "target": true, "create-only": true, "user-data-format": true, "too-many-dependencies": true, "nested-components": true, "workflow-duplicate": true, "workflow-handle": true, "workflow-params": true,
	"workflow-property": true, "workflow-reference": true,
}

func moduleRoot(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	tb.Fatal("no go.mod above the test")
	return ""
}
