package graph

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// strokes is how arrows look by their reason, in the order of the legend; colours for light and for dark ground.
var strokes = []struct {
	reason      Reason
	class       string
	light, dark string
	line        string
}{
	{Reads, "reads", "#2563eb", "#7cb0ff", ""},
	{DependsOn, "depends", "#475569", "#b6c2d1", ""},
	{ListOrder, "list", "#475569", "#b6c2d1", "stroke-dasharray:2 3"},
	{HostedOn, "hosted", "#8492a6", "#8494a8", "stroke-dasharray:2 3"},
	{Refers, "refers", "#8492a6", "#8494a8", "stroke-dasharray:6 4"},
	{Signals, "signals", "#c26a04", "#f2b34a", "stroke-width:1.8"},
	{Starts, "starts", "#7c3aed", "#bd9bff", "stroke-width:1.8"},
}

const (
	svgLight = `.ground{fill:#fff}.name{fill:#0f172a}.small,.legend{fill:#5b6779}
.host{fill:#f1f5f9;stroke:#cbd5e1}.resource{fill:#fff;stroke:#94a3b8}.step{fill:#fff;stroke:#3b82f6}
.wait{fill:#fef3c7;stroke:#d97706}.workflow{fill:#ede9fe;stroke:#7c3aed}
`
	svgDark = `.ground{fill:#0f1722}.name{fill:#eef2f7}.small,.legend{fill:#a7b3c4}
.host{fill:#1a2433;stroke:#3d4b5f}.resource{fill:#16202e;stroke:#66758a}.step{fill:#16202e;stroke:#5b93e8}
.wait{fill:#3a2a08;stroke:#d9962f}.workflow{fill:#2a1d4d;stroke:#9a74f0}
`
	svgFixed = `text{font-family:Helvetica,Arial,"Liberation Sans",sans-serif}.name{font-size:12px;font-weight:bold}
.small,.legend{font-size:10px}.said{font-size:9px;text-anchor:middle;fill:currentColor}
.veil{fill-opacity:.8}.line{fill:none;stroke:currentColor;stroke-width:1.2}.tip{fill:currentColor}.hit{fill:none;stroke:transparent;stroke-width:9}
g:hover>.line{stroke-width:3}
`
)

// SVG writes the graph as a picture that needs nothing else: no script, font or style from outside. It follows the
// reader's choice of light or dark. What was cut for want of room, the place in the source and the reason of each
// arrow stand in tooltips. Above 200 nodes hosts stand without their steps.
func (g *Graph) SVG(w io.Writer) error {
	d := g.draw()
	p := arrange(d)
	out := &svgWriter{Writer: bufio.NewWriter(w)}
	legend := d.legend()
	width := max(p.width, legend.width)
	out.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n",
		width, p.height+legend.height)
	out.printf("<title>workflow graph</title>\n<style>\n%s%s", svgFixed, svgLight)
	for _, s := range strokes {
		out.printf(".%s{color:%s}.%[1]s>.line{%[3]s}\n", s.class, s.light, s.line)
	}
	out.printf("@media (prefers-color-scheme:dark){\n%s", svgDark)
	for _, s := range strokes {
		out.printf(".%s{color:%s}\n", s.class, s.dark)
	}
	out.printf("}\n</style>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n")
	// Boxes first: an arrow that touches a row crosses its host's frame.
	for i, b := range d.boxes {
		out.box(b, p.frames[i])
	}
	for i, a := range d.arrows {
		out.arrow(a, p.curves[i])
	}
	for i, a := range d.arrows { // last, so that no arrow strikes a word out
		out.said(a, p.curves[i])
	}
	out.legend(legend, p.height)
	out.printf("</svg>\n")
	return out.Flush()
}

type svgWriter struct{ *bufio.Writer }

func (w *svgWriter) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// escaped makes a text harmless inside an element.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(printable(s))) // a Builder takes everything
	return b.String()
}

func (w *svgWriter) title(words string) { w.printf("<title>%s</title>", escaped(words)) }

func (w *svgWriter) text(class string, x, y int, words string) {
	if words != "" {
		w.printf(`<text class="%s" x="%d" y="%d">%s</text>`, class, x, y, escaped(words))
	}
}

func (w *svgWriter) box(b box, f frame) {
	w.printf("<g>")
	w.title(b.tooltip())
	if b.Count != "" { // a group is a pile
		w.printf(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="6"/>`, b.class(), f.x+4, f.y+4, f.w, f.h)
	}
	switch b.Kind {
	case Wait:
		const tip = 10
		w.printf(`<path class="wait" d="M%d %dh%dl%d %dl%d %dh%dl%d %dz"/>`,
			f.x+tip, f.y, f.w-2*tip, tip, f.h/2, -tip, f.h/2, -(f.w - 2*tip), -tip, -f.h/2)
	default:
		w.printf(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="6"/>`, b.class(), f.x, f.y, f.w, f.h)
	}
	if b.Kind == Workflow {
		w.printf(`<path class="workflow" d="M%d %dv%dM%d %[2]dv%[3]d"/>`, f.x+5, f.y, f.h, f.x+f.w-5)
	}
	w.text("name", f.x+padding, f.y+18, b.heading())
	w.text("small", f.x+padding, f.y+33, b.small())
	for i, s := range b.steps {
		w.printf("\n<g>")
		w.title(s.tooltip())
		w.printf(`<rect class="step" x="%d" y="%d" width="%d" height="%d" rx="5"/>`, f.rowX, f.y+f.rows[i], f.rowW, rowHeight)
		w.text("name", f.rowX+padding, f.y+f.rows[i]+15, s.heading())
		w.text("small", f.rowX+padding, f.y+f.rows[i]+28, s.small())
		w.printf("</g>")
	}
	w.printf("</g>\n")
}

