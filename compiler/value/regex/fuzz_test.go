package regex_test

import (
	"testing"

	"github.com/hotloom/hotloom/compiler/value/regex"
)

func FuzzCompile(f *testing.F) {
	for _, p := range []string{"", "a|b", "(a)(?P<n>b)\\1(?P=n)", "[^\\W_]+?", "(?i)x{2,3}+", "(?<=ab)c(?!d)", "(?(1)a|b)", "\\N{BULLET}", "(?x) a # b", "[", "(", "*", "\\"} {
		f.Add(p, "abcab\n")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := regex.Compile(pattern, 0)
		if err != nil || len(text) > 100 {
			return
		}
		it := re.All(text)
		for range 200 {
			m, err := it.Next()
			if err != nil || m == nil {
				return
			}
			if s, e := m.Span(0); s < 0 || s > e || e > len(m.Text) {
				t.Fatalf("match at %d to %d of %d", s, e, len(m.Text))
			}
		}
	})
}
