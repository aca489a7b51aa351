package lsp

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// symbolKinds are the kinds of what sections define.
var symbolKinds = map[string]int{
	"parameters": symbolVariable, "conditions": symbolBoolean, "resources": symbolClass, "outputs": symbolProperty,
	"component_types": symbolModule, "components": symbolModule, "tasks": symbolFunction, "workflows": symbolNamespace,
	"actions": symbolFunction, "parameter_defaults": symbolVariable, "resource_registry": symbolClass,
}

func symbolsOf(s *server, snap *snapshot, p documentParams) (any, error) {
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil || v.Kind() == "" || v.Meaning().broken {
		return []documentSymbol{}, nil
	}
	w := symbolWriter{writer: newWriter(snap, s.capabilities(), nil), text: v.text}
	m := v.Meaning()
	var out []documentSymbol
	for _, pair := range entries(m.root) {
		name := hotNameOf(hot.KeyText(pair.Key))
		switch {
		case (m.kind == lint.KindWorkflow || m.kind == lint.KindActions) && pair.Value.Is(source.Map):
			out = append(out, w.definition(pair, symbolNamespace))
		case symbolKinds[name] != 0 && pair.Value.Is(source.Map):
			out = append(out, w.section(pair, symbolKinds[name]))
		}
	}
	if !s.capabilities().TextDocument.DocumentSymbol.Hierarchical {
		return flat(out, v.uri, "", []symbolInformation{}), nil
	}
	if out == nil {
		out = []documentSymbol{}
	}
	return out, nil
}

func hotNameOf(name string) string {
	if hot := hotNames[name]; hot != "" {
		return hot
	}
	return name
}

// entries are those of a map, as they stand in the document: merged ones and those that were made stand elsewhere.
func entries(n *source.Node) []source.Pair {
	if !n.Is(source.Map) {
		return nil
	}
	var out []source.Pair
	for _, p := range n.Pairs {
		if p.Key.Start.Line > 0 && !p.Key.Start.Before(n.Start) && p.Key.Start.Before(n.End) {
			out = append(out, p)
		}
	}
	return out
}

type symbolWriter struct {
	*writer
	text *text
}

func (w *symbolWriter) symbol(pair source.Pair, kind int, detail string) documentSymbol {
	whole := pair.Key.At()
	if whole.End.Before(pair.Value.End) {
		whole.End = pair.Value.End
	}
	name := hot.KeyText(pair.Key)
	if name == "" {
		name = "''" // the protocol allows no empty name
	}
	return documentSymbol{Name: name, Detail: detail, Kind: kind, Range: w.text.span(whole, w.snap.unit), Selection: w.text.span(pair.Key.At(), w.snap.unit)}
}

func (w *symbolWriter) section(pair source.Pair, kind int) documentSymbol {
	out := w.symbol(pair, symbolNamespace, "")
	for _, p := range entries(pair.Value) {
		out.Children = append(out.Children, w.definition(p, kind))
	}
	return out
}

// definition is one named thing, with those that are in it.
func (w *symbolWriter) definition(pair source.Pair, kind int) documentSymbol {
	detail := ""
	for _, key := range []string{"type", "Type", "component_type", "action", "workflow", "base", "tool"} {
		if text := pair.Value.Get(key).Str(); text != "" && detail == "" {
			detail = clip(text)
		}
	}
	out := w.symbol(pair, kind, detail)
	for _, key := range []string{"components", "tasks"} {
		section := pair.Value.Get(key)
		for _, p := range entries(section) {
			out.Children = append(out.Children, w.definition(p, symbolKinds[key]))
		}
		if section.Is(source.List) {
			for _, item := range section.Items {
				if p := item.Single(); p != nil && p.Value.Is(source.Map) {
					out.Children = append(out.Children, w.definition(*p, symbolKinds[key]))
				}
			}
		}
	}
	return out
}

// flat is the symbols for clients that show no tree.
func flat(symbols []documentSymbol, uri, container string, out []symbolInformation) []symbolInformation {
	for _, s := range symbols {
		out = append(out, symbolInformation{Name: s.Name, Kind: s.Kind, Container: container, Location: location{URI: uri, Range: s.Range}})
		out = flat(s.Children, uri, s.Name, out)
	}
	return out
}
