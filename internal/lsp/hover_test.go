package lsp

import (
	"slices"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/function"
)

func TestHoverTells(t *testing.T) {
	t.Parallel()
	const flow = "version: '2.0'\nbook:\n  input: [name, count: 1]\n  tasks:\n    first:\n      action: std.ec|ho output=\"x\"\n      on-success: second\n    second:\n      action: ironic.node_get\n      input: {node_id: 1}\n"
	for _, c := range []struct {
		name, text string
		want       []string // parts
		not        string
	}{
		{"type", strings.Replace(shop, "OS::Neutron::Port", "OS::Neutron::P|ort", 1), []string{"**OS::Neutron::Port**", "Service: neutron", "Required: `network`"}, ""},
		{"deprecated type", shop + "  w: {type: OS::Heat::S|oftwareDeployments}\n", nil, ""},
		{"property", strings.Replace(shop, "      network:", "      netw|ork:", 1), []string{"`network`: string, **required**", "an existing neutron.network", "A change replaces the resource."}, ""},
		{"property in brackets", strings.Replace(shop, "{flavor: {get_param: flavor}, im", "{fl|avor: {get_param: flavor}, im", 1), []string{"`flavor`: string", "Can be changed in place."}, ""},
		{"property with a default", shop + "  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n      co|unt: 1\n      resource_def: {type: OS::Heat::Value}\n", []string{"Default: `1`", "at least 0"}, ""},
		{"allowed value", shop + "  w:\n    type: OS::Nova::Server\n    properties: {flavor: x, user_data_format: R|AW}\n", []string{"RAW"}, ""},
		{"parameter", strings.Replace(shop, "{get_param: flavor}, image", "{get_param: fl|avor}, image", 1), []string{"parameter, string", "how large", "Default: `m1.small`", "allowed_values"}, ""},
		{"parameter where it is defined", strings.Replace(shop, "  flavor: {", "  fla|vor: {", 1), []string{"parameter, string"}, ""},
		{"hidden parameter", strings.Replace(shop, "{get_param: password}", "{get_param: pass|word}", 1), []string{"Hidden."}, "swordfish"},
		{"every stack's parameter", shop + "outputs:\n  x: {value: {get_param: 'OS::sta|ck_name'}}\n", []string{"Heat gives every stack"}, ""},
		{"attribute", shop + "outputs:\n  x: {value: {get_attr: [db, first_ad|dress]}}\n", []string{"`first_address`, attribute of OS::Nova::Server", "**hidden** since 5.0.0"}, ""},
		{"function", shop + "outputs:\n  x: {value: {str_spl|it: [',', a]}}\n", []string{"{str_split: [DELIMITER, TEXT]}", "2015-10-15"}, ""},
		{"function with forms", shop + "outputs:\n  x:\n    value:\n      rep|eat: {template: x, for_each: {x: [1]}}\n", []string{"permutations", "In this form since 2017-09-01"}, ""},
		{"condition function", strings.Replace(shop, "{equals:", "{equ|als:", 1), []string{"True where"}, ""},
		{"condition", strings.Replace(shop, "condition: large", "condition: la|rge", 1), []string{"`large`: condition"}, ""},
		{"resource", strings.Replace(shop, "get_resource: net}", "get_resource: n|et}", 1), []string{"resource, OS::Neutron::Net"}, ""},
		{"key", strings.Replace(shop, "    depends_on", "    depen|ds_on", 1), []string{"What has to be made before"}, ""},
		{"version", strings.Replace(shop, "2018-08-31", "2018-|08-31", 1), []string{"also called rocky"}, ""},
		{"component type", strings.Replace(shop, "component_type: mariadb", "component_type: mar|iadb", 1), []string{"run by script", "`socket`: String"}, ""},
		{"component param", strings.Replace(shop, "params: {password:", "params: {pass|word:", 1), []string{"Hidden."}, ""},
		{"component output", shop + "outputs:\n  x: {value: {get_attr: [db, components, mariadb, soc|ket]}}\n", []string{"`socket`: String"}, ""},
		{"in a broken text", shop + "  w:\n    type: OS::Nova::Server\n    properties:\n      fla|vor: {get_param: [\n", []string{"`flavor`: string"}, ""},
		{"action", flow, []string{"**std.echo**", "`output`, required", "`delay`"}, ""},
		{"OpenStack action", strings.Replace(strings.Replace(flow, "|", "", 1), "ironic.node", "ironic.no|de", 1), []string{"**ironic.node_get**", "`node_id`, required"}, ""},
		{"action input", strings.Replace(strings.Replace(flow, "|", "", 1), "{node_id", "{no|de_id", 1), []string{"`node_id`, **required**"}, ""},
		{"task", strings.Replace(strings.Replace(flow, "|", "", 1), "on-success: second", "on-success: sec|ond", 1), []string{"task, runs action `ironic.node_get`"}, ""},
		{"nothing", strings.Replace(shop, "image: debian", "image: deb|ian", 1), nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, nil)
			var h *hover
			cl.call("textDocument/hover", cl.at("t.yaml", c.text), &h)
			if h == nil {
				if len(c.want) > 0 {
					t.Error("nothing is said")
				}
				return
			}
			for _, want := range c.want {
				if !strings.Contains(h.Contents.Value, want) {
					t.Errorf("%q is not in\n%s", want, h.Contents.Value)
				}
			}
			if c.not != "" && strings.Contains(h.Contents.Value, c.not) {
				t.Errorf("%q is in\n%s", c.not, h.Contents.Value)
			}
		})
	}
}

func TestHoverShowsNestedTemplates(t *testing.T) {
	t.Parallel()
	cl := start(t, `{"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}`, map[string]string{"inner.yaml": inner})
	var h *hover
	cl.call("textDocument/hover", cl.at("outer.yaml", strings.Replace(outer, "{size:", "{si|ze:", 1)), &h)
	if h == nil || !strings.Contains(h.Contents.Value, "`size`: number, **required**") || h.Contents.Kind != "plaintext" {
		t.Errorf("got %+v", h)
	}
}

func TestEveryFunctionIsDescribed(t *testing.T) {
	t.Parallel()
	for _, f := range function.All() {
		if functionDocs()[f.Name] == "" {
			t.Errorf("nothing is said of %s", f.Name)
		}
	}
	for name := range arguments() {
		if !slices.ContainsFunc(function.All(), func(f *function.Function) bool { return f.Name == name }) {
			t.Errorf("there is no function %s", name)
		}
	}
}
