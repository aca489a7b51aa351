package graph

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
)

// look is how a kind of node or edge is drawn, as DOT attributes.
var (
	nodeLook = map[Kind]string{
		Resource: `fillcolor="#ffffff" color="#94a3b8"`,
		Step:     `fillcolor="#ffffff" color="#3b82f6"`,
		Wait:     `shape=hexagon style=filled fillcolor="#fef3c7" color="#d97706" margin="0.06,0.02"`,
		Workflow: `fillcolor="#ede9fe" color="#7c3aed"`,
	}
	edgeLook = map[Reason]string{
		Reads:     `color="#2563eb" fontcolor="#1d4ed8"`,
		DependsOn: `color="#475569" fontcolor="#475569"`,
		ListOrder: `color="#475569" style=dotted`,
		HostedOn:  `color="#94a3b8" style=dotted`,
		Refers:    `color="#94a3b8" style=dashed`,
		Signals:   `color="#d97706" penwidth=1.6`,
		Starts:    `color="#7c3aed" penwidth=1.6`,
	}
)

const dotHead = `digraph workflow {
  graph [rankdir=LR fontname="Helvetica,Arial,sans-serif" fontsize=12 fontcolor="#0f172a" nodesep=0.25 ranksep=0.55 compound=true bgcolor="#ffffff" pad=0.25]
  node [shape=box style="rounded,filled" fontname="Helvetica,Arial,sans-serif" fontsize=11 fontcolor="#0f172a" margin="0.26,0.08" penwidth=1.1]
  edge [fontname="Helvetica,Arial,sans-serif" fontsize=9 arrowsize=0.7 penwidth=1.1]
`

// DOT writes the graph in Graphviz's language. Above 200 nodes hosts stand without their steps.
func (g *Graph) DOT(w io.Writer) error {
	d := g.draw()
	out := bufio.NewWriter(w)
	fmt.Fprint(out, dotHead)
	// An arrow that begins or ends at a host's frame is drawn to one of its steps and cut at the frame.
	frame, inner := map[string]string{}, map[string]string{}
	for i, b := range d.boxes {
		inner[b.ID] = b.ID
		if len(b.steps) == 0 {
			fmt.Fprintf(out, "  %s [label=<%s> %s]\n", quote(b.ID), dotLabel(b.title(b.ID), b.caption()), nodeLook[b.Kind])
			continue
		}
		cluster := fmt.Sprintf("cluster_%d", i)
		frame[b.ID], inner[b.ID] = cluster, b.steps[0].ID
		fmt.Fprintf(out, "  subgraph %s {\n", cluster)
		fmt.Fprintf(out, "    label=<%s> labeljust=l style=\"rounded,filled\" fillcolor=\"#f1f5f9\" color=\"#cbd5e1\" margin=12\n",
			dotLabel(b.title(b.ID), b.caption()))
		for _, s := range b.steps {
			inner[s.ID] = s.ID
			fmt.Fprintf(out, "    %s [label=<%s> %s]\n", quote(s.ID), dotLabel(s.label(), s.caption()), nodeLook[s.Kind])
		}
		fmt.Fprintln(out, "  }")
	}
	for _, a := range d.arrows {
		attributes := []string{edgeLook[a.kind]}
		if why := a.said(); why != "" {
			attributes = append(attributes, "label="+quote(" "+printable(why)+" "))
		}
		if f := frame[a.from]; f != "" {
			attributes = append(attributes, "ltail="+f)
		}
		if f := frame[a.to]; f != "" {
			attributes = append(attributes, "lhead="+f)
		}
		fmt.Fprintf(out, "  %s -> %s [%s]\n", quote(inner[a.from]), quote(inner[a.to]), strings.Join(attributes, " "))
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// dotLabel is a name with what it is in small print below.
func dotLabel(name, caption string) string {
	if caption == "" {
		return "<b>" + html.EscapeString(printable(name)) + "</b>"
	}
	return fmt.Sprintf(`<b>%s</b>  <br align="left"/><font point-size="9" color="#64748b">%s</font>  <br align="left"/>`,
		html.EscapeString(printable(name)), html.EscapeString(printable(caption)))
}

// quote writes a DOT string.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", "").Replace(s) + `"`
}
