package emit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// generated is a template with n components, five on each server; every server waits for the one before it.
func generated(n int) string {
	var b strings.Builder
	b.WriteString(`heat_template_version: 2018-08-31
parameters: {secret: {type: string, hidden: true}}
component_types:
  step:
    tool: script
    inputs: {a: {type: String}, secret: {type: String, hidden: true}}
    outputs: {out: {type: String}}
    config: |
      #!/bin/sh
      printf '%s' "$a" >"$heat_outputs_path.out"
resources:
`)
	for i := range n / 5 {
		fmt.Fprintf(&b, "  host%d:\n    type: OS::Nova::Server\n    properties: {image: debian-12, flavor: m1.small}\n    components:\n", i)
		for j := range 5 {
			a := "first"
			switch {
			case j > 0:
				a = fmt.Sprintf("{get_attr: [host%d, components, c%d, out]}", i, j-1)
			case i > 0:
				a = fmt.Sprintf("{get_attr: [host%d, components, c4, out]}", i-1)
			}
			fmt.Fprintf(&b, "      c%d: {component_type: step, params: {a: %s, secret: {get_param: secret}}}\n", j, a)
		}
	}
	return b.String()
}

func BenchmarkEmit(b *testing.B) {
	for _, target := range emit.Targets {
		for _, n := range []int{100, 1000, 10_000} {
			b.Run(fmt.Sprintf("%s/components=%d", target.Name(), n), func(b *testing.B) {
				root, _ := source.Parse("template.yaml", []byte(generated(n)))
				template, _ := hot.LoadTemplate(root) // finds the largest too large
				p, _ := weave.Weave(template, weave.Options{})
				o := plain.Options{Limits: plain.Limits{Resources: 1 << 20, TemplateBytes: 1 << 30}}
				b.ReportAllocs()
				for b.Loop() {
					if _, found := target.Emit(p, o); found.HasErrors() {
						b.Fatal(found[0])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/component")
			})
		}
	}
}
