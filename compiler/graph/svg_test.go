package graph_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/graph"
)

func svg(t *testing.T, g *graph.Graph) string {
	t.Helper()
	var out bytes.Buffer
	if err := g.SVG(&out); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(out.Bytes())); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, out.String())
		}
	}
	return out.String()
}

func TestSVGNamesEveryNode(t *testing.T) {
	t.Parallel()
	picture := svg(t, sample())
	for _, word := range []string{
		"network", "OS::Nova::Server", "web ×3", "CREATE DELETE", "wordpress", "reads socket", "workflow deploy_webapp", "handle",
	} {
		if !strings.Contains(picture, word) {
			t.Errorf("picture lacks %q", word)
		}
	}
}

func TestSVGOfHostileNamesIsWellFormed(t *testing.T) {
	t.Parallel()
	g := &graph.Graph{}
	g.Add(graph.Node{ID: `a"]; <b> & \N \`, Kind: graph.Resource, Type: "line\nbreak\x1b[31m"})
	g.Add(graph.Node{ID: "größe → 大", Kind: graph.Workflow, Type: "</text><script>"})
	g.Connect(graph.Edge{From: `a"]; <b> & \N \`, To: "größe → 大", Reason: graph.Reads, Detail: `x" -> y [<`})
	if picture := svg(t, g); strings.Contains(picture, "<script") || !strings.Contains(picture, "größe → 大") {
		t.Errorf("names are not escaped:\n%s", picture)
	}
}

func TestSVGOfLargeGraphShowsHostsWithoutSteps(t *testing.T) {
	t.Parallel()
	for _, hosts := range []int{50, 2000} {
		picture := svg(t, fleet(hosts, 10))
		if !strings.Contains(picture, fmt.Sprintf(">host%d<", hosts-1)) || strings.Contains(picture, ">step9<") {
			t.Errorf("%d hosts: want hosts and no steps", hosts)
		}
		if !strings.Contains(picture, "without their steps") {
			t.Errorf("%d hosts: nothing says that steps are left out", hosts)
		}
	}
}

func TestSVGNeedsNothingFromOutside(t *testing.T) {
	t.Parallel()
	picture := svg(t, sample())
	for _, word := range []string{"<script", "href", "url(", "@import"} {
		if strings.Contains(picture, word) {
			t.Errorf("the picture has %q", word)
		}
	}
}

func TestSVGTellsReasonsInTooltips(t *testing.T) {
	t.Parallel()
	picture := svg(t, sample())
	for _, title := range []string{
		"web.wordpress waits for db.mysql: reads socket · stack.yaml:109:3",
		"handle waits for web.agent: signals · stack.yaml:113:3",
		"web ×3 · OS::Heat::ResourceGroup · stack.yaml:3:3",
	} {
		if !strings.Contains(picture, "<title>"+title+"</title>") {
			t.Errorf("no tooltip %q", title)
		}
	}
}

// fleet has hosts whose steps wait for the one before, and whose first step waits for the last of the host before.
func fleet(hosts, steps int) *graph.Graph {
	g := &graph.Graph{}
	for h := range hosts {
		host := fmt.Sprintf("host%d", h)
		g.Add(graph.Node{ID: host, Kind: graph.Resource, Type: "OS::Nova::Server"})
		for s := range steps {
			id := fmt.Sprintf("%s.step%d", host, s)
			g.Add(graph.Node{ID: id, Kind: graph.Step, Type: "script", Host: host, Action: "CREATE"})
			g.Connect(graph.Edge{From: host, To: id, Reason: graph.HostedOn})
			if s > 0 {
				g.Connect(graph.Edge{From: fmt.Sprintf("%s.step%d", host, s-1), To: id, Reason: graph.ListOrder})
			} else if h > 0 {
				g.Connect(graph.Edge{From: fmt.Sprintf("host%d.step%d", h-1, steps-1), To: id, Reason: graph.DependsOn})
			}
		}
	}
	return g
}
