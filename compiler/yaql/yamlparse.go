package yaql

import (
	"math/big"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// parseYAML reads one YAML value as PyYAML's safe_load does, but that timestamps stay text.
func parseYAML(text string) (any, error) {
	n, findings := source.ParseFile(&source.File{Text: []byte(text)}, source.Options{Reader: source.Value})
	for _, d := range findings {
		if d.Severity == diag.Error {
			return nil, fail("YAMLError", "%d:%d: %s", d.Start.Line, d.Start.Column, d.Message)
		}
	}
	if n.Is(source.Map) && len(n.Pairs) == 0 && n.Start == n.End {
		return nil, nil // no document at all
	}
	return nodeValue(n)
}

func nodeValue(n *source.Node) (any, error) {
	switch n.Kind {
	case source.Null:
		return nil, nil
	case source.String:
		return n.Text, nil
	case source.Bytes:
		return []byte(n.Text), nil
	case source.List:
		out := make([]any, len(n.Items))
		for i, x := range n.Items {
			var err error
			if out[i], err = nodeValue(x); err != nil {
				return nil, err
			}
		}
		return out, nil
	case source.Map, source.Set:
		m, err := nodeMap(n)
		if err != nil || n.Kind == source.Map {
			return m, err
		}
		return value.SetOf(nil, false, m.Keys())
	}
	if b, ok := n.Scalar.(*big.Int); ok {
		return value.NormInt(b), nil
	}
	return n.Scalar, nil
}

func nodeMap(n *source.Node) (*value.Map, error) {
	m := value.NewMap(len(n.Pairs))
	for _, p := range n.Pairs {
		k, err := nodeValue(p.Key)
		if err != nil {
			return nil, err
		}
		if list, ok := k.([]any); ok {
			k = value.Tuple(list) // PyYAML makes keys hashable so
		}
		v, err := nodeValue(p.Value)
		if err != nil {
			return nil, err
		}
		if err := m.Set(k, v); err != nil {
			return nil, fail("ConstructorError", "found unhashable key")
		}
	}
	return m, nil
}
