package graph

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mesh has hosts with rows, and arrows between them: each box waits for some of those before it, and where loops is
// not 0 some wait for later ones.
func mesh(seed uint64, boxes, arrows, loops int) drawing {
	random := rand.New(rand.NewPCG(seed, 0))
	g := &Graph{}
	var ids []string
	for i := range boxes {
		host := fmt.Sprintf("host%d", i)
		ids = append(ids, host)
		g.Add(Node{ID: host, Kind: Resource, Type: "OS::Nova::Server"})
		for s := range random.IntN(5) {
			id := fmt.Sprintf("%s.step%d", host, s)
			ids = append(ids, id)
			g.Add(Node{ID: id, Kind: Step, Type: "script", Host: host, Action: "CREATE"})
		}
	}
	reasons := []Reason{Reads, DependsOn, Refers}
	for range arrows {
		from, to := random.IntN(len(ids)), random.IntN(len(ids))
		from = max(from, to-40)
		if back := loops > 0 && random.IntN(arrows) < loops; (from > to) != back {
			from, to = to, from
		}
		g.Connect(Edge{From: ids[from], To: ids[to], Reason: reasons[random.IntN(3)], Detail: "output"})
	}
	return drawing{boxes: g.boxes(), arrows: g.arrows()}
}

func TestLayoutHoldsItsPromises(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		d := mesh(seed, 1+int(seed), int(seed*3), 0)
		p := arrange(d)
		checkFrames(t, d, p)
		checkCurves(t, d, p, true)
		if diff := cmp.Diff(p, arrange(d), cmp.AllowUnexported(picture{}, frame{}, curve{}, point{})); diff != "" {
			t.Errorf("seed %d: the second layout differs: %s", seed, diff)
		}
		d = mesh(seed, 1+int(seed), int(seed*3), 5)
		p = arrange(d)
		checkFrames(t, d, p)
		checkCurves(t, d, p, false)
	}
}

// checkFrames wants boxes inside the picture and apart from each other, and rows inside their box.
func checkFrames(t *testing.T, d drawing, p picture) {
	t.Helper()
	for i, f := range p.frames {
		if f.x < border || f.y < border || f.x+f.w > p.width-border || f.y+f.h > p.height-border {
			t.Errorf("%s is not inside the picture", d.boxes[i].ID)
		}
		for j, o := range p.frames[:i] {
			if f.meets(o) {
				t.Errorf("%s overlaps %s", d.boxes[i].ID, d.boxes[j].ID)
			}
		}
		last := headSize
		for _, y := range f.rows {
			if y < last || f.rowX <= f.x || f.rowX+f.rowW >= f.x+f.w {
				t.Errorf("%s: rows overlap or stand out", d.boxes[i].ID)
			}
			last = y + rowHeight
		}
		if last > f.h && len(f.rows) > 0 {
			t.Errorf("%s: the last row stands out", d.boxes[i].ID)
		}
	}
}

// checkCurves wants arrows that begin and end at their boxes and are joined up; forward: that go from left to right
// between columns, never over another box.
func checkCurves(t *testing.T, d drawing, p picture, forward bool) {
	t.Helper()
	place := map[string]int{}
	for i, b := range d.boxes {
		place[b.ID] = i
		for _, s := range b.steps {
			place[s.ID] = i
		}
	}
	for i, c := range p.curves {
		a := d.arrows[i]
		from, to := place[a.from], place[a.to]
		if !p.frames[from].holds(c.start) || !p.frames[to].holds(c.end) {
			t.Errorf("%s to %s does not touch its boxes", a.from, a.to)
		}
		if from == to {
			continue
		}
		if forward && (c.arrives != east || c.start.x >= c.end.x) {
			t.Errorf("%s to %s goes backward", a.from, a.to)
		}
		at := c.start
		for _, k := range c.cubics {
			if k[0].y != at.y {
				t.Errorf("%s to %s is broken at %v", a.from, a.to, at)
			}
			at = k[3]
			for eighths := range 9 {
				for j, f := range p.frames {
					if forward && j != from && j != to && f.holds(k.on(eighths)) {
						t.Errorf("%s to %s crosses %s", a.from, a.to, d.boxes[j].ID)
					}
				}
			}
		}
		if at.y != c.end.y {
			t.Errorf("%s to %s is broken at its end", a.from, a.to)
		}
	}
}

// holds reports whether the point is in the rectangle or on its edge.
func (f frame) holds(p point) bool {
	return p.x >= f.x && p.x <= f.x+f.w && p.y >= f.y && p.y <= f.y+f.h
}

func TestLayoutUncrosses(t *testing.T) {
	t.Parallel()
	g := &Graph{}
	const n = 6
	for i := range n {
		g.Add(Node{ID: fmt.Sprint("first", i), Kind: Resource})
	}
	for i := range n {
		g.Add(Node{ID: fmt.Sprint("then", i), Kind: Resource})
		g.Connect(Edge{From: fmt.Sprint("first", n-1-i), To: fmt.Sprint("then", i), Reason: Reads})
	}
	p := arrange(drawing{boxes: g.boxes(), arrows: g.arrows()})
	for i, c := range p.curves {
		if c.start.y != c.end.y {
			t.Errorf("arrow %d is not level: %v to %v", i, c.start, c.end)
		}
	}
}

func TestLayoutOfUnconnectedBoxesFillsThePage(t *testing.T) {
	t.Parallel()
	p := arrange(mesh(1, 300, 0, 0))
	if p.width > 3*p.height || p.height > 3*p.width {
		t.Errorf("300 boxes: %d × %d", p.width, p.height)
	}
	if p := arrange(drawing{}); p.width <= 0 || p.height <= 0 {
		t.Errorf("no boxes: %d × %d", p.width, p.height)
	}
}

func BenchmarkArrange(b *testing.B) {
	for _, boxes := range []int{30, 300, 1000, 3000} {
		d := mesh(1, boxes, 3*boxes, 0)
		b.Run(fmt.Sprintf("boxes=%d", boxes), func(b *testing.B) {
			for b.Loop() {
				arrange(d)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(boxes), "ns/box")
		})
	}
}
