package lsp

import (
	"slices"
	"strings"
	"testing"
)

// shop is a template with something of everything.
const shop = `heat_template_version: 2018-08-31
parameters:
  flavor: {type: string, default: m1.small, description: how large, constraints: [{allowed_values: [m1.small, m1.large]}]}
  password: {type: string, hidden: true, default: swordfish}
conditions:
  large: {equals: [{get_param: flavor}, m1.large]}
resources:
  net:
    type: OS::Neutron::Net
  db:
    type: OS::Nova::Server
    properties: {flavor: {get_param: flavor}, image: debian}
    components:
      mariadb: {component_type: mariadb, params: {password: {get_param: password}}}
  port:
    type: OS::Neutron::Port
    condition: large
    depends_on: [db]
    properties:
      network: {get_resource: net}
`

func TestCompletionOffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string // among the labels
		not        []string // not among them
	}{
		{"an empty file", "|", []string{"heat_template_version"}, []string{"resources"}},
		{"sections", shop + "ou|", []string{"outputs", "component_types", "parameter_groups"}, []string{"resources", "Resources"}},
		{"versions", "heat_template_version: |\nresources: {}\n", []string{"2021-04-16", "2013-05-23", "rocky"}, nil},
		{"types, nothing typed", shop + "  web:\n    type: |\n", []string{"OS::Nova::Server", "OS::Heat::Value"}, []string{"resources", "get_param"}},
		{"types, no blank", shop + "  web:\n    type:|\n", nil, []string{"get_param"}},
		{"types, begun", shop + "  web:\n    type: OS::No|\n    properties:\n      image: x\n", []string{"OS::Nova::Server"}, nil},
		{"keys of a resource", shop + "  web:\n    |\n", []string{"type", "properties", "depends_on", "components", "condition"}, []string{"value", "get_param"}},
		{"keys that are there", shop + "  web:\n    type: OS::Nova::Server\n    |\n    condition: large\n", []string{"properties"}, []string{"type", "condition"}},
		{"properties", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      |\n", []string{"flavor", "image", "networks"}, []string{"type", "get_param"}},
		{"properties, some there", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      flavor: x\n      im|\n", []string{"image"}, []string{"flavor"}},
		{"properties in brackets", shop + "  web:\n    type: OS::Nova::Server\n    properties: {flavor: x, |}\n", []string{"image"}, []string{"flavor"}},
		{"properties in brackets that are not closed", shop + "  web:\n    type: OS::Nova::Server\n    properties: {flavor: x, im|\n", []string{"image"}, []string{"flavor"}},
		{"properties of properties", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      networks:\n        - |\n", []string{"port", "network", "fixed_ip"}, []string{"flavor"}},
		{"properties of a branch", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      networks:\n        - {if: [large, {|}, {}]}\n", []string{"port"}, nil},
		{"properties of a member", shop + "  web:\n    type: OS::Heat::ResourceGroup\n    properties:\n      resource_def:\n        type: OS::Nova::Server\n        properties:\n          fl|\n", []string{"flavor"}, []string{"count"}},
		{"type of a member", shop + "  web:\n    type: OS::Heat::ResourceGroup\n    properties:\n      resource_def:\n        type: |\n", []string{"OS::Nova::Server"}, nil},
		{"functions", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      image: |\n", []string{"get_param", "str_replace", "if"}, []string{"Ref", "equals"}},
		{"functions of old versions", strings.Replace(shop, "2018-08-31", "2014-10-16", 1) + "  web:\n    type: OS::Nova::Server\n    properties:\n      image: |\n", []string{"get_param"}, []string{"if", "yaql", "digest"}},
		{"functions as keys", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      image: {|}\n", []string{"get_param"}, nil},
		{"functions on a line of their own", shop + "outputs:\n  x:\n    value:\n      |\n", []string{"get_attr"}, nil},
		{"functions of conditions", strings.Replace(shop, "resources:", "  small:\n    |\nresources:", 1), []string{"equals", "not", "get_param"}, []string{"get_attr", "list_join"}},
		{"allowed values", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      user_data_format: |\n", []string{"HEAT_CFNTOOLS", "RAW", "SOFTWARE_CONFIG"}, nil},
		{"truths", shop + "  web:\n    type: OS::Nova::Server\n    properties:\n      config_drive: |\n", []string{"true", "false"}, nil},
		{"parameters", shop + "outputs:\n  x: {value: {get_param: |}}\n", []string{"flavor", "password", "OS::stack_name"}, []string{"db"}},
		{"parameters with a path", shop + "outputs:\n  x: {value: {get_param: [|]}}\n", []string{"flavor"}, nil},
		{"parameters, not closed", shop + "outputs:\n  x: {value: {get_param: f|\n", []string{"flavor"}, nil},
		{"resources", shop + "outputs:\n  x: {value: {get_resource: |}}\n", []string{"db", "net"}, []string{"flavor"}},
		{"resources to read", shop + "outputs:\n  x:\n    value:\n      get_attr: [|]\n", []string{"db", "net"}, nil},
		{"attributes", shop + "outputs:\n  x: {value: {get_attr: [db, |]}}\n", []string{"first_address", "addresses", "components"}, []string{"db", "subnets"}},
		{"attributes on lines", shop + "outputs:\n  x:\n    value:\n      get_attr:\n        - net\n        - |\n", []string{"subnets"}, []string{"first_address"}},
		{"components to read", shop + "outputs:\n  x: {value: {get_attr: [db, components, |]}}\n", []string{"mariadb"}, nil},
		{"outputs of components", shop + "outputs:\n  x: {value: {get_attr: [db, components, mariadb, |]}}\n", []string{"socket", "deploy_stdout"}, nil},
		{"dependencies", shop + "  web:\n    type: OS::Nova::Server\n    depends_on: |\n", []string{"db", "net", "port"}, []string{"web"}},
		{"dependencies in a list", shop + "  web:\n    type: OS::Nova::Server\n    depends_on:\n      - |\n", []string{"db"}, nil},
		{"conditions", shop + "  web:\n    type: OS::Nova::Server\n    condition: |\n", []string{"large"}, []string{"db"}},
		{"conditions of if", shop + "outputs:\n  x: {value: {if: [|, 1, 2]}}\n", []string{"large"}, nil},
		{"parameter keys", strings.Replace(shop, "conditions:", "  size:\n    |\nconditions:", 1), []string{"type", "constraints", "hidden", "tags"}, nil},
		{"parameter types", strings.Replace(shop, "conditions:", "  size:\n    type: |\nconditions:", 1), []string{"string", "json", "comma_delimited_list"}, nil},
		{"constraints", strings.Replace(shop, "conditions:", "  size:\n    type: string\n    constraints:\n      - |\nconditions:", 1), []string{"length", "allowed_pattern"}, nil},
		{"custom constraints", strings.Replace(shop, "conditions:", "  size:\n    type: string\n    constraints:\n      - custom_constraint: |\nconditions:", 1), []string{"nova.flavor", "glance.image"}, nil},
		{"bounds", strings.Replace(shop, "conditions:", "  size:\n    type: string\n    constraints: [{length: {|}}]\nconditions:", 1), []string{"min", "max"}, nil},
		{"grouped parameters", shop + "parameter_groups:\n  - parameters:\n      - |\n", []string{"flavor"}, nil},
		{"deletion policies", shop + "  web:\n    type: OS::Nova::Server\n    deletion_policy: |\n", []string{"retain", "Delete"}, nil},
		{"component keys", shop + "  web:\n    type: OS::Nova::Server\n    components:\n      a:\n        |\n", []string{"component_type", "params", "on_failure"}, nil},
		{"component types", shop + "  web:\n    type: OS::Nova::Server\n    components:\n      a:\n        component_type: |\n", []string{"mariadb", "mistral"}, nil},
		{"component params", shop + "  web:\n    type: OS::Nova::Server\n    components:\n      a:\n        component_type: mariadb\n        params:\n          |\n", []string{"password"}, nil},
		{"component dependencies", shop + "  web:\n    type: OS::Nova::Server\n    components:\n      a: {component_type: mariadb}\n      b:\n        component_type: mariadb\n        depends_on: [|]\n", []string{"db", "db.mariadb", "a"}, []string{"b"}},
		{"component type keys", shop + "component_types:\n  own:\n    |\n", []string{"tool", "inputs", "configs"}, nil},
		{"keys of arguments", shop + "outputs:\n  x: {value: {str_replace: {|}}}\n", []string{"template", "params"}, []string{"get_param"}},
		{"rules to ignore", shop + "  # hotloom: ignore=open-ingress,unu|\n", []string{"unused-parameter"}, nil},
		{"no names of what is defined", shop + "  |\n", nil, []string{"db", "type"}},
		{"nothing in texts", shop + "  web:\n    type: OS::Heat::Value\n    properties:\n      value: >\n        get|\n", nil, []string{"get_param"}},
		{"CFN", "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  a:\n    Type: |\n", []string{"OS::Nova::Server"}, nil},
		{"CFN properties", "HeatTemplateFormatVersion: 2012-12-12\nResources:\n  a:\n    Type: OS::Nova::Server\n    Properties:\n      |\n", []string{"flavor"}, nil},
		{"JSON", "{\"heat_template_version\": \"2018-08-31\", \"resources\": {\"a\": {\"type\": \"OS::Nova::Server\", \"properties\": {\n\"fl|\"\n}}}}\n", []string{"flavor"}, nil},
		{"no template", "apiVersion: v1\nkind: Pod\n|\n", nil, []string{"resources", "heat_template_version"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, nil)
			var list completionList
			cl.call("textDocument/completion", cl.at("t.yaml", c.text), &list)
			labels := labelsOf(list)
			for _, want := range c.want {
				if !slices.Contains(labels, want) {
					t.Errorf("%s is not among %v", want, labels)
				}
			}
			for _, not := range c.not {
				if slices.Contains(labels, not) {
					t.Errorf("%s is among %v", not, labels)
				}
			}
			if c.want == nil && c.not == nil && len(labels) > 0 {
				t.Errorf("want none, got %v", labels)
			}
		})
	}
}

func labelsOf(l completionList) []string {
	var out []string
	for _, i := range l.Items {
		out = append(out, i.Label)
	}
	return out
}

// accept makes the edit of an item, as an editor does that shows snippets as they are.
func accept(t *testing.T, text string, list completionList, label string) string {
	t.Helper()
	for _, i := range list.Items {
		if i.Label == label {
			return string(newText([]byte(text)).change(contentChange{Range: &i.TextEdit.Range, Text: i.TextEdit.NewText}, utf16Units).bytes)
		}
	}
	t.Fatalf("%s is not among %v", label, labelsOf(list))
	return ""
}

func TestCompletionWrites(t *testing.T) {
	t.Parallel()
	const plainClient = `{}`
	head := "heat_template_version: 2018-08-31\nresources:\n  ä:\n    type: OS::Nova::Server\n"
	for _, c := range []struct {
		name, client, text, label, want string // the want without the head
	}{
		{"a key", modern, "    properties:\n      fl|\n", "flavor", "    properties:\n      flavor: \n"},
		{"a key that has its colon", modern, "    properties:\n      fl|: x\n", "flavor", "    properties:\n      flavor: x\n"},
		{"a section of lines", modern, "    prop|\n", "properties", "    properties:\n  $0\n"}, // the editor indents it
		{"a section of lines, no snippets", plainClient, "    prop|\n", "properties", "    properties:\n"},
		{"in brackets", modern, "    properties: {im|}\n", "image", "    properties: {image: }\n"},
		{"a list in brackets", modern, "    properties: {netw|}\n", "networks", "    properties: {networks: }\n"},
		{"a function", modern, "    properties:\n      image: get|\n", "get_param", "    properties:\n      image: {get_param: $1}$0\n"},
		{"a function, no snippets", plainClient, "    properties:\n      image: get|\n", "get_param", "    properties:\n      image: {get_param: }\n"},
		{"a function as key", modern, "    properties:\n      image:\n        |\n", "get_file", "    properties:\n      image:\n        get_file: $1$0\n"},
		{"a name", modern, "    properties: {name: {get_param: OS::|}}\n", "OS::stack_name", "    properties: {name: {get_param: OS::stack_name}}\n"},
		{"behind two-unit characters", modern, "    properties: {name: 😀, image: {get_resource: |}}\n  b: {type: OS::Heat::Value}\n", "b", "    properties: {name: 😀, image: {get_resource: b}}\n  b: {type: OS::Heat::Value}\n"},
		{"a text that YAML takes for something else", modern, "  b:\n    type: OS::Heat::SoftwareConfig\n    properties: {inputs: [{name: x, type: Bool|}]}\n", "Boolean", "  b:\n    type: OS::Heat::SoftwareConfig\n    properties: {inputs: [{name: x, type: Boolean}]}\n"},
		{"the rest of the word goes", modern, "    depends_on: b|anana\n  b: {type: OS::Heat::Value}\n", "b", "    depends_on: b\n  b: {type: OS::Heat::Value}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, c.client, nil)
			var list completionList
			cl.call("textDocument/completion", cl.at("t.yaml", head+c.text), &list)
			text, _ := marked(t, head+c.text)
			if got := accept(t, text, list, c.label); got != head+c.want {
				t.Errorf("got\n%s\nwant\n%s", strings.TrimPrefix(got, head), c.want)
			}
		})
	}
}

func TestCompletionPutsWhatIsRequiredFirst(t *testing.T) {
	t.Parallel()
	cl := start(t, modern, nil)
	var list completionList
	cl.call("textDocument/completion", cl.at("t.yaml", shop+"  r:\n    type: OS::Heat::ResourceGroup\n    properties:\n      |\n"), &list)
	slices.SortFunc(list.Items, func(a, b completionItem) int { return strings.Compare(a.SortText, b.SortText) })
	if list.Items[0].Label != "resource_def" {
		t.Errorf("first is %s", list.Items[0].Label)
	}
}

func TestCompletionDescribesTypesWhenAsked(t *testing.T) {
	t.Parallel()
	cl := start(t, modern, nil)
	var list completionList
	cl.call("textDocument/completion", cl.at("t.yaml", shop+"  r:\n    type: OS::Heat::Resource|\n"), &list)
	for _, i := range list.Items {
		if i.Label != "OS::Heat::ResourceGroup" {
			continue
		}
		var full completionItem
		cl.call("completionItem/resolve", i, &full)
		if full.Documentation == nil || !strings.Contains(full.Documentation.Value, "resource_def") {
			t.Errorf("got %+v", full)
		}
		return
	}
	t.Error("no such type")
}

func TestCompletionInWorkflows(t *testing.T) {
	t.Parallel()
	const flow = "version: '2.0'\nmain:\n  input: [name, count: 1]\n  tasks:\n    first:\n      action: std.echo output=\"x\"\n      on-success: second\n    second:\n      action: std.noop\n"
	for _, c := range []struct {
		name, text string
		want, not  []string
	}{
		{"keys of a workflow", flow + "  |\n", []string{"output", "task-defaults", "vars"}, []string{"tasks", "first"}},
		{"keys of a task", flow + "    third:\n      |\n", []string{"action", "on-success", "join", "with-items"}, []string{"requires", "tasks"}},
		{"keys of a reverse task", "version: '2.0'\nmain:\n  type: reverse\n  tasks:\n    a:\n      action: std.noop\n      |\n", []string{"requires"}, []string{"on-success", "action"}},
		{"actions", flow + "    third:\n      action: |\n", []string{"std.http", "nova.servers_list", "std.echo"}, nil},
		{"inputs", flow + "    third:\n      action: std.http\n      input:\n        |\n", []string{"url", "headers"}, []string{"action"}},
		{"inputs of OpenStack actions", flow + "    third:\n      action: ironic.node_get\n      input: {|}\n", []string{"node_id"}, nil},
		{"targets", flow + "    third:\n      action: std.noop\n      on-success: |\n", []string{"first", "second", "fail"}, []string{"std.noop"}},
		{"targets in a list", flow + "    third:\n      action: std.noop\n      on-error:\n        - |\n", []string{"first", "pause"}, nil},
		{"targets with a condition", flow + "    third:\n      action: std.noop\n      on-error:\n        - f|: <% true %>\n", []string{"first"}, nil},
		{"targets of next", flow + "    third:\n      action: std.noop\n      on-error:\n        next: [|]\n", []string{"first"}, []string{"publish"}},
		{"join", flow + "    third:\n      join: |\n", []string{"all", "one"}, nil},
		{"retry", flow + "    third:\n      retry:\n        |\n", []string{"count", "delay", "break-on"}, []string{"action"}},
		{"workbooks", "version: '2.0'\nname: book\nworkflows:\n  main:\n    tasks:\n      a:\n        workflow: |\n  sub:\n    tasks:\n      b: {action: std.noop}\n", []string{"main", "sub"}, nil},
		{"inputs of sub-workflows", "version: '2.0'\nname: book\nworkflows:\n  main:\n    tasks:\n      a:\n        workflow: sub\n        input:\n          |\n  sub:\n    input: [who]\n    tasks:\n      b: {action: std.noop}\n", []string{"who"}, nil},
		{"ad-hoc actions", "version: '2.0'\nname: book\nactions:\n  hello:\n    |\nworkflows:\n  main:\n    tasks:\n      a: {action: std.noop}\n", []string{"base", "base-input", "input"}, nil},
		{"sections of a workbook", "version: '2.0'\nname: book\nworkflows:\n  main:\n    tasks:\n      a: {action: std.noop}\n|\n", []string{"actions", "tags"}, []string{"workflows"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, nil)
			var list completionList
			cl.call("textDocument/completion", cl.at("t.yaml", c.text), &list)
			labels := labelsOf(list)
			for _, want := range c.want {
				if !slices.Contains(labels, want) {
					t.Errorf("%s is not among %v", want, labels)
				}
			}
			for _, not := range c.not {
				if slices.Contains(labels, not) {
					t.Errorf("%s is among %v", not, labels)
				}
			}
		})
	}
}

func TestCompletionInEnvironments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"sections", "parameters:\n  flavor: x\n|\n", []string{"parameter_defaults", "resource_registry"}},
		{"parameters of open templates", "resource_registry: {}\nparameters:\n  |\n", []string{"flavor"}},
		{"types", "parameters: {flavor: x}\nresource_registry:\n  OS::|\n", []string{"OS::Nova::Server"}},
		{"what they stand for", "parameters: {flavor: x}\nresource_registry:\n  My::Server: |\n", []string{"OS::Nova::Server", "server.yaml"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, map[string]string{"server.yaml": shop})
			cl.open("t.yaml", shop)
			var list completionList
			cl.call("textDocument/completion", cl.at("env.yaml", c.text), &list)
			for _, want := range c.want {
				if labels := labelsOf(list); !slices.Contains(labels, want) {
					t.Errorf("%s is not among %v", want, labels)
				}
			}
		})
	}
}

