package function_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// flatTemplate has n servers, each with a port, and ten conditions for each hundred of them that build on each other.
func flatTemplate(n int) []byte {
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\nparameters:\n  image: {type: string, default: debian}\n  size: {type: number}\n")
	b.WriteString("conditions:\n  c0: {equals: [{get_param: image}, debian]}\n  open0: {equals: [{get_param: size}, 1]}\n")
	for i := 1; i <= n/10; i++ {
		fmt.Fprintf(&b, "  c%d: {and: [c%d, {not: {equals: [{get_param: image}, x%d]}}]}\n", i, i-1, i)
		fmt.Fprintf(&b, "  open%d: {or: [open%d, {equals: [{get_param: size}, %d]}]}\n", i, i-1, i)
	}
	b.WriteString("resources:\n")
	for i := range n / 2 {
		fmt.Fprintf(&b, `  port%d:
    type: OS::Neutron::Port
    properties: {network: private}
  server%d:
    type: OS::Nova::Server
    condition: c%d
    properties:
      name: {str_replace: {template: srv-N, params: {N: '%d'}}}
      image: {get_param: image}
      flavor: {if: [open%d, m1.small, m1.large]}
      networks: [{port: {get_resource: port%d}}]
      metadata: {address: {get_attr: [port%d, fixed_ips, 0, ip_address]}}
`, i, i, i%(n/10+1), i, i%(n/10+1), i, i)
	}
	return []byte(b.String())
}

func check(b *testing.B, text []byte) {
	b.Helper()
	root, found := source.Parse("flat.yaml", text)
	tmpl, more := hot.LoadTemplate(root)
	found.Add(more...)
	params, more := tmpl.Resolve(nil)
	found.Add(more...)
	found.Add(function.NewScope(tmpl, params).Check()...)
	if found.HasErrors() {
		b.Fatal(found[0])
	}
}

// BenchmarkCheck parses, loads and checks flat templates; ns/resource shows whether the cost is linear.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{10, 100, hot.MaxResources} {
		text := flatTemplate(n)
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				check(b, text)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/resource")
		})
	}
}

// BenchmarkConditions computes chains of conditions whose parameters are not known: the cost grows with their number,
// not with the number of their combinations.
func BenchmarkConditions(b *testing.B) {
	for _, n := range []int{6, 60, 600} {
		var t strings.Builder
		t.WriteString("heat_template_version: 2018-08-31\nparameters: {p: {type: string}}\nconditions:\n  c0: {equals: [{get_param: p}, x]}\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&t, "  c%d: {or: [c%d, {and: [c%d, {not: c%d}]}]}\n", i, i-1, max(0, i-2), i-1)
		}
		fmt.Fprintf(&t, "resources: {r: {type: OS::Heat::RandomString, condition: c%d}}\n", n)
		b.Run(fmt.Sprintf("conditions=%d", n), func(b *testing.B) {
			for b.Loop() {
				check(b, []byte(t.String()))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/condition")
		})
	}
}
