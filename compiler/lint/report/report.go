// Package report writes the findings of lint in the forms that people and machines read: text, json, sarif, junit,
// github and gitlab. Every form is stable: the same findings give the same bytes.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/hotloom/hotloom/compiler/lint"
)

// Options of a reporter.
type Options struct {
	Color   bool   // text: escape codes for a terminal
	Version string // of hotloom, for sarif
}

// Format is one form of output.
type Format struct {
	Name  string
	Write func(w io.Writer, r *lint.Report, o Options) error
}

// Formats is the registry. The first is the default.
var Formats = []Format{
	{"text", writeText},
	{"json", writeJSON},
	{"sarif", writeSARIF},
	{"junit", writeJUnit},
	{"github", writeGitHub},
	{"gitlab", writeGitLab},
}

// Names lists the formats.
func Names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// Write writes r in the named format.
func Write(w io.Writer, format string, r *lint.Report, o Options) error {
	for _, f := range Formats {
		if f.Name == format {
			return f.Write(w, r, o)
		}
	}
	return fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Names(), ", "))
}

// plural is a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
