package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree writes files below a new folder; a text that begins with "-> " is a symbolic link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			if err := os.Symlink(target, path); err != nil {
				t.Skip("no symbolic links here:", err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestNamesAreReadAsHeatclientReadsThem(t *testing.T) {
	t.Parallel()
	f := NewFiles(FilesOptions{Mounts: map[string]fs.FS{"library:": fstest.MapFS{"a/t.yaml": {}}}})
	for _, c := range []struct{ from, ref, want string }{
		{"dir/t.yaml", "x.sh", "dir/x.sh"},
		{"dir/t.yaml", "./x.sh", "dir/x.sh"},
		{"dir/t.yaml", "sub/x.sh", "dir/sub/x.sh"},
		{"dir/t.yaml", "../x.sh", "x.sh"},
		{"t.yaml", "../x.sh", "../x.sh"},
		{"dir/t.yaml", "/etc/x.sh", "/etc/x.sh"},
		{"dir/t.yaml", "file:///etc/x.sh", "/etc/x.sh"},
		{"dir/t.yaml", "file://localhost/etc/x.sh", "/etc/x.sh"},
		{"dir/t.yaml", "FILE:/etc/x.sh", "/etc/x.sh"},
		{"dir/t.yaml", "a%20b.sh", "dir/a b.sh"},
		{"dir/t.yaml", "a b.sh", "dir/a b.sh"},
		{"dir/t.yaml", "100%.sh", "dir/100%.sh"},
		{"dir/t.yaml", "x.sh#part", "dir/x.sh"},
		{"dir/t.yaml", "x.sh?q=1", "dir/x.sh?q=1"},
		{"dir/t.yaml", "http://h/x.sh", "http://h/x.sh"},
		{"http://h/a/t.yaml", "../x.sh", "http://h/x.sh"},
		{"http://h/a/t.yaml", "/x.sh", "http://h/x.sh"},
		{"library:a/t.yaml", "x.sh", "library:a/x.sh"},
		{"library:a/t.yaml", "../b/x.sh", "library:b/x.sh"},
		{"dir/t.yaml", "file://host/x.sh", ""},
		{"dir/t.yaml", "swift://x", ""},
		{"dir/t.yaml", "a:b.sh", ""},
		{"dir/t.yaml", "1:b.sh", "dir/1:b.sh"},
	} {
		got, err := f.Locate(&File{Path: c.from}, c.ref)
		if got = filepath.ToSlash(got); got != c.want || (err == nil) == (c.want == "") {
			t.Errorf("%s in %s: got %q %v, want %q", c.ref, c.from, got, err, c.want)
		}
	}
}

func TestFilesAreReadOnceAndParsedOnce(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"t.yaml": "a: 1\n", "x.sh": "echo\n"})
	f := NewFiles(FilesOptions{})
	root, err := f.Open(filepath.Join(dir, "t.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			again, err := f.Resolve(root, "./t.yaml")
			if again != root || err != nil {
				t.Error(again, err)
			}
			a, _ := f.Document(root, Template)
			b, _ := f.Document(again, Template)
			if a != b {
				t.Error("parsed twice")
			}
			if _, err := f.Resolve(root, "x.sh"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(f.All()) != 2 {
		t.Error(f.All())
	}
}

func TestFilesThatAreNotThere(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"t/t.yaml": "a: 1\n", "t/folder/x": "", "outside.sh": "secret\n", "t/link.sh": "-> ../outside.sh", "t/inner": "-> folder", "t/out": "-> ..",
		"t/sub/n.yaml": "b: 1\n", "t/sub/up.sh": "-> ../folder/x", "t/large.bin": strings.Repeat("x", MaxBytes+1),
	})
	f := NewFiles(FilesOptions{})
	root, err := f.Open(filepath.Join(dir, "t", "t.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	nested, err := f.Resolve(root, "sub/n.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from *File
		ref  string
		want FileFault
		ok   bool
	}{
		{root, "none.sh", Missing, false},
		{root, "folder", NotAFile, false},
		{root, "", NotAFile, false},
		{root, "/dev/null", NotAFile, false},
		{root, "http://h/x", Remote, false},
		{root, "link.sh", Outside, false},
		{root, "out/outside.sh", Outside, false},
		{root, "large.bin", TooLarge, false},
		{root, "inner/x", 0, true},
		{root, "../outside.sh", 0, true},
		{nested, "up.sh", Outside, false},
		{nested, "../link.sh", Outside, false},
	} {
		_, err := f.Resolve(c.from, c.ref)
		var fe *FileError
		if c.ok != (err == nil) || !c.ok && (!errors.As(err, &fe) || fe.Fault != c.want || fe.Error() == "") {
			t.Errorf("%s: %v", c.ref, err)
		}
	}
}

func TestGatherFollowsTemplatesToAnyDepth(t *testing.T) {
	t.Parallel()
	version := "heat_template_version: 2018-08-31\n"
	dir := tree(t, map[string]string{
		"t.yaml": version + `
resources:
  a: {type: lib/a.yaml, properties: {x: [{y: {get_file: run.sh}}]}}
  b: {type: OS::Heat::None, metadata: {type: conf.yaml, get_file: {get_param: p}}}
outputs: {o: {value: {get_file: none.sh}}}
`,
		"run.sh":         "echo\n",
		"conf.yaml":      "type: never.yaml\n",
		"lib/a.yaml":     version + "resources: {c: {type: ../lib/c.template}}\n",
		"lib/c.template": version + "resources: {d: {type: OS::X, properties: {f: {get_file: run.sh}}}}\n",
		"lib/run.sh":     "echo lib\n",
	})
	f := NewFiles(FilesOptions{})
	root, err := f.Open(filepath.Join(dir, "t.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := f.Document(root, Template)
	links, findings := f.Gather(References(n))
	var got []string
	for _, l := range links {
		name := "(missing)"
		if l.Err == nil {
			name, _ = filepath.Rel(dir, l.File.Path)
		}
		got = append(got, l.Node.Text+" = "+filepath.ToSlash(name))
	}
	want := []string{
		"lib/a.yaml = lib/a.yaml", "../lib/c.template = lib/c.template", "run.sh = lib/run.sh", "run.sh = run.sh",
		"conf.yaml = conf.yaml", "none.sh = (missing)",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(findings) != 0 {
		t.Errorf("(-want +got):\n%s%v", diff, findings)
	}
}

func TestTemplatesThatPullThemselvesInAreOneFinding(t *testing.T) {
	t.Parallel()
	template := func(types string) string {
		return "heat_template_version: 2018-08-31\nresources:\n  r: {type: " + types + "}\n"
	}
	dir := tree(t, map[string]string{"t.yaml": template("a.yaml"), "a.yaml": template("b.yaml"), "b.yaml": template("a.yaml"), "self.yaml": template("self.yaml")})
	f := NewFiles(FilesOptions{})
	for name, trail := range map[string]int{"t.yaml": 2, "self.yaml": 1} {
		root, err := f.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		n, _ := f.Document(root, Template)
		_, findings := f.Gather(References(n))
		if len(findings) != 1 || findings[0].Rule != "file-circle" || findings[0].Path != root.Path || findings[0].Start.Line != 3 || len(findings[0].Trail) != trail {
			t.Errorf("%s: %s", name, report(findings))
		}
	}
}

func TestRegistryReferences(t *testing.T) {
	t.Parallel()
	env, findings := ParseFile(&File{Path: "env/e.yaml", Text: []byte(`
resource_registry:
  base_url: file:///base/
  A: a.yaml
  B: OS::Heat::None
  C: http://h/c.yaml
  D: ~
  hooks: x
  resources:
    one: {A: d.yaml, hooks: pre-create, base_url: "file:///other", deeper: {A: never.yaml}}
    two: {A: e.yaml}
`)}, Options{Reader: YAML})
	if len(findings) != 0 {
		t.Fatal(findings)
	}
	var opened []string
	f := NewFiles(FilesOptions{
		Read:  func(p string) ([]byte, error) { opened = append(opened, filepath.ToSlash(p)); return nil, nil },
		Fetch: func(u string) ([]byte, error) { opened = append(opened, u); return nil, nil },
	})
	for _, r := range RegistryReferences(env.Get("resource_registry")) {
		if _, err := f.ResolveReference(r); err != nil {
			t.Error(err)
		}
	}
	want := []string{"/base/a.yaml", "http://h/c.yaml", "/other/d.yaml", "/base/e.yaml"}
	if diff := cmp.Diff(want, opened); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err := f.ResolveReference(Reference{Node: NewString(env, "x.yaml"), Base: NewString(env, "lib")})
	var fe *FileError
	if !errors.As(err, &fe) || fe.Fault != Unsupported {
		t.Errorf("a base_url that is no URL: %v", err)
	}
}

func TestWhatHeatGetsOfAFile(t *testing.T) {
	t.Parallel()
	if got := (&File{Text: []byte("é\n")}).Content(); got != "é\n" {
		t.Errorf("%q", got)
	}
	lines := strings.Split((&File{Text: append([]byte{0xff}, make([]byte, 60)...)}).Content(), "\n")
	if len(lines) != 3 || len(lines[0]) != 76 || lines[2] != "" {
		t.Errorf("%q", lines)
	}
	if got := (&File{Path: "/a b/ü%.sh"}).URL(); got != "file:///a%20b/%C3%BC%25.sh" {
		t.Error(got)
	}
	if got := (&File{Path: "https://h/x"}).URL(); got != "https://h/x" {
		t.Error(got)
	}
}
