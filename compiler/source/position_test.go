package source

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
)

// outline lists every node with its place and the part of the text that it spans.
func outline(root *Node) []byte {
	var b bytes.Buffer
	seen := map[*Node]bool{}
	var visit func(path string, n *Node)
	visit = func(path string, n *Node) {
		l := newLines(n.File.Text)
		part := string(n.File.Text[l.offset(n.Start):max(l.offset(n.Start), l.offset(n.End))])
		if len(part) > 60 {
			part = part[:30] + " … " + part[len(part)-20:]
		}
		fmt.Fprintf(&b, "%d:%d-%d:%d %s %s %s\n", n.Start.Line, n.Start.Column, n.End.Line, n.End.Column, path, n.Kind, strconv.Quote(part))
		if seen[n] {
			return
		}
		seen[n] = true
		for i, item := range n.Items {
			visit(fmt.Sprintf("%s[%d]", path, i), item)
		}
		for _, p := range n.Pairs {
			visit(path+"."+KeyText(p.Key)+"(key)", p.Key)
			visit(path+"."+KeyText(p.Key), p.Value)
		}
	}
	visit("", root)
	return b.Bytes()
}

func TestEveryNodeKnowsWhereItStandsAndEnds(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/positions/*.*")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		if filepath.Ext(path) == ".golden" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n, findings := Parse(filepath.Base(path), text)
		golden(t, path+".golden", append(outline(n), report(findings)...))
	}
}

// report lists findings with their trails.
func report(findings diag.List) []byte {
	var b bytes.Buffer
	for _, d := range findings {
		fmt.Fprintln(&b, d)
		for _, s := range d.Trail {
			fmt.Fprintf(&b, "  %s: %s\n", s.Location, s.Message)
		}
	}
	return b.Bytes()
}

func TestBadTextGetsOneMessageAtItsPlace(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/bad/*.*")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		if filepath.Ext(path) == ".golden" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n, findings := Parse(filepath.Base(path), text)
		if n == nil || !findings.HasErrors() {
			t.Errorf("%s: no error", path)
		}
		golden(t, path+".golden", report(findings))
	}
}

func TestLineEndsDoNotChangePlaces(t *testing.T) {
	t.Parallel()
	unix, err := os.ReadFile("testdata/positions/block.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Parse("t.yaml", unix)
	for _, end := range []string{"\r\n", "\r"} {
		got, findings := Parse("t.yaml", bytes.ReplaceAll(unix, []byte("\n"), []byte(end)))
		if len(findings) != 0 || !Equal(got, want) {
			t.Errorf("%q: %v", end, findings)
		}
		compareplaces(t, want, got)
	}
	marked, findings := Parse("t.yaml", append([]byte("\ufeff"), unix...))
	if len(findings) != 0 {
		t.Error(findings)
	}
	compareplaces(t, want, marked)
}

func compareplaces(t *testing.T, want, got *Node) {
	t.Helper()
	if want.Start != got.Start || want.End != got.End {
		t.Errorf("%q: %v-%v, want %v-%v", want.Text, got.Start, got.End, want.Start, want.End)
	}
	for i := range want.Items {
		compareplaces(t, want.Items[i], got.Items[i])
	}
	for i := range want.Pairs {
		compareplaces(t, want.Pairs[i].Key, got.Pairs[i].Key)
		compareplaces(t, want.Pairs[i].Value, got.Pairs[i].Value)
	}
}

func TestBlanksAroundATemplateKeepPlaces(t *testing.T) {
	t.Parallel()
	n, findings := Parse("t.yaml", []byte("\n \n   a: |\n     x\nb: 1\n\n"))
	if len(findings) != 0 || n.Get("b").At().String() != "t.yaml:5:4" || n.Start != (diag.Pos{Line: 3, Column: 4}) {
		t.Errorf("%v at %v %v", n.Get("b").At(), n.Start, findings)
	}
}

func TestReadersDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text                          string
		template, yaml, engine, value string // what is read, as JSON on one line; "" is refused
	}{
		{"{a: 1}", "", `{"a":1}`, `{"a":1}`, `{"a":1}`},
		{`{"a": 1, "b": [1.5, NaN, -Infinity]}`, `{"a":1,"b":[1.5,NaN,-Infinity]}`, `{"a":1,"b":[1.5,"NaN","-Infinity"]}`, `{"a":1,"b":[1.5,NaN,-Infinity]}`, `{"a":1,"b":[1.5,"NaN","-Infinity"]}`},
		{"{\t\"a\": 1e3}", `{"a":1000.0}`, `{"a":"1e3"}`, `{"a":1000.0}`, `{"a":"1e3"}`},
		{`{"a": "\ud83d\ude00\/"}`, `{"a":"😀/"}`, "", `{"a":"😀/"}`, ""},
		{"[1]", "[1]", "[1]", "[1]", "[1]"},
		{"null", "{}", "{}", "null", "null"},
		{"~", "{}", "{}", "{}", "null"},
		{"  a: 1\nb: 2\n", `{"a":1,"b":2}`, "", "", ""},
		{"  a: 1\n  b: 2\n", "", `{"a":1,"b":2}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"a: |\n  x\n", `{"a":"x"}`, `{"a":"x\n"}`, `{"a":"x\n"}`, `{"a":"x\n"}`},
		{"\xff\xfea\x00:\x00 \x00\xe9\x00", "", `{"a":"é"}`, "", ""},
		{"\xfe\xff\x00a\x00:\x00 \xd8\x3d\xde\x00", "", `{"a":"😀"}`, "", ""},
		{"\xff\xfea", "", "", "", ""},
	} {
		for reader, want := range []string{c.template, c.yaml, c.engine, c.value} {
			n, findings := ParseFile(&File{Path: "t", Text: []byte(c.text)}, Options{Reader: Reader(reader)})
			got := ""
			if !findings.HasErrors() {
				got = strings.NewReplacer("\n", "", "  ", "", ": ", ":").Replace(string(EncodeJSON(n)))
				got = strings.ReplaceAll(got, "\\n", "\\n")
			}
			if got != want {
				t.Errorf("%q, reader %d: got %s %v, want %s", c.text, reader, got, findings, want)
			}
		}
	}
}
