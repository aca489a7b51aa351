package workflow

import (
	"github.com/hotloom/hotloom/compiler/source"
)

func (p *parser) action(pair source.Pair, workbook string) *Action {
	n := pair.Value
	a := &Action{Name: pair.Key.Text, Workbook: workbook, Node: n, At: pair.Key.At()}
	if pair.Key.Kind != source.String {
		p.add(emptyName(a.At, "an action").With("quote it: %q", pair.Key.Text))
	} else if a.Name == "" {
		p.add(emptyName(a.At, "an action"))
	}
	p.shape(n, actionShape)
	a.Description = n.Get("description").Str()
	a.Tags = texts(n.Get("tags"))
	a.Input = p.params(n.Get("input"))
	a.BaseInput = optionalMapping(n.Get("base-input"))
	p.expressions(n.Get("base-input"))
	if out := n.Get("output"); out != nil {
		a.Output = Value(out)
		if out.Kind == source.String {
			p.expressions(out)
		}
	}
	if base := n.Get("base"); base.Is(source.String) && base.Text != "" {
		name, params, ok := p.command(base)
		if ok {
			a.Base = name
			if params.Len() > 0 {
				a.BaseInput = Merge(orEmpty(a.BaseInput), params)
			}
		}
	}
	return a
}
