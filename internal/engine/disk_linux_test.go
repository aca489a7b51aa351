package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// diskDir tells a copy of the test program that it is in mount and user namespaces of its own, with this folder to
// mount on.
const diskDir = "HOTLOOM_TEST_DISK_DIR"

func init() { inNamespaces = realDisk }

// TestRealDisk runs out of room on a real file system of 2 MiB, and then meets it mounted read-only.
func TestRealDisk(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), diskDir+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case !errors.As(err, &exit), exit.ExitCode() == cannotMount:
		t.Skipf("this machine gives no namespaces of its own to mount in: %v %s", err, &out)
	default:
		t.Fatalf("%v\n%s", err, &out)
	}
}

const cannotMount = 77

// realDisk is what the child does.
func realDisk(dir string) error {
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(cannotMount)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(cannotMount)
	}
	state := filepath.Join(dir, "state")
	done, big, err := fill(state)
	if err != nil {
		return fmt.Errorf("full disk: %w", err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	_, err = engine.Open(state, engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "must be writable") {
		return fmt.Errorf("opening a read-only folder gives %v", err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
		return err
	}
	e, err := engine.Open(state, engine.Options{})
	if err != nil {
		return fmt.Errorf("with room again: %w", err)
	}
	defer e.Close()
	for id, tasks := range map[string]int{done: 2, big: 1} {
		s, err := e.Wait(context.Background(), id)
		if err != nil || s.State != flow.Success || len(s.Tasks) != tasks {
			return fmt.Errorf("with room again, %s is %+v, %w", id, s, err)
		}
	}
	return nil
}

// fill ends one execution, and lets another one fill the disk.
func fill(state string) (done, big string, err error) {
	e, err := engine.Open(state, engine.Options{Patience: -1})
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	text := []byte(`
version: '2.0'
small: {tasks: {a: {on-success: b}, b: {action: std.noop}}}
big:
  tasks:
    t:
      with-items: i in <% range(400) %>
      action: std.test_dict size=200 key_prefix="a-long-prefix-that-fills-the-database-" val="x"
`)
	if _, found, err := e.Define(&source.File{Path: "test.yaml", Text: text}, workflow.Auto, ""); err != nil || found.HasErrors() {
		return "", "", fmt.Errorf("%v, %w", found, err)
	}
	ctx := context.Background()
	if done, err = e.Start(ctx, engine.StartOptions{Workflow: "small"}); err != nil {
		return "", "", err
	}
	if s, err := e.Wait(ctx, done); err != nil || s.State != flow.Success {
		return "", "", fmt.Errorf("%+v, %w", s, err)
	}
	if big, err = e.Start(ctx, engine.StartOptions{Workflow: "big"}); err != nil {
		return "", "", err
	}
	_, err = e.Wait(ctx, big)
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		return "", "", fmt.Errorf("the execution that fills the disk: %w", err)
	}
	return done, big, nil
}
