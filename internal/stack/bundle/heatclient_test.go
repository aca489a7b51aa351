package bundle_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/stack/bundle"
)

// job is a template with its environments.
type job struct {
	Path         string   `json:"path"`
	Environments []string `json:"environments"`
}

// askHeatclient bundles jobs with the code of the installed python3-heatclient: a JSON body or a fault for each.
func askHeatclient(t *testing.T, jobs []job) []map[string]json.RawMessage {
	t.Helper()
	const python = "/usr/bin/python3"
	if err := exec.CommandContext(t.Context(), python, "-c", "import heatclient").Run(); err != nil {
		t.Skip("python3-heatclient is not installed")
	}
	var in bytes.Buffer
	for _, j := range jobs {
		_ = json.NewEncoder(&in).Encode(j)
	}
	cmd := exec.CommandContext(t.Context(), python, "testdata/bodies.py")
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var answers []map[string]json.RawMessage
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(jobs) {
		t.Fatalf("%d answers for %d jobs", len(answers), len(jobs))
	}
	return answers
}

// decode reads JSON as Python writes it: NaN and the infinities become their names.
func decode(t *testing.T, text []byte) any {
	t.Helper()
	root, found := source.ParseFile(&source.File{Text: text}, source.Options{Reader: source.Template, MaxBytes: 64 << 20, MaxScalar: 64 << 20})
	if found.HasErrors() {
		t.Fatalf("%v\n%.300s", found, text)
	}
	return plain(root)
}

// plain keeps the difference of an integer and a float.
func plain(n *source.Node) any {
	switch n.Kind {
	case source.Map:
		m := map[string]any{}
		for _, p := range n.Pairs {
			m[p.Key.Text] = plain(p.Value)
		}
		return m
	case source.List:
		l := []any{}
		for _, i := range n.Items {
			l = append(l, plain(i))
		}
		return l
	case source.String:
		return n.Text
	}
	return n.Kind.String() + " " + source.KeyText(n)
}

func body(b *bundle.Bundle) []byte { return source.EncodeJSONLine(source.NewMap(nil, b.Fields()...)) }

// compare bundles jobs with both, and gives how many were equal and how many heatclient refused.
func compare(t *testing.T, root string, jobs []job) (equal, refused int) {
	t.Helper()
	absolute := slices.Clone(jobs)
	for i := range absolute {
		absolute[i].Path = filepath.Join(root, jobs[i].Path)
		absolute[i].Environments = nil
		for _, e := range jobs[i].Environments {
			absolute[i].Environments = append(absolute[i].Environments, filepath.Join(root, e))
		}
	}
	for i, answer := range askHeatclient(t, absolute) {
		files := source.NewFiles(source.FilesOptions{})
		b, found := bundle.Gather(files, absolute[i].Path, files, absolute[i].Environments)
		if fault, ok := answer["fault"]; ok {
			refused++
			t.Logf("%s: %s", jobs[i].Path, fault)
			// heatclient stops at a null in a registry and at lists in odd places, for which Heat has a use
			if !found.HasErrors() && !strings.Contains(string(fault), "TypeError") {
				t.Errorf("%v: heatclient refuses it and hotloom does not: %s", jobs[i], fault)
			}
			continue
		}
		if found.HasErrors() {
			t.Errorf("%v: heatclient takes it and hotloom says %v", jobs[i], found)
			continue
		}
		want, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decode(t, want), decode(t, body(b))); diff != "" {
			t.Errorf("%v: body (-heatclient +hotloom):\n%.2000s", jobs[i], diff)
			continue
		}
		equal++
	}
	return equal, refused
}

// TestBodiesEqualHeatclients compares the bodies of all templates of the corpus that have files or environments with
// those that heatclient makes.
func TestBodiesEqualHeatclients(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../../../shared/corpus")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(root, "jobs.jsonl"))
	if err != nil {
		t.Skip("the corpus is not there")
	}
	var jobs []job
	for line := range strings.Lines(string(list)) {
		var j job
		if err := json.Unmarshal([]byte(line), &j); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root, j.Path))
		if err != nil {
			t.Fatal(err)
		}
		if len(j.Environments) > 0 || bytes.Contains(text, []byte("get_file")) || bytes.Contains(text, []byte(".yaml")) || bytes.Contains(text, []byte(".template")) {
			jobs = append(jobs, j)
		}
	}
	equal, refused := compare(t, root, jobs)
	t.Logf("%d templates: %d bodies are equal, %d are refused by heatclient", len(jobs), equal, refused)
	if equal < 300 {
		t.Errorf("only %d bodies were compared", equal)
	}
}
