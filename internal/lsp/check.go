package lsp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

// maxWait is how long checks wait at most for somebody who does not stop typing, in delays.
const maxWait = 20

// checker checks documents after they changed and publishes what is found. Its goroutine owns all but dirty.
type checker struct {
	s    *server
	wake chan struct{}

	mu    sync.Mutex
	dirty map[string]bool // paths that have changed since the last check

	outcomes  map[string]*outcome // by path of the open document that is the root
	late      map[string]bool     // paths whose findings were not published, for there was a newer version
	published map[string]bool     // paths that the client shows findings of
}

// outcome is what the check of one open document came to.
type outcome struct {
	report *lint.Report
	asked  map[string]bool // paths of all files that were read for it, or looked for
}

func newChecker(s *server) *checker {
	return &checker{
		s: s, wake: make(chan struct{}, 1), dirty: map[string]bool{},
		outcomes: map[string]*outcome{}, late: map[string]bool{}, published: map[string]bool{},
	}
}

// changed says that a file is not what it was.
func (c *checker) changed(path string) {
	c.mu.Lock()
	c.dirty[path] = true
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default: // it is awake
	}
}

// run checks until the context ends.
func (c *checker) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		}
		if !c.quiet(ctx) {
			return
		}
		c.check(ctx)
	}
}

// quiet waits until nothing has changed for a while; false is the context's end.
func (c *checker) quiet(ctx context.Context) bool {
	timer := time.NewTimer(c.s.opts.Delay)
	defer timer.Stop()
	for range maxWait {
		select {
		case <-ctx.Done():
			return false
		case <-c.wake:
			timer.Reset(c.s.opts.Delay)
		case <-timer.C:
			return true
		}
	}
	return true
}

// check checks the documents that changed and those that are made of changed files.
func (c *checker) check(ctx context.Context) {
	c.mu.Lock()
	dirty := c.dirty
	c.dirty = map[string]bool{}
	c.mu.Unlock()
	snap := c.s.current()
	touched := c.late
	c.late = map[string]bool{}
	for _, path := range c.roots(snap, dirty) {
		if ctx.Err() != nil {
			return
		}
		note(c.outcomes[path], snap, touched)
		touched[path] = true
		out := c.root(snap.view(path))
		note(out, snap, touched)
		if out == nil {
			delete(c.outcomes, path)
		} else {
			c.outcomes[path] = out
		}
	}
	c.publish(snap, touched)
}

// roots are the documents to check.
func (c *checker) roots(snap *snapshot, dirty map[string]bool) []string {
	roots := map[string]bool{}
	for path := range dirty {
		if snap.docs[path] != nil || c.outcomes[path] != nil {
			roots[path] = true
		}
	}
	for root, out := range c.outcomes {
		for path := range dirty {
			if out.asked[path] {
				roots[root] = true
			}
		}
	}
	for path := range snap.docs { // a document that came may define what others call
		if slices.ContainsFunc(snap.view(path).actionFiles(), func(f string) bool { return dirty[f] }) {
			roots[path] = true
		}
	}
	return slices.Sorted(maps.Keys(roots))
}

// note adds the files whose findings an outcome decides: those that it finds something in, and the open ones that were read
// for it, for what is wrong with a template may depend on who nests it.
func note(out *outcome, snap *snapshot, touched map[string]bool) {
	if out == nil {
		return
	}
	for _, d := range out.report.Diagnostics {
		touched[d.Path] = true
	}
	for path := range snap.docs {
		if out.asked[path] {
			touched[path] = true
		}
	}
}

// root checks one open document; nil is one that is closed, or of no kind that hotloom knows.
func (c *checker) root(v *view) (out *outcome) {
	var fault error
	defer c.s.recovered("check", &fault)
	if v == nil || v.refused == nil && v.Kind() == "" {
		return nil
	}
	out, err := v.check()
	if err != nil {
		c.s.show(messageError, err.Error())
		return nil
	}
	return out
}

// publish tells the client what is found in the touched files, whichever documents show it.
func (c *checker) publish(snap *snapshot, touched map[string]bool) {
	reports := make([]*lint.Report, 0, len(c.outcomes))
	texts := map[string][]byte{}
	for _, root := range slices.Sorted(maps.Keys(c.outcomes)) {
		reports = append(reports, c.outcomes[root].report)
		maps.Copy(texts, c.outcomes[root].report.Sources)
	}
	byPath := map[string]diag.List{}
	for _, d := range lint.Merge(reports...) {
		byPath[d.Path] = append(byPath[d.Path], d)
	}
	now := c.s.current()
	w := newWriter(snap, c.s.capabilities(), texts)
	for _, path := range slices.Sorted(maps.Keys(touched)) {
		uri, ok := w.uri(path)
		doc := snap.docs[path]
		switch {
		case !ok, doc == nil && len(byPath[path]) == 0 && !c.published[path]:
			continue
		case now.docs[path] != doc: // the places are of an older text: the check that comes tells
			c.late[path] = true
			continue
		}
		p := publishDiagnosticsParams{URI: uri, Diagnostics: w.diagnostics(byPath[path])}
		if doc != nil {
			p.Version = &doc.version
		}
		c.s.notify("textDocument/publishDiagnostics", p)
		if c.published[path] = len(byPath[path]) > 0; !c.published[path] {
			delete(c.published, path)
		}
	}
}
