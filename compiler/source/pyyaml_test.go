package source

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// askPyYAML types texts with the real PyYAML, and skips the test where there is none.
func askPyYAML(t *testing.T, texts []string) []any {
	t.Helper()
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, text := range texts {
		if err := enc.Encode(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		cmd := exec.Command(name, filepath.Join("testdata", "load.py"))
		cmd.Stdin = bytes.NewReader(in.Bytes())
		out, err := cmd.Output()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && exit.ExitCode() != 3:
			t.Fatalf("load.py: %v: %s", err, exit.Stderr)
		case err != nil:
			continue
		}
		answers := make([]any, 0, len(texts))
		dec := json.NewDecoder(bytes.NewReader(out))
		for range texts {
			var a any
			if err := dec.Decode(&a); err != nil {
				t.Fatal(err)
			}
			answers = append(answers, a)
		}
		return answers
	}
	t.Skip("no Python with PyYAML and libyaml here")
	return nil
}

// typed is the tree in the form of load.py.
func typed(n *Node) any {
	kind := n.Kind.String()
	switch n.Kind {
	case Null:
		return []any{kind}
	case Bool:
		return []any{kind, n.Scalar}
	case Int:
		return []any{kind, fmt.Sprint(n.Scalar)}
	case Float:
		v := n.Scalar.(float64)
		if math.IsNaN(v) {
			return []any{kind, "nan"}
		}
		return []any{kind, hex.EncodeToString(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))}
	case Bytes:
		return []any{kind, base64.StdEncoding.EncodeToString([]byte(n.Text))}
	case List:
		items := []any{}
		for _, item := range n.Items {
			items = append(items, typed(item))
		}
		return []any{kind, items}
	case Map:
		pairs := []any{}
		for _, p := range n.Pairs {
			pairs = append(pairs, []any{typed(p.Key), typed(p.Value)})
		}
		return []any{kind, pairs}
	case Set:
		keys := []any{}
		for _, p := range n.Pairs {
			keys = append(keys, typed(p.Key))
		}
		return []any{kind, keys}
	}
	return []any{kind, n.Text}
}

func jsonLine(t *testing.T, v any) string {
	t.Helper()
	sortSets(v)
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sortSets brings the members of sets, which have no order, into one.
func sortSets(v any) {
	list, _ := v.([]any)
	for _, item := range list {
		sortSets(item)
	}
	if len(list) == 2 && list[0] == "set" {
		slices.SortFunc(list[1].([]any), func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
}

// fixtures are the texts of the test data, and the scalars of the table.
func fixtures(t testing.TB) []string {
	t.Helper()
	var texts []string
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if filepath.Ext(path) == ".golden" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for _, c := range scalarCases {
		texts = append(texts, "k: "+c.text+"\n")
	}
	return texts
}

func TestPyYAMLAgrees(t *testing.T) {
	t.Parallel()
	texts := slices.DeleteFunc(fixtures(t), func(s string) bool { return invalidUTF8([]byte(s)) >= 0 })
	for i, answer := range askPyYAML(t, texts) {
		n, findings := ParseFile(&File{Path: "t.yaml", Text: []byte(texts[i])}, Options{Reader: YAML})
		var got any = "error"
		if !findings.HasErrors() {
			got = typed(n)
		}
		if want, got := jsonLine(t, answer), jsonLine(t, got); want != got {
			t.Errorf("%q:\nPyYAML %s\nours   %s\n%v", texts[i], want, got, findings)
		}
	}
}

func TestPyYAMLReadsWhatIsEncoded(t *testing.T) {
	t.Parallel()
	var texts []string
	var trees []*Node
	for seed := range uint64(300) {
		trees = append(trees, randomTree(seed))
		texts = append(texts, string(Encode(trees[seed])))
	}
	for i, answer := range askPyYAML(t, texts) {
		if want, got := jsonLine(t, typed(trees[i])), jsonLine(t, answer); want != got {
			t.Errorf("%s:\ntree   %s\nPyYAML %s", texts[i], want, got)
		}
	}
}
