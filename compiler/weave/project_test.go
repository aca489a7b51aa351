package weave_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// TestEnvironmentNamesTypesAndMembers weaves a template whose component types and members come by way of the registry.
func TestEnvironmentNamesTypesAndMembers(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"env.yaml": `
resource_registry:
  Our::Node: node.yaml
  "Our::*": "OS::Nova::*"
  single: single.yaml
  listed: many.yaml
  lost: many.yaml
`,
		"node.yaml": `
heat_template_version: 2018-08-31
resources: {server: {type: "Our::Server", properties: {flavor: f, image: i}}}
`,
		"single.yaml": "tool: script\ninputs: {x: {}}\nconfig: a\n",
		"many.yaml":   "component_types: {listed: {tool: script, config: a, junk: 1}}\n",
	}
	text := `
heat_template_version: 2018-08-31
resources:
  alias:
    type: Our::Server
    components:
      a: {component_type: single, params: {x: 1}}
      b: {component_type: listed}
      c: {component_type: lost}
      d: {component_type: singel}
  group:
    type: OS::Heat::ResourceGroup
    properties: {resource_def: {type: Our::Node}}
    components: {a: {component_type: single, params: {x: 1}}}
`
	files["t.yaml"] = text
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole, found := project.Load(source.NewFiles(source.FilesOptions{}), filepath.Join(folder, "t.yaml"), project.Options{
		Environments: []string{filepath.Join(folder, "env.yaml")},
	})
	p, woven := weave.Weave(whole.Template, weave.ForProject(whole))
	found.Add(woven...)
	if got := p.Host("alias").Kind; got != weave.Server {
		t.Errorf("alias is of kind %v", got)
	}
	m := p.Host("group").Member
	if m == nil || m.Nested == nil || m.Host.Name.Str() != "server" || m.Kind != weave.Server {
		t.Errorf("member of group: %+v", m)
	}
	got := findings(found)
	for _, want := range []string{
		`many.yaml:1:53: error: unknown key "junk" in component type "listed"`,
		`t.yaml:9:27: error: there is no component type "lost"`,
		`t.yaml:10:27: error: there is no component type "singel"`,
		`did you mean "single"?`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("not found: %s in\n%s", want, got)
		}
	}
}

func TestEveryLibraryTypeCanBeUsed(t *testing.T) {
	t.Parallel()
	library := weave.Library()
	names := library.Names()
	if len(names) == 0 {
		t.Fatal("the library is empty")
	}
	for _, name := range names {
		typ, found := library.Find(name)
		if typ == nil || len(found) > 0 {
			t.Errorf("%s: %s", name, findings(found))
			continue
		}
		if path := typ.Node.At().Path; path != weave.LibraryPath+"components/"+name+"/component.yaml" {
			t.Errorf("%s comes from %s", name, path)
		}
	}
	if typ, found := library.Find("../file"); typ != nil || found != nil {
		t.Error("a name that leaves the library is found")
	}
}
