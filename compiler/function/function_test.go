package function_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

func node(t *testing.T, text string) *source.Node {
	t.Helper()
	root, found := source.Parse("v.yaml", []byte("v: "+text))
	if found.HasErrors() {
		t.Fatal(found)
	}
	return root.Get("v")
}

// Every function that a version names must have a form, and every form a version.
func TestRegistryAndVersionsAgree(t *testing.T) {
	t.Parallel()
	used := map[*function.Function]bool{}
	for _, v := range hot.Versions {
		for _, name := range v.Functions {
			c, ok := function.Find(v, source.NewMap(nil, source.P(nil, name, source.NewNull(nil))))
			if !ok {
				t.Errorf("%s: no form of %s", v.Name, name)
			}
			used[c.Function] = true
		}
		for _, name := range v.ConditionFunctions {
			c, ok := function.FindCondition(v, source.NewMap(nil, source.P(nil, name, source.NewNull(nil))))
			if !ok {
				t.Errorf("%s: no form of %s in conditions", v.Name, name)
			}
			used[c.Function] = true
		}
	}
	for _, f := range function.All() {
		if !used[f] {
			t.Errorf("no version uses %s since %q", f.Name, f.Since)
		}
		if !strings.Contains(f.Usage, f.Name) {
			t.Errorf("%s: its usage %q does not show it", f.Name, f.Usage)
		}
	}
}

func TestFindTakesOneKeyThatTheVersionKnows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, text string
		want          string
	}{
		{"2018-08-31", "{get_param: p}", "get_param"},
		{"2018-08-31", "{ref: r}", ""},
		{"2013-05-23", "{ref: r}", ""},
		{"2018-08-31", "{get_param: p, x: 1}", ""},
		{"2018-08-31", "{equals: [1, 1]}", ""},
		{"2016-04-08", "{yaql: {}}", ""},
		{"2018-08-31", "{Ref: r}", ""},
		{"2013-05-23", "{Ref: r}", "Ref"},
		{"2018-08-31", "[get_param]", ""},
		{"2018-08-31", "", ""},
	} {
		call, ok := function.Find(hot.LookupVersion(hot.HOTKey, c.version), node(t, c.text))
		got := ""
		if ok {
			got = call.Function.Name
		}
		if got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.text, c.version, got, c.want)
		}
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	n := node(t, `
  a: {get_param: [p, x, 0]}
  b: {get_attr: [r, attribute, {get_param: index}]}
  c: {if: [{and: [c1, {equals: [{get_param: q}, 1]}]}, {get_resource: s}, {get_resource: t}]}
  d: {str_replace: {template: {get_file: f.sh}, params: {$x: {get_resource: {get_param: name}}}}}
  e: {if: [c2, 1, 2]}
`)
	var got []string
	for _, r := range function.References(nil, n) {
		got = append(got, fmt.Sprintf("%s %s %d", r.Kind, r.Target.Text, len(r.Path)))
	}
	want := []string{
		"parameter p 2", "attribute r 2", "parameter index 0", "condition c1 0", "parameter q 0", "resource s 0", "resource t 0",
		"file f.sh 0", "parameter name 0", "condition c2 0",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	got = nil
	for _, r := range function.ConditionReferences(nil, node(t, "{or: [a, {not: b}, {equals: [{get_param: p}, text]}]}")) {
		got = append(got, fmt.Sprintf("%s %s", r.Kind, r.Target.Text))
	}
	if d := cmp.Diff([]string{"condition a", "condition b", "parameter p"}, got); d != "" {
		t.Errorf("condition (-want +got):\n%s", d)
	}
}

func TestWalkSkipsWhatItsVisitorRefuses(t *testing.T) {
	t.Parallel()
	var got []string
	function.Walk(nil, node(t, "[{list_join: ['', [{get_param: a}]]}, {map_merge: [{x: {get_param: b}}]}]"), func(c function.Call) bool {
		got = append(got, c.Function.Name)
		return c.Function.Name != "list_join"
	})
	if d := cmp.Diff([]string{"list_join", "map_merge", "get_param"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestConditionsAreThreeValued(t *testing.T) {
	t.Parallel()
	root, _ := source.Parse("t.yaml", []byte(`heat_template_version: 2018-08-31
parameters: {p: {type: string, default: v}, n: {type: number, default: '1'}, b: {type: boolean, default: 'on'}, open: {type: string}}
conditions:
  t: {equals: [{get_param: p}, v]}
  number: {equals: [{get_param: n}, 1]}
  text: {equals: [{get_param: n}, '1']}
  bool: {get_param: b}
  in: {contains: [v, {get_param: p}]}
  open: {equals: [{get_param: open}, 1]}
  and_false: {and: [open, text]}
  and_open: {and: [t, open]}
  or_true: {or: [open, t]}
  not_open: {not: open}
  skipped: {or: [t, no_such]}
`))
	tmpl, found := hot.LoadTemplate(root)
	if found.HasErrors() {
		t.Fatal(found)
	}
	params, _ := tmpl.Resolve(nil)
	scope := function.NewScope(tmpl, params)
	for name, want := range map[string]function.Truth{
		"t": function.True, "number": function.True, "text": function.False, "bool": function.True, "in": function.True,
		"open": function.Maybe, "and_false": function.False, "and_open": function.Maybe, "or_true": function.True,
		"not_open": function.Maybe, "skipped": function.True,
	} {
		if got, err := scope.Condition(name); got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
}

// A cycle is reported once, with all of its members on the trail.
func TestCyclesNameTheirWholePath(t *testing.T) {
	t.Parallel()
	root, _ := source.Parse("t.yaml", []byte(`heat_template_version: 2018-08-31
conditions: {x: {not: y}, y: {not: x}}
resources:
  a: {type: OS::Heat::Value, properties: {value: {get_attr: [b, value]}}}
  b: {type: OS::Heat::Value, properties: {value: 1}, depends_on: c}
  c: {type: OS::Heat::Value, properties: {value: {get_resource: a}}}
  d: {type: OS::Heat::None, condition: y}
  e: {type: OS::Heat::None, condition: x}
`))
	tmpl, _ := hot.LoadTemplate(root)
	var got []string
	for _, d := range function.NewScope(tmpl, nil).Check() {
		got = append(got, d.String())
		for _, s := range d.Trail {
			got = append(got, "  "+s.String()+" "+s.Message)
		}
	}
	want := []string{
		"t.yaml:2:14: error: conditions that need each other: x → y → x [circular-condition]",
		"  t.yaml:2:17 x needs y",
		"  t.yaml:2:30 y needs x",
		"t.yaml:4:62: error: resources that need each other: a → b → c → a [circular-dependency]",
		"  t.yaml:4:62 a needs b: get_attr",
		"  t.yaml:5:66 b needs c: depends_on",
		"  t.yaml:6:65 c needs a: get_resource",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
