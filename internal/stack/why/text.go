package why

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hotloom/hotloom/internal/stack"
)

// Text writes a report for people.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "stack %s is %s\n", r.Stack, r.Status)
	switch {
	case len(r.Causes) == 0 && strings.HasSuffix(r.Status, "_COMPLETE"):
		b.WriteString("nothing failed, and nothing is waited for\n")
	case len(r.Causes) == 0:
		fmt.Fprintf(&b, "nothing tells why: %s\n", r.Reason)
	}
	for i, c := range r.Causes {
		b.WriteString("\n")
		where := ""
		if c.At.Start.Line > 0 {
			where = "  (" + c.At.String() + ")"
		}
		fmt.Fprintf(&b, "%d. %s (%s) is %s%s\n", i+1, c.Path, c.Type, c.Status, where)
		fmt.Fprintf(&b, "   %s\n", c.What)
		for _, s := range c.Steps {
			fmt.Fprintf(&b, "     %s %-9s %s\n", marks[s.State], s.Name, s.Detail)
		}
		for _, l := range c.Lines {
			fmt.Fprintf(&b, "     | %s\n", l)
		}
		if c.Advice != "" {
			fmt.Fprintf(&b, "   what to do: %s\n", c.Advice)
		}
	}
	if len(r.Others) > 0 {
		fmt.Fprintf(&b, "\nbecause of that: %s\n", strings.Join(r.Others, ", "))
	}
	for _, u := range r.Unseen {
		fmt.Fprintf(&b, "could not be seen: %s\n", u)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// marks are what stands before a step.
var marks = [...]string{Unknown: "?", Missing: "✗", Running: "…", Failed: "✗", Done: "✓"}

type jsonReport struct {
	Version int         `json:"version"`
	Stack   string      `json:"stack"`
	Status  string      `json:"status"`
	Reason  string      `json:"reason,omitempty"`
	Causes  []jsonCause `json:"causes"`
	Others  []string    `json:"others,omitempty"`
	Unseen  []string    `json:"unseen,omitempty"`
}

type jsonCause struct {
	Resource string     `json:"resource"`
	Type     string     `json:"type"`
	Status   string     `json:"status"`
	Since    *time.Time `json:"since,omitempty"`
	Kind     string     `json:"kind"`
	What     string     `json:"what"`
	Advice   string     `json:"advice,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	Source   string     `json:"source,omitempty"` // path:line:column
	Steps    []jsonStep `json:"steps,omitempty"`
	Lines    []string   `json:"lines,omitempty"`
}

type jsonStep struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
}

// MarshalJSON gives the report for machines. Fields may be added, never changed.
func (r *Report) MarshalJSON() ([]byte, error) {
	out := jsonReport{Version: 1, Stack: r.Stack, Status: r.Status, Reason: r.Reason, Causes: []jsonCause{}, Others: r.Others, Unseen: r.Unseen}
	for _, c := range r.Causes {
		j := jsonCause{Resource: c.Path, Type: c.Type, Status: c.Status, Kind: c.Kind, What: c.What, Advice: c.Advice, Reason: c.Reason, Lines: c.Lines}
		if !c.Since.IsZero() {
			j.Since = &c.Since
		}
		if c.At.Start.Line > 0 {
			j.Source = c.At.String()
		}
		for _, s := range c.Steps {
			j.Steps = append(j.Steps, jsonStep(s))
		}
		out.Causes = append(out.Causes, j)
	}
	return json.Marshal(out)
}

// Locate finds the author's lines.
func (r *Report) Locate(ref stack.Ref, p *stack.Prepared) {
	if p == nil {
		return
	}
	var list []stack.Resource
	for _, c := range r.Causes {
		for n := c.node; n != nil; n = n.parent {
			list = append(list, n.Resource)
		}
	}
	tree := stack.NewTree(ref)
	tree.Load(list)
	nodes := map[string]*stack.Node{}
	var walk func([]*stack.Node)
	walk = func(all []*stack.Node) {
		for _, n := range all {
			nodes[n.Path()] = n
			walk(n.Children)
		}
	}
	walk(tree.Top)
	for i, c := range r.Causes {
		if n := nodes[c.Path]; n != nil {
			r.Causes[i].At = p.Origin.Node(n)
		}
	}
}
