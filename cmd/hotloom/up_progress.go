package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/internal/local"
)

// progress shows what happens to a stack. Events come one at a time.
type progress interface {
	event(local.Event)
	close() // no event comes any more
}

// newProgress gives events as JSON on stdout, or on stderr a tree where that is a terminal, else lines.
func newProgress(c *cli.Context, name string, nodes []local.Planned) progress {
	switch {
	case c.String("format") == "json":
		return &jsonProgress{json.NewEncoder(c.App.Writer)}
	case command.IsTerminal(c.App.ErrWriter) && os.Getenv("TERM") != "dumb":
		return newTree(c.App.ErrWriter, name, nodes)
	}
	return &lineProgress{w: c.App.ErrWriter, begun: map[string]time.Time{}}
}

type jsonProgress struct{ *json.Encoder }

func (p *jsonProgress) event(ev local.Event) { _ = p.Encode(ev) } // a reader that has gone does not end the run
func (p *jsonProgress) close()               {}

// lineProgress writes a line for each event but those that say that nothing changes.
type lineProgress struct {
	w     io.Writer
	begun map[string]time.Time
}

func (p *lineProgress) event(ev local.Event) {
	if ev.State == local.Unchanged {
		return
	}
	took := ""
	if strings.HasSuffix(ev.State, "_IN_PROGRESS") {
		p.begun[ev.Node] = ev.Time
	} else if t, ok := p.begun[ev.Node]; ok {
		took = "  " + seconds(ev.Time.Sub(t))
	}
	message := ""
	if ev.Message != "" {
		message = "  " + ev.Message
	}
	fmt.Fprintf(p.w, "%s  %-18s  %s%s%s\n", ev.Time.Local().Format(time.TimeOnly), ev.State, ev.Node, took, message)
}

func (p *lineProgress) close() {}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// tree draws the nodes of a stack over and over in one place.
type tree struct {
	w     io.Writer
	name  string
	begun time.Time

	mu    sync.Mutex
	rows  []*row
	byKey map[string]*row
	drawn int // lines on the screen
	done  chan struct{}
	ended sync.WaitGroup
}

type row struct {
	key, label string
	depth      int
	state      string
	message    string
	begun      time.Time
	took       time.Duration
}

func newTree(w io.Writer, name string, nodes []local.Planned) *tree {
	t := &tree{w: w, name: name, begun: time.Now(), byKey: map[string]*row{}, done: make(chan struct{})}
	below := map[string][]*row{}
	for _, n := range nodes {
		r := &row{key: n.Key, label: n.Key}
		t.byKey[n.Key] = r
	}
	parent := func(n local.Planned) string {
		if n.Host != "" {
			return n.Host
		}
		if i := strings.LastIndexByte(n.Key, '/'); i > 0 && t.byKey[n.Key[:i]] != nil {
			return n.Key[:i]
		}
		return ""
	}
	for _, n := range nodes {
		p := parent(n)
		r := t.byKey[n.Key]
		r.label = strings.TrimLeft(strings.TrimPrefix(n.Key, p), "./")
		below[p] = append(below[p], r)
	}
	var add func(of string, depth int)
	add = func(of string, depth int) {
		for _, r := range below[of] {
			r.depth = depth
			t.rows = append(t.rows, r)
			add(r.key, depth+1)
		}
	}
	add("", 0)
	t.ended.Go(t.loop)
	return t
}

// loop draws several times a second, so that durations go on.
func (t *tree) loop() {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			t.draw()
		case <-t.done:
			return
		}
	}
}

func (t *tree) event(ev local.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.byKey[ev.Node]
	if r == nil {
		r = &row{key: ev.Node, label: ev.Node} // of an earlier template
		t.byKey[ev.Node] = r
		t.rows = append(t.rows, r)
	}
	r.state, r.message = ev.State, ev.Message
	if strings.HasSuffix(ev.State, "_IN_PROGRESS") {
		r.begun = ev.Time
	} else if !r.begun.IsZero() {
		r.took = ev.Time.Sub(r.begun)
	}
}

func (t *tree) close() {
	close(t.done)
	t.ended.Wait()
	t.draw()
}

// marks are how states look: a letter for those who see no colours, and the colour.
var marks = []struct{ suffix, mark, color string }{
	{"_IN_PROGRESS", "…", "33"},
	{"_COMPLETE", "✓", "32"},
	{"_FAILED", "✗", "31"},
	{local.Unchanged, "=", "2"},
}

// draw replaces what was drawn last. Where the screen is too small, what has ended well is left out.
func (t *tree) draw() {
	t.mu.Lock()
	defer t.mu.Unlock()
	width, height := 80, 24
	if f, ok := t.w.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
			width, height = w, h
		}
	}
	ended := 0
	for _, r := range t.rows {
		if r.state != "" && !strings.HasSuffix(r.state, "_IN_PROGRESS") {
			ended++
		}
	}
	lines := []string{fmt.Sprintf("%s  %d of %d  %s", t.name, ended, len(t.rows), seconds(time.Since(t.begun)))}
	all := len(t.rows) < height-2
	for _, r := range t.rows {
		busy := strings.HasSuffix(r.state, "_IN_PROGRESS") || strings.HasSuffix(r.state, "_FAILED")
		if (all || busy) && len(lines) < height-1 {
			lines = append(lines, r.line(width))
		}
	}
	var b strings.Builder
	if t.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", t.drawn)
	}
	b.WriteString("\r\x1b[J")
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	t.drawn = len(lines)
	_, _ = io.WriteString(t.w, b.String())
}

func (r *row) line(width int) string {
	mark, color := " ", ""
	for _, m := range marks {
		if r.state != "" && strings.HasSuffix(r.state, m.suffix) {
			mark, color = m.mark, m.color
		}
	}
	took := ""
	switch {
	case strings.HasSuffix(r.state, "_IN_PROGRESS"):
		took = seconds(time.Since(r.begun))
	case r.took > 0:
		took = seconds(r.took)
	}
	action, _, _ := strings.Cut(strings.ToLower(r.state), "_")
	if r.state == local.Unchanged {
		action = "unchanged"
	}
	text := []rune(fmt.Sprintf("%s%s %-*s %-9s %8s  %s", strings.Repeat("  ", r.depth), mark, max(1, 36-2*r.depth), r.label, action, took, firstLine(r.message)))
	if len(text) >= width {
		text = append(text[:max(1, width-2)], '…')
	}
	if color == "" || os.Getenv("NO_COLOR") != "" {
		return string(text)
	}
	return "\x1b[" + color + "m" + string(text) + "\x1b[0m"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
