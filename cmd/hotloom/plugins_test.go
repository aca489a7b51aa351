package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestProvidersOfThirdParties builds the example provider, a module of its own, and uses it on the command line.
func TestProvidersOfThirdParties(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "hotloom-provider-notes"), ".")
	build.Dir = filepath.Join("..", "..", "examples", "provider-notes")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "providers"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOTLOOM_PLUGINS", dir)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("HOME", env.WorkDir)
			return exec.CommandContext(t.Context(), "cp", "-r", dir, filepath.Join(env.WorkDir, "providers")).Run()
		},
	})
}
