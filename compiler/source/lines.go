package source

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
)

// lines maps byte offsets of a text to positions and back. Columns count runes; a byte order mark counts for none.
// It remembers the last line asked for, so it has one user at a time.
type lines struct {
	text   []byte
	starts []int // offset of each line's first byte
	ascii  bool
	last   int // index in starts of the line of the last answer
}

var byteOrderMark = []byte("\ufeff")

// newLines indexes a text whose lines end with \n, \r\n or \r, as in editors.
func newLines(text []byte) *lines { return indexLines(text, func(rune) bool { return false }) }

// newYAMLLines counts lines as YAML 1.1 does: Unicode's line breaks end a line too.
func newYAMLLines(text []byte) *lines { return indexLines(text, isUnicodeBreak) }

func isUnicodeBreak(r rune) bool { return r == 0x85 || r == 0x2028 || r == 0x2029 }

func indexLines(text []byte, isBreak func(rune) bool) *lines {
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
			if c == 0xc2 || c == 0xe2 {
				if r, size := utf8.DecodeRune(text[i:]); isBreak(r) {
					l.starts = append(l.starts, i+size)
				}
			}
		}
	}
	return l
}

// pos is the position of the byte at offset.
func (l *lines) pos(offset int) diag.Pos {
	if !l.holds(offset) {
		if l.last++; !l.holds(offset) {
			l.last = max(sort.SearchInts(l.starts, offset+1)-1, 0)
		}
	}
	return diag.Pos{Line: l.last + 1, Column: l.columns(l.starts[l.last], offset) + 1}
}

// holds reports whether offset is in the last line.
func (l *lines) holds(offset int) bool {
	return l.last < len(l.starts) && l.starts[l.last] <= offset &&
		(l.last+1 == len(l.starts) || offset < l.starts[l.last+1])
}

func (l *lines) columns(from, to int) int {
	if l.ascii {
		return to - from
	}
	return utf8.RuneCount(l.text[min(from, to):to])
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
		return min(at+max(p.Column-1, 0), len(l.text))
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
