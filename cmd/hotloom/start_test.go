package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestStartPreparesLittle keeps tables and regular expressions that few commands need out of the start of all: what a
// package allocates in its initialisation is paid for whenever hotloom runs. The limit is on bytes, which are the same
// on every machine, and 10 KB take about 0.1 ms.
func TestStartPreparesLittle(t *testing.T) {
	t.Parallel()
	const limit = 80 << 10 // compiler/lint, the largest, has 56 KB: its registry
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		// init PACKAGE @0.1 ms, 0.2 ms clock, 300 bytes, 4 allocs
		f := strings.Fields(line)
		if len(f) < 9 || f[0] != "init" || !strings.HasPrefix(f[1], "github.com/hotloom/") {
			continue
		}
		seen++
		bytes, err := strconv.Atoi(f[7])
		if err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if bytes > limit {
			t.Errorf("%s allocates %d bytes when the command starts; build its tables when they are first used", f[1], bytes)
		}
	}
	if seen == 0 {
		t.Errorf("no package of hotloom is in the trace:\n%s", out)
	}
}

// BenchmarkColdLint is the whole process: start, lint of one small file, end; of hotloom, and of hotloom-lint, which has
// nothing else to start. cpu-ms, user and system time, hardly depends on what else the machine does. The aim is below
// 30 ms for hotloom-lint; a Go program that does nothing takes some of it.
func BenchmarkColdLint(b *testing.B) {
	dir := b.TempDir()
	template := filepath.Join(dir, "template.yaml")
	text := "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: inside}}\n"
	if err := os.WriteFile(template, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, call := range [][]string{{"hotloom", "lint", template}, {"hotloom-lint", template}} {
		b.Run(call[0], func(b *testing.B) {
			binary := filepath.Join(dir, call[0])
			if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, filepath.Join("..", call[0])).CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			cold(b, binary, call[1:]...)
		})
	}
}

// cold runs a program again and again.
func cold(b *testing.B, binary string, args ...string) {
	var cpu time.Duration
	least := time.Hour
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), binary, args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		cpu += used
		least = min(least, used)
	}
	b.ReportMetric(float64(cpu.Microseconds())/1000/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(least.Microseconds())/1000, "least-cpu-ms")
}
