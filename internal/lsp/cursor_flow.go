package lsp

import "bytes"

// brackets scans a value in brackets that begins at i, to its end or to the cursor. Brackets that are not closed end where
// the indentation says that something else begins.
func (s *scanner) brackets(i int) {
	outer, column := len(s.frames), s.column()
	if s.at == i {
		s.done = true
		return
	}
	s.open(i)
	for i++; len(s.frames) > outer && !s.done; {
		if i >= len(s.text) {
			if s.at == i {
				s.between()
			}
			break
		}
		if s.at == i && !s.tokenAt(i) {
			s.between()
			break
		}
		switch c := s.text[i]; c {
		case '\n':
			end := s.lineEnd(i + 1)
			if first := s.skip(i+1, end); first < end && first-i-1 <= column && s.text[first] != ']' && s.text[first] != '}' {
				s.frames = s.frames[:outer]
				s.pos = i + 1
				return
			}
			s.pos = i + 1
			i++
		case ' ', '\t', '\r':
			i++
		case '{', '[':
			s.open(i)
			i++
		case '}', ']':
			s.frames = s.frames[:len(s.frames)-1]
			i++
		case ',':
			top := s.top()
			top.item++
			top.key, top.has = "", false
			for len(top.items) < top.item {
				top.items = append(top.items, "")
			}
			i++
		case ':':
			s.top().has = s.top().kind == '{'
			i++
		case '#':
			if before := s.text[i-1]; before == ' ' || before == '\t' || before == '\n' {
				end := s.lineEnd(i)
				if s.at > i && s.at <= end {
					s.c.comment, s.done = true, true
				}
				i = end
				continue
			}
			i = s.flowToken(i)
		default:
			i = s.flowToken(i)
		}
	}
	s.frames = s.frames[:min(outer, len(s.frames))]
	if !s.done {
		s.next(min(i, len(s.text)))
	}
}

func (s *scanner) open(i int) {
	s.push(frame{kind: s.text[i], col: 1 << 30})
}

// tokenAt reports whether a token begins at i.
func (s *scanner) tokenAt(i int) bool {
	return !bytes.ContainsRune([]byte(" \t\r\n,[]{}:#"), rune(s.text[i]))
}

// between is the cursor between tokens in brackets.
func (s *scanner) between() {
	top := s.top()
	s.found(s.at, s.at, top.kind == '{' && !top.has, top.kind == '[' || top.has)
	if s.c.key {
		s.c.keys = append(s.c.keys, s.flowKeysBehind(s.at)...)
	}
	s.done = true
}

// flowToken scans a key or value in brackets; it gives where that ends.
func (s *scanner) flowToken(i int) int {
	top := s.top()
	isKey := top.kind == '{' && !top.has
	end := s.flowTokenEnd(i, isKey)
	next := end
	for next < len(s.text) && (s.text[next] == ' ' || s.text[next] == '\t') {
		next++
	}
	colon := next < len(s.text) && s.text[next] == ':'
	if s.at >= i && s.at <= end {
		s.found(i, end, isKey, !isKey)
		s.c.colon = isKey && colon
		if isKey {
			s.c.keys = append(s.c.keys, s.flowKeysBehind(end)...)
		}
		s.done = true
		return end
	}
	if isKey {
		top.key = unquote(s.text[i:end])
		top.keys = append(top.keys, top.key)
	} else {
		top.note(unquote(s.text[i:end]))
	}
	return end
}

// flowTokenEnd is where the token ends that begins at i: at least one byte behind it. A key ends at any colon that can be
// its own; in a value, which may be half a name such as OS::, a colon is one only before a blank.
func (s *scanner) flowTokenEnd(i int, isKey bool) int {
	if c := s.text[i]; c == '"' || c == '\'' {
		return s.quoteStop(i)
	}
	for j := i; j < len(s.text); j++ {
		switch s.text[j] {
		case ',', '[', ']', '{', '}', '\r', '\n':
			return max(i+len(bytes.TrimRight(s.text[i:j], " \t")), i+1)
		case ':':
			if j+1 < len(s.text) && (s.text[j+1] == ' ' || s.text[j+1] == '\t') || isKey && (j+1 == len(s.text) || bytes.ContainsRune([]byte("\r\n,[]{}"), rune(s.text[j+1]))) {
				return max(i+len(bytes.TrimRight(s.text[i:j], " \t")), i+1)
			}
		case '#':
			if j > i && (s.text[j-1] == ' ' || s.text[j-1] == '\t') {
				return max(i+len(bytes.TrimRight(s.text[i:j], " \t")), i+1)
			}
		}
	}
	return len(s.text)
}

// flowKeysBehind lists the keys that follow in the same map in brackets.
func (s *scanner) flowKeysBehind(i int) []string {
	var keys []string
	depth, afterComma := 0, false
	for i < len(s.text) {
		switch c := s.text[i]; c {
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth--; depth < 0 {
				return keys
			}
			i++
		case ',':
			afterComma = depth == 0
			i++
		case ' ', '\t', '\r', ':':
			i++
		case '\n':
			end := s.lineEnd(i + 1)
			if first := s.skip(i+1, end); first < end && first-i-1 <= s.column() {
				return keys
			}
			i++
		default:
			end := s.flowTokenEnd(i, true)
			if depth == 0 && afterComma {
				keys, afterComma = append(keys, unquote(s.text[i:end])), false
			}
			i = end
		}
	}
	return keys
}
