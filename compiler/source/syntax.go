package source

import (
	"cmp"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
)

// problemSecondDocument is our own name for a fault that yaml.v3 does not have.
const problemSecondDocument = "expected a single document"

// A problem is what yaml.v3 calls a kind of syntax error, in the author's words and with the way out.
type problem struct {
	library    string // yaml.v3's text, or its beginning
	context    string // the beginning of yaml.v3's context; "" is any
	at         string // the characters at the fault that make it this problem; "" is any
	before     string // likewise, before the fault
	blameStart bool   // the fault is where the thing begins that is not finished, not where reading stopped
	message    string
	suggestion string
}

// problems is searched from the top. What is not in it keeps yaml.v3's text.
var problems = []problem{
	{
		library: problemSecondDocument, message: "a second YAML document begins here; Heat reads one per file",
		suggestion: "delete the `---` line, or put the second document in a file of its own",
	},
	{
		library: "found character that cannot start any token", at: "\t", message: "a tab stands where YAML wants spaces",
		suggestion: "replace the tab with spaces",
	},
	{
		library: "found character that cannot start any token", message: "a value cannot begin with this character; YAML reserves @, ` and %",
		suggestion: "put the text in quotes",
	},
	{library: "found a tab character", message: "a tab stands where YAML wants spaces", suggestion: "replace the tab with spaces"},
	{
		library: "mapping values are not allowed", message: "a `:` makes a key here, where no key can be",
		suggestion: "put text that contains `: ` in quotes; check the indentation of this line",
	},
	{library: "mapping keys are not allowed", message: "a `?` key cannot stand here", suggestion: "put text that begins with `? ` in quotes"},
	{
		library: "block sequence entries are not allowed", message: "a list item `- ` cannot stand here",
		suggestion: "put the list on lines of its own below the key",
	},
	{
		library: "could not find expected ':'", blameStart: true, message: "a key needs a `:` on its own line",
		suggestion: "add `:` and a value, or indent the line if it continues the text above",
	},
	{
		library: "found unexpected end of stream", context: "while scanning a quoted", blameStart: true, message: "the quote that opens here is never closed",
		suggestion: "close the quote; inside single quotes write '' for a quote",
	},
	{
		library: "found unexpected document indicator", context: "while scanning a quoted", blameStart: true, message: "the quote that opens here is not closed before the end of the document",
		suggestion: "close the quote; inside single quotes write '' for a quote",
	},
	{
		library: "did not find expected key", before: `'"`, message: "text follows a closing quote",
		suggestion: `inside single quotes write '' for a quote, inside double quotes \"`,
	},
	{
		library: "did not find expected key", context: "while parsing a block mapping", message: "this line does not fit the map around it",
		suggestion: "check its indentation, and quotes or brackets that close too early on the lines above",
	},
	{
		library: "did not find expected '-' indicator", message: "this line does not fit the list around it",
		suggestion: "begin it with `- ` as the items above, or check its indentation",
	},
	{
		library: "did not find expected ',' or '}'", message: "the flow map needs `,` or `}` here",
		suggestion: "separate entries with commas and close with `}`",
	},
	{
		library: "did not find expected ',' or ']'", message: "the flow list needs `,` or `]` here",
		suggestion: "separate items with commas and close with `]`",
	},
	{
		library: "did not find expected node content", message: "a value is missing here",
		suggestion: "close every { and [ that is opened, and put text that begins with ], }, or a comma in quotes",
	},
	{
		library: "did not find expected <document start>", message: "this line is outside of the document's map or list",
		suggestion: "check its indentation against the first line",
	},
	{
		library: "found unknown escape character", message: `unknown escape in double quotes`,
		suggestion: `write \\ for a backslash, or use single quotes`,
	},
	{
		library: "did not find expected hexdecimal number", message: "an escape such as \\x41 needs its hexadecimal digits",
		suggestion: `write \\ for a backslash, or use single quotes`,
	},
	{library: "found invalid Unicode character escape", message: "this escape is no character", suggestion: "write characters beyond \\uffff as \\UXXXXXXXX"},
	{
		library: "did not find expected comment or line break", context: "while scanning a block scalar",
		message: "text cannot stand on the line of | or >", suggestion: "begin the text on the next line, indented",
	},
	{
		library: "did not find expected alphabetic or numeric character", message: "an & or * needs a name",
		suggestion: "put text that begins with & or * in quotes",
	},
	{
		library: "found undefined tag handle", message: "this tag begins with a handle that no %TAG line defines",
		suggestion: "put text that begins with ! in quotes",
	},
}