// class is the style of a box.
func (b box) class() string {
	if len(b.steps) > 0 {
		return "host"
	}
	return string(b.Kind)
}

func (w *svgWriter) arrow(a arrow, c curve) {
	const tip = 7
	end, head := c.end, ""
	switch c.arrives {
	case east:
		end.x -= tip - 2
		head = fmt.Sprintf("M%d %dl%d %dv%dz", c.end.x, c.end.y, -tip, -4, 8)
	case west:
		end.x += tip - 2
		head = fmt.Sprintf("M%d %dl%d %dv%dz", c.end.x, c.end.y, tip, -4, 8)
	case south:
		end.y -= tip - 2
		head = fmt.Sprintf("M%d %dl%d %dh%dz", c.end.x, c.end.y, -4, -tip, 8)
	}
	var way strings.Builder
	fmt.Fprintf(&way, "M%d %d", c.start.x, c.start.y)
	at := c.start
	line := func(p point) {
		if p != at {
			fmt.Fprintf(&way, "L%d %d", p.x, p.y)
			at = p
		}
	}
	for _, k := range c.cubics {
		line(k[0])
		fmt.Fprintf(&way, "C%d %d %d %d %d %d", k[1].x, k[1].y, k[2].x, k[2].y, k[3].x, k[3].y)
		at = k[3]
	}
	line(end)
	w.printf(`<g class="%s">`, a.class())
	w.title(a.tooltip())
	w.printf(`<path class="hit" d="%s"/><path class="line" d="%[1]s"/><path class="tip" d="%s"/>`, way.String(), head)
	w.printf("</g>\n")
}

// said writes what there is room for of an arrow's reasons.
func (w *svgWriter) said(a arrow, c curve) {
	if c.label == "" {
		return
	}
	width := textWidth(c.label, labelSize)
	w.printf(`<g class="%s">`, a.class())
	w.title(a.tooltip())
	w.printf(`<rect class="ground veil" x="%d" y="%d" width="%d" height="%d" rx="3"/>`,
		c.labelAt.x-width/2, c.labelAt.y-labelSize+2, width, labelSize+3)
	w.text("said", c.labelAt.x, c.labelAt.y+3, c.label)
	w.printf("</g>\n")
}

// class is the style of an arrow.
func (a arrow) class() string {
	for _, s := range strokes {
		if s.reason == a.kind {
			return s.class
		}
	}
	return ""
}

// legend says what the arrows mean that are in the drawing.
type legend struct {
	entries       []int // of strokes
	note          string
	width, height int
}

const legendLine = 30 // the piece of line before each word

func (d drawing) legend() legend {
	l := legend{width: 2 * border}
	used := map[Reason]bool{}
	for _, a := range d.arrows {
		used[a.kind] = true
	}
	for i, s := range strokes {
		if used[s.reason] {
			l.entries = append(l.entries, i)
			l.width += legendLine + textWidth(string(s.reason), smallSize) + border
		}
	}
	if d.folded {
		l.note = fmt.Sprintf("more than %d nodes: hosts are drawn without their steps", maxDrawn)
		l.width += textWidth(l.note, smallSize)
	}
	if len(l.entries) > 0 || l.note != "" {
		l.height = border
	}
	return l
}

func (w *svgWriter) legend(l legend, y int) {
	x := border
	for _, i := range l.entries {
		s := strokes[i]
		w.printf(`<g class="%s"><path class="line" d="M%d %dh%d"/></g>`, s.class, x, y, legendLine-6)
		w.text("legend", x+legendLine, y+4, string(s.reason))
		x += legendLine + textWidth(string(s.reason), smallSize) + border
	}
	w.text("legend", x, y+4, l.note)
	w.printf("\n")
}

// heading and small are what is written in a node's box, cut to size.
func (n *Node) heading() string { return shorten(n.title(n.label()), maxTitle) }
func (n *Node) small() string   { return shorten(n.caption(), maxCaption) }

// tooltip is all that is known about a node.
func (n *Node) tooltip() string {
	words := n.title(n.ID) + " · " + n.caption()
	if place := n.Location.String(); place != "" {
		words += " · " + place
	}
	return words
}

// tooltip says who waits for whom and why, and where that is written.
func (a arrow) tooltip() string {
	words := a.to + " waits for " + a.from + ": " + because(a.edges)
	if place := a.edges[0].Location.String(); place != "" {
		words += " · " + place
	}
	return words
}
