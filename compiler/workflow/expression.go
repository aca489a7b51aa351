package workflow

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/jinja"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// What makes a text an expression (mistral/expressions): YAQL between <% and %>, which never spans lines, and Jinja's
// {{ … }} and {% … %}.
var (
	yaqlParts  = lazyregexp.New(yaqlPattern)
	jinjaParts = lazyregexp.New(`\{\{.*?\}\}|\{%.*?%\}`)
)

// expressions checks n if it is a text, or else the texts directly below it. Mistral looks no deeper.
func (p *parser) expressions(n *source.Node) {
	if n == nil {
		return
	}
	p.expression(n)
	for _, item := range n.Items {
		p.expression(item)
	}
	if n.Kind == source.Map {
		for _, pair := range n.Pairs {
			p.expression(pair.Value)
		}
	}
}

func (p *parser) expression(n *source.Node) {
	if n.Kind != source.String {
		return
	}
	isJinja := jinjaParts().MatchString(n.Text)
	if isJinja {
		if err := jinja.Check(n.Text); err != nil {
			p.add(badExpression(n.Inside(err.Offset), "Jinja", n.Text, err.Message))
			return
		}
	}
	parts := yaqlParts().FindAllStringIndex(n.Text, -1)
	if isJinja && len(parts) > 0 {
		p.add(mixedLanguages(n.At()))
		return
	}
	for _, at := range parts {
		part := n.Text[at[0]:at[1]]
		expr := strings.Trim(part, "<%>")
		if offset, message := yaqlSyntax(expr); message != "" {
			start := at[0] + strings.Index(part, expr)
			p.add(badExpression(n.Inside(start+offset), "YAQL", strings.TrimSpace(expr), message))
		}
	}
}

// command takes a one-line call apart and checks its parameters.
func (p *parser) command(n *source.Node) (name string, params *value.Map, ok bool) {
	name, params, ok = ParseCommand(n.Text)
	if !ok {
		p.add(badCommand(n))
		return "", nil, false
	}
	for k, v := range params.All() {
		s, isText := v.(string)
		if !isText {
			continue
		}
		// A parameter stands somewhere in the line; its own place is where its text is found.
		part := *n
		part.Text = s
		if i := strings.Index(n.Text, k.(string)+"="); i >= 0 && n.Start.Line == n.End.Line {
			if j := strings.Index(n.Text[i:], s); j >= 0 {
				at := n.Inside(i + j)
				part.Start, part.Style = at.Start, source.Plain
			}
		}
		p.expression(&part)
	}
	return name, params, true
}

// yaqlSyntax parses a bare expression; message is "" if it can be parsed, else why not, at a byte offset.
func yaqlSyntax(text string) (offset int, message string) {
	_, err := yaql.Parse(text)
	if err == nil {
		return 0, ""
	}
	return value.Offset(text, err.Position), err.Message
}
