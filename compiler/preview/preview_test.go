package preview_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hotloom/hotloom/compiler/preview"
	"github.com/hotloom/hotloom/compiler/source"
)

var update = flag.Bool("update", false, "rewrite the expected plans")

// TestPlans compares the stacks before.yaml and after.yaml of each case, with the environments before.env and after.env and
// all other files, with the plan that stands in the file plan.
func TestPlans(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := plan(t, archive)
			if *update {
				set(archive, "plan", got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(file(archive, "plan")), string(got)); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func plan(t *testing.T, a *txtar.Archive) []byte {
	t.Helper()
	p := preview.Compare(side(t, a, "before"), side(t, a, "after"), preview.Options{States: states(a)})
	var out bytes.Buffer
	if err := p.Text(&out, nil); err != nil {
		t.Fatal(err)
	}
	if text, err := p.JSON(nil); err != nil || !bytes.Contains(text, []byte(`"version": 1`)) {
		t.Errorf("JSON: %v\n%s", err, text)
	}
	return out.Bytes()
}

func states(a *txtar.Archive) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(string(file(a, "states"))) {
		if fields := strings.Fields(line); len(fields) == 2 {
			out[fields[0]] = fields[1]
		}
	}
	return out
}

func side(t *testing.T, a *txtar.Archive, name string) *preview.Side {
	t.Helper()
	in := preview.Input{Template: parse(t, name+".yaml", file(a, name+".yaml")), Files: map[string]string{}}
	if env := file(a, name+".env"); env != nil {
		in.Environments = []*source.Node{parse(t, name+".env", env)}
	}
	for _, f := range a.Files {
		// a file "before/x" is x of that side alone
		if rest, ok := strings.CutPrefix(f.Name, name+"/"); ok {
			in.Files[rest] = string(f.Data)
		} else if _, set := in.Files[f.Name]; !set {
			in.Files[f.Name] = string(f.Data)
		}
	}
	s, found := preview.Load(in, nil)
	for _, d := range found {
		t.Errorf("%s: %v", name, d)
	}
	return s
}

func parse(t *testing.T, name string, text []byte) *source.Node {
	t.Helper()
	n, found := source.Parse(name, text)
	if found.HasErrors() {
		t.Fatal(found)
	}
	return n
}

func file(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func set(a *txtar.Archive, name string, text []byte) {
	for i, f := range a.Files {
		if f.Name == name {
			a.Files[i].Data = text
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: text})
}
