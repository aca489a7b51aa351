package workflow

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

func TestCheckInput(t *testing.T) {
	t.Parallel()
	doc, _ := Parse(&source.File{Path: "w.yaml", Text: []byte("version: '2.0'\nw:\n  input: [host, port: 80]\n  tasks: {t: {action: std.noop}}\n")}, Workflows)
	w := doc.Workflow("w")
	for _, c := range []struct {
		given *value.Map
		want  []string
	}{
		{value.MapOf("host", "a"), nil},
		{value.MapOf("host", nil, "port", int64(1)), nil},
		{nil, []string{`w.yaml:3:11: error: workflow "w" needs the input "host", which is not given [workflow-input]`}},
		{value.MapOf("host", "a", "prot", int64(1)), []string{`w.yaml:2:1: error: workflow "w" has no input "prot" [workflow-input] (did you mean "port"?)`}},
		{value.MapOf("host", "a", "quite_else", true), []string{`w.yaml:2:1: error: workflow "w" has no input "quite_else" [workflow-input] (it has host, port)`}},
	} {
		var got []string
		for _, d := range w.CheckInput(c.given) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s\n%s", value.Repr(c.given), diff)
		}
	}
}
