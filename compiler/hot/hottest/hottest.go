// Package hottest runs checks over test files in which each expected finding stands on the line where it must be
// found.
package hottest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
)

// separator divides a file into independent documents.
const separator = "%%%"

// expectation is the comment that says which findings a line has: "#! rule-id" for an error, "#! warning rule-id" for
// a warning, several of them separated by "; ".
var expectation = regexp.MustCompile(`#! (.*)$`)

// Findings runs check over every document of the files that pattern names, relative to the test's folder, and compares
// line, severity and rule of what it finds with the file's own comments. Documents keep their line numbers.
func Findings(t *testing.T, pattern string, check func(path string, text []byte) diag.List) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files for %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			line := 0
			for _, doc := range strings.SplitAfter(string(text), separator+"\n") {
				body := strings.TrimSuffix(doc, separator+"\n")
				want := expected(body, line)
				got := found(check(file, []byte(strings.Repeat("\n", line)+body)))
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("document at line %d (-want +got):\n%s", line+1, d)
				}
				line += strings.Count(doc, "\n")
			}
		})
	}
}

func expected(text string, offset int) []string {
	out := []string{}
	for i, l := range strings.Split(text, "\n") {
		m := expectation.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		for _, rule := range strings.Split(m[1], "; ") {
			if !strings.Contains(rule, " ") {
				rule = "error " + rule
			}
			out = append(out, fmt.Sprintf("%d: %s", offset+i+1, rule))
		}
	}
	slices.Sort(out)
	return out
}

func found(list diag.List) []string {
	out := []string{}
	for _, d := range list {
		out = append(out, fmt.Sprintf("%d: %s %s", d.Start.Line, d.Severity, d.Rule))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
