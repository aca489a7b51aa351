// Package evaluate computes single expressions, as `hotloom eval` does: HOT values and conditions in the context of a
// template's parameters, conditions and files, YAQL as Heat or OpenStack Mistral evaluates it, and Jinja as Mistral does.
// It says what a result is as JSON, and where in the expression a failure is.
package evaluate

import (
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Failure is an expression, or a template around it, that cannot be evaluated.
type Failure struct {
	diag.Diagnostic
	Text string // of the file or expression that the failure is in; "" where that is not known
}

// Error is the failure on one line.
func (f *Failure) Error() string {
	s := f.Message
	if at := f.Location.String(); at != "" {
		s = at + ": " + s
	}
	if f.Suggestion != "" {
		s += " (" + f.Suggestion + ")"
	}
	return strings.Join(strings.Fields(s), " ")
}

// Excerpt is the line that the failure is in, with a caret below its place; "" where the place is not known.
func (f *Failure) Excerpt() string {
	lines := strings.Split(f.Text, "\n")
	if f.Start.Line < 1 || f.Start.Line > len(lines) {
		return ""
	}
	line := []rune(strings.TrimRight(lines[f.Start.Line-1], "\r"))
	from := min(max(f.Start.Column-1, 0), len(line))
	to := from + 1
	if f.End.Line == f.Start.Line && f.End.Column > f.Start.Column+1 {
		to = min(f.End.Column-1, len(line)+1)
	}
	shown, from, to := window(line, from, to)
	mark := make([]rune, 0, to)
	for _, r := range shown[:min(from, len(shown))] {
		if r != '\t' {
			r = ' '
		}
		mark = append(mark, r)
	}
	return "  " + string(shown) + "\n  " + string(mark) + strings.Repeat("^", max(to-from, 1))
}

// window cuts a long line to what is around a place.
func window(line []rune, from, to int) ([]rune, int, int) {
	const wide = 100
	if len(line) <= wide {
		return line, from, to
	}
	start := min(max(from-wide/2, 0), len(line)-wide)
	return line[start : start+wide], from - start, min(to-start, wide)
}

// failure makes a Failure of a finding; text is the text that an expression's place is in.
func failure(d diag.Diagnostic, text string) *Failure { return &Failure{Diagnostic: d, Text: text} }

// wrong is a finding that no rule stands for: it concerns one expression, not a file of the user's.
func wrong(at diag.Location, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Location: at, Severity: diag.Error, Message: fmt.Sprintf(format, args...)}
}

// place is where two offsets of a text, in characters, are.
func place(name, text string, start, end int) diag.Location {
	return diag.Location{Path: name, Start: position(text, start), End: position(text, end)}
}

func position(text string, offset int) diag.Pos {
	p := diag.Pos{Line: 1, Column: 1}
	for _, r := range text {
		if offset <= 0 {
			break
		}
		offset--
		p.Column++
		if r == '\n' {
			p = diag.Pos{Line: p.Line + 1, Column: 1}
		}
	}
	return p
}

// parse reads a text as Heat's engine reads documents: JSON where it is JSON, else YAML.
func parse(name, text string) (*source.Node, *Failure) {
	n, found := source.ParseFile(&source.File{Path: name, Text: []byte(text)}, source.Options{Reader: source.Engine})
	if f := firstError(found); f != nil {
		return nil, failure(*f, text)
	}
	return n, nil
}

func firstError(found diag.List) *diag.Diagnostic {
	for i := range found {
		if found[i].Severity == diag.Error {
			return &found[i]
		}
	}
	return nil
}
