package lsp

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
)

// encoding is what a client counts within a line. Lines count from 0.
type encoding string

// The encodings of the protocol; a client that offers none counts UTF-16 code units.
const (
	utf8Units  encoding = "utf-8"
	utf16Units encoding = "utf-16"
	utf32Units encoding = "utf-32"
)

// pickEncoding takes the cheapest of those that a client offers.
func pickEncoding(offered []string) encoding {
	for _, e := range []encoding{utf8Units, utf32Units} {
		if slices.Contains(offered, string(e)) {
			return e
		}
	}
	return utf16Units
}

// width is how many units the encoding counts for a character of size bytes.
func (e encoding) width(r rune, size int) int {
	switch {
	case e == utf8Units:
		return size
	case e == utf16Units && r > 0xffff:
		return 2
	}
	return 1
}

// text is a document's content with an index of its lines, which end with \n, \r\n or \r.
type text struct {
	bytes  []byte
	starts []int // offset of the first byte of each line
}

func newText(b []byte) *text {
	t := &text{bytes: b, starts: make([]int, 1, bytes.Count(b, []byte{'\n'})+1)}
	for i := 0; ; {
		at := bytes.IndexAny(b[i:], "\r\n")
		if at < 0 {
			return t
		}
		i += at + 1
		if b[i-1] == '\r' && i < len(b) && b[i] == '\n' {
			i++
		}
		t.starts = append(t.starts, i)
	}
}

// line is the line of a number from 0, without its end; empty behind the last one.
func (t *text) line(n int) []byte {
	if n < 0 || n >= len(t.starts) {
		return nil
	}
	end := len(t.bytes)
	if n+1 < len(t.starts) {
		end = t.starts[n+1]
	}
	return bytes.TrimRight(t.bytes[t.starts[n]:end], "\r\n")
}

// offset is where a position is in the text. One behind a line's end is that end, one behind the last line the text's.
func (t *text) offset(p position, e encoding) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.starts):
		return len(t.bytes)
	}
	line := t.line(p.Line)
	at, units := 0, 0
	for at < len(line) && units < p.Character {
		r, size := utf8.DecodeRune(line[at:])
		if units += e.width(r, size); units > p.Character {
			break // in the midst of a character
		}
		at += size
	}
	return t.starts[p.Line] + at
}

// position is the position of an offset.
func (t *text) position(offset int, e encoding) position {
	offset = min(max(offset, 0), len(t.bytes))
	n, found := slices.BinarySearch(t.starts, offset)
	if !found {
		n--
	}
	return position{n, units(t.bytes[t.starts[n]:offset], e)}
}

func units(b []byte, e encoding) int {
	if e == utf8Units {
		return len(b)
	}
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		n += e.width(r, size)
		b = b[size:]
	}
	return n
}

var byteOrderMark = []byte("\ufeff")

// place is the offset of a place of the compiler's, whose columns count runes from 1, a byte order mark for none.
func (t *text) place(p diag.Pos) int {
	n := min(max(p.Line-1, 0), len(t.starts)-1)
	at, rest := t.starts[n], t.line(n)
	if n == 0 && bytes.HasPrefix(rest, byteOrderMark) {
		at, rest = at+len(byteOrderMark), rest[len(byteOrderMark):]
	}
	for range p.Column - 1 {
		if len(rest) == 0 {
			break
		}
		_, size := utf8.DecodeRune(rest)
		at, rest = at+size, rest[size:]
	}
	return at
}

// span is a location of the compiler's as a range; one without an end is the word at its beginning.
func (t *text) span(l diag.Location, e encoding) span {
	start, end := t.place(l.Start), t.place(l.End)
	if l.Start.Line == 0 {
		return span{}
	}
	if end <= start {
		end = start
		line := t.line(max(l.Start.Line-1, 0))
		for rest := line[min(start-t.starts[min(l.Start.Line, len(t.starts))-1], len(line)):]; len(rest) > 0 && !bytes.ContainsRune([]byte(" \t,]}:"), rune(rest[0])); rest = rest[1:] {
			end++
		}
	}
	return span{t.position(start, e), t.position(end, e)}
}

// change makes an edit of a client's.
func (t *text) change(c contentChange, e encoding) *text {
	if c.Range == nil {
		return newText([]byte(c.Text))
	}
	from, to := t.offset(c.Range.Start, e), t.offset(c.Range.End, e)
	if to < from {
		from, to = to, from
	}
	return newText(slices.Concat(t.bytes[:from], []byte(c.Text), t.bytes[to:]))
}
