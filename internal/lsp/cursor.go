package lsp

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
)

// cursor is where a place is in the structure of a YAML text that need not be whole: while somebody types it seldom is.
// The structure is read off indentation and brackets, from the beginning of the text to the place.
type cursor struct {
	path  []string // keys, and items of lists as [0], that lead to the node at the place; for a key, to its map
	key   bool     // what stands at the place can be a key
	value bool     // it can be a value
	colon bool     // it is a key: a colon follows
	// token is what stands at the place, without quotes; typed is as much of it as stands before the place. start and
	// end are where it is in the text, quotes included.
	token, typed string
	start, end   int
	keys         []string // the other keys of the map of which it can be a key
	items        []string // the texts that stand before it in its list
	flow         bool     // within brackets
	comment      bool     // in a comment
}

// last is the n-th step from the end of the path, from 1; "" where the path is shorter.
func (c *cursor) last(n int) string {
	if n > len(c.path) {
		return ""
	}
	return c.path[len(c.path)-n]
}

func item(i int) string { return fmt.Sprintf("[%d]", i) }

func isItem(step string) bool { return strings.HasPrefix(step, "[") && strings.HasSuffix(step, "]") }

// frame is a collection that is open where the scan is.
type frame struct {
	kind byte // m and s for maps and lists in lines, { and [ in brackets
	col  int  // where its entries stand in their lines
	key  string
	item int
	full bool     // the value of the key stands on the key's line
	has  bool     // in {: the key has its colon
	keys []string // so far
	// items are the texts of a list so far; what is no text is "".
	items []string
}

// scan finds the cursor at an offset.
func scan(text []byte, at int) cursor {
	s := &scanner{text: text, at: min(max(at, 0), len(text)), block: -1}
	s.c.start, s.c.end = s.at, s.at
	if bytes.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	for !s.done && s.pos <= len(s.text) {
		s.line()
	}
	return s.c
}

type scanner struct {
	text   []byte
	at     int // the place that is looked for
	pos    int // the beginning of the line
	frames []frame
	block  int // the lines behind belong to a text if they are indented more than this; -1: they do not
	c      cursor
	done   bool
}

