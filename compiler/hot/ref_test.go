package hot_test

import (
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

func TestRefIsDataInPlainHOTAndAReferenceBesideComponents(t *testing.T) {
	t.Parallel()
	const head = "heat_template_version: 2018-08-31\nresources:\n  main: {type: OS::Heat::None}\n"
	for _, c := range []struct{ name, text, want string }{
		{"plain", "  a: {type: OS::Heat::Value, properties: {value: {ref: main}}}", ""},
		{"stock workflow", "  a: {type: OS::Mistral::Workflow, properties: {type: direct, input: {ref: main}}}", ""},
		{"component", "  a: {type: OS::Nova::Server, components: {c: {params: {x: {ref: main}}}}}", "4:66"},
		{"component, unknown name", "  a: {type: OS::Nova::Server, components: {c: {params: {x: {ref: mian}}}}}", "4:66"},
		{"beside a component", "  a: {type: OS::Nova::Server, properties: {x: {ref: main}}, components: {}}", "4:53"},
		{"beside a component, data", "  a: {type: OS::Nova::Server, properties: {x: {ref: v1.2}}, components: {}}", ""},
		{"own workflow", "  a: {type: OS::Mistral::Workflow, properties: {handle: {ref: h}}}", "4:63"},
	} {
		root, _ := source.Parse("t.yaml", []byte(head+c.text+"\n"))
		template, _ := hot.LoadTemplate(root)
		var places []string
		template.Root.Walk(func(n *source.Node) bool {
			if p := n.Single(); p != nil && p.Key.Str() == "get_resource" {
				places = append(places, strings.TrimPrefix(p.Value.At().String(), "t.yaml:"))
			}
			return true
		})
		if got := strings.Join(places, " "); got != c.want || len(places) != len(template.Refs) {
			t.Errorf("%s: read as get_resource at %q with %d keys told, want %q", c.name, got, len(template.Refs), c.want)
		}
	}
}
