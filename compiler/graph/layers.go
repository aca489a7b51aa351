package graph

import (
	"cmp"
	"math"
	"slices"
)

// stand gives each box its column: one later than the last that it waits for. A column that is too high is cut into
// several beside each other. Boxes without arrows fill what is left.
func (l *layout) stand() {
	order, before, after := l.precedence()
	layer := make([]int, len(l.boxes))
	for _, i := range order {
		for _, p := range before[i] {
			layer[i] = max(layer[i], layer[p]+1)
		}
	}
	for _, i := range slices.Backward(order) { // what few wait for and what waits for little stands beside who needs it
		if len(after[i]) > len(before[i]) {
			last := len(l.boxes)
			for _, s := range after[i] {
				last = min(last, layer[s]-1)
			}
			layer[i] = max(layer[i], last)
		}
	}
	area := 0
	for _, f := range l.frames {
		area += (f.h + boxGap) * (f.w + 4*boxGap)
	}
	limit := 800
	for limit*limit < area {
		limit += 100
	}
	var layers [][]int
	var alone []int
	for _, i := range order {
		if len(before[i])+len(after[i]) == 0 {
			alone = append(alone, i)
			continue
		}
		for len(layers) <= layer[i] {
			layers = append(layers, nil)
		}
		layers[layer[i]] = append(layers[layer[i]], i)
	}
	for _, boxes := range layers {
		l.cut(boxes, limit)
	}
	l.fill(alone, limit)
}

// precedence orders the boxes so that each comes after what it waits for, and lists what that is and who waits for
// it. Within a cycle arrows against the order of the boxes do not count.
func (l *layout) precedence() (order []int, before, after [][]int) {
	g := &Graph{}
	for _, b := range l.boxes {
		g.Add(Node{ID: b.ID})
	}
	for _, k := range l.links {
		g.Connect(Edge{From: l.boxes[k.from.box].ID, To: l.boxes[k.to.box].ID})
	}
	order = g.order()
	rank := make([]int, len(order))
	for r, i := range order {
		rank[i] = r
	}
	before, after = make([][]int, len(order)), make([][]int, len(order))
	for _, ends := range g.ends {
		if from, to := ends[0], ends[1]; rank[from] < rank[to] {
			before[to], after[from] = append(before[to], from), append(after[from], to)
		}
	}
	return order, before, after
}

// cut puts boxes into as many new columns as the limit of height asks for.
func (l *layout) cut(boxes []int, limit int) {
	total := 0
	for _, i := range boxes {
		total += l.frames[i].h + boxGap
	}
	share := total / (total/limit + 1)
	height := share
	for _, i := range boxes {
		if height >= share {
			l.columns, height = append(l.columns, nil), 0
		}
		l.put(i, len(l.columns)-1)
		height += l.frames[i].h + boxGap
	}
}

// fill puts each of the boxes into the first column with room.
func (l *layout) fill(boxes []int, limit int) {
	heights := make([]int, len(l.columns))
	for c, column := range l.columns {
		for _, i := range column {
			heights[c] += l.items[i].height + boxGap
		}
	}
	first := 0
	for _, i := range boxes {
		h := l.frames[i].h + boxGap
		for first < len(heights) && heights[first]+h > limit && heights[first] > 0 {
			first++
		}
		if first == len(heights) {
			l.columns, heights = append(l.columns, nil), append(heights, 0)
		}
		l.put(i, first)
		heights[first] += h
	}
}

func (l *layout) put(i, column int) {
	l.items[i].column = column
	l.columns[column] = append(l.columns[column], i)
}

// lead makes the wires of each link. One that passes columns gets a bend in each, which all links share that come
// from the same place for the same reason: they part where their ways do.
func (l *layout) lead() {
	type trunk struct {
		port
		kind   Reason
		column int
	}
	bends := map[trunk]int{}
	wired := map[[2]int]bool{} // between bends: one wire, however many links share it
	span, total := len(l.columns), 0
	for _, k := range l.links {
		total += max(0, l.items[k.to.box].column-l.items[k.from.box].column-1)
	}
	if total > 4*(len(l.links)+len(l.boxes)) {
		span = maxBend
	}
	for i := range l.links {
		k := &l.links[i]
		from, to := l.items[k.from.box].column, l.items[k.to.box].column
		switch {
		case from == to:
			continue
		case from > to:
			l.wire(wire{from: k.to.box, to: k.from.box, out: l.at(k.to), in: l.at(k.from), weight: 1})
			continue
		}
		last, out := k.from.box, l.at(k.from)
		for c := from + 1; c < to && to-from <= span; c++ {
			key := trunk{k.from, l.arrows[k.arrow].kind, c}
			bend, ok := bends[key]
			if !ok {
				bend = len(l.items)
				bends[key] = bend
				l.items = append(l.items, item{box: -1, gap: bendGap})
				l.put(bend, c)
			}
			if !wired[[2]int{last, bend}] {
				wired[[2]int{last, bend}] = true
				l.wire(wire{from: last, to: bend, out: out, weight: 2})
			}
			k.bends = append(k.bends, bend)
			last, out = bend, 0
		}
		l.wire(wire{from: last, to: k.to.box, out: out, in: l.at(k.to), weight: 2})
	}
}

func (l *layout) wire(w wire) {
	if l.items[w.from].box < 0 && l.items[w.to].box < 0 {
		w.weight *= 4 // long arrows are straight
	}
	l.items[w.from].right = append(l.items[w.from].right, len(l.wires))
	l.items[w.to].left = append(l.items[w.to].left, len(l.wires))
	l.wires = append(l.wires, w)
}

