// Package hotloom_test holds the tests of the repository as a whole.
package hotloom_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/hotloom/hotloom/"

// layers lists the packages from bottom to top: a package imports only what stands above it in this list, and
// whatever lies in its own folder. A folder stands for all packages below it that have no line of their own.
var layers = []string{
	"compiler/diag",
	"compiler/value",
	"resources/catalog",
	"templates",
	"compiler/source",
	"compiler/hot",
	"compiler/yaql",
	"compiler/jinja",
	"compiler/expression",
	"compiler/function",
	"compiler/workflow",
	"compiler/graph",
	"compiler/evaluate",
	"compiler/project",
	"compiler/preview",
	"compiler/weave",
	"compiler/lint",
	"compiler/emit",
	"compiler",
	"resources",
	"plugins",
	"internal",
	"cmd",
}

// only limits who may import a library, so that it can be replaced in one place.
var only = map[string][]string{
	"gopkg.in/yaml.v3":                      {"compiler/source"},
	"github.com/gophercloud/gophercloud":    {"internal/cloud", "internal/stack", "internal/profile", "internal/mistral", "internal/action", "cmd", "test"},
	"github.com/hashicorp/go-plugin":        {"plugins"},
	"github.com/dop251/goja":                {"internal/action"},
	"github.com/urfave/cli":                 {"cmd"},
	"github.com/sourcegraph/jsonrpc2":       {"internal/lsp"},
	"github.com/peterh/liner":               {"cmd"},
	"modernc.org/sqlite":                    {"internal/engine"},
	"github.com/nikolalohinski/gonja":       {"compiler/jinja"},
	"github.com/owenrumney/go-sarif":        {"compiler/lint"},
	"github.com/santhosh-tekuri/jsonschema": {"resources", "plugins", "internal", "compiler/lint"},
}

func layerOf(pkg string) int {
	best, length := -1, -1
	for i, l := range layers {
		if (pkg == l || strings.HasPrefix(pkg, l+"/")) && len(l) > length {
			best, length = i, len(l)
		}
	}
	return best
}

func under(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

func TestImportsPointDown(t *testing.T) {
	t.Parallel()
	files := goFiles(t)
	if len(files) < 10 {
		t.Fatalf("only %d Go files found: the walk is broken", len(files))
	}
	for _, file := range files {
		pkg := path.Dir(filepath.ToSlash(file))
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			for library, folders := range only {
				if !strings.HasPrefix(imported, library) {
					continue
				}
				allowed := false
				for _, folder := range folders {
					allowed = allowed || under(pkg, folder)
				}
				if !allowed {
					t.Errorf("%s imports %s, which only %s may", file, imported, strings.Join(folders, ", "))
				}
			}
			if target, ok := strings.CutPrefix(imported, module); ok {
				checkDirection(t, file, pkg, target)
			}
		}
	}
}

func checkDirection(t *testing.T, file, pkg, target string) {
	t.Helper()
	from, to := layerOf(pkg), layerOf(target)
	switch {
	case pkg == "." || under(pkg, "test") || under(pkg, "examples") || strings.HasSuffix(file, "_test.go"):
		// they prove the whole, and tests may use what stands on their package
	case from < 0:
		t.Errorf("%s: folder %s has no layer; DESIGN says where it belongs, add it to layers", file, pkg)
	case to < 0:
		t.Errorf("%s imports %s, which has no layer", file, target)
	case to > from:
		t.Errorf("%s (%s) imports %s, which lies above it", file, layers[from], target)
	}
}

func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && p != "."):
			return filepath.SkipDir
		case strings.HasSuffix(p, ".go"):
			files = append(files, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
