package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var uselessCall = &Rule{
	ID: "useless-call", Severity: diag.Info, Tag: Unnecessary, Check: &Check{"useless-call", checkUseless},
	Summary: "A function call gives back what it was given.",
	Heat:    "Accepted: list_join of one item, str_replace without params, Fn::Base64.",
}

var joinNumbers = &Rule{
	ID: "list-join-of-numbers", Severity: diag.Warning, Check: &Check{"list-join-of-numbers", checkJoinNumbers},
	Summary: "list_join joins numbers or booleans in an output or in metadata.",
	Heat: "Heat joins texts, lists and maps only. In a property the stack is refused; an output shows null and an error instead of " +
		"its value.",
}

func checkUseless(p *Pass) {
	for _, c := range p.index.calls {
		switch c.Function.Name {
		case "list_join":
			if c.Arg.Is(source.List) && len(c.Arg.Items) == 2 && c.Arg.Items[1].Is(source.List) && len(c.Arg.Items[1].Items) == 1 {
				p.report(diag.Infof(c.Name.At(), "useless-call", "there is only one item to join").With("write the item itself"))
			}
		case "str_replace":
			if params := c.Arg.Get("params"); params.Is(source.Map) && len(params.Pairs) == 0 {
				p.report(diag.Infof(c.Name.At(), "useless-call", "there is nothing to replace").With("write the template itself"))
			}
		}
	}
}

func checkJoinNumbers(p *Pass) {
	for _, c := range p.index.calls {
		if c.Function.Name != "list_join" || c.part == inProperties || !c.Arg.Is(source.List) || len(c.Arg.Items) < 2 {
			continue
		}
		for _, list := range c.Arg.Items[1:] {
			if !list.Is(source.List) {
				continue
			}
			for _, item := range list.Items {
				f := p.resolve(item, discard)
				number := f.node != nil && (f.node.Is(source.Int) || f.node.Is(source.Float) || f.node.Is(source.Bool)) ||
					f.node == nil && f.kinds != 0 && f.kinds&^kindsOf(source.Int, source.Float, source.Bool) == 0
				if number {
					p.report(diag.Warnf(item.At(), "list-join-of-numbers", "list_join takes no numbers or booleans: this output will be null").
						With("make it text, with a string parameter or str_replace"))
				}
			}
		}
	}
}

var nullSection = &Rule{
	ID: "empty-section", Severity: diag.Info, Tag: Unnecessary, Check: &Check{"empty-section", checkEmpty},
	Summary: "A section has nothing in it.",
	Heat:    "Accepted, except for conditions.",
}

func checkEmpty(p *Pass) {
	for _, pair := range p.Template.Root.Pairs {
		switch hot.KeyText(pair.Key) {
		case "parameters", "resources", "outputs", "parameter_groups", "Parameters", "Resources", "Outputs", "Mappings":
			if pair.Value.IsNull() || (pair.Value.Is(source.Map) || pair.Value.Is(source.List)) && len(pair.Value.Items)+len(pair.Value.Pairs) == 0 {
				p.report(diag.Infof(pair.Key.At(), "empty-section", "section %q is empty", hot.KeyText(pair.Key)).With("remove it"))
			}
		}
	}
}
