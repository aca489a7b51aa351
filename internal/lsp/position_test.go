package lsp

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
)

func TestPositionsAndOffsetsAgree(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a", "a\nb", "a\r\nb\r\n", "a\rb", "ä\n😀x\n", "\ufeffa: b\n", "x\n\n\n", "\xff\xfe\n"} {
		x := newText([]byte(text))
		for _, e := range []encoding{utf8Units, utf16Units, utf32Units} {
			for at := 0; at <= len(text); at++ {
				if at < len(text) && !utf8.RuneStart(text[at]) || at > 0 && text[at-1] == '\r' && at < len(text) && text[at] == '\n' {
					continue // within a character, or a line's end
				}
				if got := x.offset(x.position(at, e), e); got != at {
					t.Errorf("%q: %s: %d is at %+v, which is %d", text, e, at, x.position(at, e), got)
				}
			}
		}
		for _, p := range []position{{-1, -1}, {0, -1}, {0, 1 << 30}, {1 << 30, 0}} {
			if at := x.offset(p, utf16Units); at < 0 || at > len(text) {
				t.Errorf("%q: %+v is at %d", text, p, at)
			}
		}
	}
}

func TestPlacesOfTheCompilerAreConverted(t *testing.T) {
	t.Parallel()
	x := newText([]byte("\ufeffa: 😀b c\nkey: [x, yy]\n"))
	at := func(line, from, to int) diag.Location {
		return diag.Location{Start: diag.Pos{Line: line, Column: from}, End: diag.Pos{Line: line, Column: to}}
	}
	for _, c := range []struct {
		at   diag.Location
		want span
	}{
		{at(1, 4, 6), span{position{0, 4}, position{0, 7}}},
		{at(2, 1, 4), span{position{1, 0}, position{1, 3}}},
		{at(2, 10, 10), span{position{1, 9}, position{1, 11}}}, // the word there
		{diag.Location{}, span{}},
		{at(9, 9, 9), span{position{2, 0}, position{2, 0}}},
		{at(1, 99, 99), span{position{0, 9}, position{0, 9}}},
	} {
		if got := x.span(c.at, utf16Units); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.at, got, c.want)
		}
	}
}

// FuzzEdits compares edits with those of an array of UTF-16 code units.
func FuzzEdits(f *testing.F) {
	f.Add("a: b\nc: 😀d\r\ne", 0, 1, 1, 5, "x\ny")
	f.Add("", 0, 0, 0, 0, "ä")
	f.Add("a\rb", 1, 0, 0, 1, "")
	f.Fuzz(func(t *testing.T, text string, line, from, endLine, to int, replacement string) {
		if !utf8.ValidString(text) || !utf8.ValidString(replacement) {
			t.Skip()
		}
		r := span{position{line, from}, position{endLine, to}}
		got := string(newText([]byte(text)).change(contentChange{Range: &r, Text: replacement}, utf16Units).bytes)
		all := utf16.Encode([]rune(text))
		a, b := unitAt(all, r.Start), unitAt(all, r.End)
		if b < a {
			a, b = b, a
		}
		want := string(utf16.Decode(slices.Concat(all[:a], utf16.Encode([]rune(replacement)), all[b:])))
		if got != want {
			t.Errorf("%q %+v: got %q, want %q", text, r, got, want)
		}
		x := newText([]byte(got))
		if n := strings.Count(strings.ReplaceAll(got, "\r\n", "\n"), "\n") + strings.Count(strings.ReplaceAll(got, "\r\n", "\n"), "\r") + 1; len(x.starts) != n {
			t.Errorf("%q has %d lines, not %d", got, n, len(x.starts))
		}
	})
}

// unitAt is where a position is in UTF-16 code units, by walking.
func unitAt(all []uint16, p position) int {
	if p.Line < 0 {
		return 0
	}
	at := 0
	for range p.Line {
		for at < len(all) && all[at] != '\n' && all[at] != '\r' {
			at++
		}
		if at == len(all) {
			return at
		}
		if all[at] == '\r' && at+1 < len(all) && all[at+1] == '\n' {
			at++
		}
		at++
	}
	for n := 0; n < p.Character && at < len(all) && all[at] != '\n' && all[at] != '\r'; n++ {
		if utf16.IsSurrogate(rune(all[at])) && n+1 == p.Character && at+1 < len(all) && all[at] < 0xdc00 {
			break // in the midst of a character
		}
		at++
	}
	return at
}
