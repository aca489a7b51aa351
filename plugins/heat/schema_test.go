package heat_test

import (
	"encoding/json"
	"maps"
	"os/exec"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/plugins/heat"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// TestHeatMakesOfSchemasWhatItHas offers the schemas of all of Heat's own types under other names, and compares the classes that
// Heat's own code makes of them with those that Heat has: properties, constraints, attributes, what may be updated.
func TestHeatMakesOfSchemasWhatItHas(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import heat.version; print(heat.version.version_info.version_string())").Output(); err != nil || !strings.HasPrefix(string(out), "19.") {
		t.Skip("Heat 19, whose schemas the catalog has recorded, is not installed")
	}
	e := start(t, func(d *resources.Description) {
		own := catalog.For(catalog.Oldest)
		for _, name := range own.Names() {
			if typ := own.Type(name); typ != nil && strings.HasPrefix(name, "OS::") {
				other := *typ
				other.Attributes = maps.Clone(typ.Attributes)
				delete(other.Attributes, "show") // each class of Heat's has it, ours too
				d.Types["Test::S_"+strings.ReplaceAll(name, "::", "_X_")] = &other
			}
		}
	})
	if err := heat.Install(heat.Installation{Dir: e.dir, State: e.dir}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "testdata/schemas.py", e.dir)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var said struct {
		Compared    int
		Differences [][4]string
	}
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d types compared", said.Compared)
	if said.Compared < 100 {
		t.Errorf("only %d types could be compared\n%s\n%s", said.Compared, stderr.String(), e.logs.String())
	}
	for _, d := range said.Differences {
		t.Errorf("%s, %s:\n  made %s\n  has  %s", d[0], d[1], d[2], d[3])
	}
}
