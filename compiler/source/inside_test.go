package source

import (
	"fmt"
	"strings"
	"testing"
)

// TestInsideFindsTheCharacter looks for the @ in a scalar, whatever it is written as: where it is in the source has to
// be where the text's @ is said to be.
func TestInsideFindsTheCharacter(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain":                   "k: abc @ def",
		"plain, two lines":        "k: abc\n   def @ x",
		"plain, blank line":       "k: abc\n\n   def @ x",
		"plain, wide characters":  "k: äöü日本 @ def",
		"single quotes":           "k: 'it''s @ x'",
		"single quotes, lines":    "k: 'it''s\n   more\n\n   y @ x'",
		"double quotes":           `k: "a\n\x41\u00e9\"@ x"`,
		"double quotes, lines":    "k: \"a\n   b\\\n   c @ x\"",
		"literal":                 "k: |\n  abc\n    def @ x\n  end\n",
		"literal, first":          "k: |-\n   @ x\n",
		"literal, more indented":  "k: |2\n     @ x\n",
		"literal, blank lines":    "k: |\n  a\n\n\n  b @\n",
		"folded":                  "k: >\n  abc\n  def @ x\n",
		"folded, paragraphs":      "k: >-\n  abc\n\n  def @ x\n",
		"carriage returns":        "k: |\r\n  abc\r\n  def @\r\n",
		"flow":                    "k: [1, x @ y]",
		"json":                    `{"k": "a\t\ud83d\ude00 @ x"}`,
		"key of a map below":      "a:\n  b: x\n  k: y @ z",
		"at the line's beginning": "k: |\n  abc\n  @ x\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, found := Parse("x.yaml", []byte(text))
			if found.HasErrors() {
				t.Fatal(found)
			}
			n := findAt(root)
			if n == nil {
				t.Fatal("no scalar has an @")
			}
			at := n.Inside(strings.IndexByte(n.Text, '@')).Start
			line := strings.Split(text, "\n")[at.Line-1]
			if rs := []rune(line); at.Column > len(rs) || rs[at.Column-1] != '@' {
				t.Errorf("%d:%d of\n%s", at.Line, at.Column, text)
			}
		})
	}
}

func findAt(n *Node) *Node {
	if n.Kind == String && strings.Contains(n.Text, "@") {
		return n
	}
	for _, item := range n.Items {
		if f := findAt(item); f != nil {
			return f
		}
	}
	for _, p := range n.Pairs {
		if f := findAt(p.Value); f != nil {
			return f
		}
	}
	return nil
}

// FuzzInside gives places within the scalar for any text and offset.
func FuzzInside(f *testing.F) {
	f.Add("k: \"a\\n\n b\"", 2)
	f.Add("k: |\n  a\n   b\n", 5)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		root, _ := Parse("x.yaml", []byte(text))
		for _, p := range root.Pairs {
			if p.Value.Kind != String {
				continue
			}
			at := p.Value.Inside(offset)
			if at.Start.Before(p.Value.Start) || at.End.Before(at.Start) {
				t.Fatal(fmt.Sprint(at.Start, p.Value.Start, p.Value.End))
			}
		}
	})
}
