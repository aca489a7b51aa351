package source

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// corpusFolder finds the templates whose verdicts of a real Heat are known, beside the project; the test is skipped
// where they are not.
func corpusFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	corpus := filepath.Join(filepath.Dir(dir), "shared", "corpus")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus beside the project")
	}
	return corpus
}

func TestEveryTemplateThatHeatReadsIsRead(t *testing.T) {
	t.Parallel()
	corpus := corpusFolder(t)
	read, refused := 0, 0
	for _, folder := range []string{".", "mutants"} {
		file, err := os.Open(filepath.Join(corpus, folder, "verdicts.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		for lines.Buffer(nil, 1<<24); lines.Scan(); {
			var row struct{ Path, Verdict, Stage, Phase string }
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(corpus, folder, row.Path))
			if err != nil {
				continue
			}
			n, findings := Parse(row.Path, text)
			switch {
			case row.Stage != "yaml" && findings.HasErrors() && row.Verdict == "valid":
				t.Errorf("%s: Heat finds it valid: %v", row.Path, findings)
			case row.Stage == "yaml" && !findings.HasErrors() && n.Is(Map) && len(text) > 0: // heatclient takes an empty file for a missing one
				t.Errorf("%s: Heat cannot read it", row.Path)
			case findings.HasErrors():
				refused++
			default:
				read++
				if raced && read%20 != 0 {
					continue
				}
				for _, again := range [][]byte{Encode(n), EncodeJSON(n)} {
					if m, findings := Parse(row.Path, again); findings.HasErrors() || !Equal(m, n) && isJSONTree(n) {
						t.Errorf("%s: written and read again it differs: %v", row.Path, findings)
					}
				}
			}
		}
	}
	t.Logf("%d read, %d refused", read, refused)
	if read < 2500 {
		t.Errorf("only %d templates were read", read)
	}
}

// isJSONTree reports whether JSON can hold the tree: keys are text, and there are neither sets nor bytes.
func isJSONTree(n *Node) bool {
	ok := true
	n.Walk(func(n *Node) bool {
		for _, p := range n.Pairs {
			ok = ok && p.Key.Kind == String
		}
		ok = ok && n.Kind != Set && n.Kind != Bytes
		return ok
	})
	return ok
}
