package source

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
)

// lines maps byte offsets of a text to positions and back. Lines end with \n, \r\n or \r, as in editors; columns
// count runes, and a byte order mark counts for none.
type lines struct {
	text   []byte
	starts []int // offset of each line's first byte
	ascii  bool
}

var byteOrderMark = []byte("\ufeff")

func newLines(text []byte) *lines {
	l := &lines{text: text, starts: make([]int, 1, bytes.Count(text, []byte("\n"))+1), ascii: true}
	if bytes.HasPrefix(text, byteOrderMark) {
		l.starts[0] = len(byteOrderMark)
	}
	for i, c := range text {
		switch {
		case c == '\n', c == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			l.starts = append(l.starts, i+1)
		case c >= utf8.RuneSelf:
			l.ascii = false
		}
	}
	return l
}

// pos is the position of the byte at offset.
func (l *lines) pos(offset int) diag.Pos {
	line := sort.SearchInts(l.starts, offset+1) - 1
	if line < 0 {
		return diag.Pos{Line: 1, Column: 1}
	}
	return diag.Pos{Line: line + 1, Column: l.columns(l.starts[line], offset) + 1}
}

func (l *lines) columns(from, to int) int {
	if l.ascii {
		return to - from
	}
	return utf8.RuneCount(l.text[from:to])
}

// offset is the byte offset of a position, at most the end of the text.
func (l *lines) offset(p diag.Pos) int {
	if p.Line < 1 {
		return 0
	}
	if p.Line > len(l.starts) {
		return len(l.text)
	}
	at := l.starts[p.Line-1]
	if l.ascii {
		return min(at+p.Column-1, len(l.text))
	}
	for range p.Column - 1 {
		if at >= len(l.text) {
			break
		}
		_, size := utf8.DecodeRune(l.text[at:])
		at += size
	}
	return at
}
