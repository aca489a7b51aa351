package source

import (
	"fmt"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Edit replaces a span of a file with new text; an empty span is an insertion.
type Edit struct {
	diag.Location
	New string
}

// Apply gives the text with the edits made, in whatever order they are given. It refuses edits that overlap, that are
// not in the text, or that are of several files; two insertions at one place are made in the order given. The rest
// of the text, its line ends and byte order mark included, stays as it is.
func Apply(text []byte, edits []Edit) ([]byte, error) {
	type change struct {
		Edit
		from, to int
	}
	l := newLines(text)
	changes := make([]change, len(edits))
	for i, e := range edits {
		if e.Path != edits[0].Path {
			return nil, fmt.Errorf("edit at %s: the edits before are of %s", e.Location, edits[0].Path)
		}
		c := change{Edit: e, from: l.offset(e.Start), to: l.offset(e.End)}
		if l.pos(c.from) != e.Start || l.pos(c.to) != e.End || c.to < c.from {
			return nil, fmt.Errorf("edit at %s: no such span in the text", e.Location)
		}
		changes[i] = c
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to
	})
	var out []byte
	done := 0
	for i, c := range changes {
		if c.from < done {
			return nil, fmt.Errorf("edit at %s: it overlaps the edit at %s", c.Location, changes[i-1].Location)
		}
		out = append(append(out, text[done:c.from]...), c.New...)
		done = c.to
	}
	return append(out, text[done:]...), nil
}
