package lsp

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/lint"
)

// TestFindsWhatLintFinds compares the examples' findings, file by file.
func TestFindsWhatLintFinds(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	checked := 0
	err := filepath.WalkDir("../../examples", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		path, _ = filepath.Abs(path)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files := compiler.NewFiles()
		if _, ok := lint.KindOf(path, files); !ok {
			return nil
		}
		r, err := lint.Run(context.Background(), []string{path}, lint.Options{Files: files})
		if err != nil {
			return err
		}
		var want []string
		for _, d := range r.Diagnostics {
			if d.Path == path {
				want = append(want, d.Rule+":"+itoa(d.Start.Line))
			}
		}
		c.dir = filepath.Dir(path)
		c.open(filepath.Base(path), string(text))
		var got []string
		for _, d := range c.await(filepath.Base(path), 1) {
			got = append(got, d.Code+":"+itoa(d.Range.Start.Line+1))
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-lint +server):\n%s", path, diff)
		}
		c.close(filepath.Base(path))
		checked++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 5 {
		t.Errorf("only %d examples were compared", checked)
	}
}
