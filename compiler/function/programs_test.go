package function_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPrograms compares what is found in whole programs, and what their values refer to, with the files beside them.
func TestPrograms(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/programs/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no programs", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			found, references := program(t, dir)
			golden(t, filepath.Join(dir, "diagnostics.txt"), found)
			golden(t, filepath.Join(dir, "references.txt"), references)
		})
	}
}

func program(t *testing.T, dir string) (diagnostics, references string) {
	t.Helper()
	read := func(name string, reader source.Reader) (*source.Node, diag.List) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, nil
		}
		return source.ParseFile(&source.File{Path: name, Text: text}, source.Options{Reader: reader})
	}
	root, found := read("template.yaml", source.Template)
	tmpl, more := hot.LoadTemplate(root)
	found.Add(more...)
	var env *hot.Environment
	if n, more := read("environment.yaml", source.YAML); n != nil {
		found.Add(more...)
		env, more = hot.LoadEnvironment(n)
		found.Add(more...)
	}
	params, more := tmpl.Resolve(env)
	found.Add(more...)
	found.Add(function.NewScope(tmpl, params).Check()...)
	found.Sort()
	var b, r strings.Builder
	for _, d := range found {
		fmt.Fprintln(&b, d)
		for _, s := range d.Trail {
			fmt.Fprintf(&b, "    %s: %s\n", s.Location, s.Message)
		}
	}
	for _, ref := range function.References(tmpl.Version, tmpl.Root) {
		fmt.Fprintf(&r, "%s: %s %s\n", ref.Target.At(), ref.Kind, ref.Target.Text)
	}
	return b.String(), r.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}
