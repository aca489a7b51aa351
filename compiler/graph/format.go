package graph

import (
	"context"
	"encoding/json"
	"io"
)

// Format is one way to write a graph.
type Format struct {
	Name  string
	Write func(context.Context, io.Writer, *Graph) error
}

// Formats is the registry. The first is the default.
var Formats = []Format{
	{"text", func(_ context.Context, w io.Writer, g *Graph) error { return g.Text(w) }},
	{"mermaid", func(_ context.Context, w io.Writer, g *Graph) error { return g.Mermaid(w) }},
	{"dot", func(_ context.Context, w io.Writer, g *Graph) error { return g.DOT(w) }},
	{"svg", func(_ context.Context, w io.Writer, g *Graph) error { return g.SVG(w) }},
	{"json", writeJSON},
}

func writeJSON(_ context.Context, w io.Writer, g *Graph) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(g)
}
