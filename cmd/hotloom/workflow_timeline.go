package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hotloom/hotloom/internal/engine"
)

// timelineWidth is how many columns stand for the whole time of an execution.
const timelineWidth = 40

// span is one line of a time line.
type span struct {
	name, state string
	from, to    time.Time
}

// writeTimeline draws when each task ran, sub-workflows below the tasks that started them. What has not ended goes up
// to now.
func writeTimeline(w io.Writer, s *engine.Snapshot, now time.Time) error {
	end := now
	if s.State.Completed() {
		end = s.Ended
	}
	spans := spansOf(s, "", end)
	total := end.Sub(s.Created)
	width := 0
	for _, p := range spans {
		if p.to.Sub(s.Created) > total {
			total = p.to.Sub(s.Created)
		}
		width = max(width, utf8.RuneCountInString(p.name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %s  %s\n", s.State, s.Workflow, s.ID, round(total))
	for _, p := range spans {
		fmt.Fprintf(&b, "%s%s  %-9s |%s| %8s %8s\n", p.name, strings.Repeat(" ", width-utf8.RuneCountInString(p.name)), p.state,
			bar(p.from.Sub(s.Created), p.to.Sub(s.Created), total), "+"+round(p.from.Sub(s.Created)), round(p.to.Sub(p.from)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// spansOf lists the tasks in the order in which they began.
func spansOf(s *engine.Snapshot, indent string, end time.Time) []span {
	var out []span
	for _, t := range s.Tasks {
		p := span{indent + t.Name, string(t.State), t.Started, t.Finished}
		if p.from.IsZero() {
			p.from = t.Created
		}
		if p.to.IsZero() || p.to.Before(p.from) {
			p.to = end
		}
		out = append(out, p)
		for _, sub := range t.Workflows {
			out = append(out, spansOf(sub, indent+"  ", end)...)
		}
	}
	return out
}

// bar is a line of timelineWidth columns of which those from from to to are filled, at least one.
func bar(from, to, total time.Duration) string {
	column := func(d time.Duration) int {
		if total <= 0 {
			return 0
		}
		return min(max(int(int64(timelineWidth)*d.Microseconds()/max(total.Microseconds(), 1)), 0), timelineWidth)
	}
	begin := min(column(from), timelineWidth-1)
	length := max(column(to)-begin, 1)
	return strings.Repeat(" ", begin) + strings.Repeat("=", length) + strings.Repeat(" ", timelineWidth-begin-length)
}

// round shows a time with as many digits as one reads.
func round(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
