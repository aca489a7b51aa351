package watch

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hotloom/hotloom/internal/stack"
)

// Live draws a tree on a terminal, again and again in the same place. Size gives the terminal's columns and rows.
func Live(w io.Writer, f Format, size func() (columns, rows int)) Printer {
	return &live{w: w, f: f, size: size, began: f.now()}
}

type live struct {
	w     io.Writer
	f     Format
	size  func() (columns, rows int)
	began time.Time
	last  stack.Step
	drawn int // lines on the screen that belong to the tree
}

func (p *live) Step(s stack.Step) { p.last = s; p.draw(false) }
func (p *live) Tick()             { p.draw(false) }
func (p *live) Close()            { p.draw(true) }

// draw replaces what was drawn before. At the end everything stays in view, however long.
func (p *live) draw(final bool) {
	if p.last.Tree == nil || p.last.Stack == nil {
		return
	}
	columns, rows := p.size()
	lines := p.lines(columns, rows-1, final)
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", p.drawn)
	}
	b.WriteString("\r\x1b[J")
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	_, _ = io.WriteString(p.w, b.String())
	p.drawn = len(lines)
	if final {
		p.drawn = 0
	}
}

// row is one line of the tree.
type row struct {
	indent string
	node   *stack.Node
}

func (p *live) lines(columns, rows int, final bool) []string {
	s := p.last
	states, all := s.Tree.Counts()
	head := fmt.Sprintf("stack %s  %s  %s  %d of %d resources done", s.Stack.Name, p.f.status(s.Stack.Status, 0), Duration(p.f.now().Sub(p.began)), states["COMPLETE"], all)
	out := []string{head}
	if s.Trouble != nil {
		out = append(out, cut("no answer from Heat, trying on: "+s.Trouble.Error(), columns))
	}
	var list []row
	var add func(nodes []*stack.Node, indent string)
	add = func(nodes []*stack.Node, indent string) {
		for i, n := range nodes {
			branch, below := "├─ ", "│  "
			if i == len(nodes)-1 {
				branch, below = "└─ ", "   "
			}
			list = append(list, row{indent + branch, n})
			add(n.Children, indent+below)
		}
	}
	add(s.Tree.Top, "")
	hidden := 0
	if room := rows - len(out) - 1; !final && len(list) > room && room > 0 {
		list, hidden = choose(list, room)
	} else if final && len(list) > rows {
		list, hidden = choose(list, max(rows-len(out)-1, 1))
	}
	width := 0
	for _, r := range list {
		width = max(width, utf8.RuneCountInString(r.indent+r.node.Name))
	}
	width = min(width, max(columns/2, 10))
	for _, r := range list {
		out = append(out, p.row(r, width, columns)...)
	}
	if hidden > 0 {
		out = append(out, fmt.Sprintf("   and %d more", hidden))
	}
	return out
}

// choose keeps what matters most where there is no room for all: failures, then what is being worked on, then what ended
// last.
func choose(list []row, room int) (kept []row, hidden int) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	rank := func(r row) int {
		return slices.Index([]string{"FAILED", "IN_PROGRESS", "COMPLETE", ""}, r.node.State())
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d := rank(list[a]) - rank(list[b]); d != 0 {
			return d
		}
		return list[b].node.Changed.Compare(list[a].node.Changed)
	})
	order = order[:room]
	slices.Sort(order)
	for _, i := range order {
		kept = append(kept, list[i])
	}
	return kept, len(list) - len(kept)
}

func (p *live) row(r row, width, columns int) []string {
	n := r.node
	what := typeName(n.Type)
	if _, step := p.f.Labels.name(n); step != "" {
		what = "step " + step
	}
	end := p.f.now()
	if n.State() != "IN_PROGRESS" {
		end = n.Changed
	}
	took := ""
	if !n.Began.IsZero() {
		took = Duration(end.Sub(n.Began))
	}
	name := cut(r.indent+n.Name, width)
	name += strings.Repeat(" ", max(width-utf8.RuneCountInString(name), 0))
	rest := fmt.Sprintf(" %7s  %s", took, what)
	const status = 18
	out := []string{name + "  " + p.f.status(n.Status, status) + cut(rest, max(columns-width-2-status, 0))}
	if n.State() == "FAILED" && len(n.Children) == 0 {
		pad := strings.Repeat(" ", utf8.RuneCountInString(r.indent))
		first, _, _ := strings.Cut(n.Reason, "\n")
		out = append(out, cut(pad+first, columns))
		if at := p.f.Labels.At(n); at.Start.Line > 0 {
			out = append(out, pad+"at "+cutLeft(at.String(), columns-len(pad)-3))
		}
	}
	return out
}

// cut shortens a text to so many columns.
func cut(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	if columns < 1 {
		return ""
	}
	return string([]rune(text)[:columns-1]) + "…"
}

// cutLeft shortens a place so that the file's name and the line stay.
func cutLeft(text string, columns int) string {
	over := utf8.RuneCountInString(text) - columns
	if over <= 0 || columns < 1 {
		return text
	}
	return "…" + string([]rune(text)[over+1:])
}
