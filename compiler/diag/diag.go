// Package diag holds findings about user input as values: where, what, why and the way out.
//
// A finding is never a Go error; a Go error means that hotloom itself could not do its work. Front-end
// functions return their (possibly partial) result together with a List.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Severity says what a finding means for the author. The zero value is Error.
type Severity uint8

const (
	// Error is reported exactly when Heat (or Mistral, for workflows) would refuse the input, or when a
	// target cannot realise it.
	Error Severity = iota
	// Warning is accepted by Heat, but the author will regret it.
	Warning
	// Info is style.
	Info
)

var severityNames = [...]string{"error", "warning", "info"}

func (s Severity) String() string { return severityNames[s] }

// MarshalText gives the severity's word in the JSON contracts.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Pos is a place in a text: 1-based line and 1-based column in runes. The zero Pos is unknown.
type Pos struct{ Line, Column int }

// Before reports whether p comes before q in the text.
func (p Pos) Before(q Pos) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// Location is a span in one file. End is the place after the last character; it equals Start where unknown.
type Location struct {
	Path       string
	Start, End Pos
}

// String formats the location as path:line:column.
func (l Location) String() string {
	switch {
	case l.Start.Line == 0:
		return l.Path
	case l.Path == "":
		return fmt.Sprintf("%d:%d", l.Start.Line, l.Start.Column)
	}
	return fmt.Sprintf("%s:%d:%d", l.Path, l.Start.Line, l.Start.Column)
}

// Step is one station on the way that leads to a finding, for example the members of a cycle.
type Step struct {
	Location
	Message string
}

// Diagnostic is one finding.
type Diagnostic struct {
	Location
	Severity   Severity
	Rule       string // kebab-case id
	Message    string // what and why, one line, lower case
	Suggestion string // what to do, if there is one answer
	Trail      []Step
}

// String formats the finding on one line, as compilers do.
func (d Diagnostic) String() string {
	s := fmt.Sprintf("%s: %s: %s [%s]", d.Location, d.Severity, d.Message, d.Rule)
	if d.Suggestion != "" {
		s += " (" + d.Suggestion + ")"
	}
	return s
}

// With returns d with the suggestion set.
func (d Diagnostic) With(format string, args ...any) Diagnostic {
	d.Suggestion = fmt.Sprintf(format, args...)
	return d
}

// Replacement is the word that the suggestion offers in the place of the one at the location; ok is false where it offers
// something else.
func (d Diagnostic) Replacement() (word string, ok bool) {
	word, ok = strings.CutPrefix(d.Suggestion, "did you mean ")
	word, end := strings.CutSuffix(word, "?")
	word, _, _ = strings.Cut(word, " for the key ")
	if q, err := strconv.Unquote(word); err == nil {
		word = q
	}
	return word, ok && end && word != "" && !strings.ContainsAny(word, " {}[]\"'")
}

// Via returns d with one more step on its trail.
func (d Diagnostic) Via(at Location, format string, args ...any) Diagnostic {
	d.Trail = append(slices.Clip(d.Trail), Step{Location: at, Message: fmt.Sprintf(format, args...)})
	return d
}

// Errorf makes an error finding.
func Errorf(at Location, rule, format string, args ...any) Diagnostic {
	return Diagnostic{Location: at, Severity: Error, Rule: rule, Message: fmt.Sprintf(format, args...)}
}

// Warnf makes a warning finding.
func Warnf(at Location, rule, format string, args ...any) Diagnostic {
	return Diagnostic{Location: at, Severity: Warning, Rule: rule, Message: fmt.Sprintf(format, args...)}
}

// Infof makes an info finding.
func Infof(at Location, rule, format string, args ...any) Diagnostic {
	return Diagnostic{Location: at, Severity: Info, Rule: rule, Message: fmt.Sprintf(format, args...)}
}

// List is a collection of findings.
type List []Diagnostic

// Add appends findings.
func (l *List) Add(d ...Diagnostic) { *l = append(*l, d...) }

// HasErrors reports whether any finding is an Error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort orders by path, line, column, rule, message and drops exact repetitions.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Start.Line, b.Start.Line), cmp.Compare(a.Start.Column, b.Start.Column),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	*l = slices.CompactFunc(*l, func(a, b Diagnostic) bool {
		return a.Location == b.Location && a.Rule == b.Rule && a.Message == b.Message
	})
}
