// Package watch shows a stack while Heat works on it: as a tree that is drawn anew on a terminal, as lines, or as JSON.
package watch

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/internal/stack"
)

// Printer shows the steps of a wait.
type Printer interface {
	Step(stack.Step)
	Tick()  // a second has passed
	Close() // leaves the last state on the screen
}

// Labels tell what the author calls things. The zero value knows nothing.
type Labels struct {
	Prepared *stack.Prepared // nil where the source is not at hand
}

// At is the place of the author's that a resource comes from, or the zero location.
func (l Labels) At(n *stack.Node) diag.Location {
	if l.Prepared == nil {
		return diag.Location{}
	}
	return l.Prepared.Origin.Node(n)
}

// step is the component step that a node stands for, and the place of the author's that it comes from.
func (l Labels) step(n *stack.Node) (name string, at diag.Location) {
	at = l.At(n)
	return l.Prepared.Step(at), at
}

// Title is what to call a resource in a sentence.
func (l Labels) Title(n *stack.Node) string {
	if step, _ := l.step(n); step != "" {
		return "step " + step + " (" + n.Path() + ")"
	}
	return n.Path()
}

// Format is the way to show progress.
type Format struct {
	Labels Labels
	Color  bool
	Now    func() time.Time // nil is time.Now
}

func (f Format) now() time.Time {
	if f.Now != nil {
		return f.Now()
	}
	return time.Now()
}

// Lines prints one line an event.
func Lines(w io.Writer, f Format) Printer { return &lines{w: w, f: f} }

type lines struct {
	w io.Writer
	f Format
}

func (p *lines) Tick()  {}
func (p *lines) Close() {}

func (p *lines) Step(s stack.Step) {
	var b strings.Builder
	if s.Trouble != nil {
		fmt.Fprintf(&b, "%s  no answer from Heat, trying on: %v\n", p.f.now().Local().Format(time.TimeOnly), s.Trouble)
	}
	began := map[string]time.Time{}
	for i := range s.Events {
		e := &s.Events[i]
		key := e.Stack().ID + "/" + e.Name + "/" + e.Action()
		if e.State() == "IN_PROGRESS" {
			began[key] = e.Time.Time
		}
		p.event(&b, s, e, began[key])
	}
	_, _ = io.WriteString(p.w, b.String())
}

func (p *lines) event(b *strings.Builder, s stack.Step, e *stack.Event, began time.Time) {
	n := s.Tree.Find(e)
	what := "stack " + e.Name
	var at diag.Location
	if n != nil {
		var step string
		step, at = p.f.Labels.step(n)
		what = n.Path()
		if step != "" {
			what += " (step " + step + ")"
		} else if n.Type != "" {
			what += " (" + typeName(n.Type) + ")"
		}
		if began.IsZero() && e.Status == n.Status {
			began = n.Began
		}
	} else if e.Stack().ID != s.Stack.ID {
		what = "nested stack " + e.Name
	}
	took := ""
	if e.State() != "IN_PROGRESS" && !began.IsZero() && e.Action() != "SIGNAL" {
		took = "  " + Duration(e.Time.Sub(began))
	}
	fmt.Fprintf(b, "%s  %s  %s%s\n", e.Time.Local().Format(time.TimeOnly), p.f.status(e.Status, 18), what, took)
	why := stack.Reason(e.Reason)
	if e.State() == "FAILED" || e.Action() == "SIGNAL" {
		for line := range strings.Lines(why) {
			fmt.Fprintf(b, "%28s  %s\n", "", strings.TrimRight(line, "\n"))
		}
	}
	if e.State() == "FAILED" && at.Start.Line > 0 {
		fmt.Fprintf(b, "%28s  at %s\n", "", at)
	}
}

// status is a state with its colour, padded.
func (f Format) status(status string, width int) string {
	text := fmt.Sprintf("%-*s", width, status)
	if !f.Color {
		return text
	}
	code := "33"
	switch {
	case strings.HasSuffix(status, "FAILED"):
		code = "31"
	case strings.HasSuffix(status, "COMPLETE"):
		code = "32"
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// typeName is the type as it is shown: of a nested template the file's name.
func typeName(t string) string {
	if strings.Contains(t, "://") {
		return t[strings.LastIndexByte(t, '/')+1:]
	}
	return t
}

// Duration is a time in words that line up: 7s, 2m05s, 1h02m.
func Duration(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// JSON prints one JSON object a line for each event.
func JSON(w io.Writer, l Labels) Printer { return &jsonLines{w: w, labels: l} }

type jsonLines struct {
	w      io.Writer
	labels Labels
}

func (p *jsonLines) Tick()  {}
func (p *jsonLines) Close() {}

// event is the JSON shape of one event; fields may be added.
type event struct {
	Time     stack.Time `json:"time"`
	Stack    string     `json:"stack"`
	Resource string     `json:"resource,omitempty"` // its path through nested stacks; absent for a stack as a whole
	Type     string     `json:"type,omitempty"`
	Step     string     `json:"step,omitempty"` // HOST.COMPONENT
	Status   string     `json:"status"`
	Reason   string     `json:"reason,omitempty"`
	Source   string     `json:"source,omitempty"` // path:line:column
}

func (p *jsonLines) Step(s stack.Step) {
	encoder := json.NewEncoder(p.w)
	encoder.SetEscapeHTML(false)
	for i := range s.Events {
		e := &s.Events[i]
		out := event{Time: e.Time, Stack: e.Stack().Name, Status: e.Status, Reason: stack.Reason(e.Reason)}
		if n := s.Tree.Find(e); n != nil {
			step, at := p.labels.step(n)
			out.Resource, out.Type, out.Step = n.Path(), n.Type, step
			if at.Start.Line > 0 {
				out.Source = at.String()
			}
		}
		_ = encoder.Encode(out)
	}
}

// Silent shows nothing.
func Silent() Printer { return silent{} }

type silent struct{}

func (silent) Step(stack.Step) {}
func (silent) Tick()           {}
func (silent) Close()          {}
