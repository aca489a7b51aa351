package compiler_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// inMemory makes a set of files with one template.
func inMemory(text string) *source.Files {
	return source.NewFiles(source.FilesOptions{Read: func(path string) ([]byte, error) {
		if path == "template.yaml" {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}})
}

// flat is a template of ports and servers without software, each server using two ports.
func flat(resources int) string {
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\nparameters:\n  image: {type: string, default: debian-12}\nresources:\n")
	for i := 0; i < resources; i += 4 {
		fmt.Fprintf(&b, "  net%d:\n    type: OS::Neutron::Net\n    properties: {name: n%d}\n", i, i)
		fmt.Fprintf(&b, "  porta%d:\n    type: OS::Neutron::Port\n    properties:\n      network: {get_resource: net%d}\n", i, i)
		fmt.Fprintf(&b, "  portb%d:\n    type: OS::Neutron::Port\n    properties:\n      network: {get_resource: net%d}\n", i, i)
		fmt.Fprintf(&b, "  server%d:\n    type: OS::Nova::Server\n    properties:\n      image: {get_param: image}\n      flavor: m1.small\n"+
			"      networks:\n        - port: {get_resource: porta%d}\n        - port: {get_resource: portb%d}\n", i, i, i)
	}
	return b.String()
}

// software is a chain of servers with five components each; a server's first component reads an output of the last one
// of the server before.
func software(servers int) string {
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\ncomponent_types:\n  step:\n    tool: script\n    inputs: {after: {type: String, default: none}}\n" +
		"    outputs: {done: {type: String}}\n    config: |\n      #!/bin/sh\n      printf ok >$heat_outputs_path.done\nresources:\n")
	for i := range servers {
		fmt.Fprintf(&b, "  s%d:\n    type: OS::Nova::Server\n    properties: {image: debian-12, flavor: m1.small}\n    components:\n", i)
		for c := range 5 {
			fmt.Fprintf(&b, "      c%d:\n        component_type: step\n", c)
			switch {
			case c > 0:
				fmt.Fprintf(&b, "        params: {after: {get_attr: [s%d, components, c%d, done]}}\n", i, c-1)
			case i%10 > 0:
				fmt.Fprintf(&b, "        params: {after: {get_attr: [s%d, components, c4, done]}}\n", i-1)
			}
		}
	}
	return b.String()
}

// BenchmarkLoadAndCheck reads and checks a flat template; the aim at 1,000 resources is 50 ms.
func BenchmarkLoadAndCheck(b *testing.B) {
	for _, n := range []int{100, 1000} {
		text := flat(n)
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				u := compiler.Load(inMemory(text), "template.yaml", lint.Options{})
				if found := u.Check(); found.HasErrors() {
					b.Fatal(found)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/resource")
		})
	}
}

// BenchmarkCompile is the whole pipeline, from text to the files of a target. The aims: 100 servers of five components
// in 100 ms, 10,000 components in 2 s, linear.
func BenchmarkCompile(b *testing.B) {
	for _, target := range emit.Targets {
		for _, components := range []int{100, 500, 1000, 10000} {
			text := software(components / 5)
			b.Run(fmt.Sprintf("%s/components=%d", target.Name(), components), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					u := compiler.Load(inMemory(text), "template.yaml", lint.Options{})
					out, found := u.Compile(target, plain.Options{Limits: plain.Limits{Resources: 1 << 20, TemplateBytes: 1 << 30}})
					if out == nil {
						b.Fatal(found[0])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*components), "ns/component")
			})
		}
	}
}
