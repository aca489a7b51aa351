package jinja

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/value"
)

// filterWordwrap breaks each line of a text as Python's textwrap does.
func filterWordwrap(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, noAttribute(v, "splitlines")
	}
	w := wrapper{width: 79, breakWords: a[1] == nil || value.Truth(a[1]), breakHyphens: a[3] == nil || value.Truth(a[3])}
	if a[0] != nil {
		n, isInt := value.Int(a[0])
		if !isInt {
			return nil, fail("TypeError", "'<=' not supported between instances of '%s' and 'int'", value.TypeName(a[0]))
		}
		w.width = n
	}
	sep := "\n"
	if a[2] != nil {
		if sep, ok = a[2].(string); !ok {
			return nil, noAttribute(a[2], "join")
		}
	}
	lines := splitLines(s)
	if len(lines) > 0 && w.width <= 0 {
		return nil, fail("ValueError", "invalid width %d (must be > 0)", w.width)
	}
	if err := e.step(value.RuneLen(s)); err != nil {
		return nil, err
	}
	out := make([]string, len(lines))
	size := 0
	for i, line := range lines {
		out[i] = strings.Join(w.wrap([]rune(line)), sep)
		size += len(out[i]) + len(sep)
		if err := e.size(size); err != nil {
			return nil, err
		}
	}
	return strings.Join(out, sep), nil
}

// wrapper fills lines with words.
type wrapper struct {
	width                    int
	breakWords, breakHyphens bool
}

// wrap gives the lines that a line becomes.
func (w wrapper) wrap(line []rune) []string {
	chunks := w.chunks(line)
	var lines []string
	for len(chunks) > 0 {
		if len(lines) > 0 && isBlank(chunks[0]) {
			chunks = chunks[1:]
		}
		var cur [][]rune
		length := 0
		for len(chunks) > 0 && length+len(chunks[0]) <= w.width {
			cur, length, chunks = append(cur, chunks[0]), length+len(chunks[0]), chunks[1:]
		}
		if len(chunks) > 0 && len(chunks[0]) > w.width {
			switch {
			case w.breakWords:
				end := w.cut(chunks[0], w.width-length)
				cur = append(cur, chunks[0][:end])
				chunks[0] = chunks[0][end:]
			case len(cur) == 0:
				cur, chunks = append(cur, chunks[0]), chunks[1:]
			}
		}
		if n := len(cur); n > 0 && isBlank(cur[n-1]) {
			cur = cur[:n-1]
		}
		if len(cur) > 0 {
			lines = append(lines, string(slices.Concat(cur...)))
		}
	}
	return lines
}

// cut is where a word that is longer than a line is broken: where the room ends, or behind its last hyphen before that.
func (w wrapper) cut(word []rune, room int) int {
	if !w.breakHyphens || len(word) <= room {
		return min(room, len(word))
	}
	for i := room - 1; i > 0; i-- {
		if word[i] == '-' && slices.ContainsFunc(word[:i], func(r rune) bool { return r != '-' }) {
			return i + 1
		}
	}
	return room
}

func isBlank(chunk []rune) bool { return value.Strip(string(chunk)) == "" }

// chunks takes a line apart into blanks and words; a line may be broken between any two.
func (w wrapper) chunks(line []rune) [][]rune {
	var out [][]rune
	for at := 0; at < len(line); {
		end := at + 1
		switch dash := dashes(line, at); {
		case isWrapSpace(line[at]):
			for end < len(line) && isWrapSpace(line[end]) {
				end++
			}
		case w.breakHyphens && dash > 0 && at > 0 && isWordPunct(line[at-1]):
			end = at + dash
		default:
			for end < len(line) && !isWrapSpace(line[end]) && !(w.breakHyphens && breaks(line, at, end)) {
				end++
			}
		}
		out = append(out, line[at:end])
		at = end
	}
	return out
}

// breaks reports whether a word that begins at start may end before at: behind a hyphen between letters, or before a
// dash.
func breaks(line []rune, start, at int) bool {
	if isWordPunct(line[at-1]) && dashes(line, at) > 0 {
		return true
	}
	letter := func(i int) bool {
		return i >= 0 && i < len(line) && (unicode.IsLetter(line[i]) || line[i] == '_')
	}
	if line[at-1] != '-' || at-1 <= start || !letter(at-2) {
		return false
	}
	before := letter(at-3) || at >= 3 && line[at-3] == '-' && letter(at-4)
	after := letter(at) && (letter(at+1) || at+1 < len(line) && line[at+1] == '-' && letter(at+2))
	return before && after
}

