package graph

import (
	"slices"
	"unicode"
)

// Measures of a picture, in pixels.
const (
	border    = 20 // around everything
	padding   = 14 // between a host's frame and its rows
	rowHeight = 34
	rowGap    = 12 // between rows; an arrow from one to the next fits in
	headSize  = 40 // the name of a host, above its rows
	boxHeight = 44 // a box without rows
	boxGap    = 20 // between boxes of a column
	bendGap   = 12 // between arrows that pass through a column
	titleSize = 12 // font sizes
	smallSize = 10
	labelSize = 9
)

// Limits on what is measured. Longer texts are cut and shown whole in the tooltip.
const (
	maxTitle, maxCaption, maxLabel = 36, 44, 24 // runes
	maxBend                        = 8          // columns that an arrow is led through if there are many arrows
	maxLabels                      = 300        // texts between two columns
)

// picture says where everything stands. Frames are in the order of the drawing's boxes, curves in that of its arrows.
// Columns run from left to right: an arrow leaves at the right of what comes first and ends at the left of what waits.
type picture struct {
	width, height int
	frames        []frame
	curves        []curve
}

// frame is the place of a box and of the rows in it.
type frame struct {
	x, y, w, h int
	rowX, rowW int
	rows       []int // top of each row, below that of the frame
}

type point struct{ x, y int }

// cubic is a Bézier curve.
type cubic [4]point

// curve is the way of an arrow: from its start over each of the cubics to its end, straight in between.
type curve struct {
	start, end point
	cubics     []cubic
	arrives    heading
	label      string // what is written at the middle of labelAt, empty where there is no room
	labelAt    point
}

// heading is the direction in which an arrow arrives.
type heading int

const (
	east heading = iota
	west
	south
)

// port is where an arrow touches a box: one of its rows, or -1 for the box itself.
type port struct{ box, row int }

// item is what takes room in a column: a box, or the bend of an arrow on its way to a later column.
type item struct {
	box, column int // box is -1 for a bend
	y, height   int
	gap         int
	left, right []int // wires
}

// wire joins two items of different columns; it is what order and height of items are chosen by.
type wire struct {
	from, to int // items; from is in the earlier column
	out, in  int // height of the ends below the items' tops
	weight   int
}

// link is an arrow between two boxes.
type link struct {
	arrow    int
	from, to port
	bends    []int // items between its ends, by column
}

// layout is the state of one arrangement.
type layout struct {
	drawing
	picture
	ports   map[string]port
	links   []link
	items   []item // the boxes first, in their order
	wires   []wire
	columns [][]int  // items from top to bottom
	edges   [][2]int // left and right of each column
}

// arrange lays the drawing out in columns by longest path. It is deterministic, in whole numbers alone, and takes
// time in proportion to the number of boxes and arrows, but for a logarithm.
func arrange(d drawing) picture {
	l := &layout{drawing: d, ports: map[string]port{}}
	l.measure()
	l.connect()
	l.stand()
	l.lead()
	l.uncross()
	l.level()
	l.place()
	l.trace()
	l.name()
	return l.picture
}

// measure gives each box its size and each node its port.
func (l *layout) measure() {
	for i, b := range l.boxes {
		l.ports[b.ID] = port{i, -1}
		f := frame{w: max(textWidth(b.heading(), titleSize), textWidth(b.small(), smallSize)) + 2*padding, h: boxHeight}
		if len(b.steps) > 0 {
			f.h = headSize
		}
		for j, s := range b.steps {
			l.ports[s.ID] = port{i, j}
			w := max(textWidth(s.heading(), titleSize), textWidth(s.small(), smallSize))
			f.w = max(f.w, w+3*padding)
			f.rows = append(f.rows, f.h)
			f.h += rowHeight + rowGap
		}
		if len(b.steps) > 0 {
			f.w += padding // room for arrows between rows
		}
		f.rowX, f.rowW = padding, f.w-5*padding/2
		l.frames = append(l.frames, f)
		l.items = append(l.items, item{box: i, height: f.h, gap: boxGap})
	}
}

