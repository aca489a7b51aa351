package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
)

var functionNames = &Check{"function-names", checkFunctionNames}

var functionWithMoreKeys = &Rule{
	ID: "function-with-more-keys", Severity: diag.Warning, Check: functionNames,
	Summary: "A map has a function's name as one of several keys, so it is no call.",
	Heat:    "Only a map with exactly one key is a call; this one stays plain data.",
}

func checkFunctionNames(p *Pass) {
	for _, m := range p.index.maps {
		if len(m.node.Pairs) == 1 || isTemplateText(m) {
			continue
		}
		for _, pair := range m.node.Pairs {
			name := pair.Key.Str()
			if p.Version.HasFunction(name) && function.Fits(name, pair.Value) && !ordinaryWord[name] {
				p.report(diag.Warnf(pair.Key.At(), "function-with-more-keys",
					"%q has other keys beside it, so the map is data and no call", name).
					With("keep %s as the only key", name))
			}
		}
	}
}

// ordinaryWord are the functions whose names are usual keys of data.
var ordinaryWord = map[string]bool{"contains": true, "filter": true, "if": true, "repeat": true, "digest": true, "equals": true, "Ref": true}

// isTemplateText reports whether a map stands in a whole template given as data, whose functions are another's.
func isTemplateText(m mapAt) bool { return m.node.Get("heat_template_version") != nil }
