package function_test

import (
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/hot/hottest"
	"github.com/hotloom/hotloom/compiler/source"
)

func TestFindingsAreAtTheirLines(t *testing.T) {
	t.Parallel()
	hottest.Findings(t, "testdata/findings/*.yaml", func(path string, text []byte) diag.List {
		root, found := source.Parse(path, text)
		tmpl, more := hot.LoadTemplate(root)
		found.Add(more...)
		params, more := tmpl.Resolve(nil)
		found.Add(more...)
		return append(found, function.NewScope(tmpl, params).Check()...)
	})
}
