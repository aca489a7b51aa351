package lint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/resources/catalog"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestConfigIsFoundAboveAndApplied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, lint.ConfigName), `
profile: zed
targets: {anything: goes}
lint:
  unknown_types: {default: warn, "Contrail::*": ignore}
  rules: {unused-parameter: off, open-ingress: error}
  exclude: [vendor]
  environments: [env/common.yaml]
  max_warnings: 3
`)
	writeFile(t, filepath.Join(dir, "a/b/t.yaml"), "")
	c, err := lint.FindConfig(filepath.Join(dir, "a/b"))
	if err != nil || c == nil {
		t.Fatalf("%v, %v", c, err)
	}
	opts := lint.Options{Rules: map[string]lint.Level{"open-ingress": lint.Off}}
	if err := c.Apply(&opts); err != nil {
		t.Fatal(err)
	}
	if opts.Catalog.Release() != catalog.Oldest {
		t.Errorf("release %s", opts.Catalog.Release())
	}
	if diff := cmp.Diff(map[string]lint.Level{"unused-parameter": lint.Off, "open-ingress": lint.Off}, opts.Rules); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "env/common.yaml")}, opts.Environments); diff != "" {
		t.Error(diff)
	}
	if opts.Unknown.For("Contrail::X") != catalog.PolicyIgnore || opts.Unknown.For("X::Y") != catalog.PolicyWarn || c.MaxWarnings != 3 {
		t.Errorf("%+v", c)
	}
}

func TestNoConfigIsNoError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".git/HEAD"), "")
	c, err := lint.FindConfig(dir)
	if c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
	if err := c.Apply(&lint.Options{}); err != nil {
		t.Error(err)
	}
}

func TestConfigSaysWhereItIsWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"rule":    {"lint: {rules: {unused-paramter: off}}", `did you mean "unused-parameter"?`},
		"level":   {"lint:\n  rules:\n    unused-parameter: loud", "hotloom.yaml:3:23: error: the level of unused-parameter must be"},
		"setting": {"lint: {exclud: []}", `did you mean "exclude"?`},
		"types":   {"lint: {unknown_types: maybe}", "is not one of error, warn, ignore"},
		"form":    {"- a", "must be a map"},
		"yaml":    {"a: [", "yaml-syntax"},
		"number":  {"lint: {max_warnings: -1}", "0 or more"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), lint.ConfigName)
			writeFile(t, path, c.text)
			if _, err := lint.LoadConfig(path); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
