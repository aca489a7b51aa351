package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// parseYAML reads text, which is the file's text from offset base on, with yaml.v3 and composes our tree from its
// nodes. Text holds no byte order mark.
func parseYAML(file *File, text []byte, base int, opts Options) (*Node, diag.List) {
	c := newComposer(file, text, base, opts)
	empty := &Node{Kind: Map, File: file, Start: c.place(0), End: c.place(0)}
	if at := unprintable(text); at >= 0 {
		r, _ := utf8.DecodeRune(text[at:])
		c.report(controlCharacter(c.span(at, at), r))
		return empty, c.findings
	}
	document, fault := c.read()
	switch {
	case fault != nil:
		c.report(c.syntaxFinding(fault))
		return empty, c.findings
	case document == nil || len(document.Content) == 0:
		return empty, c.findings
	}
	c.document = document
	root := c.compose(document.Content[0])
	c.reportBlanks()
	if root.Kind == Null && opts.Reader != Value {
		root.Kind, root.Text = Map, ""
	}
	return root, c.findings
}

func countNodes(y *yaml.Node) int {
	count := 1
	for _, child := range y.Content {
		count += countNodes(child)
	}
	return count
}

// utf8Text converts a text that begins with a UTF-16 byte order mark.
func utf8Text(text []byte) []byte {
	var unit func([]byte) uint16
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		unit = func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		unit = func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 }
	default:
		return text
	}
	var out []byte
	for i := 2; i+1 < len(text); i += 2 {
		r := rune(unit(text[i:]))
		if utf16.IsSurrogate(r) {
			low := rune(utf8.RuneError)
			if i+3 < len(text) {
				low = rune(unit(text[i+2:]))
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				return text // left as it is, it is no UTF-8 either and refused as such
			}
			i += 2
		}
		out = utf8.AppendRune(out, r)
	}
	if len(text)%2 != 0 {
		return text
	}
	return out
}

// unprintable is the offset of the first character that YAML does not allow, or -1.
func unprintable(text []byte) int {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff {
			return i
		}
		i += size
	}
	return -1
}

// yamlFault is a syntax error as yaml.v3 found it.
type yamlFault struct {
	problem, context string
	at, contextAt    yamlMark
	inside           yamlMark // where the innermost open collection begins
	unknownAnchor    string
}

// yamlMark is a place in yaml.v3's counting: from 0, lines ended by any line break of YAML 1.1.
type yamlMark struct{ line, column int }

// incompatibleVersion finds a %YAML 1.2 directive, which libyaml takes for 1.1 and yaml.v3 refuses.
var incompatibleVersion = lazyregexp.New(`\A(?:(?:[ \t]*(?:#[^\n]*)?|%TAG[^\n]*)\r?\n)*%YAML[ \t]+1\.2`)

// decodeYAML reads the only document of a text; none is nil.
func decodeYAML(text []byte) (document *yaml.Node, fault *yamlFault) {
	if bytes.HasPrefix(text, []byte("%YAML")) || bytes.Contains(text, []byte("\n%YAML")) {
		if at := incompatibleVersion().FindIndex(text); at != nil {
			text = bytes.Clone(text)
			text[at[1]-1] = '1'
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	defer func() {
		// yaml.v3 panics on a few sequences of comments that its authors did not foresee.
		if p := recover(); p != nil {
			document, fault = nil, faultOf(decoder, fmt.Errorf("yaml: %v", p))
		}
	}()
	document = new(yaml.Node)
	if err := decoder.Decode(document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, faultOf(decoder, err)
	}
	second := new(yaml.Node)
	switch err := decoder.Decode(second); {
	case err == nil:
		return document, &yamlFault{problem: problemSecondDocument, at: yamlMark{second.Line - 1, second.Column - 1}}
	case !errors.Is(err, io.EOF):
		return document, faultOf(decoder, err)
	}
	return document, nil
}

var (
	yamlErrorText = lazyregexp.New(`^yaml: (?:line (\d+): )?((?s).*)$`)
	anchorError   = lazyregexp.New(`^unknown anchor '(.*)' referenced$`)
)

// faultOf describes what err, an error of decoder, is about. The text of a yaml.v3 error has at most a line, and
// often the wrong one; the true marks are in the parser's state, which reflection can read. Should another
// release not have those fields, the line of the text remains.
func faultOf(decoder *yaml.Decoder, err error) *yamlFault {
	m := yamlErrorText().FindStringSubmatch(err.Error())
	if m == nil {
		m = []string{"", "", err.Error()}
	}
	line, _ := strconv.Atoi(m[1])
	f := &yamlFault{problem: m[2], at: yamlMark{line: max(line-1, 0)}}

	state := reflect.ValueOf(decoder).Elem().FieldByName("parser")
	if state.Kind() != reflect.Pointer || state.IsNil() {
		return f
	}
	event, parser := state.Elem().FieldByName("event"), state.Elem().FieldByName("parser")
	if a := anchorError().FindStringSubmatch(f.problem); a != nil {
		f.unknownAnchor = a[1]
		readMark(event, "start_mark", &f.at)
		return f
	}
	if !parser.IsValid() || parser.Kind() != reflect.Struct {
		return f
	}
	readMark(parser, "problem_mark", &f.at)
	readMark(parser, "context_mark", &f.contextAt)
	if open := parser.FieldByName("marks"); open.Kind() == reflect.Slice && open.Len() > 0 {
		setMark(open.Index(open.Len()-1), &f.inside)
	}
	if c := parser.FieldByName("context"); c.Kind() == reflect.String {
		f.context = c.String()
	}
	return f
}

func readMark(of reflect.Value, name string, into *yamlMark) {
	if !of.IsValid() || of.Kind() != reflect.Struct {
		return
	}
	setMark(of.FieldByName(name), into)
}

func setMark(mark reflect.Value, into *yamlMark) {
	if mark.Kind() != reflect.Struct {
		return
	}
	line, column := mark.FieldByName("line"), mark.FieldByName("column")
	if line.CanInt() && column.CanInt() {
		*into = yamlMark{int(line.Int()), int(column.Int())}
	}
}