// dashes is how many hyphens make a dash here, with a word behind it; 0 for none.
func dashes(line []rune, at int) int {
	n := 0
	for at+n < len(line) && line[at+n] == '-' {
		n++
	}
	if n < 2 || at+n >= len(line) || !isWord(line[at+n]) {
		return 0
	}
	return n
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

func isWordPunct(r rune) bool { return isWord(r) || strings.ContainsRune(`!"'&.,?`, r) }

func isWrapSpace(r rune) bool { return strings.ContainsRune("\t\n\v\f\r ", r) }

func noAttribute(v any, name string) error {
	return fail("AttributeError", "'%s' object has no attribute '%s'", value.TypeName(v), name)
}

// splitLines splits at line ends as Python does.
func splitLines(s string) []string {
	var out []string
	start := 0
	rest := s
	for at := 0; at < len(rest); {
		r, size := rest[at], 1
		end := false
		switch {
		case r == '\n' || r == '\v' || r == '\f' || r >= 0x1c && r <= 0x1e:
			end = true
		case r == '\r':
			end = true
			if at+1 < len(rest) && rest[at+1] == '\n' {
				size = 2
			}
		case strings.HasPrefix(rest[at:], "\u0085"):
			end, size = true, 2
		case strings.HasPrefix(rest[at:], "\u2028"), strings.HasPrefix(rest[at:], "\u2029"):
			end, size = true, 3
		}
		if end {
			out = append(out, rest[start:at])
			start = at + size
		}
		at += size
	}
	if start < len(rest) {
		out = append(out, rest[start:])
	}
	return out
}

func filterIndent(e *evaluator, v any, a args, _ *value.Map) (any, error) {
	s, ok := v.(string)
	if !ok {
		if _, isList := v.([]any); isList {
			return nil, noAttribute(v, "splitlines")
		}
		return nil, fail("TypeError", "unsupported operand type(s) for +=: '%s' and 'str'", value.TypeName(v))
	}
	pad := "    "
	if t, isText := a[0].(string); isText {
		pad = t
	} else if a[0] != nil {
		n, isInt := value.Int(a[0])
		if !isInt {
			return nil, fail("TypeError", "can't multiply sequence by non-int of type '%s'", value.TypeName(a[0]))
		}
		if err := e.size(n); err != nil {
			return nil, err
		}
		pad = strings.Repeat(" ", max(n, 0))
	}
	lines := splitLines(s + "\n")
	if err := e.size(len(s) + len(pad)*len(lines)); err != nil {
		return nil, err
	}
	for i := range lines {
		if i == 0 && !value.Truth(a[1]) || i > 0 && lines[i] == "" && !value.Truth(a[2]) {
			continue
		}
		lines[i] = pad + lines[i]
	}
	return strings.Join(lines, "\n"), nil
}

func filterTruncate(_ *evaluator, v any, a args, _ *value.Map) (any, error) {
	length, leeway, end := 255, 5, "..."
	for i, target := range map[int]*int{0: &length, 3: &leeway} {
		if a[i] == nil {
			continue
		}
		n, isInt := value.Int(a[i])
		if !isInt {
			return nil, fail("TypeError", "'>=' not supported between instances of '%s' and 'int'", value.TypeName(a[i]))
		}
		*target = n
	}
	if a[2] != nil {
		text, isText := a[2].(string)
		if !isText {
			return nil, fail("TypeError", "object of type '%s' has no len()", value.TypeName(a[2]))
		}
		end = text
	}
	if length < value.RuneLen(end) {
		return nil, fail("AssertionError", "expected length >= %d, got %d", value.RuneLen(end), length)
	}
	if leeway < 0 {
		return nil, fail("AssertionError", "expected leeway >= 0, got %d", leeway)
	}
	n, sized := value.Len(v)
	s, isText := v.(string)
	switch {
	case !sized:
		return nil, fail("TypeError", "object of type '%s' has no len()", value.TypeName(v))
	case n <= length+leeway:
		return v, nil
	case !isText:
		return nil, noAttribute(v, "rsplit")
	}
	cut := value.Slice(s, 0, length-value.RuneLen(end))
	if !value.Truth(a[1]) {
		if i := strings.LastIndexByte(cut, ' '); i >= 0 {
			cut = cut[:i]
		}
	}
	return cut + end, nil
}

// filterTitle begins words with a capital: behind blanks, hyphens and opening brackets.
func filterTitle(s string) string {
	var b strings.Builder
	var word []rune
	flush := func() {
		if len(word) > 0 {
			b.WriteString(value.Upper(string(word[:1])) + value.Lower(string(word[1:])))
			word = word[:0]
		}
	}
	for _, r := range s {
		if value.IsSpace(r) || strings.ContainsRune("-({[<", r) {
			flush()
			b.WriteRune(r)
			continue
		}
		word = append(word, r)
	}
	flush()
	return b.String()
}
