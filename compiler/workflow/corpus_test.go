package workflow

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/source"
)

// corpusFolder is the folder of public documents with the real Mistral's verdicts, beside the project; "" where it is
// not.
func corpusFolder() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(filepath.Dir(dir), "shared", "corpus-mistral")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

func corpus(t testing.TB) string {
	t.Helper()
	root := corpusFolder()
	if root == "" {
		t.Skip("no corpus at ../shared/corpus-mistral")
	}
	return root
}

type verdict struct {
	Path, Kind, Verdict, Message, Mutation string
	ErrorClass                             string `json:"error_class"`
}

func verdicts(t testing.TB, file string) []verdict {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []verdict
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func kindOf(name string) Kind {
	for k, n := range kindNames {
		if n == name {
			return Kind(k)
		}
	}
	return Auto
}

// TestMistralsVerdicts compares what is refused here with what Mistral's own validator refuses. A text over which
// Mistral dies counts as refused.
func TestMistralsVerdicts(t *testing.T) {
	t.Parallel()
	root := corpus(t)
	for _, set := range []string{".", "mutants"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			list := verdicts(t, filepath.Join(root, set, "verdicts.jsonl"))
			wrong := 0
			for _, v := range list {
				text, err := os.ReadFile(filepath.Join(root, set, v.Path))
				if err != nil {
					t.Fatal(err)
				}
				file := &source.File{Path: v.Path, Text: text}
				_, findings := Parse(file, kindOf(v.Kind))
				if got, want := findings.HasErrors(), v.Verdict != "valid"; got != want {
					wrong++
					t.Logf("%s (%s): refused %v, Mistral says %s %s\n\t%s\n\t%s", v.Path, v.Mutation, got, v.Verdict, v.ErrorClass, strings.ReplaceAll(v.Message, "\n", "\n\t"), findings)
				}
				doc, _ := Parse(file, Auto)
				if set == "." && doc.Kind.String() != v.Kind {
					t.Logf("%s: taken for a %s, is a %s", v.Path, doc.Kind, v.Kind)
				}
			}
			t.Logf("%d of %d verdicts agree", len(list)-wrong, len(list))
			if wrong*200 > len(list) {
				t.Errorf("%d of %d verdicts differ", wrong, len(list))
			}
		})
	}
}
