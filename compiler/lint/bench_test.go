package lint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// BenchmarkCorpus checks all templates of the recorded corpus in one run, on one core; the disk is read before.
func BenchmarkCorpus(b *testing.B) {
	root := sharedFolder(b, "corpus")
	var paths []string
	seen := map[string]bool{}
	for _, r := range readRows(b, filepath.Join(root, "verdicts.jsonl")) {
		if !seen[r.Path] {
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
	run := func() {
		if _, err := lint.Run(context.Background(), paths, lint.Options{
			Jobs: 1, Given: true, Files: source.NewFiles(source.FilesOptions{Read: read}),
		}); err != nil {
			b.Fatal(err)
		}
	}
	run()
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64(len(paths)*b.N)/b.Elapsed().Seconds(), "templates/s")
}

// TestCostGrowsWithTheNumberOfConditions guards against enumerating outcomes: sixty nested conditions cost about ten
// times what six cost.
func TestCostGrowsWithTheNumberOfConditions(t *testing.T) {
	cost := func(n int) time.Duration {
		text := conditional(n)
		one(t, text) // warms the catalog
		best := time.Hour
		for range 5 {
			start := time.Now()
			one(t, text)
			best = min(best, time.Since(start))
		}
		return best
	}
	if six, sixty := cost(6), cost(60); sixty > 40*six {
		t.Errorf("60 conditions take %s, 6 take %s", sixty, six)
	}
}