// tail and head are the heights of a wire's ends.
func (l *layout) tail(w wire) int { return l.items[w.from].y + w.out }
func (l *layout) head(w wire) int { return l.items[w.to].y + w.in }

// want is the height that an item would have if its wires to the left, to the right or both were level, as a sum over
// the wires and their weight.
func (l *layout) want(it item, left, right bool) (sum, weight int) {
	if left {
		for _, i := range it.left {
			w := l.wires[i]
			sum, weight = sum+w.weight*(l.tail(w)-w.in), weight+w.weight
		}
	}
	if right {
		for _, i := range it.right {
			w := l.wires[i]
			sum, weight = sum+w.weight*(l.head(w)-w.out), weight+w.weight
		}
	}
	return sum, weight
}

// uncross orders the columns so that few arrows cross: each item goes to the mean of what it is joined with in the
// columns before, then in those after, and so on. The best of what was seen is kept.
func (l *layout) uncross() {
	for c := range l.columns {
		l.stack(c)
	}
	best, fewest := l.snapshot(), l.crossings()
	for sweep := range 4 {
		for c := range l.columns {
			if sweep%2 == 1 {
				c = len(l.columns) - 1 - c
			}
			l.sort(c, sweep%2 == 0)
			l.stack(c)
		}
		if n := l.crossings(); n < fewest {
			best, fewest = l.snapshot(), n
		}
	}
	l.columns = best
	for c := range l.columns {
		l.stack(c)
	}
}

func (l *layout) snapshot() [][]int {
	out := make([][]int, len(l.columns))
	for c := range out {
		out[c] = slices.Clone(l.columns[c])
	}
	return out
}

// stack piles a column up around height 0.
func (l *layout) stack(c int) {
	y := 0
	for _, i := range l.columns[c] {
		y += l.items[i].height + l.items[i].gap
	}
	y = -y / 2
	for _, i := range l.columns[c] {
		l.items[i].y = y
		y += l.items[i].height + l.items[i].gap
	}
}

// sort orders a column by what its items are joined with on one side. Items without wires go to its end.
func (l *layout) sort(c int, left bool) {
	type ranked struct{ item, rank int }
	ranks := make([]ranked, len(l.columns[c]))
	for k, i := range l.columns[c] {
		it := l.items[i]
		y := it.y * 16
		if sum, weight := l.want(it, left, !left); weight > 0 {
			y = sum * 16 / weight
		}
		y += it.height * 8
		if len(it.left)+len(it.right) == 0 {
			y = math.MaxInt
		}
		ranks[k] = ranked{i, y}
	}
	slices.SortStableFunc(ranks, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for k, r := range ranks {
		l.columns[c][k] = r.item
	}
}

// crossings counts how often wires between neighbouring columns cross.
func (l *layout) crossings() int {
	count := 0
	var ends [][2]int
	for c, column := range l.columns {
		ends = ends[:0]
		for _, i := range column {
			for _, w := range l.items[i].right {
				if w := l.wires[w]; l.items[w.to].column == c+1 {
					ends = append(ends, [2]int{l.tail(w), l.head(w)})
				}
			}
		}
		slices.SortFunc(ends, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
		heads := make([]int, len(ends))
		for i, e := range ends {
			heads[i] = e[1]
		}
		count += inversions(heads, make([]int, len(heads)))
	}
	return count
}

// inversions counts the pairs that stand in the wrong order, and sorts.
func inversions(a, spare []int) int {
	if len(a) < 2 {
		return 0
	}
	half := len(a) / 2
	count := inversions(a[:half], spare[:half]) + inversions(a[half:], spare[half:])
	copy(spare, a)
	i, j := 0, half
	for k := range a {
		if j == len(a) || i < half && spare[i] <= spare[j] {
			a[k] = spare[i]
			i++
		} else {
			a[k] = spare[j]
			j++
			count += half - i
		}
	}
	return count
}

// level moves items up and down, in their order and without overlap, so that arrows are as level as can be.
func (l *layout) level() {
	const sweeps = 8
	for sweep := range sweeps {
		for c := range l.columns {
			if sweep%2 == 1 {
				c = len(l.columns) - 1 - c
			}
			l.settle(c, sweep%2 == 0 || sweep > 1, sweep%2 == 1 || sweep > 1)
		}
	}
}

// settle puts the items of a column where the squares of their distances from where they want to be add up to the
// least. (Pool adjacent violators: items that would overlap become one block, at the mean of their wishes.)
func (l *layout) settle(c int, left, right bool) {
	type block struct{ sum, weight, items int }
	var blocks []block
	mean := func(b block) int { return b.sum / b.weight }
	offset := make([]int, len(l.columns[c]))
	for k, i := range l.columns[c] {
		it := l.items[i]
		if k > 0 {
			above := l.items[l.columns[c][k-1]]
			offset[k] = offset[k-1] + above.height + (above.gap+it.gap)/2
		}
		sum, weight := l.want(it, left, right)
		if weight == 0 {
			sum, weight = it.y, 1
		}
		b := block{sum - offset[k]*weight, weight, 1}
		for n := len(blocks); n > 0 && mean(blocks[n-1]) >= mean(b); n-- {
			above := blocks[n-1]
			b = block{above.sum + b.sum, above.weight + b.weight, above.items + b.items}
			blocks = blocks[:n-1]
		}
		blocks = append(blocks, b)
	}
	k := 0
	for _, b := range blocks {
		for range b.items {
			l.items[l.columns[c][k]].y = mean(b) + offset[k]
			k++
		}
	}
}
