package lint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// one checks one template from memory.
func one(tb testing.TB, text string) *lint.Report { return oneWith(tb, text, lint.Options{}) }

// oneWith is one with options.
func oneWith(tb testing.TB, text string, opts lint.Options) *lint.Report {
	tb.Helper()
	opts.Given, opts.Jobs = true, 1
	opts.Files = source.NewFiles(source.FilesOptions{Read: func(string) ([]byte, error) { return []byte(text), nil }})
	rep, err := lint.Run(context.Background(), []string{"t.yaml"}, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return rep
}

// flat is a template of n servers that do not depend on each other.
func flat(n int) string {
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\nparameters:\n  image: {type: string, default: debian}\nresources:\n")
	for i := range n {
		fmt.Fprintf(&b, "  server%d:\n    type: OS::Nova::Server\n    properties:\n      name: s%d\n      image: {get_param: image}\n"+
			"      flavor: m1.small\n      networks: [{network: private}]\n      metadata: {role: web, index: %d}\n", i, i, i)
	}
	return b.String()
}

// conditional is a template with n conditions, each made of two others, and a resource for each.
func conditional(n int) string {
	var b strings.Builder
	b.WriteString("heat_template_version: 2018-08-31\nparameters:\n  a: {type: boolean}\n  b: {type: boolean}\nconditions:\n" +
		"  c0: {get_param: a}\n  c1: {get_param: b}\n")
	for i := 2; i < n; i++ {
		fmt.Fprintf(&b, "  c%d: {or: [{and: [c%d, {not: c%d}]}, c%d]}\n", i, i-1, i-2, i-2)
	}
	b.WriteString("resources:\n")
	for i := range n {
		fmt.Fprintf(&b, "  r%d:\n    type: OS::Heat::RandomString\n    condition: c%d\n    properties:\n"+
			"      length: {if: [c%d, {if: [c%d, 8, 16]}, {if: [c%d, 24, 32]}]}\n", i, i, i, (i+1)%n, (i+2)%n)
	}
	return b.String()
}

func BenchmarkFlat1000(b *testing.B) {
	text := flat(1000)
	for b.Loop() {
		one(b, text)
	}
}

func BenchmarkFlat100(b *testing.B) {
	text := flat(100)
	for b.Loop() {
		one(b, text)
	}
}

func BenchmarkConditions(b *testing.B) {
	for _, n := range []int{6, 60, 600} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			text := conditional(n)
			for b.Loop() {
				one(b, text)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/condition")
		})
	}
}

// corpusRun gives templates of the recorded corpus and what checks them in one run, on one core; the disk is read
// before.
func corpusRun(b *testing.B, most int) (paths []string, run func()) {
	root := sharedFolder(b, "corpus")
	seen := map[string]bool{}
	for _, r := range readRows(b, filepath.Join(root, "verdicts.jsonl")) {
		if !seen[r.Path] && len(paths) < most {
			seen[r.Path] = true
			paths = append(paths, r.Path)
		}
	}
	texts := map[string][]byte{}
	read := func(p string) ([]byte, error) {
		if text, ok := texts[p]; ok {
			return text, nil
		}
		text, err := os.ReadFile(filepath.Join(root, p))
		if err == nil {
			texts[p] = text
		}
		return text, err
	}
	run = func() {
		if _, err := lint.Run(context.Background(), paths, lint.Options{
			Jobs: 1, Given: true, Files: source.NewFiles(source.FilesOptions{Read: read}),
		}); err != nil {
			b.Fatal(err)
		}
	}
	run()
	return paths, run
}

func BenchmarkCorpus(b *testing.B) {
	paths, run := corpusRun(b, 1<<30)
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64(len(paths)*b.N)/b.Elapsed().Seconds(), "templates/s")
}

// BenchmarkBesideHeat has Heat validate the same templates (its own check and the strict one, without its start), and
// compares processor time.
func BenchmarkBesideHeat(b *testing.B) {
	oracle := filepath.Join(sharedFolder(b, "oracles"), "heat_oracle.py")
	paths, run := corpusRun(b, 300)
	jobs := filepath.Join(b.TempDir(), "jobs.jsonl")
	var lines strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&lines, "{\"path\": %q}\n", p)
	}
	if err := os.WriteFile(jobs, []byte(lines.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	//nolint:gosec // a program of the recorded data
	cmd := exec.Command("/usr/bin/python3", oracle, "--root", sharedFolder(b, "corpus"), "--list", jobs,
		"--levels", "validate,strict", "--time", "--out", os.DevNull)
	said, err := cmd.CombinedOutput()
	if err != nil {
		b.Skipf("the real Heat does not run here: %v", err)
	}
	said = bytes.TrimSpace(said)
	var heat struct {
		CPU float64 `json:"cpu_mean_ms"`
	}
	if err := json.Unmarshal(said[bytes.LastIndexByte(said, '\n')+1:], &heat); err != nil {
		b.Fatal(err)
	}
	before := processorTime(b)
	for b.Loop() {
		run()
	}
	own := float64((processorTime(b) - before).Microseconds()) / 1000 / float64(len(paths)*b.N)
	b.ReportMetric(heat.CPU, "heat-ms/template")
	b.ReportMetric(own, "own-ms/template")
	b.ReportMetric(heat.CPU/own, "times-faster")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestCostGrowsWithTheNumberOfConditions guards against enumerating outcomes and against looking through a condition
// again for each one that is made of it: a condition among sixty, or six hundred, costs what one among six costs. The
// cost is counted in allocations, which no other load on the machine changes.
func TestCostGrowsWithTheNumberOfConditions(t *testing.T) {
	cost := func(n int) float64 {
		text := conditional(n)
		return testing.AllocsPerRun(3, func() { one(t, text) }) / float64(n)
	}
	six := cost(6)
	for _, n := range []int{60, 600} {
		if each := cost(n); each > 2*six {
			t.Errorf("%d conditions cost %.0f allocations each, 6 cost %.0f", n, each, six)
		}
	}
}
