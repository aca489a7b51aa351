package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var computedFile = &Rule{
	ID: "computed-file-name", Severity: diag.Warning, Check: &Check{"computed-file-name", checkComputedFiles},
	Summary: "get_file takes a computed name.",
	Heat:    "The client finds files by their literal names only, so the engine has no content for the name and refuses the value when it needs it.",
}

var typeAsFile = &Rule{
	ID: "type-read-as-file", Severity: diag.Warning, Check: &Check{"type-read-as-file", checkTypeAsFile},
	Summary: "A key `type` inside a value ends in .yaml or .template, so the client reads it as a nested template.",
	Heat:    "heatclient looks at every map in the template: the named file must exist, and the value becomes an absolute URL.",
}

func checkComputedFiles(p *Pass) {
	for _, c := range p.index.calls {
		if c.Function.Name == "get_file" && !c.Arg.Is(source.String) {
			p.report(diag.Warnf(c.Name.At(), "computed-file-name", "the client cannot find the file, since its name is computed").
				With("name each file with a get_file of its own, and choose between them with if"))
		}
	}
}

func checkTypeAsFile(p *Pass) {
	for _, m := range p.index.maps {
		t := m.node.Get("type")
		if !t.Is(source.String) || !hot.IsTemplateName(t.Text) || m.res == nil || m.part != inProperties {
			continue
		}
		if def := m.res.Properties.Get(groups[m.res.Type.Str()]); def == m.node {
			continue
		}
		p.report(diag.Warnf(t.At(), "type-read-as-file", "the client takes %s for the name of a nested template", quote(t.Text)))
	}
}