func TestCompletionOffersFiles(t *testing.T) {
	t.Parallel()
	cl := start(t, modern, map[string]string{"nested.yaml": shop, "scripts/run.sh": "#!/bin/sh\n", ".hidden.yaml": shop})
	var list completionList
	cl.call("textDocument/completion", cl.at("t.yaml", shop+"  r:\n    type: n|\n"), &list)
	if labels := labelsOf(list); !slices.Contains(labels, "nested.yaml") || slices.Contains(labels, ".hidden.yaml") || slices.Contains(labels, "t.yaml") {
		t.Errorf("got %v", labels[len(labels)-5:])
	}
	cl.call("textDocument/completion", cl.at("t.yaml", shop+"outputs:\n  x: {value: {get_file: scripts/|}}\n"), &list)
	if labels := labelsOf(list); !slices.Contains(labels, "scripts/run.sh") {
		t.Errorf("got %v", labels)
	}
}

func TestWordsAreQuotedWhereTheyHaveToBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		word string
		text bool
		want string
	}{
		{"debian", true, "debian"},
		{"off", true, "'off'"},
		{"off", false, "off"},
		{"1", true, "'1'"},
		{"a: b", false, "'a: b'"},
		{"it's", true, "it's"},
		{"#", true, "'#'"},
		{"", true, "''"},
		{"2018-08-31", false, "2018-08-31"},
		{"OS::Nova::Server", false, "OS::Nova::Server"},
		{"a, b", true, "'a, b'"},
	} {
		if got := plain(c.word, c.text); got != c.want {
			t.Errorf("%q: got %s, want %s", c.word, got, c.want)
		}
	}
}
