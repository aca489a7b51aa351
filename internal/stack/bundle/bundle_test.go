package bundle_test

import (
	"bytes"
	"encoding/json"
	"maps"
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

// write puts files into a folder of the test's.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const header = "heat_template_version: 2018-08-31\n"

// odd are the places where heatclient's ways are not what one would guess.
var odd = map[string]map[string]string{
	"names are URL references": {
		"t.yaml":       header + "a: {get_file: 'a b.sh'}\nb: {get_file: 'a%20b.sh'}\nc: {get_file: ./x/../a b.sh}\nd: [{get_file: 'ü.txt'}]\ne: {get_file: 'x//y.txt'}\n",
		"a b.sh":       "echo",
		"ü.txt":        "u",
		"x/y.txt":      "y",
		"x/unused.txt": "",
	},
	"a name above": {
		"in/t.yaml": header + "a: {get_file: ../up.sh}\nn: {type: ../nest/n.template}\n", "up.sh": "up",
		"nest/n.template": header + "x: {get_file: deeper/z}\ny: {type: ../in/../nest/m.yaml}\n", "nest/deeper/z": "z", "nest/m.yaml": header,
		"main": "in/t.yaml",
	},
	"what looks like a template": {
		"t.yaml":  header + "a: {get_file: doc.txt}\nb: {get_file: list}\nc: {get_file: broken.yaml}\nd: {get_file: json}\ne: {get_file: other.yaml}\nf: {get_file: empty}\n",
		"doc.txt": "a heat_template_version in a text\nof two lines\n", "list": "- heat_template_version\n- b\n", "broken.yaml": header + "a: [\n",
		"json": `{"heat_template_version": "2015-04-30", "x": 1e2, "u": "é\u0000"}`, "other.yaml": "a: b\n", "empty": "",
	},
	"values of all kinds": {
		"t.yaml": header + "a: {get_file: n.yaml}\n",
		"n.yaml": header + "d: 2020-01-01\nf: [1.0, .5, 1e3, 1_0, 0o7, 010, 12:30:45, .inf, 1.5e+300]\nk: {1: a, true: b, null: c, 1.5: d}\nb: [yes, off, ~]\nt: \"é\\x01\\x7f\\U0001F9F5\\u2028\\t\"\ns: !!set {a}\ny: !!binary aGk=\n",
	},
	"bytes that are no text": {"t.yaml": header + "a: {get_file: bin}\n", "bin": strings.Repeat("\xff\xfe\x00binary", 20)},
	"a type key anywhere":    {"t.yaml": header + "x: [{config: {type: foo.yaml, get_file: {get_param: y}}}, {type: [a.yaml]}, {type: OS::X.yaml}]\n", "foo.yaml": "no template\n", "OS::X.yaml": "x"},
	"a registry": {
		"t.yaml": header,
		"e1.yaml": "resource_registry:\n  My::A: n/a.yaml\n  My::B: OS::Heat::None\n  My::*: Your::*\n  resources:\n    web*:\n      OS::Nova::Server: b.yaml\n" +
			"      hooks: pre-create\n      restricted_actions: [update]\n    db: {base_url: 'file:///absent', hooks: [pre-create, pre-update]}\nparameters:\n  p: {a: 1, b: {c: 2}}\n  q: one\nparameter_defaults: {x: 2020-01-01}\n",
		"e2.yaml":  "parameters:\n  p: {b: {d: 3}}\n  q:\nresource_registry:\n  resources: {web*: {hooks: post-create}}\nparameter_defaults:\n",
		"n/a.yaml": header + "x: {get_file: s.sh}\n", "n/s.sh": "s", "b.yaml": header,
	},
	"wrong environments": {"t.yaml": header, "e1.yaml": "parameter: {}\n"},
	"nothing in it":      {"t.yaml": header, "e1.yaml": "", "e2.yaml": "parameters: {}\n"},
	"clash":              {"t.yaml": header, "e1.yaml": "parameters: {a: [1]}\n", "e2.yaml": "parameters: {a: {b: 1}}\n"},
	"no version":         {"t.yaml": "resources: {}\n"},
	"not there":          {"t.yaml": header + "a: {get_file: absent}\n"},
}

func TestOddBodiesEqualHeatclients(t *testing.T) {
	t.Parallel()
	var jobs []job
	for _, name := range slices.Sorted(maps.Keys(odd)) {
		files := odd[name]
		dir := write(t, files)
		j := job{Path: filepath.Join(dir, "t.yaml")}
		if main := files["main"]; main != "" {
			j.Path = filepath.Join(dir, main)
		}
		for _, e := range []string{"e1.yaml", "e2.yaml"} {
			if _, ok := files[e]; ok {
				j.Environments = append(j.Environments, filepath.Join(dir, e))
			}
		}
		jobs = append(jobs, j)
	}
	equal, refused := compare(t, "", jobs)
	if want := 5; refused != want || equal != len(jobs)-want {
		t.Errorf("%d of %d bodies are equal, %d refused by heatclient; want all but %d equal", equal, len(jobs), refused, want)
	}
}

func TestURLsAreJoinedAsPythonDoes(t *testing.T) {
	t.Parallel()
	bases := []string{"file:///a/b/", "file:///", "file:///a/b/c d", "http://h/a/b?q#f", "http://h", "https://h:1/a/../b/", "file:/a/b/", "x/y/", "ftp://h/a/", "s3://h/a/"}
	refs := []string{
		"x", "./x", "../x", "../../../x", "x/../y", "/x", "/x/./y/..", "//h2/x", "x?q=1", "?q", "#f", "x#f", "x y", "x%20y", "a//b", "a/b/", ".", "..", "../",
		"file:///z", "file:z", "http://o/p", "http:p", "FILE:///Q", "c:x", "a:b", "ü", "x;p", "",
	}
	const script = `import json,sys
from urllib import parse
from heatclient.common import utils
bases, refs = json.load(sys.stdin)
print(json.dumps([[parse.urljoin(b, r) for r in refs] + [utils.base_url_for_url(b)] for b in bases]))`
	in, _ := json.Marshal([][]string{bases, refs})
	if exec.CommandContext(t.Context(), "/usr/bin/python3", "-c", "import heatclient").Run() != nil {
		t.Skip("python3-heatclient is not installed")
	}
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", "-c", script)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, base := range bases {
		for j, ref := range refs {
			if got := bundle.JoinURL(base, ref); got != want[i][j] {
				t.Errorf("urljoin(%q, %q) is %q, got %q", base, ref, want[i][j], got)
			}
		}
		if got := bundle.FolderOf(base); got != want[i][len(refs)] {
			t.Errorf("base_url_for_url(%q) is %q, got %q", base, want[i][len(refs)], got)
		}
	}
}

