package local_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func build(t *testing.T, path string, params map[string]string, o local.Options) (*local.Plan, diag.List) {
	t.Helper()
	u := compiler.Load(compiler.NewFiles(), path, lint.Options{Parameters: params})
	if found := u.Check(); found.HasErrors() {
		t.Fatal(found)
	}
	program, found := u.Weave()
	if found.HasErrors() {
		t.Fatal(found)
	}
	return local.Build(u.Project, program, o)
}

func provides(kind, name string) bool {
	return name == "script" || strings.HasPrefix(name, "OS::Heat::")
}

// TestWorkflows compares the plan and workflow of each program with the files beside it. Each workflow is one that
// Mistral accepts.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	programs, err := filepath.Glob("testdata/*/template.yaml")
	if err != nil || len(programs) < 2 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, path := range programs {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			plan, found := build(t, path, nil, local.Options{Provides: provides})
			if len(found) > 0 {
				t.Fatal(found)
			}
			gone := []local.Gone{{Key: "old"}, {Key: "old.step", After: []string{"old"}}, {Key: "old.last", After: []string{"old", "old.step"}}}
			text := local.Emit(plan, gone)
			if again := local.Emit(plan, gone); string(again) != string(text) {
				t.Error("emitted again it differs")
			}
			if _, found := workflow.Parse(&source.File{Path: "workflow.yaml", Text: text}, workflow.Auto); len(found) > 0 {
				t.Errorf("Mistral would refuse it: %v", found)
			}
			var b strings.Builder
			behind := map[string]bool{}
			for _, n := range plan.Nodes {
				b.WriteString(n.Key + " (" + string(n.Kind) + " " + n.Type + "): " + strings.Join(n.After, ", ") + "\n")
				for _, before := range n.After {
					if !behind[before] {
						t.Errorf("%s stands before %s, which it waits for", n.Key, before)
					}
				}
				behind[n.Key] = true
			}
			for name, got := range map[string]string{"workflow.yaml": string(text), "plan.txt": b.String()} {
				file := filepath.Join(filepath.Dir(path), name)
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, _ := os.ReadFile(file)
				if d := cmp.Diff(string(want), got); d != "" {
					t.Errorf("%s; run with -update if this is right:\n%s", name, d)
				}
			}
		})
	}
}

func TestWhatThisMachineDoesNotHave(t *testing.T) {
	t.Parallel()
	head := "heat_template_version: 2018-08-31\nresources:\n"
	tests := map[string]struct{ text, want string }{
		"a type": {head + "  n: {type: OS::Neutron::Net}\n", "3:13: error: a resource of type OS::Neutron::Net can not be made on this machine"},
		"a type in a group": {
			head + "  g: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: OS::Neutron::Net}}}\n",
			"3:72: error: a resource of type OS::Neutron::Net can not be made on this machine",
		},
		"a tool": {
			head + "  s: {type: OS::Nova::Server, properties: {image: i, flavor: f}, components: {c: {component_type: t}}}\n" +
				"component_types:\n  t: {tool: puppet, config: x}\n",
			"5:13: error: tool puppet of s.c is not there on this machine",
		},
		"a number that is known too late": {
			head + "  r: {type: OS::Heat::RandomString}\n" +
				"  g: {type: OS::Heat::ResourceGroup, properties: {count: {get_attr: [r, value]}, resource_def: {type: OS::Heat::None}}}\n",
			"4:58: error: how many members g has is known only when other resources exist",
		},
		"too many": {
			head + "  g: {type: OS::Heat::ResourceGroup, properties: {count: 1001, resource_def: {type: OS::Heat::None}}}\n",
			"3:58: error: the number of members of g is not a whole number from 0 to 1000",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "t.yaml")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, found := build(t, path, nil, local.Options{Provides: provides})
			if len(found) != 1 || !strings.HasPrefix(strings.TrimPrefix(found[0].String(), path+":"), test.want) {
				t.Errorf("got %v\nwant %s", found, test.want)
			}
			if name == "a type" {
				if _, found := build(t, path, nil, local.Options{Provides: provides, Stub: true}); len(found) > 0 {
					t.Errorf("stubs: %v", found)
				}
			}
		})
	}
}
