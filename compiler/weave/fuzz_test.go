package weave_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// FuzzWeave weaves any text: no panic, and a program that holds together even where the template does not.
func FuzzWeave(f *testing.F) {
	for _, pattern := range []string{"testdata/programs/*/source.yaml", "testdata/mistakes/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, _ := source.Parse("t.yaml", text)
		template, _ := hot.LoadTemplate(root)
		p, _ := weave.Weave(template, weave.Options{Types: []weave.Types{weave.Library()}})
		ordered := 0
		for _, h := range p.Hosts {
			ordered += len(h.Order)
			for _, c := range h.Components {
				for _, s := range c.Steps {
					if p.Step(s.ID) == nil {
						t.Errorf("step %q is not in the program", s.ID)
					}
				}
			}
		}
		steps := 0
		for n := range p.Graph.Nodes() {
			if n.Kind == graph.Step && n.Action == "CREATE" {
				steps++
			}
		}
		if steps != ordered {
			t.Errorf("%d CREATE steps in the graph, %d in the hosts' orders", steps, ordered)
		}
		for _, r := range p.Reads {
			if r.Component == nil || r.Node == nil || r.Output == "" {
				t.Errorf("read %+v is not complete", r)
			}
		}
	})
}
