package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

// palette holds the escape codes of a terminal, or nothing.
type palette struct{ bold, dim, reset, error, warning, info string }

var colors = palette{
	bold: "\x1b[1m", dim: "\x1b[2m", reset: "\x1b[0m", error: "\x1b[1;31m", warning: "\x1b[1;33m", info: "\x1b[1;36m",
}

func (p palette) of(s diag.Severity) string {
	switch s {
	case diag.Error:
		return p.error
	case diag.Warning:
		return p.warning
	}
	return p.info
}

// writeText shows each finding with its source line and a caret, and a summary at the end.
func writeText(w io.Writer, r *lint.Report, o Options) error {
	t := textWriter{w: bufio.NewWriter(w), lines: map[string][][]byte{}, sources: r.Sources}
	if o.Color {
		t.palette = colors
	}
	for _, d := range r.Diagnostics {
		t.finding(d)
	}
	t.summary(r)
	return t.w.Flush()
}

type textWriter struct {
	w *bufio.Writer
	palette
	sources map[string][]byte
	lines   map[string][][]byte
}

func (t *textWriter) finding(d diag.Diagnostic) {
	fmt.Fprintf(t.w, "%s%s:%s %s%s:%s %s %s[%s]%s\n",
		t.bold, printable(d.Location.String()), t.reset, t.of(d.Severity), d.Severity, t.reset,
		printable(d.Message), t.dim, d.Rule, t.reset)
	t.excerpt(d)
	for _, s := range d.Trail {
		fmt.Fprintf(t.w, "    %s: %s\n", printable(s.Location.String()), printable(s.Message))
	}
	if d.Suggestion != "" {
		fmt.Fprintf(t.w, "    %s%s%s\n", t.bold, printable(d.Suggestion), t.reset)
	}
}

// maxExcerpt is the longest piece of a source line that is shown, in characters.
const maxExcerpt = 120

// excerpt shows the line and marks the finding's span in it.
func (t *textWriter) excerpt(d diag.Diagnostic) {
	line, ok := t.line(d.Path, d.Start.Line)
	if !ok {
		return
	}
	runes := []rune(line)
	start := min(max(d.Start.Column-1, 0), len(runes))
	end := len(runes)
	if d.End.Line == d.Start.Line && d.End.Column-1 <= len(runes) {
		end = max(d.End.Column-1, start+1)
	}
	end = max(min(end, start+maxExcerpt), start+1)
	from := 0
	if start > maxExcerpt-20 {
		from = start - 20
	}
	to := min(len(runes), from+maxExcerpt)
	var indent strings.Builder
	for _, c := range runes[from:start] {
		if c == '\t' {
			indent.WriteRune(c)
		} else {
			indent.WriteByte(' ')
		}
	}
	number := fmt.Sprint(d.Start.Line)
	fmt.Fprintf(t.w, "%s%5s |%s %s\n", t.dim, number, t.reset, printable(string(runes[from:to])))
	fmt.Fprintf(t.w, "%s      |%s %s%s%s%s\n", t.dim, t.reset, indent.String(),
		t.of(d.Severity), "^"+strings.Repeat("~", max(0, min(end, max(to, start+1))-start-1)), t.reset)
}

func (t *textWriter) line(path string, number int) (string, bool) {
	lines, ok := t.lines[path]
	if !ok {
		if text, known := t.sources[path]; known {
			lines = bytes.Split(text, []byte("\n"))
		}
		t.lines[path] = lines
	}
	if number < 1 || number > len(lines) {
		return "", false
	}
	line := bytes.TrimRight(lines[number-1], "\r")
	if !utf8.Valid(line) || len(bytes.TrimSpace(line)) == 0 {
		return "", false
	}
	return string(line), true
}

func (t *textWriter) summary(r *lint.Report) {
	errors, warnings, infos := r.Count()
	if len(r.Files) > 0 || len(r.Diagnostics) == 0 { // compile and its like report on a unit, not on files
		fmt.Fprintf(t.w, "%s: ", plural(len(r.Files), "file"))
	}
	if errors+warnings+infos == 0 {
		fmt.Fprint(t.w, "no findings")
	} else {
		fmt.Fprintf(t.w, "%s, %s, %s", plural(errors, "error"), plural(warnings, "warning"), plural(infos, "info"))
	}
	if r.Known > 0 {
		fmt.Fprintf(t.w, " (%s known from the baseline)", plural(r.Known, "finding"))
	}
	fmt.Fprintln(t.w)
}

// printable keeps control characters of the input from reaching the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return r
		case r == '\n':
			return ' '
		case !unicode.IsPrint(r):
			return '�'
		}
		return r
	}, s)
}
