package source

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// largeTemplate is a HOT template of about the given size, near Heat's limit of 512 KiB by default.
func largeTemplate(size int) []byte {
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\n\nparameters:\n  image: {type: string, default: debian-12}\n\nresources:\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `
  # server %[1]d of the farm
  server_%[1]d:
    type: OS::Nova::Server
    depends_on: [port_%[1]d, volume_%[1]d]
    properties:
      name: {list_join: ["-", [{get_param: "OS::stack_name"}, "%[1]d"]]}
      image: {get_param: image}
      flavor: m1.small
      config_drive: yes
      networks:
        - port: {get_resource: port_%[1]d}
        - network: private
      metadata: {role: web, index: %[1]d, mode: 0644}
      user_data_format: RAW
      user_data: |
        #!/bin/sh
        set -e
        echo "server %[1]d" > /etc/motd
        systemctl restart --no-block apache2
  port_%[1]d:
    type: OS::Neutron::Port
    properties: {network: private, fixed_ips: [{ip_address: 10.0.%[1]d.4}]}
`, i)
	}
	return []byte(b.String())
}

// BenchmarkParse compares with yaml.v3 alone, which Parse contains: the difference is types, positions and checks.
func BenchmarkParse(b *testing.B) {
	text := largeTemplate(520_000)
	b.Run("source", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, findings := Parse("t.yaml", text); len(findings) != 0 {
				b.Fatal(findings)
			}
		}
	})
	b.Run("yaml.v3", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var n yaml.Node
			if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&n); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	text := largeTemplate(520_000)
	n, _ := Parse("t.yaml", text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Encode(n)
	}
}
