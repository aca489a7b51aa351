package emit_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// TestPlainTemplatesStayAsTheyAre emits every template of the public corpus that Heat finds valid and compares the
// values. Names of files outside of the template's folder change, as they have to.
func TestPlainTemplatesStayAsTheyAre(t *testing.T) {
	t.Parallel()
	corpus := "../../../shared/corpus"
	verdicts, err := os.Open(filepath.Join(corpus, "verdicts.jsonl"))
	if err != nil {
		t.Skip("the corpus is not here")
	}
	defer verdicts.Close()
	done := map[string]bool{}
	lines := bufio.NewScanner(verdicts)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct{ Path, Verdict string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Verdict != "valid" || done[row.Path] {
			continue
		}
		done[row.Path] = true
		text, err := os.ReadFile(filepath.Join(corpus, row.Path))
		if err != nil {
			t.Fatal(err)
		}
		root, found := source.Parse(path.Base(row.Path), text)
		if found.HasErrors() {
			t.Errorf("%s: %v", row.Path, found)
			continue
		}
		template, _ := hot.LoadTemplate(root)
		p, _ := weave.Weave(template, weave.Options{})
		for _, target := range emit.Targets[len(done)%len(emit.Targets):][:1] { // they share what matters here
			out, found := target.Emit(p, plain.Options{Open: opener(filepath.Dir(filepath.Join(corpus, row.Path)))})
			if found.HasErrors() {
				t.Errorf("%s: %v", row.Path, found)
			}
			again, found := source.Parse(plain.StackFile, out.File(plain.StackFile).Text)
			if found.HasErrors() || !source.Equal(withoutOutside(root), withoutOutside(again)) {
				t.Errorf("%s: %s emits other values %v", row.Path, target.Name(), found)
			}
		}
	}
	t.Logf("%d templates", len(done))
	if len(done) < 1000 {
		t.Errorf("only %d templates", len(done))
	}
}

// withoutOutside takes out names of files that lead out of the template's folder, before and after.
func withoutOutside(n *source.Node) *source.Node {
	return n.Rewrite(func(m *source.Node) *source.Node {
		for _, prefix := range []string{"../", "./../", "/", "outside/"} {
			if m.Is(source.String) && strings.HasPrefix(m.Text, prefix) {
				return source.NewNull(m)
			}
		}
		return m
	})
}
