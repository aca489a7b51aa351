package weave_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// TestPublicTemplatesHaveNothingToWeave: in plain HOT there is nothing that weave could have an opinion about, and every
// resource is in the graph.
func TestPublicTemplatesHaveNothingToWeave(t *testing.T) {
	t.Parallel()
	corpus := filepath.Join("..", "..", "..", "shared", "corpus")
	f, err := os.Open(filepath.Join(corpus, "jobs.jsonl"))
	if err != nil {
		t.Skip("no public templates beside the project")
	}
	defer f.Close()
	templates := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var job struct{ Path string }
		if err := json.Unmarshal(lines.Bytes(), &job); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(corpus, job.Path))
		if err != nil {
			continue
		}
		root, _ := source.Parse(job.Path, text)
		template, _ := hot.LoadTemplate(root)
		p, found := weave.Weave(template, weave.Options{Types: []weave.Types{weave.Library()}})
		if len(found) > 0 || len(p.Hosts) > 0 || len(p.Reads) > 0 {
			t.Errorf("%s: %d hosts, %d reads\n%s", job.Path, len(p.Hosts), len(p.Reads), findings(found))
		}
		if p.Graph.Len() != len(template.Resources) {
			t.Errorf("%s: %d nodes for %d resources", job.Path, p.Graph.Len(), len(template.Resources))
		}
		templates++
	}
	if templates < 100 {
		t.Errorf("only %d templates were read", templates)
	}
}
