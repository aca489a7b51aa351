package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/resources/catalog"
)

var scalarChangesType = &Rule{
	ID: "scalar-changes-type", Severity: diag.Warning, Check: &Check{"scalar-changes-type", checkScalars},
	Summary: "A plain scalar means something else to YAML 1.1 than it seems to say.",
	Heat:    "Heat's loader reads 012 as 10, 12:30 as 750, 2.20 as 2.2 and yes as true, before any template rule applies.",
}

var (
	octal       = lazyregexp.New(`^[-+]?0[0-7_]+$`)
	sexagesimal = lazyregexp.New(`^[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$`)
	lostZero    = lazyregexp.New(`^[-+]?[0-9]+\.[0-9]*0$`)
	exponent    = lazyregexp.New(`^[-+]?[0-9]+(\.[0-9]+)?[eE][0-9]+$`)
)

// checkScalars looks where text is likely meant: defaults of string parameters, string properties, and any place for
// the forms that nobody writes on purpose.
func checkScalars(p *Pass) {
	for _, def := range p.Template.Parameters {
		if def.Default != nil {
			p.scalar(def.Default, def.Type == hot.String)
		}
		for _, c := range def.Constraints {
			if c.Kind == "allowed_values" {
				for _, item := range c.Value.Items {
					p.scalar(item, def.Type == hot.String)
				}
			}
		}
	}
	for _, pl := range p.index.places {
		if pl.part != inProperties {
			p.scalars(pl.node)
			continue
		}
		t := p.typeOf(pl.res)
		for _, pair := range pl.node.Pairs {
			if t != nil {
				if prop := t.Properties[pair.Key.Str()]; prop != nil && prop.Type == catalog.String {
					p.scalar(pair.Value, true)
					continue
				}
			}
			p.scalars(pair.Value)
		}
	}
}

func (p *Pass) scalars(n *source.Node) {
	n.Walk(func(n *source.Node) bool {
		p.scalar(n, false)
		return true
	})
}

// scalar reports one scalar; wantsText is set where Heat makes text of the value.
func (p *Pass) scalar(n *source.Node, wantsText bool) {
	if n.Style != source.Plain || n.Text == "" {
		return
	}
	say := func(became string) {
		d := diag.Warnf(n.At(), "scalar-changes-type", "%s is %s in YAML 1.1", n.Text, became).With("quote it: '%s'", n.Text)
		if wantsText {
			p.reportFix(d, quoted(n))
			return
		}
		p.report(d) // elsewhere the number may be meant
	}
	switch n.Kind {
	case source.Int:
		switch {
		case sexagesimal().MatchString(n.Text):
			say("the base-60 number " + hot.KeyText(n))
		case octal().MatchString(n.Text):
			say("the octal number " + hot.KeyText(n))
		case wantsText && (strings.HasPrefix(n.Text, "+") || strings.Contains(n.Text, "_")):
			say("the number " + hot.KeyText(n))
		}
	case source.Float:
		switch {
		case sexagesimal().MatchString(n.Text):
			say("the base-60 number " + hot.KeyText(n))
		case wantsText && lostZero().MatchString(n.Text):
			say("the number " + hot.KeyText(n))
		}
	case source.Bool:
		if lower := strings.ToLower(n.Text); wantsText && lower != "true" && lower != "false" {
			say("a boolean, and becomes the text " + map[bool]string{true: "True", false: "False"}[n.Scalar == true])
		}
	case source.String:
		if exponent().MatchString(n.Text) {
			say("text and no number")
		}
	}
}
