package graph

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// mermaidArrows is how each reason is drawn: solid for order and data, dotted for what the cloud does anyway, thick
// for signals and what they start.
var mermaidArrows = map[Reason]string{
	HostedOn: "-.->", Refers: "-.->", ListOrder: "-->", DependsOn: "-->", Reads: "-->", Signals: "==>", Starts: "==>",
}

// Mermaid writes the graph as a Mermaid flowchart, which GitLab, GitHub and many wikis draw. Above 200 nodes hosts
// stand without their steps.
func (g *Graph) Mermaid(w io.Writer) error {
	d := g.draw()
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "flowchart LR")
	ids := map[string]string{}
	name := func(n *Node) string {
		ids[n.ID] = fmt.Sprintf("n%d", len(ids))
		return ids[n.ID]
	}
	for _, b := range d.boxes {
		label := mermaidText(b.title(b.ID)) + "<br/><small>" + mermaidText(b.caption()) + "</small>"
		if len(b.steps) == 0 {
			fmt.Fprintf(out, "  %s%s\n", name(b.Node), mermaidShape(b.Kind, label))
			continue
		}
		fmt.Fprintf(out, "  subgraph %s[\"%s\"]\n", name(b.Node), label)
		for _, s := range b.steps {
			label := mermaidText(s.label()) + "<br/><small>" + mermaidText(s.caption()) + "</small>"
			fmt.Fprintf(out, "    %s%s\n", name(s), mermaidShape(s.Kind, label))
		}
		fmt.Fprintln(out, "  end")
	}
	for _, a := range d.arrows {
		label := ""
		if why := a.said(); why != "" {
			label = fmt.Sprintf("|\"%s\"|", mermaidText(why))
		}
		fmt.Fprintf(out, "  %s %s%s %s\n", ids[a.from], mermaidArrows[a.kind], label, ids[a.to])
	}
	return out.Flush()
}

// mermaidShape is the node's outline with its label.
func mermaidShape(k Kind, label string) string {
	switch k {
	case Step:
		return `("` + label + `")`
	case Wait:
		return `{{"` + label + `"}}`
	case Workflow:
		return `[["` + label + `"]]`
	}
	return `["` + label + `"]`
}

// mermaidText escapes what Mermaid or the HTML that it makes would read as syntax.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range printable(s) {
		switch {
		case strings.ContainsRune("\"#&<>;`|[](){}%\\", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// said is the arrow's reasons in words, without those that its look tells by itself.
func (a arrow) said() string {
	var telling []Edge
	for _, e := range a.edges {
		if e.Detail != "" {
			telling = append(telling, e)
		}
	}
	return because(telling)
}