// connect finds the arrows that lead from box to box.
func (l *layout) connect() {
	for i, a := range l.arrows {
		from, to := l.ports[a.from], l.ports[a.to]
		if from.box != to.box {
			l.links = append(l.links, link{arrow: i, from: from, to: to})
		}
	}
}

// at is the height of a port below the top of its box.
func (l *layout) at(p port) int {
	f := l.frames[p.box]
	switch {
	case p.row >= 0:
		return f.rows[p.row] + rowHeight/2
	case len(f.rows) > 0:
		return headSize / 2
	}
	return f.h / 2
}

// place turns columns into coordinates.
func (l *layout) place() {
	lowest := 0
	l.height = 2 * border
	for i, it := range l.items {
		if i == 0 || it.y < lowest {
			lowest = it.y
		}
	}
	for i := range l.items {
		l.items[i].y += border - lowest
	}
	x := border
	words := l.words()
	for c, column := range l.columns {
		width := 0
		for _, i := range column {
			if b := l.items[i].box; b >= 0 {
				width = max(width, l.frames[b].w)
			}
		}
		for _, i := range column {
			if b := l.items[i].box; b >= 0 {
				f := &l.frames[b]
				f.x, f.y = x+(width-f.w)/2, l.items[i].y
				f.rowX += f.x
				l.height = max(l.height, f.y+f.h+border)
			} else {
				l.height = max(l.height, l.items[i].y+border)
			}
		}
		l.edges = append(l.edges, [2]int{x, x + width})
		x += width + l.room(c, words)
	}
	l.width = x + border
}

// words gives for each column the width of the widest text at an arrow that arrives there from the one before.
func (l *layout) words() []int {
	out := make([]int, len(l.columns)+1)
	for _, k := range l.links {
		c := l.items[k.to.box].column
		if l.items[k.from.box].column > c {
			c++ // it arrives from the right
		}
		if said := shorten(l.arrows[k.arrow].said(), maxLabel); said != "" {
			out[c] = max(out[c], textWidth(said, labelSize)+2*labelSize)
		}
	}
	return out
}

// room is the width between a column and the next: more for many arrows, for steep ones and for what is written at
// them.
func (l *layout) room(c int, words []int) int {
	if c == len(l.columns)-1 {
		return 0
	}
	count, steep := 0, 0
	for _, i := range l.columns[c] {
		for _, w := range l.items[i].right {
			if w := l.wires[w]; l.items[w.to].column == c+1 {
				rise := l.head(w) - l.tail(w)
				count, steep = count+1, max(steep, rise, -rise)
			}
		}
	}
	return 44 + min(2*count, 40) + min(steep/8, 60) + words[c+1]
}

// trace gives each arrow its way.
func (l *layout) trace() {
	l.curves = make([]curve, len(l.arrows))
	for i, a := range l.arrows {
		if from, to := l.ports[a.from], l.ports[a.to]; from.box == to.box {
			l.curves[i] = l.inside(from, to)
		}
	}
	for _, k := range l.links {
		from, to := l.items[k.from.box].column, l.items[k.to.box].column
		start, end := l.side(k.from, east), l.side(k.to, west)
		c := curve{start: start, end: end}
		switch {
		case from < to:
			p := point{l.edges[from][1], start.y}
			for _, b := range k.bends {
				column, y := l.items[b].column, l.items[b].y
				c.cubics = append(c.cubics, flow(p, point{l.edges[column][0], y}))
				p = point{l.edges[column][1], y}
			}
			c.cubics = append(c.cubics, flow(p, point{l.edges[to][0], end.y}))
		case from > to: // against the order, in a cycle
			c.start, c.end, c.arrives = l.side(k.from, west), l.side(k.to, east), west
			c.cubics = []cubic{flow(point{l.edges[from][0], start.y}, point{l.edges[to][1], end.y})}
		default:
			c.end, c.arrives = l.side(k.to, east), west
			c.cubics = []cubic{arc(point{l.edges[from][1], start.y}, point{l.edges[from][1], end.y}, 2*boxGap)}
		}
		l.curves[k.arrow] = c
	}
}

