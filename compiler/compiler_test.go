package compiler_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// compile writes files into a folder and compiles template.yaml.
func compile(t *testing.T, target string, files map[string]string) (*plain.Output, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules := lint.Options{}
	if files["env.yaml"] != "" {
		rules.Environments = []string{filepath.Join(dir, "env.yaml")}
	}
	out, found := compiler.Load(compiler.NewFiles(), filepath.Join(dir, "template.yaml"), rules).
		Compile(emit.Find(target), plain.Options{})
	var text strings.Builder
	for _, d := range found {
		text.WriteString(strings.ReplaceAll(d.String(), dir+string(filepath.Separator), "") + "\n")
	}
	return out, text.String()
}

const script = "#!/bin/sh\ntrue\n"

func TestComponentTypesComeFromTemplateRegistryAndLibrary(t *testing.T) {
	t.Parallel()
	for _, target := range emit.Targets {
		out, found := compile(t, target.Name(), map[string]string{
			"template.yaml": `
heat_template_version: 2018-08-31
resources:
  a:
    type: OS::Nova::Server
    properties: {image: i, flavor: f}
    components:
      own: {component_type: own}
      filed: {component_type: filed}
      tools: {component_type: packages, params: {names: curl}}
component_types:
  own: {tool: script, config: {get_file: own.sh}}
`,
			"env.yaml":         "resource_registry: {filed: types/filed.yaml}\n",
			"types/filed.yaml": "component_types: {filed: {tool: script, config: {get_file: filed.sh}}}\n",
			"types/filed.sh":   script,
			"own.sh":           script,
		})
		if out == nil || found != "" {
			t.Fatalf("%s: %s", target.Name(), found)
		}
		var names []string
		for _, f := range out.Files {
			names = append(names, f.Name)
		}
		have := strings.Join(names, " ")
		for _, want := range []string{"own.sh", "filed.sh", "packages/install.sh"} {
			if !strings.Contains(have, want) {
				t.Errorf("%s: no %s among %s", target.Name(), want, have)
			}
		}
	}
}

func TestPlainHOTPassesWithWarnings(t *testing.T) {
	t.Parallel()
	out, found := compile(t, "cloud-init", map[string]string{
		"template.yaml": "heat_template_version: 2018-08-31\nresources: {a: {type: OS::Heat::Value, properties: {}}, b: {type: OS::Nova::Server}}\n",
	})
	if out == nil || !strings.Contains(found, "warning: ") || !strings.Contains(found, "flavor") {
		t.Errorf("output %v, %s", out != nil, found)
	}
}

func TestErrorsKeepOutputBack(t *testing.T) {
	t.Parallel()
	for name, template := range map[string]string{
		"not YAML":        "a: [",
		"structure":       "heat_template_version: 2018-08-31\nresorces: {}\n",
		"component":       "heat_template_version: 2018-08-31\nresources: {a: {type: OS::Heat::Value, properties: {value: 1}, components: {x: {component_type: y}}}}\n",
		"missing file":    "heat_template_version: 2018-08-31\nresources: {a: {type: OS::Heat::Value, properties: {value: {get_file: nowhere}}}}\n",
		"software on top": "heat_template_version: 2018-08-31\nresources: {a: {type: OS::Nova::Server, properties: {image: i, flavour: f}, components: {x: {component_type: file, params: {path: /x}}}}}\n",
	} {
		out, found := compile(t, "cloud-init", map[string]string{"template.yaml": template})
		if out != nil || !strings.Contains(found, "error: ") {
			t.Errorf("%s: output %v, %s", name, out != nil, found)
		}
	}
	out, found := compile(t, "cloud-init", nil)
	if out != nil || !strings.Contains(found, "template.yaml: error: ") {
		t.Errorf("no template: output %v, %s", out != nil, found)
	}
}

// TestTheCorpusPassesUnchanged compiles every public template that Heat finds valid, and compares the values.
func TestTheCorpusPassesUnchanged(t *testing.T) {
	t.Parallel()
	corpus := "../../shared/corpus"
	verdicts, err := os.Open(filepath.Join(corpus, "verdicts.jsonl"))
	if err != nil {
		t.Skip("the corpus is not here")
	}
	defer verdicts.Close()
	files := compiler.NewFiles()
	seen := map[string]bool{}
	lines := bufio.NewScanner(verdicts)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct{ Path, Verdict string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Verdict != "valid" || seen[row.Path] {
			continue
		}
		seen[row.Path] = true
		path := filepath.Join(corpus, row.Path)
		unit := compiler.Load(files, path, lint.Options{})
		out, found := unit.Compile(emit.Targets[len(seen)%len(emit.Targets)], plain.Options{})
		if out == nil {
			t.Errorf("%s is refused: %v", row.Path, found)
			continue
		}
		again, faults := source.Parse(plain.StackFile, out.File(plain.StackFile).Text)
		if faults.HasErrors() || !source.Equal(withoutNames(unit.Template.Root), withoutNames(again)) {
			t.Errorf("%s comes out with other values %v", row.Path, faults)
		}
	}
	if len(seen) < 800 {
		t.Errorf("only %d templates", len(seen))
	}
}

// withoutNames leaves out names of files outside of the template's folder, which change, as they have to.
func withoutNames(n *source.Node) *source.Node {
	return n.Rewrite(func(n *source.Node) *source.Node {
		if n.Is(source.String) && (strings.Contains(n.Text, "../") || strings.HasPrefix(n.Text, "outside/")) {
			return source.NewString(nil, "outside")
		}
		return n
	})
}
