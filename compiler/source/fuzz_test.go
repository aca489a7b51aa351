package source

import (
	"bytes"
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
)

// FuzzParse holds any text to the promises of the package: no panic, a node, places within the text that are in
// order, a bounded number of findings; and what is accepted is the same after it was written and read again.
func FuzzParse(f *testing.F) {
	for _, text := range fixtures(f) {
		f.Add([]byte(text))
	}
	for _, s := range []string{"? a\n: - b\n", "{a:[b]}", "[a?b, {c:}]", "%YAML 1.2\n---\n&a [*a]", "\ufeff{\"a\": 1}", "\xff\xfea\x00", "a: !!set {b}\n<<: {c: d}\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			t.Skip("long")
		}
		for _, reader := range []Reader{Template, YAML, Engine, Value} {
			file := &File{Path: "t", Text: bytes.Clone(text)}
			n, findings := ParseFile(file, Options{Reader: reader})
			if n == nil || len(findings) > 2*maxFindings {
				t.Fatalf("node %v, %d findings", n, len(findings))
			}
			l := newLines(file.Text)
			for _, d := range findings {
				if d.Start.Line < 1 || d.Start.Column < 1 || d.Start.Line > len(l.starts) || d.Message == "" || d.Rule == "" {
					t.Fatalf("finding %v", d)
				}
			}
			checkPlaces(t, n, l)
			if findings.HasErrors() || reader == Value && isScalar(n) {
				continue
			}
			written := Encode(n)
			again, found := ParseFile(&File{Path: "t", Text: written}, Options{Reader: reader})
			if found.HasErrors() || !Equal(n, again) {
				t.Fatalf("%q is written as %q, which reads differently: %v", text, written, found)
			}
			EncodeJSON(n)
		}
	})
}

// checkPlaces wants every place in the text, and no node to begin before the collection that holds it, unless an
// alias put it there.
func checkPlaces(t *testing.T, n *Node, l *lines) {
	t.Helper()
	n.Walk(func(n *Node) bool {
		for _, p := range []diag.Pos{n.Start, n.End} {
			if p.Line < 1 || p.Column < 1 || p.Line > len(l.starts) || l.pos(l.offset(p)) != p {
				t.Fatalf("%v %q from %v to %v", n.Kind, n.Text, n.Start, n.End)
			}
		}
		if n.End.Before(n.Start) {
			t.Fatalf("%v %q ends at %v before it starts at %v", n.Kind, n.Text, n.End, n.Start)
		}
		return true
	})
}

// FuzzApply wants edits to change nothing but their spans.
func FuzzApply(f *testing.F) {
	f.Add([]byte("a: 1\nb: 2\n"), 1, 4, 1, 5, "x")
	f.Add([]byte("\ufeffé\r\nx"), 1, 2, 2, 1, "")
	f.Fuzz(func(t *testing.T, text []byte, l1, c1, l2, c2 int, insert string) {
		e := Edit{Location: diag.Location{Start: diag.Pos{Line: l1, Column: c1}, End: diag.Pos{Line: l2, Column: c2}}, New: insert}
		out, err := Apply(text, []Edit{e})
		if err != nil {
			return
		}
		l := newLines(text)
		from, to := l.offset(e.Start), l.offset(e.End)
		if want := string(text[:from]) + insert + string(text[to:]); string(out) != want {
			t.Fatalf("got %q, want %q", out, want)
		}
	})
}
