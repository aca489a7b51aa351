//go:build machine

// Package components_test runs every component type of the library on machines with Debian's packages: it is created,
// found out to do what it promises, updated and deleted. README.md says what is real here.
package components_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// packages are all that components install here; their archives are fetched once.
var packages = []string{
	"apparmor", "ca-certificates", "chrony", "docker.io", "haproxy", "hello", "keepalived", "mariadb-server", "nginx", "prometheus-node-exporter", "sudo",
}

// state has the image, the built command, and the folders of the machines: a failed test's machine can be looked at.
var state = cmp.Or(os.Getenv("COMPONENTS_STATE"), "/var/tmp/hotloom-components")

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getuid() != 0 && os.Getenv("CI") == "" {
		fmt.Fprintln(os.Stderr, "skipped: machines need root")
		return
	}
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, "test/components:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func prepare() error {
	if os.Getuid() != 0 {
		return errors.New("machines need root")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if err := os.MkdirAll(state, 0o755); err != nil {
		return err
	}
	if err := powerOff(machines()...); err != nil { // of a run that was killed
		return err
	}
	for _, folder := range machines() {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	for what, command := range map[string]*exec.Cmd{
		"the image":              exec.CommandContext(ctx, "./image", append([]string{state}, packages...)...),
		"go build ./cmd/hotloom": exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(state, "hotloom"), "../../cmd/hotloom"),
	} {
		command.Env = append(os.Environ(), "CGO_ENABLED=0") // it also runs in a container that has nothing else
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s\n%s", what, err, out, needs)
		}
	}
	return nil
}

// needs is what a machine has to allow.
const needs = `This suite needs Debian 12 and root, namespaces (mount, PID, UTS, IPC, network, cgroup), overlayfs with / below and the state
folder above (COMPONENTS_STATE names one on ext4, xfs or tmpfs), veth, loop devices, and Debian's archive.`

func machines() []string {
	all, _ := filepath.Glob(filepath.Join(state, "machines", "*")) // the pattern is well formed
	return all
}

func powerOff(folders ...string) error {
	if out, err := exec.Command("../machine/off", folders...).CombinedOutput(); err != nil {
		return fmt.Errorf("test/machine/off: %w\n%s", err, out)
	}
	return nil
}
