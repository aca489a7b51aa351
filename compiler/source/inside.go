package source

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Inside is the place of a byte of a scalar's text in the source, whatever the scalar is written as: plain, quoted with
// escapes, literal or folded. It ends where the scalar ends. Of a node that has no source it is the node's own place.
func (n *Node) Inside(offset int) diag.Location {
	at := n.At()
	if n == nil || n.File == nil || n.Start.Line < 1 {
		return at
	}
	offset = min(max(offset, 0), len(n.Text))
	raw, ok := n.raw()
	if !ok {
		return at
	}
	at.Start = raw.place(n, offset)
	if at.End.Before(at.Start) {
		at.Start = at.End
	}
	return at
}

// written is a scalar as it stands in a file: the text from its beginning to the end of its last line.
type written struct {
	text string
	pos  diag.Pos
}

func (n *Node) raw() (written, bool) {
	text := n.File.Text
	for range n.Start.Line - 1 {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return written{}, false
		}
		text = text[i+1:]
	}
	for range n.Start.Column - 1 {
		if len(text) == 0 || text[0] == '\n' {
			return written{}, false
		}
		_, size := utf8.DecodeRune(text)
		text = text[size:]
	}
	end := 0
	for range max(n.End.Line-n.Start.Line, 0) + 1 {
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		end += i + 1
	}
	return written{string(text[:end]), n.Start}, true
}

// advance goes over some bytes.
func (w *written) advance(size int) {
	for _, r := range w.text[:size] {
		w.pos.Column++
		if r == '\n' {
			w.pos = diag.Pos{Line: w.pos.Line + 1, Column: 1}
		}
	}
	w.text = w.text[size:]
}

// place walks the text and what is written of it side by side.
func (w written) place(n *Node, offset int) diag.Pos {
	switch n.Style {
	case Literal, Folded:
		w.advance(min(strings.IndexByte(w.text+"\n", '\n')+1, len(w.text))) // the header
	case SingleQuoted, DoubleQuoted:
		w.advance(min(1, len(w.text)))
	}
	if n.Style == Literal {
		return w.literal(n.Text, offset)
	}
	for i, r := range n.Text {
		if i >= offset {
			break
		}
		w.rune(r, n.Style)
	}
	if offset < len(n.Text) && w.text != "" { // the blanks of a line's beginning belong to no text
		if next := n.Text[offset]; next != ' ' && next != '\n' {
			w.blanks(n.Style)
		}
	}
	return w.pos
}

// literal finds the line, whose end is the text's, behind the indentation.
func (w written) literal(text string, offset int) diag.Pos {
	before := text[:offset]
	for range strings.Count(before, "\n") {
		w.advance(min(strings.IndexByte(w.text+"\n", '\n')+1, len(w.text)))
	}
	start := strings.LastIndexByte(before, '\n') + 1
	content, _, _ := strings.Cut(text[start:], "\n")
	line, _, _ := strings.Cut(w.text, "\n")
	if indent := len(strings.TrimSuffix(line, "\r")) - len(content); indent > 0 {
		w.advance(indent)
	}
	w.advance(min(offset-start, len(w.text)))
	return w.pos
}

// blanks goes over what stands between characters and belongs to none: indentation, line ends, line ends that are
// escaped.
func (w *written) blanks(style Style) {
	for {
		w.advance(len(w.text) - len(strings.TrimLeft(w.text, " \t\r\n")))
		if style != DoubleQuoted || !strings.HasPrefix(w.text, "\\\n") {
			return
		}
		w.advance(2)
	}
}

// rune goes over what one character of the text is written as.
func (w *written) rune(r rune, style Style) {
	if r != ' ' && r != '\n' && r != '\t' {
		w.blanks(style)
	}
	switch {
	case w.text == "":
	case style == DoubleQuoted && w.text[0] == '\\':
		w.advance(escapeLength(w.text))
	case style == SingleQuoted && strings.HasPrefix(w.text, "''"):
		w.advance(2)
	case (r == ' ' || r == '\n') && strings.TrimLeft(w.text, " \t\r") != "" && strings.TrimLeft(w.text, " \t\r")[0] == '\n' && w.text[0] != ' ':
		w.fold(r)
	case r == '\n':
		w.fold(r)
	default:
		_, size := utf8.DecodeRuneInString(w.text)
		w.advance(size)
	}
}

// fold goes over the end of a line and what indents the next one.
func (w *written) fold(r rune) {
	w.advance(len(w.text) - len(strings.TrimLeft(w.text, " \t\r")))
	w.advance(min(1, len(w.text)))
	if r == ' ' {
		w.advance(len(w.text) - len(strings.TrimLeft(w.text, " \t")))
	}
}

// escapeLength is how many bytes an escape of a double-quoted text takes.
func escapeLength(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	size := map[byte]int{'x': 4, 'u': 6, 'U': 10}[text[1]]
	switch {
	case size == 0:
		_, size = utf8.DecodeRuneInString(text[1:])
		size++
	case size == 6 && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' && strings.IndexByte("dD", text[2]) >= 0:
		size = 12 // two surrogates make one character
	}
	return min(size, len(text))
}
