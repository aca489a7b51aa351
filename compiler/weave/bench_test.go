package weave_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// fleet is a template of servers with five components each, in a list; each server's first component reads from the
// server before.
func fleet(components int) string {
	var b strings.Builder
	b.WriteString(types)
	for h := range components / 5 {
		fmt.Fprintf(&b, "  server%d:\n    type: OS::Nova::Server\n    properties: {flavor: f, image: i}\n    components:\n", h)
		for c := range 5 {
			fmt.Fprintf(&b, "      - c%d:\n          component_type: all\n", c)
			if c == 0 && h > 0 {
				fmt.Fprintf(&b, "          params: {a: {get_attr: [server%d, components, c4, o]}, b: text}\n", h-1)
				fmt.Fprintf(&b, "          depends_on: [server%d]\n", h-1)
			}
		}
	}
	return b.String()
}

func BenchmarkWeave(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("components=%d", n), func(b *testing.B) {
			root, _ := source.Parse("t.yaml", []byte(fleet(n)))
			template, _ := hot.LoadTemplate(root) // Heat allows 1,000 resources; that is not what is measured
			b.ReportAllocs()
			for b.Loop() {
				_, woven := weave.Weave(template, weave.Options{})
				if woven.HasErrors() {
					b.Fatal(findings(woven))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/component")
		})
	}
}
