package workflow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// TestLint reads testdata/lint. A line that is to be warned about says so itself, behind #!: the rule, and a part of
// the message or of the suggestion.
func TestLint(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/lint/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			doc, findings := Parse(&source.File{Path: path, Text: text}, Auto)
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			unmatched := Lint(doc, LintOptions{})
			for i, line := range strings.Split(string(text), "\n") {
				for _, want := range strings.Split(line, "#!")[1:] {
					rule, part, _ := strings.Cut(strings.TrimSpace(want), " ")
					unmatched = without(t, unmatched, i+1, rule, part)
				}
			}
			for _, d := range unmatched {
				t.Errorf("not expected: %s", d)
			}
		})
	}
}

func without(t *testing.T, list diag.List, line int, rule, part string) diag.List {
	t.Helper()
	for i, d := range list {
		if d.Start.Line == line && d.Rule == rule && strings.Contains(d.Message+" "+d.Suggestion, part) {
			return append(append(diag.List{}, list[:i]...), list[i+1:]...)
		}
	}
	t.Errorf("line %d: no finding %s %q", line, rule, part)
	return list
}

func TestErrorsSayWhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"version: '2.0'\nw:\n  tasks:\n    t:\n      actin: std.noop\n":                                          `5:7: error: a task has no key "actin" [workflow-unknown-key] (did you mean "action"?)`,
		"version: '2.0'\nw:\n  tasks:\n    t: {action: std.noop, on-success: tt}\n":                              `4:39: error: "tt" is not a task or a command (noop, fail, succeed, pause) of workflow "w" [workflow-unknown-task]`,
		"version: '2.0'\nw:\n  tasks:\n    t: {action: 'std.echo output=<% $. %>'}\n":                            `4:40: error: YAQL: Parse error: unexpected end of statement in "$." [workflow-expression]`,
		"version: '2.0'\nw:\n  tasks:\n    t:\n      publish:\n        x: |\n          a\n          {{ 1 + }}\n": `8:18: error: Jinja: unexpected 'end of print statement' in "a\n{{ 1 + }}\n" [workflow-expression]`,
		"version: '2.0'\nw:\n  tasks:\n    t: {join: some}\n":                                                    `4:15: error: "some" is not all, one, or a whole number [workflow-shape]`,
		"version: '2.0'\nw:\n  tasks:\n    7: {action: std.noop}\n":                                              `4:5: error: the key 7 is an integer; keys must be texts [workflow-shape] (quote it: "7")`,
		"version: '2.0'\nw:\n  tasks:\n    t: {input: {when: 2014-01-01}}\n":                                     `4:23: error: the date 2014-01-01 is not a value [workflow-shape]`,
		"version: '2.0'\nw:\n  tasks:\n    t: {with-items: 'i of [1]'}\n":                                        `4:21: error: "i of [1]" is not VAR in LIST, where LIST is [JSON, …] or an expression [workflow-with-items]`,
	} {
		_, findings := Parse(&source.File{Text: []byte(text)}, Workflows)
		got := ""
		if len(findings) > 0 {
			got = findings[0].String()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
}

func TestParseCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`std.noop`:                               `std.noop {}`,
		`std.echo output="a b" n=3 l=[1, "x"]`:   `std.echo {'output': 'a b', 'n': 3, 'l': [1, 'x']}`,
		`std.echo output=<% $.a %> x='q' t=true`: `std.echo {'output': '<% $.a %>', 'x': 'q', 't': True}`,
		`<% $.name %> a=1`:                       `<% $.name %> {'a': 1}`,
		`std.echo output=bare n=1.5 m=-1`:        `std.echo {'n': 1}`,
		`fail msg="x"`:                           `fail {'msg': 'x'}`,
		`fail(msg="x y")`:                        `fail {'msg': 'x y'}`,
	} {
		name, params, ok := ParseCommand(line)
		if got := name + " " + reprOf(params); !ok || got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	if _, _, ok := ParseCommand(`"quoted" a=1`); ok {
		t.Error("a quoted name is no name")
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/lint/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("version: '2.0'\nw: {tasks: {t: {action: std.noop, input: {1.5: x, true: y}}}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []Kind{Auto, Workbook, Actions} {
			doc, _ := Parse(&source.File{Path: "f", Text: []byte(text)}, kind)
			Lint(doc, LintOptions{})
		}
	})
}

func reprOf(m *value.Map) string { return value.Repr(m) }
