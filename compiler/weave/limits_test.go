package weave_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// TestHostileTemplatesAreBounded weaves templates that would take quadratic time or memory, were it not for limits.
func TestHostileTemplatesAreBounded(t *testing.T) {
	t.Parallel()
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	host := "  h:\n    type: OS::Nova::Server\n    components:\n"
	for _, c := range []struct{ name, text, rule string }{
		{
			"everything waits for everything of a host",
			host + repeat(1500, "      c%d: {component_type: some}\n") + repeat(1500, "  r%d: {type: OS::Heat::None, depends_on: h}\n"),
			"too-many-dependencies",
		},
		{
			"every step may be absent, each on a condition of its own",
			host + repeat(1100, "      - c%[1]d: {component_type: some, condition: {equals: [{get_param: p}, %[1]d]}}\n"),
			"too-many-dependencies",
		},
		{
			"thousands of misspelt names",
			host + repeat(4000, "      component_of_some_name%[1]d: {component_type: some, depends_on: [h.component_of_other_name%[1]d]}\n"),
			"component-depends-on",
		},
		{
			"one knot of hundreds",
			host + repeat(250, "      c%d: {component_type: some, depends_on: h}\n"),
			"circular-dependency",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root, _ := source.Parse("t.yaml", []byte(types+c.text))
			template, _ := hot.LoadTemplate(root)
			start := time.Now()
			_, found := weave.Weave(template, weave.Options{})
			took := time.Since(start)
			if !has(found, c.rule) {
				t.Errorf("no finding %s among %d", c.rule, len(found))
			}
			if took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

func has(found diag.List, rule string) bool {
	for _, d := range found {
		if d.Rule == rule {
			return true
		}
	}
	return false
}
