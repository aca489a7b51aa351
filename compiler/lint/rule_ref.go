package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
)

var refSpelling = &Rule{
	ID: "ref-spelling", Severity: diag.Info, Tag: Deprecated, Check: &Check{"ref-spelling", checkRef},
	Summary: "A reference is written {ref: X}, the spelling of 2013.",
	Heat:    "Heat takes the map for data. hotloom reads it as get_resource in templates with components; elsewhere it stays data.",
}

func checkRef(p *Pass) {
	for _, key := range p.Template.Refs {
		p.reportFix(diag.Infof(key.At(), "ref-spelling", "ref is the old spelling of get_resource, and data to Heat").With("write get_resource"),
			rewrite(key, "get_resource"))
	}
}
