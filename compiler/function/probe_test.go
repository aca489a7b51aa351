package function_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
)

func TestProbe(t *testing.T) {
	dir := os.Getenv("PROBE")
	if dir == "" {
		t.Skip()
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.yaml"))
	var out strings.Builder
	for _, n := range names {
		envs, _ := filepath.Glob(strings.TrimSuffix(n, ".yaml") + ".e[0-9]")
		for i := range envs {
			envs[i] = filepath.Base(envs[i])
		}
		found := checkFile(t, dir, row{Path: filepath.Base(n), Environments: envs})
		v := "valid"
		var msgs []string
		for _, d := range found {
			if d.Severity == diag.Error {
				create := d.Rule == "unknown-parameter" || d.Rule == "parameter-value"
				if !create {
					v = "invalid"
				} else if v == "valid" {
					v = "create"
				}
			}
			msgs = append(msgs, d.String())
		}
		out.WriteString(filepath.Base(n) + "\t" + v + "\t" + strings.Join(msgs, " ## ") + "\n")
	}
	os.WriteFile(filepath.Join(dir, "go.tsv"), []byte(out.String()), 0o600)
}
