package hot

import "github.com/hotloom/hotloom/compiler/source"

// The limits of an unconfigured Heat (max_template_size, max_resources_per_stack, max_nested_stack_depth).
const (
	MaxTemplateSize = 512 << 10 // characters of the document as Python prints it
	MaxResources    = 1000      // of one stack with all that is nested in it
	MaxNestedDepth  = 5
)

// limits finds what Heat refuses for its size. A template reaches Heat as JSON, and Heat measures the text that
// Python makes of the parsed document. A template with hotloom's additions does not reach Heat; what is made of it is
// measured where it is made.
func (l *loader) limits(root *source.Node) {
	if l.additions {
		return
	}
	if size := pyLen(root); size > MaxTemplateSize {
		l.add(templateTooLarge(root, size, MaxTemplateSize))
	}
	if p := root.Pair(l.d.resources); p != nil && p.Value.Is(source.Map) && len(p.Value.Pairs) > MaxResources {
		l.add(tooManyResources(p.Key, len(p.Value.Pairs), MaxResources))
	}
}
