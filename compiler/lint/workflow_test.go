package lint_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// TestAdHocActionsOfTheRunCount checks calls of ad-hoc actions that stand in other files of the same run.
func TestAdHocActionsOfTheRunCount(t *testing.T) {
	t.Parallel()
	const flow = "version: '2.0'\nflow:\n  tasks:\n    a: {action: greet, input: {nmae: x}}\n    b: {action: book.greet, input: {name: x}}\n"
	const actions = "version: '2.0'\ngreet:\n  input: [name]\n  base: std.echo\n  base-input: {output: <% $.name %>}\n"
	const book = "version: '2.0'\nname: book\nactions:\n  greet: {input: [nom], base: std.noop}\n"
	const other = "version: '2.0'\ngreet:\n  input: [other]\n  base: std.noop\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"known nowhere": {map[string]string{"flow.yaml": flow}, nil},
		"in a file of actions": {map[string]string{"flow.yaml": flow, "actions.yaml": actions}, []string{
			`flow.yaml:4:17: warning: action greet needs name; the task and the workflow fail [workflow-action-input]`,
			`flow.yaml:4:32: warning: action greet has no input "nmae"; the task and the workflow fail [workflow-action-input] (did you mean name?)`,
		}},
		"in a workbook": {map[string]string{"flow.yaml": flow, "book.yaml": book}, []string{
			`flow.yaml:5:17: warning: action book.greet needs nom; the task and the workflow fail [workflow-action-input]`,
			`flow.yaml:5:37: warning: action book.greet has no input "name"; the task and the workflow fail [workflow-action-input]`,
		}},
		"defined twice, differently": {map[string]string{"flow.yaml": flow, "actions.yaml": actions, "other.yaml": other}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			for p := range c.files {
				paths = append(paths, p)
			}
			rep, err := lint.Run(context.Background(), paths, lint.Options{
				Given: true,
				Files: source.NewFiles(source.FilesOptions{Read: func(p string) ([]byte, error) {
					if text, ok := c.files[p]; ok {
						return []byte(text), nil
					}
					return nil, fs.ErrNotExist
				}}),
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range rep.Diagnostics {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
