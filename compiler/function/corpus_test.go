package function_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

type verdict struct {
	Verdict string `json:"verdict"`
	Stage   string `json:"stage"`
	Message string `json:"message"`
}

type row struct {
	verdict
	Path         string   `json:"path"`
	Environments []string `json:"environments"`
	Strict       verdict  `json:"strict"`
	Create       verdict  `json:"create"`
}

// corpusRoot is the folder of recorded verdicts beside the project, or "" where it is absent.
func corpusRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root := filepath.Join(dir, "..", "shared", "corpus")
			if _, err := os.Stat(root); err == nil {
				return root
			}
			break
		}
	}
	t.Skip("no recorded verdicts beside the project")
	return ""
}

func readRows(t *testing.T, path string) []row {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []row
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var r row
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func checkFile(t *testing.T, root string, r row) diag.List {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, r.Path))
	if err != nil {
		t.Fatal(err)
	}
	node, found := source.Parse(r.Path, text)
	if found.HasErrors() {
		return found
	}
	tmpl, more := hot.LoadTemplate(node)
	found.Add(more...)
	var envs []*hot.Environment
	for _, path := range r.Environments {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		n, more := source.ParseFile(&source.File{Path: path, Text: text}, source.Options{Reader: source.YAML})
		found.Add(more...)
		env, more := hot.LoadEnvironment(n)
		found.Add(more...)
		envs = append(envs, env)
	}
	var env *hot.Environment
	if len(envs) > 0 {
		env, more = hot.MergeEnvironments(envs, tmpl.Parameter)
		found.Add(more...)
	}
	nesting := &hot.Nesting{
		Known: catalog.Default().Knows,
		Open: func(name *source.Node) (*source.Node, diag.List) {
			path := filepath.Join(filepath.Dir(name.File.Path), name.Text)
			text, err := os.ReadFile(filepath.Join(root, path))
			if err != nil {
				return nil, nil // lint reports what is missing
			}
			return source.Parse(path, text)
		},
	}
	stack, nested := nesting.Load(tmpl, env)
	for _, d := range nested {
		if d.Rule == "registry-loop" { // other faults of nested templates show when a stack is created
			found.Add(d)
		}
	}
	params, more := tmpl.Resolve(env)
	found.Add(more...)
	found.Add(function.ForStack(stack, params, catalog.Default()).Check()...)
	return found
}

// createOnly are the rules of this package and of hot that Heat applies when a stack is created, not at
// template-validate.
var createOnly = map[string]bool{"unknown-parameter": true, "parameter-value": true}

// TestRecordedVerdicts holds the findings against what Heat said of real templates and of broken ones: at the stages
// that are about structure and functions nearly every refused template has an error, and no accepted one has.
func TestRecordedVerdicts(t *testing.T) {
	t.Parallel()
	root := corpusRoot(t)
	const least = 0.99
	for _, set := range []struct{ file, dir string }{{"verdicts.jsonl", "."}, {"mutants/verdicts.jsonl", "mutants"}} {
		found, refused := map[string]int{}, map[string]int{}
		for _, r := range readRows(t, filepath.Join(root, set.file)) {
			list := checkFile(t, filepath.Join(root, set.dir), r)
			if r.Verdict == "valid" {
				for _, d := range list {
					if d.Severity == diag.Error && (!createOnly[d.Rule] || r.Strict.Verdict == "valid" && r.Create.Verdict == "valid") {
						t.Errorf("%s: Heat accepts it, but: %s", r.Path, d)
					}
				}
				continue
			}
			refused[r.Stage]++
			if list.HasErrors() {
				found[r.Stage]++
			}
		}
		for _, stage := range []string{"yaml", "version", "structure", "parameters", "environment", "conditions", "functions", "outputs"} {
			if float64(found[stage]) < least*float64(refused[stage]) {
				t.Errorf("%s: of %d templates refused for %s only %d have an error", set.file, refused[stage], stage, found[stage])
			}
		}
		t.Logf("%s: errors in %v of %v", set.file, found, refused)
	}
}
