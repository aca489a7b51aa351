package weave_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// whole loads and weaves the files of a project: t.yaml under env.yaml where there is one.
func whole(t *testing.T, files map[string]string) (*weave.Program, diag.List) {
	t.Helper()
	folder := t.TempDir()
	opts := project.Options{}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "env.yaml" {
			opts.Environments = []string{filepath.Join(folder, name)}
		}
	}
	p, found := project.Load(source.NewFiles(source.FilesOptions{}), filepath.Join(folder, "t.yaml"), opts)
	woven, more := weave.Weave(p.Template, weave.ForProject(p))
	for i := range more {
		more[i].Path = filepath.Base(more[i].Path)
		more[i].Message = strings.ReplaceAll(more[i].Message, folder+string(filepath.Separator), "")
	}
	return woven, append(found, more...)
}

func TestNestedTemplatesAreWoven(t *testing.T) {
	t.Parallel()
	const version = "heat_template_version: 2018-08-31\n"
	const host = version + `
component_types: {app: {tool: script, config: "#!/bin/sh\n", outputs: {url: {}}}}
resources:
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f}
    components: {app: {component_type: app}}
outputs: {url: {value: {get_attr: [server, components, app, url]}}}
`
	group := func(typ string) string {
		return version + "resources: {g: {type: 'OS::Heat::ResourceGroup', properties: {resource_def: {type: " + typ + "}}}}\n"
	}
	for name, c := range map[string]struct {
		files map[string]string
		woven string // the nested programs
		want  string // a finding
	}{
		"a resource":             {files: map[string]string{"t.yaml": version + "resources: {a: {type: n.yaml}, b: {type: n.yaml}}", "n.yaml": host}, woven: "n.yaml"},
		"a member":               {files: map[string]string{"t.yaml": group("n.yaml"), "n.yaml": host}, woven: "n.yaml"},
		"below a plain template": {files: map[string]string{"t.yaml": group("m.yaml"), "m.yaml": version + "resources: {a: {type: n.yaml}}", "n.yaml": host}, woven: "n.yaml"},
		"nothing to weave":       {files: map[string]string{"t.yaml": group("n.yaml"), "n.yaml": version + "resources: {a: {type: 'OS::Heat::None'}}"}},
		"types alone": {
			files: map[string]string{"t.yaml": version + "resources: {a: {type: n.yaml}}", "n.yaml": version + "component_types: {}\nresources: {a: {type: 'OS::Heat::None'}}"},
			woven: "n.yaml",
		},
		"a mistake inside": {
			files: map[string]string{"t.yaml": group("n.yaml"), "n.yaml": strings.Replace(host, "component_type: app", "component_type: apt", 1)},
			woven: "n.yaml", want: `n.yaml:8:40: error: there is no component type "apt"`,
		},
		"a faulty member": {
			files: map[string]string{"t.yaml": group("n.yaml"), "n.yaml": strings.Replace(host, "component_type: app", "component_typ: app", 1)},
			woven: "n.yaml", want: `n.yaml:8:24: error: unknown key "component_typ"`,
		},
		"by the registry": {
			files: map[string]string{
				"t.yaml": version + "resources: {a: {type: 'My::Host'}}", "n.yaml": host,
				"env.yaml": "resource_registry: {'My::Host': n.yaml}\n",
			},
			woven: "n.yaml",
			want:  `n.yaml:3:1: error: n.yaml has something to compile, and My::Host stands for it by the environment's resource_registry`,
		},
		"a member of a group with components": {
			files: map[string]string{
				"t.yaml": version + `
component_types: {app: {tool: script, config: "#!/bin/sh\n"}}
resources:
  g:
    type: OS::Heat::ResourceGroup
    properties: {resource_def: {type: n.yaml}}
    components: {app: {component_type: app}}
`,
				"n.yaml": host,
			},
			woven: "n.yaml", want: `t.yaml:7:39: error: the group has components, and so has its member: resource "server" in n.yaml`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, found := whole(t, c.files)
			var woven []string
			for path, program := range p.Nested {
				woven = append(woven, filepath.Base(path))
				if program.Nested != nil {
					t.Errorf("%s has nested programs of its own; the outermost has all", path)
				}
			}
			slices.Sort(woven)
			if got := strings.Join(woven, " "); got != c.woven {
				t.Errorf("woven: %q, want %q", got, c.woven)
			}
			if p.Plain() != (c.woven == "") && p.Hosts == nil {
				t.Errorf("plain: %v", p.Plain())
			}
			switch got := findings(found); {
			case c.want == "" && found.HasErrors():
				t.Errorf("found:\n%s", got)
			case !strings.Contains(got, c.want):
				t.Errorf("not found: %s in\n%s", c.want, got)
			}
		})
	}
}

func TestNestedTemplatesInACircleEnd(t *testing.T) {
	t.Parallel()
	const text = "heat_template_version: 2018-08-31\ncomponent_types: {}\nresources: {a: {type: n.yaml}, b: {type: t.yaml}}\n"
	p, _ := whole(t, map[string]string{"t.yaml": text, "n.yaml": text})
	if len(p.Nested) != 2 {
		t.Errorf("%d nested programs", len(p.Nested))
	}
}
