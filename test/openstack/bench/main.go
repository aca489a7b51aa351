// Command bench runs the same workflows on a real Mistral and on the embedded engine, one after the other on the same
// machine, and prints tasks a second, the time from one task's end to the next one's start, and memory.
//
//	. STATE/openrc && go run ./test/openstack/bench
//
// It needs the workflow service (`test/openstack/up --only mistral`). Mistral's memory is read from /proc, of processes
// with "mistral" in their command line.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// load is one workflow to measure.
type load struct {
	name  string
	tasks int // or items
	text  func(name string) string
}

var loads = []load{
	{"chain of 100", 100, chain(100, "std.noop")},
	{"join of 100", 101, join(100)},
	{"join of 500", 501, join(500)},
	{"with-items 1,000", 1000, items(1000)},
}

// target is what runs workflows: it gives the time from the start to the known end.
type target interface {
	run(ctx context.Context, name, text string) (time.Duration, error)
	memory() (mebibytes float64)
	close() error
}

func main() {
	repeat := flag.Int("repeat", 5, "how often the embedded engine runs each workflow; the median counts")
	only := flag.String("only", "", "run only the workflows whose name contains this")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	if err := compare(ctx, *repeat, *only); err != nil {
		log.Fatal(err)
	}
}

func compare(ctx context.Context, repeat int, only string) error {
	mistral, err := newMistral(ctx)
	if err != nil {
		return err
	}
	embedded, err := newEmbedded()
	if err != nil {
		return err
	}
	defer embedded.close()
	fmt.Println("| workflow | Mistral: s | tasks/s | hotloom: s | tasks/s | ratio |\n| --- | --- | --- | --- | --- | --- |")
	for i, l := range loads {
		if !strings.Contains(l.name, only) {
			continue
		}
		name := fmt.Sprintf("hotloom_bench_%d_%d", os.Getpid(), i)
		theirs, err := mistral.run(ctx, name, l.text(name))
		if err != nil {
			return fmt.Errorf("%s on Mistral: %w", l.name, err)
		}
		var times []time.Duration
		for range repeat {
			took, err := embedded.run(ctx, name, l.text(name))
			if err != nil {
				return fmt.Errorf("%s on the embedded engine: %w", l.name, err)
			}
			times = append(times, took)
		}
		slices.Sort(times)
		ours := times[len(times)/2]
		fmt.Printf("| %s | %.2f | %.0f | %.3f | %.0f | %.0f |\n", l.name, theirs.Seconds(), rate(l, theirs), ours.Seconds(), rate(l, ours), theirs.Seconds()/ours.Seconds())
	}
	fmt.Println("\n| hand-over in a chain | p50 ms | p99 ms |\n| --- | --- | --- |")
	for _, t := range []struct {
		name string
		target
		hops int
	}{{"Mistral", mistral, 50}, {"hotloom", embedded, 1000}} {
		gaps, err := handOver(ctx, t.target, t.hops)
		if err != nil {
			return fmt.Errorf("hand-over, %s: %w", t.name, err)
		}
		fmt.Printf("| %s | %.2f | %.2f |\n", t.name, ms(gaps[len(gaps)/2]), ms(gaps[len(gaps)*99/100]))
	}
	fmt.Printf("\nMemory afterwards: Mistral %.0f MiB, hotloom %.0f MiB.\n", mistral.memory(), embedded.memory())
	return mistral.close()
}

func rate(l load, d time.Duration) float64 { return float64(l.tasks) / d.Seconds() }

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func chain(n int, action string) func(string) string {
	return func(name string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "version: '2.0'\n%s:\n  tasks:\n", name)
		for i := range n {
			fmt.Fprintf(&b, "    t%d:\n      action: %s\n", i, action)
			if i+1 < n {
				fmt.Fprintf(&b, "      on-success: t%d\n", i+1)
			}
		}
		return b.String()
	}
}

func join(n int) func(string) string {
	return func(name string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "version: '2.0'\n%s:\n  tasks:\n    j: {join: all, action: std.noop}\n", name)
		for i := range n {
			fmt.Fprintf(&b, "    t%d: {action: std.noop, on-success: j}\n", i)
		}
		return b.String()
	}
}

func items(n int) func(string) string {
	return func(name string) string {
		return fmt.Sprintf("version: '2.0'\n%s:\n  tasks:\n    t:\n      with-items: i in <%% range(%d) %%>\n      action: std.noop\n", name, n)
	}
}

// pss is the memory of processes by /proc: shared pages count in part.
func pss(belongs func(command string) bool) float64 {
	kib := 0.0
	paths, _ := filepath.Glob("/proc/[0-9]*/smaps_rollup")
	for _, path := range paths {
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if !belongs(string(bytes.ReplaceAll(command, []byte{0}, []byte{' '}))) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				n, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
				kib += n
			}
		}
	}
	return kib / 1024
}
