package source

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// In flow collections yaml.v3 differs from PyYAML in two ways that templates meet:
//
//   - it ends plain text at a `?`, so that it refuses {url: http://x/?a=b};
//   - it takes a `:` before a bracket or comma for text, as in {a:} and, refused, {get_param:[x]}. libyaml refuses
//     all of these, whereupon Heat reads the document again with PyYAML's slower Python loader, which takes the `:`
//     as if a blank followed. That loader refuses a `?` within flow text and makes dates of unquoted ones, which
//     no client can send on.
//
// So the text is mended for yaml.v3 where it stumbles, and read again.

// maxRepairs bounds how often a text is read again.
const maxRepairs = 20

// read gives the document of c.text, or the fault that remains.
func (c *composer) read() (document *yaml.Node, fault *yamlFault) {
	for range maxRepairs {
		document, fault = decodeYAML(c.libraryText())
		if !c.repair(document, fault) {
			break
		}
	}
	if c.question != 0 && document != nil {
		restoreQuestions(document, string(c.question))
	}
	return document, fault
}

// repair mends one place; it reports whether there was one.
func (c *composer) repair(document *yaml.Node, fault *yamlFault) bool {
	if fault == nil {
		if document == nil || !hasGluedColon(c.text) {
			return false
		}
		at := c.findGlued(document, false)
		if at >= 0 {
			c.insertBlank(at)
		}
		return at >= 0
	}
	at := c.markOffset(fault.at)
	if at == 0 || at >= len(c.text) || !strings.HasPrefix(fault.problem, "did not find expected ','") {
		return false
	}
	switch c.text[at] {
	case '?':
		if c.question == 0 {
			c.question = unusedByte(c.text)
		}
		if c.question == 0 || slices.Contains(c.questions, at) || c.text[at-1] == ':' {
			return false
		}
		c.questions = append(c.questions, at)
		return true
	case '[', '{':
		if c.text[at-1] == ':' {
			c.insertBlank(at)
			return true
		}
	}
	return false
}

var (
	lineByteOrderMark = lazyregexp.New("([\r\n])\ufeff")

	// innerQuestion finds a ? in the midst of plain text; in any other kind of text it does no harm to find one.
	innerQuestion = lazyregexp.New(`[0-9A-Za-z/._=&-]\?`)
)

// hasGluedColon reports whether a : is followed by what begins or ends something in a flow collection.
func hasGluedColon(text []byte) bool {
	for {
		at := bytes.IndexByte(text, ':')
		if at < 0 || at+1 == len(text) {
			return false
		}
		switch text[at+1] {
		case ',', '[', ']', '{', '}':
			return true
		}
		text = text[at+1:]
	}
}

// libraryText is the text for yaml.v3, in which each ? within plain text is another character. A byte order mark that
// begins a line counts as a blank there; yaml.v3 means to skip it, but does not.
func (c *composer) libraryText() []byte {
	text := c.text
	if c.question != 0 {
		text = bytes.Clone(text)
		for _, at := range innerQuestion().FindAllIndex(text, -1) {
			text[at[1]-1] = c.question
		}
		for _, at := range c.questions {
			text[at] = c.question
		}
	}
	if bytes.Contains(text, byteOrderMark) {
		text = lineByteOrderMark().ReplaceAll(text, []byte("$1 "))
	}
	return text
}

// unusedByte is a character that means nothing to YAML within plain text and does not occur in the text, or 0.
func unusedByte(text []byte) byte {
	for _, b := range []byte("~^$;+()") {
		if bytes.IndexByte(text, b) < 0 {
			return b
		}
	}
	return 0
}

func restoreQuestions(y *yaml.Node, stand string) {
	if strings.Contains(y.Value, stand) {
		y.Value = strings.ReplaceAll(y.Value, stand, "?")
	}
	for _, child := range y.Content {
		restoreQuestions(child, stand)
	}
}

// findGlued is the offset after the first plain text in a flow collection that ends with a `:` right before an
// indicator, or -1.
func (c *composer) findGlued(y *yaml.Node, inFlow bool) int {
	inFlow = inFlow || y.Style&yaml.FlowStyle != 0
	if inFlow && y.Kind == yaml.ScalarNode && scalarStyle(y.Style) == Plain && strings.HasSuffix(y.Value, ":") {
		content, _ := c.skipProperties(c.marks.offset(place(y)))
		if end := c.plainEnd(y.Value, content); end < len(c.text) && strings.IndexByte(",[]{}", c.text[end]) >= 0 {
			return end
		}
	}
	for _, child := range y.Content {
		if at := c.findGlued(child, inFlow); at >= 0 {
			return at
		}
	}
	return -1
}

// insertBlank puts a blank into the text that is read. Positions are still told as if it were not there.
func (c *composer) insertBlank(at int) {
	for i := range c.blanks {
		if c.blanks[i] >= at {
			c.blanks[i]++
		}
	}
	for i := range c.questions {
		if c.questions[i] >= at {
			c.questions[i]++
		}
	}
	c.blanks = append(c.blanks, at)
	slices.Sort(c.blanks)
	c.text = slices.Concat(c.text[:at], []byte(" "), c.text[at:])
	c.direct, c.marks = false, newYAMLLines(c.text)
}

// timestamp is what PyYAML's Python loader makes a date of.
var timestamp = lazyregexp.New(`^[0-9]{4}-(?:[0-9]{2}-[0-9]{2}|[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$`)

// reportBlanks tells of the blanks that were inserted: errors where the slower loader is no way out either.
func (c *composer) reportBlanks() {
	for _, at := range c.blanks {
		c.report(missingBlank(c.span(at, at), c.dated || c.question != 0))
	}
}
