package graph_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/graph"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestRenderings(t *testing.T) {
	t.Parallel()
	for name, render := range map[string]func(*graph.Graph, io.Writer) error{
		"sample.txt": (*graph.Graph).Text,
		"sample.mmd": (*graph.Graph).Mermaid,
		"sample.dot": (*graph.Graph).DOT,
		"sample.json": func(g *graph.Graph, w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", " ")
			return e.Encode(g)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := render(sample(), &out); err != nil {
				t.Fatal(err)
			}
			golden(t, name, out.Bytes())
		})
	}
}

func TestJSONSurvivesTheWayBack(t *testing.T) {
	t.Parallel()
	first, err := json.Marshal(sample())
	if err != nil {
		t.Fatal(err)
	}
	var g graph.Graph
	if err := json.Unmarshal(first, &g); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(&g)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(first), string(second)); diff != "" {
		t.Error(diff)
	}
}

func TestJSONThatIsNoGraphIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{`:             "unexpected end",
		`{"version":2}`: "version 2",
		`{"version":1,"nodes":[{"id":"a"},{"id":"a"}]}`:                                                       `node "a"`,
		`{"version":1,"nodes":[{"id":"a"}],"edges":[{"from":"a","to":"b"}]}`:                                  `edge "a" to "b"`,
		`{"version":1,"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"from":"a","to":"b"},{"from":"a","to":"b"}]}`: `repeated`,
	} {
		var g graph.Graph
		if err := json.Unmarshal([]byte(text), &g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want mention of %q", text, err, want)
		}
	}
}

func TestTextAndMermaidKeepHostileNamesHarmless(t *testing.T) {
	t.Parallel()
	g := &graph.Graph{}
	g.Add(graph.Node{ID: "a\x1b[2J\"]", Kind: graph.Resource, Type: "x\ny"})
	g.Add(graph.Node{ID: "b<script>", Kind: graph.Resource, Type: "t"})
	g.Connect(graph.Edge{From: "a\x1b[2J\"]", To: "b<script>", Reason: graph.Reads, Detail: "|o\"\x07"})
	var text, mermaid bytes.Buffer
	if err := g.Text(&text); err != nil {
		t.Fatal(err)
	}
	if err := g.Mermaid(&mermaid); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text.String()+mermaid.String(), "\x1b\x07") {
		t.Error("control characters are written out")
	}
	if strings.Count(text.String(), "\n") != 3 {
		t.Errorf("a line break in a name breaks the tree:\n%s", text.String())
	}
	if strings.Contains(mermaid.String(), "<script>") || strings.Contains(mermaid.String(), `""`) {
		t.Errorf("names are not escaped:\n%s", mermaid.String())
	}
}
