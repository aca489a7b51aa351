package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
)

var refSpelling = &Rule{
	ID: "ref-spelling", Severity: diag.Info, Check: &Check{"ref-spelling", checkRef},
	Summary: "A reference is written {ref: X}, the spelling of 2013.",
	Heat:    "Heat takes the map for data. hotloom reads it as get_resource; without hotloom the template means something else.",
}

func checkRef(p *Pass) {
	for _, c := range p.index.calls {
		if c.Name.Text == "ref" {
			p.reportFix(diag.Infof(c.Name.At(), "ref-spelling", "ref is the old spelling of get_resource, and data to Heat").With("write get_resource"),
				rewrite(c.Name, "get_resource"))
		}
	}
}
