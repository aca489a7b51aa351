package value

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// RuneLen is the number of characters of a text.
func RuneLen(s string) int { return utf8.RuneCountInString(s) }

// IsSpace is Python's str.isspace of one character.
func IsSpace(r rune) bool {
	switch {
	case r < 0x80:
		return r == ' ' || (r >= '\t' && r <= '\r') || (r >= 0x1c && r <= 0x1f)
	case r == 0x200b || r == 0x180e:
		return false
	}
	return unicode.IsSpace(r)
}

// Strip removes blanks at both ends, as str.strip() does.
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// Trim is str.strip, lstrip or rstrip with the characters to remove; nil means blanks.
func Trim(s string, chars *string, left, right bool) string {
	drop := IsSpace
	if chars != nil {
		set := *chars
		drop = func(r rune) bool { return strings.ContainsRune(set, r) }
	}
	if left {
		s = strings.TrimLeftFunc(s, drop)
	}
	if right {
		s = strings.TrimRightFunc(s, drop)
	}
	return s
}

// Offset gives the byte offset of character i; i is cut to the text.
func Offset(s string, i int) int {
	if i <= 0 {
		return 0
	}
	if isASCII(s) {
		return min(i, len(s))
	}
	for at := range s {
		if i == 0 {
			return at
		}
		i--
	}
	return len(s)
}

// Bounds cuts a Python slice [start:end] to a length: negative positions count from the end.
func Bounds(start, end, length int) (int, int) {
	cut := func(i int) int {
		if i < 0 {
			i += length
		}
		return max(0, min(i, length))
	}
	start, end = cut(start), cut(end)
	return start, max(start, end)
}

// Slice is s[start:end] by characters.
func Slice(s string, start, end int) string {
	start, end = Bounds(start, end, RuneLen(s))
	from := Offset(s, start)
	return s[from : from+Offset(s[from:], end-start)]
}

// Find is str.find, or str.rfind if last: the character index of sub within s[start:end], or -1.
func Find(s, sub string, start, end int, last bool) int {
	n := RuneLen(s)
	if start > n {
		return -1
	}
	begin, stop := start, end
	if begin < 0 {
		begin = max(0, begin+n)
	}
	if stop < 0 {
		stop = max(0, stop+n)
	}
	stop = min(stop, n)
	if begin > stop {
		return -1
	}
	from := Offset(s, begin)
	part := s[from : from+Offset(s[from:], stop-begin)]
	i := strings.Index(part, sub)
	if last {
		i = strings.LastIndex(part, sub)
	}
	if i < 0 {
		return -1
	}
	return begin + RuneLen(part[:i])
}

// Replace is str.replace: at most count times, all if count is negative.
func Replace(s, old, repl string, count int) string { return strings.Replace(s, old, repl, count) }

// ReplacedLen is the length in bytes of what Replace would give, to be checked before it is built.
func ReplacedLen(s, old, repl string, count int) int {
	n := strings.Count(s, old)
	if count >= 0 {
		n = min(n, count)
	}
	return len(s) + n*(len(repl)-len(old))
}

// Split is str.split (rsplit if right) with a separator; at most limit times if that is not negative. An empty
// separator is ValueError.
func Split(s, sep string, limit int, right bool) ([]string, error) {
	if sep == "" {
		return nil, Errorf("ValueError", "empty separator")
	}
	if !right {
		if limit < 0 {
			return strings.Split(s, sep), nil
		}
		return strings.SplitN(s, sep, limit+1), nil
	}
	var rev []string
	for limit != 0 {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		rev = append(rev, s[i+len(sep):])
		s = s[:i]
		limit--
	}
	return reversed(append(rev, s)), nil
}

func reversed(s []string) []string {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	return s
}

// SplitBlanks is str.split() (rsplit if right) at runs of blanks.
func SplitBlanks(s string, limit int, right bool) []string {
	var out []string
	if right {
		s = strings.TrimRightFunc(s, IsSpace)
		for s != "" {
			if limit == 0 {
				out = append(out, s)
				break
			}
			limit--
			i := strings.LastIndexFunc(s, IsSpace)
			_, w := utf8.DecodeRuneInString(s[max(i, 0):])
			if i < 0 {
				out = append(out, s)
				break
			}
			out = append(out, s[i+w:])
			s = strings.TrimRightFunc(s[:i], IsSpace)
		}
		return reversed(out)
	}
	s = strings.TrimLeftFunc(s, IsSpace)
	for s != "" {
		i := strings.IndexFunc(s, IsSpace)
		if limit == 0 {
			return append(out, s) // what follows keeps its trailing blanks, as in Python
		}
		limit--
		if i < 0 {
			return append(out, s)
		}
		out = append(out, s[:i])
		s = strings.TrimLeftFunc(s[i:], IsSpace)
	}
	return out
}

// Upper is str.upper with Unicode's full mappings ("ß" gives "SS").
func Upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	var b strings.Builder
	for _, r := range s {
		if full, ok := fullUpper[r]; ok {
			b.WriteString(full)
		} else {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}

// Lower is str.lower with Unicode's full mappings, the final sigma among them.
func Lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && finalSigma(rs, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// finalSigma says whether the sigma at i ends a word: a cased letter before it and none after, skipping marks.
func finalSigma(rs []rune, i int) bool {
	near := func(step int) bool {
		for j := i + step; j >= 0 && j < len(rs); j += step {
			if !caseIgnorable(rs[j]) {
				return unicode.IsUpper(rs[j]) || unicode.IsLower(rs[j]) || unicode.IsTitle(rs[j])
			}
		}
		return false
	}
	return near(-1) && !near(1)
}

func caseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·’", r)
}
