package hot_test

import (
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/hot/hottest"
	"github.com/hotloom/hotloom/compiler/source"
)

func TestFindingsAreAtTheirLines(t *testing.T) {
	t.Parallel()
	hottest.Findings(t, "testdata/findings/*.yaml", func(path string, text []byte) diag.List {
		root, found := source.Parse(path, text)
		_, more := hot.LoadTemplate(root)
		return append(found, more...)
	})
}

func TestEnvironmentFindingsAreAtTheirLines(t *testing.T) {
	t.Parallel()
	hottest.Findings(t, "testdata/environments/*.yaml", func(path string, text []byte) diag.List {
		root, found := source.ParseFile(&source.File{Path: path, Text: text}, source.Options{Reader: source.YAML})
		_, more := hot.LoadEnvironment(root)
		return append(found, more...)
	})
}
