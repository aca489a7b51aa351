package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/plugins/host"
	"github.com/hotloom/hotloom/resources"
)

// Program gives the start function for TestProvider of a provider that is built, at a path that ends in
// hotloom-provider-NAME: in a process of its own, as hosts have it. The tests that lose it kill it with kill -9. env are
// variables NAME=VALUE for it.
func Program(path string, env ...string) func(*testing.T) resources.Provider {
	return func(t *testing.T) resources.Provider {
		t.Helper()
		name, ok := strings.CutPrefix(strings.TrimSuffix(filepath.Base(path), ".exe"), discover.Prefix)
		if !ok {
			t.Fatalf("%s: a provider's file is named %sNAME", path, discover.Prefix)
		}
		h, err := host.New([]host.Source{{Name: name, Path: path, Env: env, Cache: t.TempDir()}}, host.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := &program{Provider: h.Provider(name), host: h}
		if _, err := p.Describe(t.Context()); err != nil {
			t.Fatal(err)
		}
		return p
	}
}

// program is a provider in a process of its own.
type program struct {
	*host.Provider
	host *host.Host
}

// Kill is kill -9. The process does not come again, as one of a host that was killed with it.
func (p *program) Kill() error {
	running, err := os.FindProcess(p.PID())
	if err == nil {
		err = running.Kill()
	}
	if err != nil {
		return fmt.Errorf("kill the provider: %w", err)
	}
	return p.Close()
}

// Close ends the process with its host.
func (p *program) Close() error { return p.host.Close() }
