package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/lint"
)

// large is a template of many resources, each with what real ones have.
func large(resources int) string {
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\nparameters:\n  flavor: {type: string, default: m1.small}\nresources:\n")
	for i := range resources / 2 {
		fmt.Fprintf(&b, "  port_%d:\n    type: OS::Neutron::Port\n    properties:\n      network: inside\n      name: {list_join: ['-', [port, %d]]}\n", i, i)
		fmt.Fprintf(&b, "  server_%d:\n    type: OS::Nova::Server\n    properties:\n      flavor: {get_param: flavor}\n      image: debian\n      networks: [{port: {get_resource: port_%d}}]\n", i, i)
	}
	return b.String()
}

// BenchmarkEdit is the time from an edit of a template of 1,000 resources to what is found in it, without the delay that
// waits for more edits; lint alone is the same check without a server.
func BenchmarkEdit(b *testing.B) {
	text := large(1000)
	b.Run("server", func(b *testing.B) {
		c := connect(b, Options{Delay: time.Nanosecond})
		c.initialize(modern)
		c.open("t.yaml", text)
		c.await("t.yaml", 1)
		b.ReportAllocs()
		for i := 2; b.Loop(); i++ {
			c.change("t.yaml", i, contentChange{Range: &span{position{2, 33}, position{2, 34}}, Text: string(rune('a' + i%26))})
			c.await("t.yaml", i)
		}
	})
	b.Run("lint", func(b *testing.B) {
		path := b.TempDir() + "/t.yaml"
		b.ReportAllocs()
		for b.Loop() {
			o := lint.Options{Files: compiler.NewFilesOver(map[string][]byte{path: []byte(text)}), Given: true, Jobs: 1}
			if _, err := lint.Run(context.Background(), []string{path}, o); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCompletion is a completion in the same template right after an edit that leaves it no YAML.
func BenchmarkCompletion(b *testing.B) {
	c := connect(b, Options{Delay: time.Hour})
	c.initialize(modern)
	at := c.at("t.yaml", large(1000)+"  web:\n    type: OS::Nova::Server\n    properties:\n      fl|\n")
	for i := 2; b.Loop(); i++ {
		c.change("t.yaml", i, contentChange{Range: &span{position{2, 33}, position{2, 34}}, Text: string(rune('a' + i%26))})
		var list completionList
		c.call("textDocument/completion", at, &list)
		if len(list.Items) == 0 {
			b.Fatal("nothing is offered")
		}
	}
}
