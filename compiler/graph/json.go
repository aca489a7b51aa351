package graph

import (
	"encoding/json"
	"fmt"

	"github.com/hotloom/hotloom/compiler/diag"
)

// FormatVersion is the version of the JSON form. Fields may be added to a version, never changed.
const FormatVersion = 1

type jsonGraph struct {
	Version int        `json:"version"`
	Nodes   []jsonNode `json:"nodes"`
	Edges   []jsonEdge `json:"edges"`
}

type jsonNode struct {
	ID       string        `json:"id"`
	Kind     Kind          `json:"kind"`
	Type     string        `json:"type,omitempty"`
	Host     string        `json:"host,omitempty"`
	Action   string        `json:"action,omitempty"`
	Count    string        `json:"count,omitempty"`
	Location *jsonLocation `json:"location,omitempty"`
}

type jsonEdge struct {
	From     string        `json:"from"`
	To       string        `json:"to"`
	Reason   Reason        `json:"reason"`
	Detail   string        `json:"detail,omitempty"`
	Location *jsonLocation `json:"location,omitempty"`
}

type jsonLocation struct {
	Path      string `json:"path,omitempty"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

// MarshalJSON writes the graph as {"version":1,"nodes":[…],"edges":[…]}, both lists in the graph's own order, so that
// the same template gives the same bytes.
func (g *Graph) MarshalJSON() ([]byte, error) {
	out := jsonGraph{Version: FormatVersion, Nodes: []jsonNode{}, Edges: []jsonEdge{}}
	for n := range g.Nodes() {
		out.Nodes = append(out.Nodes, jsonNode{n.ID, n.Kind, n.Type, n.Host, n.Action, n.Count, toJSON(n.Location)})
	}
	for e := range g.Edges() {
		out.Edges = append(out.Edges, jsonEdge{e.From, e.To, e.Reason, e.Detail, toJSON(e.Location)})
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes. Another version, a repeated node and an edge without its nodes are
// errors.
func (g *Graph) UnmarshalJSON(data []byte) error {
	var in jsonGraph
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("workflow graph: %w", err)
	}
	if in.Version != FormatVersion {
		return fmt.Errorf("workflow graph: version %d; this hotloom reads version %d", in.Version, FormatVersion)
	}
	*g = Graph{}
	for _, n := range in.Nodes {
		if !g.Add(Node{n.ID, n.Kind, n.Type, n.Host, n.Action, n.Count, fromJSON(n.Location)}) {
			return fmt.Errorf("workflow graph: node %q is empty or repeated", n.ID)
		}
	}
	for _, e := range in.Edges {
		if !g.Connect(Edge{e.From, e.To, e.Reason, e.Detail, fromJSON(e.Location)}) {
			return fmt.Errorf("workflow graph: edge %q to %q is repeated or has no such node", e.From, e.To)
		}
	}
	return nil
}

func toJSON(l diag.Location) *jsonLocation {
	if l == (diag.Location{}) {
		return nil
	}
	return &jsonLocation{l.Path, l.Start.Line, l.Start.Column, l.End.Line, l.End.Column}
}

func fromJSON(l *jsonLocation) diag.Location {
	if l == nil {
		return diag.Location{}
	}
	return diag.Location{
		Path:  l.Path,
		Start: diag.Pos{Line: l.Line, Column: l.Column},
		End:   diag.Pos{Line: l.EndLine, Column: l.EndColumn},
	}
}
