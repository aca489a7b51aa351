package local

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// masked stands where a secret was.
const masked = "******"

// redactor knows the secrets of a stack, and takes them out of what is shown or kept.
type redactor struct {
	mu      sync.RWMutex
	secrets []string // the longest first
	hidden  []string // those of them that the author hides; the template's outputs may show the others
}

// hide makes a text that the author hides a secret.
func (r *redactor) hide(text string) {
	r.add(text)
	if text = strings.TrimSpace(text); text != "" {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !slices.Contains(r.hidden, text) {
			r.hidden = append(r.hidden, text)
		}
	}
}

// add makes a text a secret: the whole of it and, where it has several, each line that is long enough to be one.
func (r *redactor) add(text string) {
	parts := []string{text}
	if lines := strings.Split(text, "\n"); len(lines) > 1 {
		for _, l := range lines {
			if len(l) >= 4 {
				parts = append(parts, l)
			}
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" || slices.Contains(r.secrets, p) {
			continue
		}
		r.secrets = append(r.secrets, p)
	}
	slices.SortStableFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
}

// text gives a text without secrets.
func (r *redactor) text(s string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, masked)
	}
	return s
}

// output gives a text of an output without what the author hides.
func (r *redactor) output(s string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, secret := range r.hidden {
		s = strings.ReplaceAll(s, secret, masked)
	}
	return s
}

// maxLine is how much of a line is held back to find secrets in it.
const maxLine = 64 << 10

// logWriter writes output without secrets to a log, up to a limit, and keeps the end of it. It is for one goroutine at a
// time; two of them may share a log.
type logWriter struct {
	redact *redactor
	log    *logFile
	line   []byte
	tail   []byte // of what was written
	limit  int    // of tail
}

func (w *logWriter) Write(p []byte) (int, error) {
	w.line = append(w.line, p...)
	for {
		i := bytes.IndexByte(w.line, '\n')
		if i < 0 {
			break
		}
		w.put(w.line[:i+1])
		w.line = w.line[i+1:]
	}
	if len(w.line) > maxLine {
		w.flush()
	}
	return len(p), nil
}

func (w *logWriter) flush() {
	w.put(w.line)
	w.line = nil
}

func (w *logWriter) put(line []byte) {
	if len(line) == 0 {
		return
	}
	clean := []byte(w.redact.text(strings.ToValidUTF8(string(line), "\uFFFD")))
	w.log.write(clean)
	w.tail = append(w.tail, clean...)
	if over := len(w.tail) - w.limit; over > w.limit {
		w.tail = append([]byte(nil), w.tail[over:]...)
	}
}

// text is the end of what was written.
func (w *logWriter) text() string {
	t := w.tail
	if over := len(t) - w.limit; over > 0 {
		for t = t[over:]; len(t) > 0 && !utf8.RuneStart(t[0]); t = t[1:] {
		}
	}
	return string(t)
}

// lastLine is the last line that says something, at most 400 bytes of it.
func lastLine(texts ...string) string {
	for _, text := range texts {
		lines := strings.Split(text, "\n")
		for _, l := range slices.Backward(lines) {
			if l = strings.TrimSpace(l); l != "" {
				if len(l) > 400 {
					l = strings.ToValidUTF8(l[:400], "")
				}
				return l
			}
		}
	}
	return ""
}