func TestTheCommandLineWinsOverEnvironments(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"t.yaml": header, "e.yaml": "parameters: {size: 1}\nparameter_defaults: {colour: red}\n",
		"merging.yaml": "parameters: {size: 1}\nparameter_merge_strategies: {size: merge}\n",
	})
	files := source.NewFiles(source.FilesOptions{})
	gather := func(env string) *bundle.Bundle {
		b, found := bundle.Gather(files, filepath.Join(dir, "t.yaml"), files, []string{filepath.Join(dir, env)})
		if len(found) > 0 {
			t.Fatal(found)
		}
		return b
	}
	for _, test := range []struct {
		env   string
		names []string
		ok    bool
		kept  int
	}{
		{"e.yaml", nil, true, 1},
		{"e.yaml", []string{"colour", "shape"}, true, 1},
		{"e.yaml", []string{"size"}, true, 0},
		{"merging.yaml", []string{"size"}, false, 1},
	} {
		b := gather(test.env)
		if ok := b.Override(test.names); ok != test.ok || len(b.EnvironmentFiles) != test.kept || len(b.Files) != test.kept {
			t.Errorf("%v: %v with %d environment files", test, ok, len(b.EnvironmentFiles))
		}
	}
}

func TestFilesThatPullThemselvesInAreFindings(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"t.yaml": header + "a: {type: n.yaml}\n", "n.yaml": header + "a: {type: t.yaml}\n"})
	files := source.NewFiles(source.FilesOptions{})
	_, found := bundle.Gather(files, filepath.Join(dir, "t.yaml"), files, nil)
	var rules []string
	for _, d := range found {
		rules = append(rules, d.Rule+" "+filepath.Base(d.Location.String()))
	}
	if diff := cmp.Diff([]string{"file-circle n.yaml:2:11"}, rules); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
