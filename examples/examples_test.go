// Package examples_test keeps the examples true: each is checked and compiled as its README says.
package examples_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// workflows are the examples that need a target which runs workflows.
var workflows = map[string]bool{"mail-2013": true}

func folders(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("*/template.yaml")
	if err != nil || len(found) < 4 {
		t.Fatalf("examples: %v, %v", found, err)
	}
	return found
}

func load(path string) *compiler.Unit {
	return compiler.Load(compiler.NewFiles(), path, lint.Options{})
}

func TestLintFindsNothingToRegret(t *testing.T) {
	t.Parallel()
	r, err := lint.Run(context.Background(), []string{"."}, lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Info {
			continue // style: mail-2013 keeps the spelling of the mail
		}
		t.Errorf("%s", d)
	}
	if want := len(folders(t)); len(r.Files) < want {
		t.Errorf("%d files checked, want at least %d", len(r.Files), want)
	}
}

func TestEachTargetCompilesThem(t *testing.T) {
	t.Parallel()
	for _, path := range folders(t) {
		for _, target := range emit.Targets {
			t.Run(filepath.Dir(path)+"/"+target.Name(), func(t *testing.T) {
				t.Parallel()
				out, found := load(path).Compile(target, plain.Options{})
				if workflows[filepath.Dir(path)] && target.Name() != "mistral" {
					if !found.HasErrors() || out != nil {
						t.Errorf("want a refusal, got %v", found)
					}
					return
				}
				if found.HasErrors() {
					t.Fatal(found)
				}
				root, faults := source.Parse(plain.StackFile, out.File(plain.StackFile).Text)
				if faults.HasErrors() || root.Get("resources") == nil || root.Get("component_types") != nil {
					t.Errorf("not a plain template: %v", faults)
				}
				folder := t.TempDir()
				written, err := out.Write(folder)
				if err != nil {
					t.Fatal(err)
				}
				r, err := lint.Run(context.Background(), []string{filepath.Join(folder, plain.StackFile)}, lint.Options{})
				if err != nil || r.Invalid() {
					t.Errorf("%d files written, lint of them: %v, %v", len(written), r.Diagnostics, err)
				}
			})
		}
	}
}

func TestGraphs(t *testing.T) {
	t.Parallel()
	want := map[string][]graph.Edge{
		"two-tier/template.yaml": {{From: "db.guestbook", To: "web.site", Reason: graph.Reads, Detail: "access_token"}},
		"cluster/template.yaml": {
			{From: "leader.cluster", To: "members.cluster", Reason: graph.Reads, Detail: "join_token"},
			{From: "members.motd", To: "members.cluster", Reason: graph.ListOrder},
		},
		"hello/template.yaml": {
			{From: "word", To: "vault.keeper", Reason: graph.Reads, Detail: "value"},
			{From: "vault.keeper", To: "desk.greeter", Reason: graph.Reads, Detail: "place"},
		},
		"lifecycle/template.yaml": {{From: "host", To: "host.greeter", Reason: graph.HostedOn}},
		"mail-2013/template.yaml": {
			{From: "shop.agent", To: "all_up", Reason: graph.Signals},
			{From: "ledger.agent", To: "all_up", Reason: graph.Signals},
			{From: "all_up", To: "open_shop", Reason: graph.Starts},
		},
	}
	for _, path := range folders(t) {
		program, found := load(path).Weave()
		if len(found) > 0 {
			t.Errorf("%s: %v", path, found)
		}
		have := map[graph.Edge]bool{}
		for e := range program.Graph.Edges() {
			e.Location = diag.Location{}
			have[e] = true
		}
		for _, e := range want[path] {
			if !have[e] {
				t.Errorf("%s: no edge %+v", path, e)
			}
		}
		if len(want[path]) == 0 {
			t.Errorf("%s: say here what its graph has to show", path)
		}
	}
}

func TestScriptsAreGoodShell(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir(".", func(p string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".sh" {
			return err
		}
		found++
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(string(text), "#!/bin/sh\n") {
			t.Errorf("%s does not begin with #!/bin/sh", p)
		}
		if out, err := exec.Command("/bin/sh", "-n", p).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", p, out)
		}
		return nil
	})
	if err != nil || found < 7 {
		t.Errorf("%d scripts, %v", found, err)
	}
}
