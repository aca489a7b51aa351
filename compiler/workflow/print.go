package workflow

import (
	"github.com/hotloom/hotloom/compiler/source"
)

// Print writes a document as YAML. A document that was parsed comes out with the same meaning; a document that the
// compiler makes needs its Node only.
func Print(doc *Document) []byte { return source.Encode(doc.Node) }
