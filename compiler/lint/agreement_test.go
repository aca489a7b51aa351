package lint_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// verdict is what Heat said at one level.
type verdict struct {
	Verdict       string `json:"verdict"`
	Message       string `json:"message"`
	Cause         string `json:"cause"`
	Offline       bool   `json:"offline"`
	FillSensitive bool   `json:"fill_sensitive"`
}

// row is one line of the recorded verdicts.
type row struct {
	verdict
	Path         string   `json:"path"`
	Kind         string   `json:"kind"`
	Base         string   `json:"base"`
	Environments []string `json:"environments"`
	Strict       *verdict `json:"strict"`
	Create       *verdict `json:"create"`
}

// at is the verdict of a level; a template that an earlier step refuses has no later ones.
func (r row) at(level *verdict) verdict {
	if level == nil {
		return r.verdict
	}
	return *level
}

// comparable reports whether the row's answer depends on the template alone: not on a network, nor on the values that
// were made up for its parameters.
func (r row) comparable() bool {
	s := r.at(r.Strict)
	return !r.Offline && !s.Offline && r.Cause != "URLError" && s.Cause != "URLError" && !s.FillSensitive
}

// sharedFolder is a folder of recorded data beside the project, or the test is skipped.
func sharedFolder(tb testing.TB, name string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			folder := filepath.Join(dir, "..", "shared", name)
			if _, err := os.Stat(folder); err == nil {
				return folder
			}
			break
		}
	}
	tb.Skip("no recorded data beside the project")
	return ""
}

// foreign reports whether Heat lacks a type that the template names.
func (r row) foreign() bool {
	return strings.Contains(r.at(r.Strict).Message+r.at(r.Create).Message, "The Resource Type (")
}

func readRows(tb testing.TB, path string) []row {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var rows []row
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var r row
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func check(tb testing.TB, root string, r row) *lint.Report {
	tb.Helper()
	rep, err := lint.Run(context.Background(), []string{r.Path}, lint.Options{
		Environments: r.Environments, Jobs: 1, Given: true,
		Files: source.NewFiles(source.FilesOptions{Read: func(p string) ([]byte, error) { return os.ReadFile(filepath.Join(root, p)) }}),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return rep
}

func firstErrors(rep *lint.Report) string {
	var out []string
	for _, d := range rep.Diagnostics {
		if d.Severity == diag.Error && len(out) < 4 {
			out = append(out, d.String())
		}
	}
	return strings.Join(out, "\n        ")
}

// TestAgreesWithHeat compares with what the real Heat said of real templates and of broken ones.
func TestAgreesWithHeat(t *testing.T) {
	t.Parallel()
	root := sharedFolder(t, "corpus")
	for _, set := range []struct {
		name, file, dir string
		foreign         bool // types may be those of other projects, which count neither way
	}{{"corpus", "verdicts.jsonl", ".", true}, {"mutants", "mutants/verdicts.jsonl", "mutants", false}} {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			same, compared, beyond := 0, 0, 0
			for _, r := range readRows(t, filepath.Join(root, set.file)) {
				if !r.comparable() || set.foreign && r.foreign() {
					continue
				}
				compared++
				rep := check(t, filepath.Join(root, set.dir), r)
				valid := rep.Files[0].Valid
				strict, create := r.at(r.Strict), r.at(r.Create)
				switch {
				case valid == (strict.Verdict == "valid"):
					same++
				case !valid && create.Verdict == "invalid":
					beyond++
					t.Logf("CREATE %s: Heat at create: %s\n        %s", r.Path, create.Message, firstErrors(rep))
				case !valid:
					t.Errorf("FALSE %s %v:\n        %s", r.Path, r.Environments, firstErrors(rep))
				default:
					t.Logf("MISS %s %v [%s]: %s", r.Path, r.Environments, r.Kind, strict.Message)
				}
			}
			t.Logf("%d of %d rows agree with the strict verdict (%.2f %%); %d more are refused at create only",
				same, compared, 100*float64(same)/float64(compared), beyond)
			if float64(same) < 0.99*float64(compared) {
				t.Errorf("less than 99 %% agree")
			}
		})
	}
}
