package watch

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

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
	drawn []int // the widths of the lines on the screen that belong to the tree
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
	up := 0
	for _, width := range p.drawn {
		up += max((width+columns-1)/columns, 1) // a terminal made narrower has wrapped them
	}
	if up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteString("\r\x1b[J")
	p.drawn = p.drawn[:0]
	for _, l := range lines {
		l, width := clip(l, columns)
		b.WriteString(l + "\n")
		p.drawn = append(p.drawn, width)
	}
	_, _ = io.WriteString(p.w, b.String())
	if final {
		p.drawn = nil
	}
}

// row is one line of the tree.
type row struct {
	indent string
	node   *stack.Node
}

// explained reports whether lines below the row say why it failed.
func (r row) explained() bool { return r.node.State() == "FAILED" && len(r.node.Children) == 0 }

const explanation = 2 // such lines

func (p *live) lines(columns, rows int, final bool) []string {
	s := p.last
	states, all := s.Tree.Counts()
	head := fmt.Sprintf("stack %s  %s  %s  %d of %d resources done", s.Stack.Name, p.f.status(s.Stack.Status, 0), Duration(p.f.now().Sub(p.began)), states["COMPLETE"], all)
	out := []string{head}
	if s.Trouble != nil {
		out = append(out, "no answer from Heat, trying on: "+s.Trouble.Error())
	}
	list := addRows(make([]row, 0, all), s.Tree.Top, "")
	why := 0 // lines for explanations
	for _, r := range list {
		if r.explained() {
			why += explanation
		}
	}
	hidden := 0
	switch room := rows - len(out); {
	case final && len(list) > room:
		list, hidden = choose(list, max(room-1, 1))
	case !final && len(list)+why > room:
		room = max(room-1, 1)
		why = min(why, (room+1)/2)
		list, hidden = choose(list, min(room-why, len(list)))
		why = room - len(list)
	}
	width := 0
	for _, r := range list {
		width = max(width, runewidth.StringWidth(r.indent+r.node.Name))
	}
	width = min(width, max(columns/2, 10))
	for _, r := range list {
		out = append(out, p.row(r, width))
		if r.explained() && why > 0 {
			lines := p.explanation(r, columns)
			lines = lines[:min(why, len(lines))]
			why -= len(lines)
			out = append(out, lines...)
		}
	}
	if hidden > 0 {
		out = append(out, fmt.Sprintf("   and %d more", hidden))
	}
	return out
}

// addRows lists nodes with those below them.
func addRows(list []row, nodes []*stack.Node, indent string) []row {
	if len(nodes) == 0 {
		return list
	}
	branch, below := indent+"├─ ", indent+"│  "
	for i, n := range nodes {
		if i == len(nodes)-1 {
			branch, below = indent+"└─ ", indent+"   "
		}
		list = addRows(append(list, row{branch, n}), n.Children, below)
	}
	return list
}

// choose keeps what matters most where there is no room for all: failures, then what is being worked on, then what ended
// last.
func choose(list []row, room int) (kept []row, hidden int) {
	var ranks [4][]int // indices of rows
	for i, r := range list {
		rank := 3
		switch r.node.State() {
		case "FAILED":
			rank = 0
		case "IN_PROGRESS":
			rank = 1
		case "COMPLETE":
			rank = 2
		}
		ranks[rank] = append(ranks[rank], i)
	}
	var order []int
	for _, rank := range ranks {
		if len(order)+len(rank) > room { // only here it matters which ones
			slices.SortFunc(rank, func(a, b int) int {
				return cmp.Or(list[b].node.Changed.Compare(list[a].node.Changed), a-b)
			})
			rank = rank[:room-len(order)]
		}
		order = append(order, rank...)
	}
	slices.Sort(order)
	for _, i := range order {
		kept = append(kept, list[i])
	}
	return kept, len(list) - len(kept)
}

func (p *live) row(r row, width int) string {
	n := r.node
	what := typeName(n.Type)
	if step, _ := p.f.Labels.step(n); step != "" {
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
	name, taken := clip(r.indent+n.Name, width)
	name += strings.Repeat(" ", max(width-taken, 0))
	return fmt.Sprintf("%s  %s %7s  %s", name, p.f.status(n.Status, 18), took, what)
}

// explanation says why a resource failed and where it comes from.
func (p *live) explanation(r row, columns int) []string {
	pad := strings.Repeat(" ", runewidth.StringWidth(r.indent))
	first, _, _ := strings.Cut(r.node.Reason, "\n")
	out := []string{pad + first}
	if at := p.f.Labels.At(r.node); at.Start.Line > 0 {
		out = append(out, pad+"at "+cutLeft(at.String(), columns-len(pad)-len("at ")))
	}
	return out
}

// clip shortens a line to so many columns, of which colours take none, and gives its width.
func clip(line string, columns int) (short string, width int) {
	escape, colored := false, false
	fits, upTo := 0, 0 // what there is room for before a dot of three
	for i, r := range line {
		switch {
		case r == '\x1b':
			escape, colored = true, true
		case escape:
			escape = r != 'm'
		default:
			width += runewidth.RuneWidth(r)
			if width < columns {
				fits, upTo = i+utf8.RuneLen(r), width
			}
		}
	}
	if width <= columns {
		return line, width
	}
	short = line[:fits] + "…"
	if colored {
		short += "\x1b[0m"
	}
	return short, upTo + 1
}

// cutLeft shortens a place so that the file's name and the line stay.
func cutLeft(text string, columns int) string {
	over := runewidth.StringWidth(text) - columns
	if over <= 0 || columns < 1 {
		return text
	}
	return runewidth.TruncateLeft(text, over+1, "…")
}
