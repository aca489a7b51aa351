package plain

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ dir, target, want string }{
		{".", "a.sh", "a.sh"},
		{"project", "project/lib/a.sh", "lib/a.sh"},
		{"project", "a.sh", "../a.sh"},
		{"/home/x", "/home/x/./lib/../a.sh", "a.sh"},
		{"/home/x", "/etc/a.sh", "../../etc/a.sh"},
		{"/home/x", "a.sh", "a.sh"},
		{"../x", "../y/a.sh", "../y/a.sh"},
		{"../x", "../x/a.sh", "a.sh"},
		{"../x", "a.sh", "a.sh"},
	} {
		if got := relative(test.dir, test.target); got != test.want {
			t.Errorf("relative(%q, %q) = %q, want %q", test.dir, test.target, got, test.want)
		}
	}
}

// program makes a program without components of a template.
func program(t *testing.T, path, text string) *weave.Program {
	t.Helper()
	root, found := source.Parse(path, []byte(text))
	template, faults := hot.LoadTemplate(root)
	if found = append(found, faults...); found.HasErrors() {
		t.Fatal(found)
	}
	p, _ := weave.Weave(template, weave.Options{})
	return p
}

// files reads from a map by path.
func files(texts map[string]string) func(from, name string) (*source.File, error) {
	return func(from, name string) (*source.File, error) {
		p := relative("/", "/"+from[:strings.LastIndexByte("/"+from, '/')]+"/"+name)
		if text, ok := texts[p]; ok {
			return &source.File{Path: p, Text: []byte(text)}, nil
		}
		return nil, errors.New("not found")
	}
}

func TestFilesStayInsideTheOutput(t *testing.T) {
	t.Parallel()
	p := program(t, "project/template.yaml", `heat_template_version: 2018-08-31
resources:
  a: {type: nested/x.yaml, properties: {one: {get_file: run.sh}, two: {get_file: ../shared/run.sh}, three: {get_file: "http://host/x"}}}
  b: {type: OS::Heat::Value, properties: {value: {get_file: missing}}}
  c: {type: OS::Heat::Value, properties: {value: {get_file: stack.yaml}}}
`)
	s := New(p, Options{Open: files(map[string]string{
		"project/nested/x.yaml":  "heat_template_version: 2018-08-31\nresources: {y: {type: ../../shared/y.yaml, properties: {f: {get_file: ../run.sh}}}}\n",
		"project/run.sh":         "run",
		"project/stack.yaml":     "mine",
		"shared/run.sh":          "shared",
		"shared/y.yaml":          "heat_template_version: 2018-08-31\nresources: {z: {type: z.yaml}}\n",
		"shared/z.yaml":          "heat_template_version: 2018-08-31\n",
		"project/never-named.sh": "x",
	})})
	out, found := s.Finish()
	got := map[string]string{}
	for _, f := range out.Files {
		if f.Name != SourceMapFile {
			got[f.Name] = string(f.Text)
		}
	}
	stack, _ := source.Parse(StackFile, []byte(got[StackFile]))
	nested, _ := source.Parse("x.yaml", []byte(got["nested/x.yaml"]))
	delete(got, StackFile)
	delete(got, "nested/x.yaml")
	want := map[string]string{
		"run.sh":                "run",
		"outside/shared/run.sh": "shared",
		"outside/stack.yaml":    "mine",
		"outside/shared/y.yaml": "heat_template_version: 2018-08-31\nresources: {z: {type: z.yaml}}\n",
		"outside/shared/z.yaml": "heat_template_version: 2018-08-31\n",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	y := nested.Get("resources").Get("y")
	if y.Get("type").Str() != "../outside/shared/y.yaml" || y.Get("properties").Get("f").Get("get_file").Str() != "../run.sh" {
		t.Errorf("the nested template is\n%s", source.Encode(nested))
	}
	properties := stack.Get("resources").Get("a").Get("properties")
	for name, file := range map[string]string{"one": "run.sh", "two": "outside/shared/run.sh", "three": "http://host/x"} {
		if n := properties.Get(name).Get("get_file"); n.Str() != file {
			t.Errorf("%s is %s, want %s", name, n.Str(), file)
		}
	}
	if n := stack.Get("resources").Get("c").Get("properties").Get("value").Get("get_file"); n.Str() != "outside/stack.yaml" {
		t.Errorf("a file called as the output is %q", n.Str())
	}
	if len(found) != 1 || found[0].Start.Line != 4 || !strings.Contains(found[0].Message, "not found") {
		t.Errorf("findings %v", found)
	}
}

func TestNamesAreFreeAndStable(t *testing.T) {
	t.Parallel()
	p := program(t, "t.yaml", `heat_template_version: 2018-08-31
parameters: {a_b: {type: string}}
resources: {a_b_2: {type: OS::Heat::None}}
`)
	s := New(p, Options{})
	var got []string
	for range 2 {
		got = append(got, s.Name("a", "b"))
	}
	got = append(got, s.Name("x/y", "z"))
	if d := cmp.Diff([]string{"a_b_3", "a_b_4", "x_y_z"}, got); d != "" {
		t.Error(d)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	p := program(t, "t.yaml", "heat_template_version: 2018-08-31\nresources: {a: {type: OS::Heat::None}, b: {type: OS::Heat::None}}\n")
	_, found := New(p, Options{Limits: Limits{TemplateBytes: 50, Resources: 1}}).Finish()
	var got []string
	for _, d := range found {
		got = append(got, d.Rule+": "+d.Message)
	}
	want := []string{
		"limit: stack.yaml has 100 bytes; Heat takes 50 for a template",
		"limit: the stack has 2 resources; Heat takes 1",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSourceMapLeadsToTheCause(t *testing.T) {
	t.Parallel()
	p := program(t, "t.yaml", `heat_template_version: 2018-08-31
resources:
  a:
    type: OS::Heat::Value
    properties:
      value: [x, {deep: y}]
`)
	s := New(p, Options{})
	cause := p.Template.Resource("a").Type
	s.Add(s.Resource("a"), "made", cause, "OS::Heat::Value", source.P(cause, "value", source.NewString(cause, "z")))
	out, _ := s.Finish()
	var decoded SourceMap
	if err := json.Unmarshal(out.File(SourceMapFile).Text, &decoded); err != nil || !slices.Equal(decoded.Mappings, out.SourceMap.Mappings) {
		t.Errorf("%v: the file differs from the map", err)
	}
	for path, want := range map[string]diag.Pos{
		"resources.a":                           {Line: 3, Column: 3},
		"resources.a.properties.value.1.deep":   {Line: 6, Column: 19},
		"resources.a.properties.value.0":        {Line: 6, Column: 15},
		"resources.a.properties.value.0.no.way": {Line: 6, Column: 15},
		"resources.made.properties.value":       {Line: 4, Column: 11},
		"nothing":                               {},
	} {
		if got := out.SourceMap.Find(StackFile, path); got.Start != want {
			t.Errorf("%s is at %v, want %v", path, got, want)
		}
	}
}