// fits reports whether p is what f is about.
func (p *problem) fits(f *yamlFault, text []byte, at int) bool {
	return strings.HasPrefix(f.problem, p.library) && strings.HasPrefix(f.context, p.context) &&
		(p.at == "" || at < len(text) && strings.IndexByte(p.at, text[at]) >= 0) &&
		(p.before == "" || at > 0 && strings.IndexByte(p.before, text[at-1]) >= 0)
}

// contexts are yaml.v3's contexts in the author's words.
var contexts = map[string]string{
	"while parsing a block mapping":    "the map begins here",
	"while parsing a flow mapping":     "the flow map begins here",
	"while parsing a block collection": "the list begins here",
	"while parsing a flow sequence":    "the flow list begins here",
	"while scanning a quoted scalar":   "the quote opens here",
	"while parsing a quoted scalar":    "the quote opens here",
	"while scanning a block scalar":    "the text block begins here",
	"while scanning a simple key":      "the key",
}

// openBracket blames a bracket that is never closed, rather than the key on a later line, or the end of the text,
// where that shows.
func (c *composer) openBracket(f *yamlFault, at, context int) (d diag.Diagnostic, ok bool) {
	atEnd := c.skipBlanks(at) >= len(c.text)
	switch {
	case strings.HasPrefix(f.problem, "did not find expected ','"):
		ok = atEnd || c.text[at] == ':' && c.place(at).Line > c.place(context).Line
	case strings.HasPrefix(f.problem, "did not find expected node content"):
		context = c.markOffset(f.inside)
		ok = atEnd && f.inside != yamlMark{}
	}
	if !ok || context >= len(c.text) || strings.IndexByte("[{", c.text[context]) < 0 {
		return d, false
	}
	d = syntax(c.span(context, context+1), "the bracket that opens here is not closed").With("close it with %c", c.text[context]+2)
	if !atEnd {
		d = d.Via(c.span(at, at), "a new key follows")
	}
	return d, true
}

// syntaxFinding makes the finding for what yaml.v3 refuses.
func (c *composer) syntaxFinding(f *yamlFault) diag.Diagnostic {
	at, context := c.markOffset(f.at), c.markOffset(f.contextAt)
	if f.unknownAnchor != "" {
		return unknownAnchor(c.span(at, min(at+1+len(f.unknownAnchor), len(c.text))), f.unknownAnchor)
	}
	if strings.HasPrefix(f.problem, "exceeded max depth") {
		return tooDeep(c.span(at, at), c.opts.MaxDepth)
	}
	if d, ok := c.openBracket(f, at, context); ok {
		return d
	}
	for _, p := range problems {
		if !p.fits(f, c.text, at) {
			continue
		}
		if p.blameStart && f.context != "" {
			at = context
		}
		d := syntax(c.span(at, at), p.message)
		if f.context != "" && context < at {
			d = d.Via(c.span(context, context), "%s", cmp.Or(contexts[f.context], f.context))
		}
		if p.suggestion != "" {
			d = d.With("%s", p.suggestion)
		}
		return d
	}
	message := f.problem
	if f.context != "" {
		message = f.context + ": " + message
	}
	return syntax(c.span(at, at), message)
}

// markOffset is the offset in text of a place as yaml.v3 counts.
func (c *composer) markOffset(m yamlMark) int {
	return c.marks.offset(diag.Pos{Line: m.line + 1, Column: m.column + 1})
}
