package graph

import (
	"bufio"
	"fmt"
	"io"
)

// Text writes the graph as a tree for people: resources in the order in which they are made, below a host its steps
// in the order in which they run at CREATE, and for each what it waits for and why. The other actions of a step stand
// beside it: UPDATE and RESUME run in the same order, DELETE and SUSPEND in the reverse one.
func (g *Graph) Text(w io.Writer) error {
	out := bufio.NewWriter(w)
	g = g.merge()
	tall := false // the one before has more than its own lines
	for i, b := range g.boxes() {
		before := tall
		if tall = len(b.steps) > 0 || b.Kind != Resource; i > 0 && (before || tall) {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s  %s\n", b.title(b.ID), printable(b.caption()))
		indent := "   "
		if len(b.steps) > 0 {
			indent = "│  "
		}
		g.waits(out, b.Node, indent)
		for j, step := range b.steps {
			branch, below := "├─ ", "│    "
			if j == len(b.steps)-1 {
				branch, below = "└─ ", "     "
			}
			fmt.Fprintf(out, "%s%s  %s\n", branch, printable(step.label()), printable(step.actions()))
			g.waits(out, step, below)
		}
	}
	return out.Flush()
}

// waits writes one line for each node that n waits for.
func (g *Graph) waits(out io.Writer, n *Node, indent string) {
	why := map[string][]Edge{}
	verb := map[string]string{}
	for e := range g.In(n.ID) {
		switch {
		case e.Reason == HostedOn && e.From == n.Host:
			continue
		case e.Reason == Signals:
			verb[e.From] = "gathers"
		case e.Reason == Starts:
			verb[e.From] = "starts after"
		default:
			why[e.From] = append(why[e.From], e)
		}
	}
	for _, p := range g.Predecessors(n.ID) {
		line := verb[p.ID]
		if line == "" {
			if why[p.ID] == nil {
				continue
			}
			line = "waits for"
		}
		line += " " + p.ID
		if reasons := why[p.ID]; reasons != nil {
			line += " (" + because(reasons) + ")"
		}
		fmt.Fprintf(out, "%s%s\n", indent, printable(line))
	}
}

// actions is a step's component type, with its lifecycle actions if they are more than CREATE.
func (n *Node) actions() string {
	if n.Action == "" || n.Action == "CREATE" {
		return "[" + n.Type + "]"
	}
	return "[" + n.Type + "]  " + n.Action
}
