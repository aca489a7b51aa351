package source

import (
	"bytes"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Reader says whose reading of a text is followed: each of Heat's callers treats blanks, JSON and encodings in
// its own way.
type Reader uint8

const (
	// Template is heatclient's reading of a template, the zero value: blanks around the text are cut off, a text
	// that then begins with "{" must be JSON, anything else is YAML. A flow mapping as whole document is
	// therefore an error.
	Template Reader = iota
	// YAML is heatclient's reading of an environment, and Mistral's of a workflow: always YAML, UTF-16 with a
	// byte order mark included.
	YAML
	// Engine is heat-engine's reading of a text that no client parsed before, such as a nested template that
	// heatclient takes for a plain file: JSON if the whole text is JSON, else YAML.
	Engine
	// Value is one YAML value of any kind, such as an expression on a command line. The other readers take a
	// document that is null for an empty map, as Heat does.
	Value
)

// The limits. Heat's own are 512 KiB for a template and 1 MiB for a request.
const (
	// MaxBytes is the largest text that is read. Beyond it memory, about 25 times the text, would matter.
	MaxBytes = 4 << 20
	// MaxDepth is the deepest nesting. A value nested about this deep makes heat-engine fail with a RecursionError
	// (tried: 325 levels below the document pass, 345 do not); templates of this field have at most 30.
	MaxDepth = 330
	// MaxScalar is the longest scalar in bytes, Heat's limit for a whole request.
	MaxScalar = 1 << 20
	// MaxExpansion is how often larger than its own number of nodes a document may be once its aliases are
	// expanded. Documents of less than MinExpansion nodes after expansion are never refused.
	MaxExpansion = 10
	MinExpansion = 50_000
	// maxFindings is how many findings of one severity a text gets.
	maxFindings = 100
)

// Options of Parse. The zero value is for templates, with the limits above.
type Options struct {
	Reader                        Reader
	MaxBytes, MaxDepth, MaxScalar int // 0 is the constant's value
}

func (o Options) withDefaults() Options {
	for _, limit := range []struct {
		value    *int
		standard int
	}{{&o.MaxBytes, MaxBytes}, {&o.MaxDepth, MaxDepth}, {&o.MaxScalar, MaxScalar}} {
		if *limit.value == 0 {
			*limit.value = limit.standard
		}
	}
	return o
}

// Parse reads a template, as heatclient does. See ParseFile.
func Parse(path string, text []byte) (*Node, diag.List) {
	return ParseFile(&File{Path: path, Text: text}, Options{})
}

// ParseFile reads one YAML or JSON document. It accepts what Heat's loader accepts, except for what the limits
// refuse, and gives the values that it gives. The node is never nil: a text without a document is an empty map,
// and so is what a syntax error leaves. File.Text is UTF-8 afterwards: a UTF-16 text is replaced with its conversion. Findings have the rules yaml-syntax, json-syntax, yaml-tag, yaml-value,
// yaml-key, yaml-alias, duplicate-key and limit.
func ParseFile(file *File, opts Options) (*Node, diag.List) {
	opts = opts.withDefaults()
	empty := &Node{Kind: Map, File: file, Start: diag.Pos{Line: 1, Column: 1}, End: diag.Pos{Line: 1, Column: 1}}
	if len(file.Text) > opts.MaxBytes {
		return empty, diag.List{tooLarge(empty.At(), len(file.Text), opts.MaxBytes)}
	}
	if opts.Reader == YAML {
		if text := utf8Text(file.Text); len(text) != len(file.Text) || len(text) > 0 && &text[0] != &file.Text[0] {
			file.Text = text
		}
	}
	if at := invalidUTF8(file.Text); at >= 0 {
		p := newLines(file.Text).pos(at)
		return empty, diag.List{notUTF8(diag.Location{Path: file.Path, Start: p, End: p}, file.Text[at])}
	}
	text, base := file.Text, 0
	switch opts.Reader {
	case Template:
		base = len(text) - len(bytes.TrimLeftFunc(text, isPythonSpace))
		text = bytes.TrimFunc(text, isPythonSpace)
		if bytes.HasPrefix(text, []byte("{")) {
			return parseJSON(file, base, base+len(text), opts)
		}
	case Engine:
		if n, findings := parseJSON(file, 0, len(text), opts); !findings.HasErrors() {
			return n, findings
		}
	}
	if bytes.HasPrefix(text, byteOrderMark) {
		text, base = text[len(byteOrderMark):], base+len(byteOrderMark)
	}
	return parseYAML(file, text, base, opts)
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}
