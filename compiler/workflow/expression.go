package workflow

import (
	"strings"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
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
			p.add(badExpression(within(n, err.Offset), "Jinja", n.Text, err.Message))
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
			p.add(badExpression(within(n, start+offset), "YAQL", strings.TrimSpace(expr), message))
		}
	}
}

// within is the place of a byte offset in a scalar's text, as near as the way it is written allows.
func within(n *source.Node, offset int) diag.Location {
	at := n.At()
	offset = min(max(offset, 0), len(n.Text))
	if n.Start.Line == n.End.Line {
		column := n.Start.Column + utf8.RuneCountInString(n.Text[:offset])
		if n.Style == source.SingleQuoted || n.Style == source.DoubleQuoted {
			column++
		}
		at.Start.Column = min(column, max(n.Start.Column, n.End.Column-1))
		return at
	}
	if n.Style != source.Literal || n.File == nil {
		return at
	}
	before := n.Text[:offset]
	line := n.Start.Line + 1 + strings.Count(before, "\n")
	lines := strings.Split(string(n.File.Text), "\n")
	if line > len(lines) || line > n.End.Line {
		return at
	}
	start := strings.LastIndexByte(before, '\n') + 1
	content, _, _ := strings.Cut(n.Text[start:], "\n")
	indent := strings.Index(lines[line-1], content)
	if indent < 0 {
		return at
	}
	at.Start = diag.Pos{Line: line, Column: 1 + utf8.RuneCountInString(lines[line-1][:indent]) + utf8.RuneCountInString(before[start:])}
	if at.End.Before(at.Start) {
		at.End = at.Start
	}
	return at
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
				at := within(n, i+j)
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
