package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestProvidersOfThirdParties builds the example provider, a module of its own, and uses it on the command line.
func TestProvidersOfThirdParties(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	goInExample(t, "build", "-o", filepath.Join(dir, "hotloom-provider-notes"), ".")
	goInExample(t, "test", ".")
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

// goInExample runs the go command in the example's module, with the versions that this module has by now.
func goInExample(t *testing.T, command string, args ...string) {
	t.Helper()
	root := filepath.Join("..", "..")
	example := filepath.Join(root, "examples", "provider-notes")
	var sums []byte
	for _, file := range []string{filepath.Join(example, "go.sum"), filepath.Join(root, "go.sum")} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, text...)
	}
	mod, err := os.ReadFile(filepath.Join(example, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	modfile := filepath.Join(t.TempDir(), "go.mod")
	if err := os.WriteFile(modfile, mod, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(modfile), "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", append([]string{command}, args...)...)
	cmd.Dir = example
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -modfile="+modfile) // its test builds it too
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", command, err, out)
	}
}

// TestKilledInTheMiddleOfAProvidersWork kills hotloom with kill -9 while a provider works for it.
func TestKilledInTheMiddleOfAProvidersWork(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "killed"), UpdateScripts: *update, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			bin, _, _ := strings.Cut(env.Getenv("PATH"), string(os.PathListSeparator))
			env.Setenv("HOTLOOM_PLUGINS", bin)
			env.Setenv("HOTLOOM_STATE", filepath.Join(env.WorkDir, "state"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("HOME", env.WorkDir)
			return nil
		},
	})
}
