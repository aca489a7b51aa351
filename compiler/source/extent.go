package source

import (
	"bytes"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/hotloom/hotloom/compiler/diag"
)

// yaml.v3 says where a node starts. Where it ends is read from the text here; the text is known to be valid, so
// little of YAML's grammar is needed.

func place(y *yaml.Node) diag.Pos { return diag.Pos{Line: y.Line, Column: y.Column} }

// skipProperties passes the anchor and tag that begin at offset i. It returns where the node's own text begins and
// where the properties end; both are the latter if no text follows.
func (c *composer) skipProperties(i int) (content, end int) {
	for i < len(c.text) && (c.text[i] == '&' || c.text[i] == '!') {
		for i < len(c.text) && !isBlankOrBreak(c.text, i) && (c.text[i] != ',' && c.text[i] != ']' && c.text[i] != '}') {
			i++
		}
		end = i
		i = c.skipBlanks(i)
	}
	return i, end
}

// hasNonSpecificTag reports whether the properties hold the tag `!`.
func hasNonSpecificTag(properties []byte) bool {
	for _, p := range bytes.Fields(properties) {
		if string(p) == "!" || string(p) == "!<!>" {
			return true
		}
	}
	return false
}

func isBlankOrBreak(text []byte, i int) bool {
	switch c := text[i]; {
	case c == ' ', c == '\t', c == '\n', c == '\r':
		return true
	case c >= utf8.RuneSelf:
		r, _ := utf8.DecodeRune(text[i:])
		return isUnicodeBreak(r)
	}
	return false
}

// skipBlanks passes blanks, line breaks and comments.
func (c *composer) skipBlanks(i int) int {
	for i < len(c.text) {
		switch {
		case isBlankOrBreak(c.text, i):
			i++
			for i < len(c.text) && !utf8.RuneStart(c.text[i]) {
				i++
			}
		case c.text[i] == '#' && i > 0 && isBlankOrBreak(c.text, i-1):
			i = c.lineEnd(i)
		default:
			return i
		}
	}
	return i
}

// lineEnd is the offset of the break that ends the line of i.
func (c *composer) lineEnd(i int) int {
	if n := bytes.IndexAny(c.text[i:], "\r\n\u0085\u2028\u2029"); n >= 0 {
		return i + n
	}
	return len(c.text)
}

// scalarEnd is the offset after a scalar whose text begins at content and whose properties end at bare.
func (c *composer) scalarEnd(y *yaml.Node, style Style, content, bare int) int {
	switch {
	case style == DoubleQuoted:
		for i := content + 1; i < len(c.text); i++ {
			switch c.text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(c.text)
	case style == SingleQuoted:
		for i := content + 1; i < len(c.text); i++ {
			if c.text[i] != '\'' {
				continue
			}
			if i+1 == len(c.text) || c.text[i+1] != '\'' {
				return i + 1
			}
			i++
		}
		return len(c.text)
	case style == Literal || style == Folded:
		return c.blockScalarEnd(content)
	case y.Value == "":
		return bare
	}
	return c.plainEnd(y.Value, content)
}

// plainEnd matches the value with the text; only line breaks and the blanks around them can differ.
func (c *composer) plainEnd(value string, i int) int {
	if i+len(value) <= len(c.text) && string(c.text[i:i+len(value)]) == value {
		return i + len(value)
	}
	v := []byte(value)
	for k := 0; k < len(v) && i < len(c.text); {
		if !isBlankOrBreak(v, k) {
			if c.text[i] != v[k] {
				return i
			}
			i, k = i+1, k+1
			continue
		}
		for k < len(v) && (isBlankOrBreak(v, k) || !utf8.RuneStart(v[k])) {
			k++
		}
		for i < len(c.text) && (isBlankOrBreak(c.text, i) || !utf8.RuneStart(c.text[i])) {
			i++
		}
	}
	return i
}

// blockScalarEnd is the end of the last line with text of the block scalar whose header is at i.
func (c *composer) blockScalarEnd(i int) int {
	header := c.lineEnd(i)
	end := i + 1
	explicit := 0
	for ; end < header && !isBlankOrBreak(c.text, end); end++ {
		if d := c.text[end]; d >= '1' && d <= '9' {
			explicit = int(d - '0')
		}
	}
	indent := max(c.indent, 0) + explicit
	for at := header; at < len(c.text); {
		start := at
		for start < len(c.text) && (c.text[start] == '\r' || c.text[start] == '\n') {
			start++
		}
		text := start
		for text < len(c.text) && c.text[text] == ' ' {
			text++
		}
		at = c.lineEnd(text)
		if at == start { // a Unicode line break: no such text is worth more
			_, size := utf8.DecodeRune(c.text[at:])
			at += size
			continue
		}
		if text == at {
			continue // blank
		}
		if explicit == 0 {
			explicit, indent = 1, max(text-start, c.indent+1, 1)
		}
		if text-start < indent {
			break
		}
		end = at
	}
	return end
}

// blockIndent is the column, from 0, at which the entries of a block collection stand.
func (c *composer) blockIndent(y *yaml.Node) int {
	column := y.Column
	if len(y.Content) > 0 && y.Kind == yaml.MappingNode {
		column = y.Content[0].Column
	}
	return column - 1
}

// flowEnd is the offset after the bracket that closes the flow collection which begins at content and whose last
// child ends at i. The single entry of a list such as [a: b] has no bracket.
func (c *composer) flowEnd(content, i int) int {
	if content >= len(c.text) {
		return i
	}
	var bracket byte
	switch c.text[content] {
	case '{':
		bracket = '}'
	case '[':
		bracket = ']'
	default:
		return i
	}
	for i < len(c.text) && c.text[i] != bracket {
		if next := c.skipBlanks(i); next > i {
			i = next
		} else {
			i++
		}
	}
	return min(i+1, len(c.text))
}
