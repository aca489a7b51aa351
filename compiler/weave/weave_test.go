package weave_test

import (
	"bytes"
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
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/resources/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// load parses a template and weaves it with the files of its folder. The findings of all stages come together.
func load(t testing.TB, path string, text []byte) (*weave.Program, diag.List) {
	t.Helper()
	root, found := source.Parse(filepath.Base(path), text)
	template, faults := hot.LoadTemplate(root)
	found.Add(faults...)
	found.Add(checked(template)...)
	p, woven := weave.Weave(template, options(filepath.Dir(path)))
	found.Add(woven...)
	found.Sort()
	return p, found
}

// checked is what compiler/function finds. It leaves the resources to weave that are hotloom's own.
func checked(t *hot.Template) diag.List {
	scope := function.NewScope(t, nil)
	known := scope.TypeOf
	scope.TypeOf = func(r *hot.Resource) *catalog.Type {
		if r.IsWorkflowHandle() || r.IsOwnWorkflow() {
			return nil
		}
		return known(r)
	}
	return scope.Check()
}

// options stand for an environment: component types NAME in types/NAME.yaml, nested templates NAME.yaml, both in the
// folder, and the alias My::Server.
func options(folder string) weave.Options {
	types := map[string]*hot.ComponentType{}
	files, _ := filepath.Glob(filepath.Join(folder, "types", "*.yaml"))
	var names []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		root, _ := source.Parse("types/"+filepath.Base(file), text)
		list, _ := hot.LoadComponentTypes(root, source.NewString(root, name))
		for _, t := range list {
			types[t.Name.Str()] = t
			names = append(names, t.Name.Str())
		}
	}
	fromFiles := weave.Types{
		Find:  func(name string) (*hot.ComponentType, diag.List) { return types[name], nil },
		Names: func() []string { return names },
	}
	return weave.Options{
		Types: []weave.Types{fromFiles, weave.Library()},
		ResolveType: func(_ string, typ *source.Node) (string, *hot.Template) {
			if typ.Text == "My::Server" {
				return "OS::Nova::Server", nil
			}
			text, err := os.ReadFile(filepath.Join(folder, filepath.Base(typ.Text)))
			if err != nil || !strings.HasSuffix(typ.Text, ".yaml") {
				return typ.Text, nil
			}
			root, _ := source.Parse(typ.Text, text)
			nested, _ := hot.LoadTemplate(root)
			return typ.Text, nested
		},
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestPrograms compares each folder's findings, program and graph with its files.
func TestPrograms(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/programs/*/source.yaml")
	if err != nil || len(folders) < 10 {
		t.Fatalf("%d programs, %v", len(folders), err)
	}
	for _, path := range folders {
		folder := filepath.Dir(path)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p, found := load(t, path, text)
			var tree bytes.Buffer
			if err := p.Graph.Text(&tree); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(folder, "diagnostics.txt"), findings(found))
			golden(t, filepath.Join(folder, "graph.txt"), tree.String())
			golden(t, filepath.Join(folder, "program.txt"), describe(p))
		})
	}
}

func findings(found diag.List) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintln(&b, d)
		for _, s := range d.Trail {
			fmt.Fprintf(&b, "    %s: %s\n", s.Location, s.Message)
		}
	}
	return b.String()
}

// TestMistakes compares findings with the comments that stand on their lines: "#! RULE TEXT", where TEXT is part of the
// message or of the suggestion; several are separated by " #! ".
func TestMistakes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/mistakes/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, found := load(t, path, text)
			expected := map[int][]string{}
			for i, line := range strings.Split(string(text), "\n") {
				if parts := strings.Split(line, " #! "); len(parts) > 1 {
					expected[i+1] = parts[1:]
				}
			}
			for _, d := range found {
				if !claim(expected, d) {
					t.Errorf("not expected: %s", d)
				}
			}
			for line, rest := range expected {
				for _, want := range rest {
					t.Errorf("%s:%d: not found: %s", path, line, want)
				}
			}
		})
	}
}

// claim takes the expectation that the finding meets off the list.
func claim(expected map[int][]string, d diag.Diagnostic) bool {
	for i, want := range expected[d.Start.Line] {
		rule, part, _ := strings.Cut(want, " ")
		if d.Rule == rule && strings.Contains(d.Message+" ("+d.Suggestion+")", part) {
			expected[d.Start.Line] = append(expected[d.Start.Line][:i:i], expected[d.Start.Line][i+1:]...)
			return true
		}
	}
	return false
}

// describe writes what targets read of a program.
func describe(p *weave.Program) string {
	var b strings.Builder
	for _, h := range p.Hosts {
		fmt.Fprintf(&b, "host %s %s order %s\n", h.Name(), [...]string{"server", "deployed server", "group"}[h.Kind], stepIDs(h.Order))
		if m := h.Member; m != nil {
			fmt.Fprintf(&b, "  member %s", [...]string{"server", "deployed server"}[m.Kind])
			if m.Nested != nil {
				fmt.Fprintf(&b, " %s in %s", m.Host.Name.Str(), m.Host.Name.At().Path)
			}
			fmt.Fprintf(&b, " index %q\n", m.IndexVar)
		}
		for _, c := range h.Components {
			fmt.Fprintf(&b, "  component %s exists %s\n", c.ID(), [...]string{"maybe", "never", "always"}[c.Exists])
			for _, in := range c.Inputs {
				secret := ""
				if in.Secret {
					secret = " secret"
				}
				fmt.Fprintf(&b, "    input %s%s\n", in.Name, secret)
			}
			for _, s := range c.Steps {
				fmt.Fprintf(&b, "    step %s", s.ID)
				if len(s.Before) > 0 {
					fmt.Fprintf(&b, " after %s", stepIDs(s.Before))
				}
				if len(s.Needs) > 0 {
					fmt.Fprint(&b, " needs")
				}
				for _, r := range s.Needs {
					fmt.Fprintf(&b, " %s", r.Name.Str())
				}
				if s.Waited {
					fmt.Fprint(&b, " waited")
				}
				fmt.Fprintln(&b)
			}
		}
	}
	for _, f := range p.Followers {
		fmt.Fprintf(&b, "%s follows %s\n", f.Resource.Name.Str(), f.Host.Name())
	}
	for _, r := range p.Reads {
		by := "?"
		switch {
		case r.By != nil:
			by = r.By.ID
			if r.Input != nil {
				by += " input " + r.Input.Name
			}
		case r.Resource != nil:
			by = "resource " + r.Resource.Name.Str()
		case r.Out != nil:
			by = "output " + r.Out.Name.Str()
		}
		fmt.Fprintf(&b, "%s: %s.%s by %s path %d whole %v outside %v\n", r.Node.At(), r.Component.ID(), r.Output, by, len(r.Path), r.Whole, r.Outside())
	}
	for _, h := range p.Handles {
		fmt.Fprintf(&b, "handle %s", h.Resource.Name.Str())
		for _, c := range h.Participants {
			fmt.Fprintf(&b, " %s", c.ID())
		}
		fmt.Fprintln(&b)
	}
	for _, f := range p.Workflows {
		fmt.Fprintf(&b, "workflow %s runs %s", f.Resource.Name.Str(), f.Reference.Str())
		if f.Handle != nil {
			fmt.Fprintf(&b, " when %s is complete", f.Handle.Resource.Name.Str())
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

func stepIDs(steps []*weave.Step) string {
	var ids []string
	for _, s := range steps {
		ids = append(ids, s.ID)
	}
	return "[" + strings.Join(ids, " ") + "]"
}
