package hot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

func load(t *testing.T, text string) *hot.Template {
	t.Helper()
	root, found := source.Parse("t.yaml", []byte(text))
	tmpl, more := hot.LoadTemplate(root)
	if found = append(found, more...); found.HasErrors() {
		t.Fatal(found)
	}
	return tmpl
}

func environment(t *testing.T, text string) *hot.Environment {
	t.Helper()
	root, _ := source.ParseFile(&source.File{Path: "env.yaml", Text: []byte(text)}, source.Options{Reader: source.YAML})
	env, found := hot.LoadEnvironment(root)
	if found.HasErrors() {
		t.Fatal(found)
	}
	return env
}

func TestVersionsAddToEachOther(t *testing.T) {
	t.Parallel()
	for alias, name := range map[string]string{
		"newton": "2016-10-14", "ocata": "2017-02-24", "pike": "2017-09-01", "queens": "2018-03-02",
		"rocky": "2018-08-31", "wallaby": "2021-04-16",
	} {
		if v := hot.LookupVersion(hot.HOTKey, alias); v == nil || v.Name != name {
			t.Errorf("alias %s is %v, want %s", alias, v, name)
		}
	}
	for _, c := range []struct {
		version, function string
		live, removed     bool
	}{
		{"2013-05-23", "Fn::Select", true, false},
		{"2015-04-30", "Fn::Select", true, false},
		{"2015-10-15", "Fn::Select", false, true},
		{"2013-05-23", "Ref", true, false},
		{"2014-10-16", "Ref", false, true},
		{"2015-04-30", "digest", true, false},
		{"2014-10-16", "digest", false, false},
		{"2016-04-08", "if", false, false},
		{"2016-10-14", "if", true, false},
		{"2021-04-16", "list_concat_unique", true, false},
		{"2018-08-31", "Fn::GetAtt", false, false},
	} {
		v := hot.LookupVersion(hot.HOTKey, c.version)
		if v.HasFunction(c.function) != c.live || v.HasRemoved(c.function) != c.removed {
			t.Errorf("%s in %s: live %t, removed %t", c.function, c.version, v.HasFunction(c.function), v.HasRemoved(c.function))
		}
	}
	if hot.LookupVersion(hot.HOTKey, "2016-10-14").HasConditionFunction("contains") || !hot.Newest.HasConditionFunction("contains") {
		t.Error("contains is a condition function from 2017-09-01 on")
	}
}

func TestValuesConvertAsHeatConverts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   hot.ParameterType
		give any
		want any // nil: refused
	}{
		{hot.String, true, "True"},
		{hot.String, int64(5), "5"},
		{hot.String, []any{"a", int64(1)}, "['a', 1]"},
		{hot.Number, "5", int64(5)},
		{hot.Number, " 7 ", int64(7)},
		{hot.Number, "1e3", 1000.0},
		{hot.Number, "0x10", nil},
		{hot.Number, "1_000", int64(1000)},
		{hot.Number, []any{}, nil},
		{hot.Number, "", nil},
		{hot.Boolean, "Yes", true},
		{hot.Boolean, int64(0), false},
		{hot.Boolean, "off", false},
		{hot.Boolean, 1.0, nil},
		{hot.Boolean, "2", nil},
		{hot.CommaDelimitedList, "a, b", []any{"a", " b"}},
		{hot.CommaDelimitedList, "", []any{}},
		{hot.CommaDelimitedList, []any{true, nil}, []any{"True", "None"}},
		{hot.CommaDelimitedList, int64(5), nil},
		{hot.JSON, "", ""},
		{hot.JSON, "[1, 2]", []any{int64(1), int64(2)}},
		{hot.JSON, "{bad", nil},
		{hot.JSON, "NaN5", nil},
	} {
		got, err := hot.Convert(c.of, c.give)
		if (err != nil) != (c.want == nil) || err == nil && !value.Equal(got, c.want) {
			t.Errorf("%s of %#v: %#v, %v; want %#v", c.of, c.give, got, err, c.want)
		}
	}
}

