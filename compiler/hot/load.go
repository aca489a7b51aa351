package hot

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// loader carries the findings of one LoadTemplate.
type loader struct {
	t     *Template
	v     *Version
	found diag.List
}

// LoadTemplate reads the document's structure. The template is never nil; of a faulty document it holds what could
// be understood.
func LoadTemplate(root *source.Node) (*Template, diag.List) {
	l := &loader{t: &Template{Root: root}, v: Newest}
	l.t.Reindex()
	return l.t, l.found
}
