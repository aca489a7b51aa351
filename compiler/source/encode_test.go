package source

import (
	"bytes"
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of the test data, or writes it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// awkwardTexts are strings that a writer of YAML 1.1 gets wrong easily.
var awkwardTexts = []string{
	"", " ", "a", "a b", " a", "a ", "yes", "No", "~", "null", "010", "1_0", "1:30", "1e3", ".5", "-.5", "0x1f", "1.", "=", "<<", "-", "--", "---", "--- a", "...", "?", "? a",
	":", ": a", "a:", "a: b", "a :b", "a #b", "#a", "a#b", "{a}", "[a]", "a, b", "a]", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a", "'a'", `"a"`, `a"b`, `a\b`, `a'b"c`,
	"2013-05-23", "x\ty", "\tx", "a\nb", "a\nb\n", "a\n\nb\n\n", "\na", "\n", "\n\n", " a\n b\n", "a \n b", "a\r\nb", "a\x00b", "a\x7f", "é", "\u0085", "\u2028x", "\ufeff", "😀",
	"a\u00a0", "  \n  \n", "a\n   ", "\ta\n\tb\n", "#!/bin/sh\nset -e\n\nif true; then\n\techo hi\nfi\n", "http://h/?a=b&c=d", "10.0.0.0/24", "{{ x }}", "%index%", "<% $.a %>", "a?", "a?b",
}

// randomTree makes a tree of every kind of node.
func randomTree(seed uint64) *Node {
	r := rand.New(rand.NewPCG(seed, 7))
	text := func() string {
		s := awkwardTexts[r.IntN(len(awkwardTexts))]
		if r.IntN(4) == 0 {
			s += awkwardTexts[r.IntN(len(awkwardTexts))]
		}
		return s
	}
	scalar := func() *Node {
		switch r.IntN(12) {
		case 0:
			return NewNull(nil)
		case 1:
			return NewBool(nil, r.IntN(2) == 0)
		case 2:
			return NewInt(nil, r.Int64()-math.MaxInt64/2)
		case 3:
			return &Node{Kind: Int, Scalar: new(big.Int).Lsh(big.NewInt(3), 70)}
		case 4:
			return &Node{Kind: Float, Scalar: []float64{0, -0.5, 1e300, 1e-7, 123456789, math.Inf(1), math.Inf(-1), math.NaN(), r.NormFloat64()}[r.IntN(9)]}
		case 5:
			return &Node{Kind: Bytes, Text: text()}
		}
		return NewString(nil, text())
	}
	var tree func(depth int) *Node
	tree = func(depth int) *Node {
		n := &Node{}
		if r.IntN(3) == 0 {
			n.Style = Flow
		}
		switch k := r.IntN(8); {
		case depth == 0 || k < 3:
			return scalar()
		case k < 5:
			n.Kind = List
			for range r.IntN(4) {
				n.Items = append(n.Items, tree(depth-1))
			}
		default:
			n.Kind = Map
			var pairs []Pair
			for range r.IntN(4) {
				pairs = append(pairs, Pair{Key: scalar(), Value: tree(depth - 1)})
			}
			if k == 7 {
				n.Kind = Set
				for i := range pairs {
					pairs[i].Value = NewNull(nil)
				}
			}
			n.setPairs(nil, pairs, func(diag.Diagnostic) {})
		}
		return n
	}
	return NewMap(nil, P(nil, "a", tree(4)), P(nil, "b", tree(2)))
}

func TestEncodedTreesReadBackEqual(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000 / slowness) {
		tree := randomTree(seed)
		text := Encode(tree)
		for _, reader := range []Reader{Template, YAML, Engine} {
			again, findings := ParseFile(&File{Path: "t.yaml", Text: text}, Options{Reader: reader})
			if len(findings) != 0 || !Equal(tree, again) {
				t.Fatalf("seed %d, reader %d: %v\n%s\nread as\n%s", seed, reader, findings, text, Encode(again))
			}
		}
		if again, _ := Parse("t.yaml", text); !bytes.Equal(Encode(again), text) && Equal(again, tree) {
			t.Logf("seed %d: styles differ on the second writing", seed)
		}
	}
}

func TestEncodeIsPleasantToRead(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/encode/*.*")
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
		n, findings := Parse(path, text)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		golden(t, path+".golden", Encode(n))
		golden(t, path+".json.golden", EncodeJSON(n))
	}
}

func TestEncodeOfMadeTrees(t *testing.T) {
	t.Parallel()
	tree := NewMap(nil,
		P(nil, "short", NewMap(nil, P(nil, "get_attr", NewList(nil, NewString(nil, "db"), NewString(nil, "first_address"))))),
		P(nil, "list", NewList(nil, NewMap(nil, P(nil, "a", NewInt(nil, 1)), P(nil, "b", NewList(nil))), NewList(nil, NewNull(nil)))),
		P(nil, "nil", nil),
		Pair{Key: NewInt(nil, 8080), Value: NewString(nil, "8080")},
	)
	golden(t, "testdata/encode/made.golden", Encode(tree))
}
