//go:build openstack

// Package openstack_test runs what hotloom compiles on a real Heat: stacks are created, hosts boot, steps run and
// signal. README.md says what is real here and what stands for something else.
package openstack_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// bed are the running services.
var bed *testBed

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.parallel").Value.String() == fmt.Sprint(runtime.GOMAXPROCS(0)) { // not asked for
		_ = flag.Set("test.parallel", "4") // hosts and services wait most of their time
	}
	code, err := runAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runAll(m *testing.M) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	shared := os.Getenv("OPENSTACK_SHARED") != "" // others use the services at this time
	if !shared {
		up := exec.CommandContext(ctx, "./up")
		up.Stdout, up.Stderr = os.Stderr, os.Stderr
		if err := up.Run(); err != nil {
			return 1, fmt.Errorf("test/openstack/up: %w", err)
		}
	}
	var err error
	if bed, err = connect(ctx); err != nil {
		return 1, err
	}
	if !shared {
		if err := bed.sweep(ctx); err != nil {
			return 1, err
		}
	}
	defer os.RemoveAll(commandFolder)
	return m.Run(), nil
}

var commandFolder = filepath.Join(os.TempDir(), fmt.Sprintf("hotloom-openstack-%d", os.Getpid()))

// command builds hotloom once and answers where it is. The variable HOTLOOM names a built one to test instead.
var command = sync.OnceValues(func() (string, error) {
	if built := os.Getenv("HOTLOOM"); built != "" {
		return built, nil
	}
	path := filepath.Join(commandFolder, "hotloom")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/hotloom").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/hotloom: %w\n%s", err, out)
	}
	return path, nil
})

// compile is `hotloom compile` of a source template for a target; it answers the emitted stack's path.
func compile(t *testing.T, target, source string, options ...string) string {
	t.Helper()
	hotloom, err := command()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	arguments := append([]string{"compile", "--target", target, "-o", folder}, options...)
	out, err := exec.CommandContext(t.Context(), hotloom, append(arguments, source)...).CombinedOutput()
	if err != nil {
		t.Fatalf("hotloom %s %s: %v\n%s", strings.Join(arguments, " "), source, err, out)
	}
	if target == workflows {
		push(t, hotloom, folder)
	}
	return filepath.Join(folder, "stack.yaml")
}

// push stores the workflows of an output in Mistral, as its user has to before the stack is created.
func push(t *testing.T, hotloom, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "workflows", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	cmd := exec.CommandContext(t.Context(), hotloom, append([]string{"workflow", "push"}, files...)...)
	cmd.Env = append(os.Environ(), bed.credentials...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("hotloom workflow push: %v\n%s", err, out)
	}
}
