package emit_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/templates"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	keep   = flag.String("keep", "", "write each output whole to a subfolder of this folder, to show it to Heat")
)

// load weaves a template of a folder.
func load(t testing.TB, folder, name string, text []byte) *weave.Program {
	t.Helper()
	root, found := source.Parse(name, text)
	template, faults := hot.LoadTemplate(root)
	found.Add(faults...)
	p, woven := weave.Weave(template, weave.Options{
		Types: []weave.Types{weave.Library()},
		ResolveType: func(_ string, typ *source.Node) (string, *hot.Template) {
			if !strings.HasSuffix(typ.Text, ".yaml") {
				return typ.Text, nil
			}
			file, err := opener(folder)(typ.File.Path, typ.Text)
			if err != nil {
				return typ.Text, nil
			}
			nested, _ := source.Parse(file.Path, file.Text)
			loaded, _ := hot.LoadTemplate(nested)
			return typ.Text, loaded
		},
	})
	found.Add(woven...)
	for _, d := range found {
		if d.Severity == diag.Error {
			t.Fatal(d)
		}
	}
	return p
}

// opener reads files of a folder, and of the library.
func opener(folder string) func(from, name string) (*source.File, error) {
	return func(from, name string) (*source.File, error) {
		p := path.Join(path.Dir(from), name)
		if library, ok := strings.CutPrefix(from, weave.LibraryPath); ok {
			p = path.Join(path.Dir(library), name)
			text, err := fs.ReadFile(templates.FS(), p)
			return &source.File{Path: weave.LibraryPath + p, Text: text}, err
		}
		text, err := os.ReadFile(filepath.Join(folder, p))
		return &source.File{Path: p, Text: text}, err
	}
}

// TestPrograms compares what each target makes of the templates in testdata/programs, and of the examples, with the
// files beside them. Files that the output only takes over are listed, not compared.
func TestPrograms(t *testing.T) {
	t.Parallel()
	programs, err := filepath.Glob("testdata/programs/*/template.yaml")
	if err != nil || len(programs) < 5 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	examples, _ := filepath.Glob("../../examples/*/template.yaml")
	for _, file := range append(programs, examples...) {
		folder := filepath.Dir(file)
		name := filepath.Base(folder)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range emit.Targets {
			t.Run(name+"/"+target.Name(), func(t *testing.T) {
				t.Parallel()
				p := load(t, folder, "template.yaml", text)
				out, found := target.Emit(p, plain.Options{Open: opener(folder)})
				compare(t, filepath.Join("testdata/programs", name, target.Name()), golden(t, folder, out, found))

				again, _ := target.Emit(load(t, folder, "template.yaml", text), plain.Options{Open: opener(folder)})
				if d := cmp.Diff(out.Files, again.Files); d != "" {
					t.Errorf("compiled again it differs:\n%s", d)
				}
				checkStack(t, out)
				if *keep != "" && !found.HasErrors() {
					write(t, filepath.Join(*keep, name, target.Name()), out)
				}
			})
		}
	}
}

// golden gives the files of an output that are not copies, with a list of all files and the findings.
func golden(t *testing.T, folder string, out *plain.Output, found diag.List) map[string]string {
	t.Helper()
	files := map[string]string{}
	var list, findings strings.Builder
	for _, f := range out.Files {
		if !fs.ValidPath(f.Name) {
			t.Errorf("file %q leaves the output folder", f.Name)
		}
		fmt.Fprintf(&list, "%s %o\n", f.Name, f.Mode)
		original, err := os.ReadFile(filepath.Join(folder, f.Name))
		switch {
		case err == nil && bytes.Equal(original, f.Text), strings.HasPrefix(f.Name, "hotloom/"), f.Name == plain.SourceMapFile:
		default:
			files[f.Name] = string(f.Text)
		}
	}
	for _, d := range found {
		fmt.Fprintln(&findings, d)
		for _, s := range d.Trail {
			fmt.Fprintf(&findings, "    %s: %s\n", s.Location, s.Message)
		}
	}
	files["files.txt"], files["findings.txt"] = list.String(), findings.String()
	return files
}

func compare(t *testing.T, folder string, got map[string]string) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		out := &plain.Output{}
		for name, text := range got {
			out.Files = append(out.Files, plain.File{Name: name, Text: []byte(text), Mode: 0o644})
		}
		write(t, folder, out)
		return
	}
	want := map[string]string{}
	err := filepath.WalkDir(folder, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		name, _ := filepath.Rel(folder, p)
		want[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("run with -update if this is right:\n%s", d)
	}
}

func write(t *testing.T, folder string, out *plain.Output) {
	t.Helper()
	for _, f := range out.Files {
		file := filepath.Join(folder, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, f.Text, f.Mode)); err != nil {
			t.Fatal(err)
		}
	}
}

// checkStack finds faults that every output could have: traces of hotloom's own keys, and references to nothing.
func checkStack(t *testing.T, out *plain.Output) {
	t.Helper()
	for _, f := range out.Files {
		if path.Ext(f.Name) == ".yaml" {
			checkTemplate(t, out, f)
		}
	}
}

func checkTemplate(t *testing.T, out *plain.Output, f plain.File) {
	t.Helper()
	root, found := source.Parse(f.Name, f.Text)
	if found.HasErrors() {
		t.Fatal(found)
	}
	if !source.IsTemplate(root) {
		return
	}
	if root.Get("component_types") != nil {
		t.Errorf("%s: component_types are left", f.Name)
	}
	resources := root.Get("resources")
	if resources == nil {
		return // outputs of parameters alone
	}
	var names []string
	for _, p := range resources.Pairs {
		names = append(names, p.Key.Text)
		if p.Value.Get("components") != nil {
			t.Errorf("%s: %s has components left", f.Name, p.Key.Text)
		}
		var after []*source.Node
		if list := p.Value.Get("depends_on"); list.Is(source.List) {
			after = list.Items
		}
		for _, n := range after {
			if root.Get("resources").Get(n.Text) == nil {
				t.Errorf("%s: %s depends on %s, which does not exist", f.Name, p.Key.Text, n.Text)
			}
		}
	}
	root.Walk(func(n *source.Node) bool {
		for _, key := range []string{"get_file", "type"} {
			name := n.Get(key).Str()
			if key == "type" && !strings.HasSuffix(name, ".yaml") {
				continue
			}
			if name != "" && out.File(path.Join(path.Dir(f.Name), name)) == nil {
				t.Errorf("%s: file %s is not in the output", f.Name, name)
			}
		}
		for _, function := range []string{"get_attr", "get_resource", "ref"} {
			arg, ok := plain.Argument(n, function)
			if ok && arg.Is(source.List) {
				arg = arg.Items[0]
			}
			if ok && (function == "ref" || !slices.Contains(names, arg.Str())) {
				t.Errorf("%s: %s of %s, which does not exist", f.Name, function, arg.Str())
			}
		}
		return true
	})
}