func TestParametersResolveInHeatsOrder(t *testing.T) {
	t.Parallel()
	tmpl := load(t, `heat_template_version: 2018-08-31
parameters:
  user: {type: string, default: d}
  env: {type: string, default: d}
  own: {type: number, default: '5'}
  null_given: {type: string, default: d}
  none: {type: string}
  bad: {type: number, constraints: [{range: {max: 3}}]}
  secret: {type: string, hidden: true, constraints: [{allowed_values: [x]}]}
  late: {type: number, default: abc}
`)
	values, found := tmpl.Resolve(environment(t, `parameters: {user: u, null_given: , bad: 4, secret: hunter2, nope: 1}
parameter_defaults: {user: e, env: e, ignored: 1}
`))
	want := hot.Values{"user": "u", "env": "e", "own": int64(5), "null_given": "d"}
	if d := cmp.Diff(want, values); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	var got []string
	for _, d := range found {
		got = append(got, d.Path+" "+d.Rule)
		if strings.Contains(d.Message, "hunter2") {
			t.Errorf("a secret in a message: %s", d)
		}
	}
	wantRules := []string{
		"env.yaml unknown-environment-parameter", "env.yaml parameter-value", "env.yaml parameter-value", "t.yaml parameter-value",
	}
	if d := cmp.Diff(wantRules, got); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

func TestEnvironmentsMergeAsTheEngineMerges(t *testing.T) {
	t.Parallel()
	tmpl := load(t, `heat_template_version: 2018-08-31
parameters:
  s: {type: string}
  l: {type: comma_delimited_list}
  j: {type: json}
  o: {type: json}
  n: {type: number}
`)
	files := []*hot.Environment{
		environment(t, `parameters: {s: a, l: [x], j: {k: {a: 1}, t: p}, o: {k: 1}, dropped_never: 1}
parameter_merge_strategies: {default: deep_merge, o: overwrite}
resource_registry: {A: B, C: D}
`),
		environment(t, `parameters: {s: b, l: [y], j: '{"k": {"b": 2}, "t": "q"}', o: {z: 2}, dropped: 1}
resource_registry: {C: E}
`),
	}
	env, found := hot.MergeEnvironments(files, tmpl.Parameter)
	got := map[string]string{}
	for _, p := range env.Parameters {
		got[p.Key.Text] = value.Str(hot.ValueOf(p.Value))
	}
	want := map[string]string{"s": "ab", "l": "['x', 'y']", "j": "{'k': {'a': 1, 'b': 2}, 't': 'pq'}", "o": "{'z': 2}", "dropped_never": "1"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("parameters (-want +got):\n%s", d)
	}
	if len(found) != 1 || found[0].Rule != "dropped-parameter" {
		t.Errorf("findings: %v", found)
	}
	var mappings []string
	for _, m := range env.Registry.Mappings() {
		mappings = append(mappings, m.Key.Text+"="+m.Value.Text)
	}
	if d := cmp.Diff([]string{"A=B", "C=E"}, mappings); d != "" {
		t.Errorf("registry (-want +got):\n%s", d)
	}
	for _, c := range []struct{ first, second, rule string }{
		{"parameters: {n: 1}\nparameter_merge_strategies: {n: merge}", "parameters: {n: 2}", "environment-merge"},
		{"parameters: {s: a}\nparameter_merge_strategies: {s: merge}", "parameters: {s: b}\nparameter_merge_strategies: {s: overwrite}", "environment-merge"},
		{"parameters: {j: [1]}", "parameters: {j: {a: 1}}", "environment-merge"},
		{"event_sinks: [{type: zaqar-queue, target: q}]", "event_sinks: [{type: zaqar-queue, target: q}]", "environment-merge"},
	} {
		_, found := hot.MergeEnvironments([]*hot.Environment{environment(t, c.first), environment(t, c.second)}, tmpl.Parameter)
		if len(found) == 0 || found[0].Rule != c.rule {
			t.Errorf("%q and %q: %v", c.first, c.second, found)
		}
	}
}

func TestRegistryChoosesAsHeat(t *testing.T) {
	t.Parallel()
	env := environment(t, `resource_registry:
  My::Server: server.yaml
  My::Alias: OS::Nova::Server
  My::Far: My::Alias
  My::Broken: No::Such
  OS::Neutron::*: My::*
  Loop::A: Loop::B
  Loop::B: Loop::A
  Many::*: OS::Heat::None
  resources:
    db: {My::Server: db.yaml}
    "web*": {inner: {My::Server: inner.yaml}}
`)
	known := func(name string) bool { return strings.HasPrefix(name, "OS::") || name == "My::Broken" }
	for _, c := range []struct{ typ, resource, want string }{
		{"OS::Nova::Server", "x", "OS::Nova::Server"},
		{"My::Alias", "x", "OS::Nova::Server"},
		{"My::Far", "x", "OS::Nova::Server"},
		{"My::Server", "x", "template server.yaml"},
		{"My::Server", "db", "template db.yaml"},
		{"My::Broken", "x", "My::Broken"},                    // the alias leads nowhere, Heat's own type remains
		{"OS::Neutron::Net", "x", "OS::Neutron::Net"},        // the wildcard leads nowhere
		{"OS::Neutron::Server", "x", "template server.yaml"}, // the wildcard leads on
		{"Many::Things", "x", "OS::Heat::None"},
		{"Loop::A", "x", "loop"},
		{"No::Such", "x", "none"},
		{"other.yaml", "x", "template other.yaml"},
	} {
		res := env.Registry.Resolve(source.NewString(nil, c.typ), c.resource, known)
		got := res.Type
		switch {
		case res.Loop:
			got = "loop"
		case !res.Found:
			got = "none"
		case res.Template != nil:
			got = "template " + res.Template.Text
		}
		if got != c.want {
			t.Errorf("%s for %s: %s, want %s", c.typ, c.resource, got, c.want)
		}
	}
	below := env.Registry.Below("web1").Resolve(source.NewString(nil, "My::Server"), "inner", known)
	if below.Template == nil || below.Template.Text != "inner.yaml" {
		t.Errorf("inside web1: %+v", below)
	}
}

func TestNestedTemplatesFormATree(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"root.yaml": `heat_template_version: 2018-08-31
resources:
  a: {type: mid.yaml, properties: {x: 1}}
  b: {type: My::Leaf}
`,
		"mid.yaml":  "heat_template_version: 2018-08-31\nresources: {c: {type: My::Leaf}, again: {type: root.yaml}}\n",
		"leaf.yaml": "heat_template_version: 2018-08-31\nresources: {d: {type: OS::Heat::None}}\n",
		"d0.yaml":   "heat_template_version: 2018-08-31\nresources: {n: {type: d1.yaml}}\n",
	}
	for i := 1; i < 8; i++ {
		name := "d" + string(rune('0'+i))
		files[name+".yaml"] = strings.ReplaceAll(files["d0.yaml"], "d1", "d"+string(rune('1'+i)))
	}
	parsed := map[string]*source.Node{}
	open := func(name string) (*source.Node, diag.List) {
		if parsed[name] == nil && files[name] != "" {
			parsed[name], _ = source.Parse(name, []byte(files[name]))
		}
		return parsed[name], nil
	}
	nesting := &hot.Nesting{
		Open:  func(n *source.Node) (*source.Node, diag.List) { return open(n.Text) },
		Known: func(name string) bool { return strings.HasPrefix(name, "OS::") },
	}
	root, _ := open("root.yaml")
	tmpl, _ := nesting.Template(source.NewString(root, "root.yaml"))
	stack, found := nesting.Load(tmpl, environment(t, "resource_registry: {My::Leaf: leaf.yaml}"))
	var tree []string
	stack.Walk(func(s *hot.Stack) {
		name := "root"
		if s.Resource != nil {
			name = strings.Repeat(" ", s.Depth) + s.Resource.Name.Text
		}
		tree = append(tree, name)
	})
	if d := cmp.Diff([]string{"root", " a", "  c", " b"}, tree); d != "" {
		t.Errorf("tree (-want +got):\n%s", d)
	}
	if len(found) != 1 || found[0].Rule != "nested-circle" || found[0].Path != "mid.yaml" || len(found[0].Trail) != 1 {
		t.Errorf("findings: %v", found)
	}
	deep, _ := open("d0.yaml")
	tmpl, _ = hot.LoadTemplate(deep)
	stack, found = nesting.Load(tmpl, nil)
	depth := 0
	stack.Walk(func(s *hot.Stack) { depth = max(depth, s.Depth) })
	if depth != hot.MaxNestedDepth || len(found) != 1 || found[0].Rule != "nested-too-deep" {
		t.Errorf("depth %d, findings %v", depth, found)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\nresources:\n")
	for i := range hot.MaxResources + 1 {
		b.WriteString("  r" + strings.Repeat("x", i%7) + value.Str(int64(i)) + ": {type: OS::Heat::None}\n")
	}
	root, _ := source.Parse("many.yaml", []byte(b.String()))
	if _, found := hot.LoadTemplate(root); len(found) != 1 || found[0].Rule != "too-many-resources" {
		t.Errorf("1,001 resources: %v", found)
	}
	big := "heat_template_version: 2018-08-31\ndescription: " + strings.Repeat("y", hot.MaxTemplateSize) + "\n"
	root, _ = source.Parse("big.yaml", []byte(big))
	if _, found := hot.LoadTemplate(root); len(found) != 1 || found[0].Rule != "template-too-large" {
		t.Errorf("512 KiB: %v", found)
	}
}

func TestLookups(t *testing.T) {
	t.Parallel()
	tmpl := load(t, `heat_template_version: 2018-08-31
parameters: {1: {type: string}}
conditions: {c: true}
resources: {null: {type: OS::Heat::None, components: {x: {component_type: y}}}}
outputs: {o: {value: 1}}
component_types: {y: {tool: script}}
`)
	if tmpl.Parameter("1") == nil || tmpl.Condition("c") == nil || tmpl.Output("o") == nil || tmpl.ComponentType("y") == nil ||
		tmpl.Resource("null").Component("x") == nil {
		t.Error("something is not found by its name as JSON has it")
	}
	if tmpl.Parameter("c") != nil || tmpl.Resource("null").Component("y") != nil {
		t.Error("something is found under another's name")
	}
}