func (s *scanner) lineEnd(i int) int {
	if n := bytes.IndexAny(s.text[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(s.text)
}

func (s *scanner) skip(i, end int) int {
	for i < end && (s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	return i
}

// next goes to the line behind the one that i is in.
func (s *scanner) next(i int) {
	end := s.lineEnd(i)
	if s.at <= end && s.at >= i {
		s.done = true
	}
	if end < len(s.text) && s.text[end] == '\r' && end+1 < len(s.text) && s.text[end+1] == '\n' {
		end++
	}
	s.pos = end + 1
}

// line scans one line, or as many as a value that begins on it takes.
func (s *scanner) line() {
	if s.at < s.pos {
		s.done = true // it was between things
		return
	}
	end := s.lineEnd(s.pos)
	i := s.skip(s.pos, end)
	here := s.at <= end
	col := i - s.pos
	if s.block >= 0 {
		if i == end && !(here && s.at-s.pos <= s.block) || i < end && col > s.block {
			s.next(s.pos)
			return
		}
		s.block = -1
	}
	switch {
	case i == end && here:
		s.blank(s.at - s.pos)
		s.done = true
	case i == end:
		s.next(s.pos)
	case s.text[i] == '#':
		s.c.comment = here && s.at > i
		s.next(s.pos)
	case col == 0 && (bytes.HasPrefix(s.text[i:end], []byte("---")) || bytes.HasPrefix(s.text[i:end], []byte("..."))):
		s.frames = nil
		s.next(s.pos)
	case here && s.at < i: // before what stands on the line
		s.done = true
	default:
		s.entries(i, end)
	}
}

// entries scans the entries that a line of block structure has: - - key: value.
func (s *scanner) entries(i, end int) {
	for !s.done {
		col := i - s.pos
		c := s.text[i]
		switch {
		case c == '#':
			s.c.comment = s.at > i && s.at <= end
			s.next(i)
			return
		case c == '-' && (i+1 == end || s.text[i+1] == ' ' || s.text[i+1] == '\t'):
			if s.at <= i {
				s.done = true
				return
			}
			s.openItem(col)
			from := i + 1
			i = s.skip(from, end)
			if s.at >= from && (s.at < i || s.at == i && i == end) {
				if s.at > from {
					s.found(s.at, s.at, true, true)
				}
				s.done = true
				return
			}
			if i == end {
				s.next(i)
				return
			}
			continue
		}
		name, keyEnd, colon := s.keyAt(i, end)
		if colon < 0 {
			s.openScalar(col)
			s.value(i, end, true)
			return
		}
		s.openKey(col)
		if s.at >= i && s.at <= keyEnd {
			s.found(i, keyEnd, true, false)
			s.c.colon = true
			s.c.keys = append(s.c.keys, s.keysBehind(keyEnd, col)...)
			s.done = true
			return
		}
		top := &s.frames[len(s.frames)-1]
		top.key, top.keys = name, append(top.keys, name)
		j := s.skip(colon+1, end)
		top.full = j < end && s.text[j] != '#'
		if s.at > colon && (s.at < j || s.at == j && !top.full) {
			if s.at == j || !top.full {
				s.found(s.at, s.at, false, true)
			}
			s.done = true
			return
		}
		if !top.full {
			s.c.comment = j < end && s.at > j && s.at <= end
			s.next(j)
			return
		}
		s.value(j, end, false)
		return
	}
}

// keyAt reads the key that begins at i: its text, where it ends, and where its colon is; -1 where there is none.
func (s *scanner) keyAt(i, end int) (name string, keyEnd, colon int) {
	switch s.text[i] {
	case '{', '[', '|', '>', '#', '&', '*', '!', '%', '@', '`':
		return "", i, -1
	case '"', '\'':
		keyEnd = s.quoteEnd(i, end)
		j := s.skip(keyEnd, end)
		if j < end && s.text[j] == ':' && (j+1 == end || s.text[j+1] == ' ' || s.text[j+1] == '\t') {
			return unquote(s.text[i:keyEnd]), keyEnd, j
		}
		return "", i, -1
	}
	for j := i; j < end; j++ {
		switch {
		case s.text[j] == ':' && (j+1 == end || s.text[j+1] == ' ' || s.text[j+1] == '\t'):
			keyEnd = i + len(bytes.TrimRight(s.text[i:j], " \t"))
			return string(s.text[i:keyEnd]), keyEnd, j
		case s.text[j] == '#' && j > i && (s.text[j-1] == ' ' || s.text[j-1] == '\t'):
			return "", i, -1
		}
	}
	return "", i, -1
}

// quoteEnd is behind the quote that closes the one at i, or end.
func (s *scanner) quoteEnd(i, end int) int {
	quote := s.text[i]
	for i++; i < end; i++ {
		switch {
		case quote == '"' && s.text[i] == '\\':
			i++
		case s.text[i] == quote && quote == '\'' && i+1 < end && s.text[i+1] == quote:
			i++
		case s.text[i] == quote:
			return i + 1
		}
	}
	return end
}

func unquote(b []byte) string {
	t := string(b)
	if t == "" || t[0] != '"' && t[0] != '\'' {
		return t
	}
	quote := t[:1]
	t = strings.TrimSuffix(t[1:], quote)
	if quote == "'" {
		return strings.ReplaceAll(t, "''", "'")
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\/`, `/`).Replace(t)
}

// pop leaves the collections whose entries stand behind a column.
func (s *scanner) pop(col int) {
	for len(s.frames) > 0 && s.frames[len(s.frames)-1].col > col {
		s.frames = s.frames[:len(s.frames)-1]
	}
}

func (s *scanner) top() *frame {
	if len(s.frames) == 0 {
		return nil
	}
	return &s.frames[len(s.frames)-1]
}

// push opens a collection. A text that is nested deeper than any that is read has no places.
func (s *scanner) push(f frame) {
	if len(s.frames) > source.MaxDepth {
		s.done = true
	}
	s.frames = append(s.frames, f)
}

func (s *scanner) openItem(col int) {
	s.pop(col)
	if top := s.top(); top != nil && top.kind == 's' && top.col == col {
		top.item++
		for len(top.items) < top.item {
			top.items = append(top.items, "")
		}
		return
	}
	s.push(frame{kind: 's', col: col})
}

func (s *scanner) openKey(col int) {
	s.openScalar(col)
	if top := s.top(); top == nil || top.col != col {
		s.push(frame{kind: 'm', col: col})
	}
}

// openScalar leaves what is over at a column. A list may stand at the column of the key that it belongs to.
func (s *scanner) openScalar(col int) {
	s.pop(col)
	if top := s.top(); top != nil && top.kind == 's' && top.col == col {
		s.frames = s.frames[:len(s.frames)-1]
	}
}

// value scans a value that begins at i. Alone: it does not stand behind its key, so that it may be a key itself that has
// no colon yet.
func (s *scanner) value(i, end int, alone bool) {
	for i < end && (s.text[i] == '&' || s.text[i] == '!') {
		for i < end && s.text[i] != ' ' {
			i++
		}
		i = s.skip(i, end)
	}
	if i == end {
		s.next(i)
		return
	}
	key, value := alone, true
	switch top := s.top(); {
	case !alone:
	case top == nil, top.kind == 'm' && top.col == i-s.pos:
		value = false
	case top.full:
		key, value = false, false // a text goes on
	}
	switch s.text[i] {
	case '|', '>':
		s.block = 0
		if top := s.top(); top != nil {
			s.block = top.col
		}
		s.next(i)
	case '{', '[':
		s.brackets(i)
	case '"', '\'':
		s.quoted(i, key, value)
	default:
		stop := end
		if n := bytes.Index(s.text[i:end], []byte(" #")); n >= 0 {
			stop = i + n
			s.c.comment = s.at > stop+1 && s.at <= end
		}
		stop = i + len(bytes.TrimRight(s.text[i:stop], " \t"))
		if s.at >= i && s.at <= stop {
			s.found(i, stop, key, value)
			if key {
				s.c.keys = append(s.c.keys, s.keysBehind(end, i-s.pos)...)
			}
			s.done = true
			return
		}
		s.top().note(string(s.text[i:stop]))
		s.next(i)
	}
}

// note takes a text of a list.
func (f *frame) note(text string) {
	if f != nil && (f.kind == 's' || f.kind == '[') && len(f.items) == f.item {
		f.items = append(f.items, text)
	}
}

// quoted scans a text in quotes, which may end on a later line.
func (s *scanner) quoted(i int, key, value bool) {
	stop := s.quoteStop(i)
	if s.at >= i && s.at <= stop {
		s.found(i, stop, key, value)
		s.done = true
		return
	}
	s.next(stop)
}

// quoteStop is behind the text in quotes that begins at i. One that is not closed stops where the indentation says that
// something else begins.
func (s *scanner) quoteStop(i int) int {
	quote, column := s.text[i], s.column()
	for i++; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case quote == '"' && c == '\\':
			i++
		case c == quote && quote == '\'' && i+1 < len(s.text) && s.text[i+1] == quote:
			i++
		case c == quote:
			return i + 1
		case c == '\n':
			end := s.lineEnd(i + 1)
			if first := s.skip(i+1, end); first < end && first-i-1 <= column {
				if s.text[i-1] == '\r' {
					i--
				}
				return i
			}
		}
	}
	return len(s.text)
}

// column is where the entries of the innermost collection in lines stand; -1 where there is none.
func (s *scanner) column() int {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if k := s.frames[i].kind; k == 'm' || k == 's' {
			return s.frames[i].col
		}
	}
	return -1
}

// blank is the cursor on an empty line, at a column.
func (s *scanner) blank(col int) {
	s.pop(col)
	if top := s.top(); top != nil && top.kind == 's' && top.col == col {
		s.frames = s.frames[:len(s.frames)-1]
		if below := s.top(); below == nil || below.col != col {
			return // between items
		}
	}
	top := s.top()
	switch {
	case top == nil && col == 0, top != nil && top.kind == 'm' && top.col == col:
		s.found(s.at, s.at, true, false)
		s.c.keys = append(s.c.keys, s.keysBehind(s.at, col)...)
	case top == nil, top.full:
	default:
		s.found(s.at, s.at, true, true)
		s.c.keys = append(s.c.keys, s.keysBehind(s.at, -top.col-2)...)
	}
}

// found notes the token at the cursor: what can be a key of the innermost map, or a value in it.
func (s *scanner) found(start, end int, key, value bool) {
	c := &s.c
	c.start, c.end, c.key, c.value = start, end, key, value
	c.token, c.typed = unquote(s.text[start:end]), unquote(s.text[start:min(max(s.at, start), end)])
	c.path = nil
	for i, f := range s.frames {
		innermost := i == len(s.frames)-1
		switch {
		case f.kind == 's' || f.kind == '[':
			c.path = append(c.path, item(f.item))
			if innermost {
				c.items = f.items
			}
		case !innermost || value && (f.kind == 'm' || f.has):
			c.path = append(c.path, f.key)
		default:
			c.keys = append(c.keys, f.keys...)
		}
		c.flow = c.flow || f.kind == '{' || f.kind == '['
	}
}

// keysBehind lists the keys that stand at a column on the lines behind an offset, up to the end of their map. A negative
// column is that of the first line, if it is more than -column-2.
func (s *scanner) keysBehind(from, col int) []string {
	var keys []string
	for i := s.lineEnd(from); i < len(s.text); {
		start := i + 1
		if s.text[i] == '\r' && start < len(s.text) && s.text[start] == '\n' {
			start++
		}
		end := s.lineEnd(start)
		at := s.skip(start, end)
		i = end
		if at == end || s.text[at] == '#' {
			continue
		}
		if col < 0 {
			if at-start <= -col-2 {
				return nil
			}
			col = at - start
		}
		if at-start > col {
			continue
		}
		if at-start < col {
			break
		}
		name, _, colon := s.keyAt(at, end)
		if colon < 0 {
			if s.text[at] == '-' {
				continue
			}
			break
		}
		keys = append(keys, name)
	}
	return keys
}