// inside is the way between two rows of a host: down to the next one, or around what stands between.
func (l *layout) inside(from, to port) curve {
	f := l.frames[from.box]
	if from.row >= 0 && to.row == from.row+1 {
		x := f.rowX + 2*padding
		return curve{start: point{x, f.y + f.rows[from.row] + rowHeight}, end: point{x, f.y + f.rows[to.row]}, arrives: south}
	}
	start := point{f.rowX + f.rowW, f.y + l.at(from) - 4}
	end := point{f.rowX + f.rowW, f.y + l.at(to) + 4}
	far := max(from.row-to.row, to.row-from.row)
	return curve{start: start, end: end, cubics: []cubic{arc(start, end, min(10+4*far, 26))}, arrives: west}
}

// side is the point of a port's left or right side where arrows touch it.
func (l *layout) side(p port, h heading) point {
	f := l.frames[p.box]
	x, w := f.x, f.w
	if p.row >= 0 {
		x, w = f.rowX, f.rowW
	}
	if h == east {
		x += w
	}
	return point{x, f.y + l.at(p)}
}

// flow leaves and arrives level.
func flow(from, to point) cubic {
	middle := (from.x + to.x) / 2
	return cubic{from, {middle, from.y}, {middle, to.y}, to}
}

// arc leaves to the right and comes back.
func arc(from, to point, far int) cubic {
	return cubic{from, {max(from.x, to.x) + far, from.y}, {max(from.x, to.x) + far, to.y}, to}
}

// on is the point of the curve after so many eighths of it.
func (c cubic) on(eighths int) point {
	t, u := eighths, 8-eighths
	at := func(a, b, c, d int) int { return (u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d) / 512 }
	return point{at(c[0].x, c[1].x, c[2].x, c[3].x), at(c[0].y, c[1].y, c[2].y, c[3].y)}
}

// name writes the reasons at arrows between two columns where there is room.
func (l *layout) name() {
	gap := map[int]int{} // by right side of a column
	for i, e := range l.edges {
		gap[e[1]] = i
	}
	taken := make([][]frame, len(l.edges))
	for _, k := range l.links {
		c := &l.curves[k.arrow]
		said := shorten(l.arrows[k.arrow].said(), maxLabel)
		width := textWidth(said, labelSize)
		if said == "" {
			continue
		}
		for _, way := range slices.Backward(c.cubics) {
			left, right := way[0].x, way[3].x
			if c.arrives == west {
				left, right = right, left
			}
			g := gap[left]
			if g+1 >= len(l.edges) || l.edges[g+1][0] != right || len(taken[g]) > maxLabels {
				continue // it passes other columns
			}
			for _, eighths := range []int{4, 3, 5} {
				p := way.on(eighths)
				f := frame{x: p.x - width/2, y: p.y - labelSize, w: width, h: labelSize + 4}
				free := f.x > left && f.x+f.w < right-6
				if free && !slices.ContainsFunc(taken[g], f.meets) {
					taken[g] = append(taken[g], f)
					c.label, c.labelAt = said, p
					break
				}
			}
			if c.label != "" {
				break
			}
		}
	}
}

// meets reports whether two rectangles have a point in common.
func (f frame) meets(o frame) bool {
	return f.x < o.x+o.w && o.x < f.x+f.w && f.y < o.y+o.h && o.y < f.y+f.h
}

// textWidth estimates the width of a text in pixels: every letter counts the same, ideographs twice.
func textWidth(s string, size int) int {
	tenths := 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r >= 0x2e80 || r >= 0x1100 && r < 0x1160:
			tenths += 11
		default:
			tenths += 6
		}
	}
	return (tenths*size + 9) / 10
}

// shorten cuts a text after so many letters.
func shorten(s string, limit int) string {
	s = printable(s)
	for i := range s {
		if limit--; limit == 0 && len(s)-i > 4 {
			return s[:i] + "…"
		}
	}
	return s
}
