package engine_test

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

func chain(n int) string {
	var b strings.Builder
	b.WriteString("version: '2.0'\nw:\n  tasks:\n")
	for i := range n {
		fmt.Fprintf(&b, "    t%d:\n      action: std.noop\n", i)
		if i+1 < n {
			fmt.Fprintf(&b, "      on-success: t%d\n", i+1)
		}
	}
	return b.String()
}

func join(n int) string {
	var b strings.Builder
	b.WriteString("version: '2.0'\nw:\n  tasks:\n    j: {join: all, action: std.noop}\n")
	for i := range n {
		fmt.Fprintf(&b, "    t%d: {action: std.noop, on-success: j}\n", i)
	}
	return b.String()
}

func items(n int) string {
	return fmt.Sprintf("version: '2.0'\nw:\n  tasks:\n    t:\n      with-items: i in <%% range(%d) %%>\n      action: std.noop\n", n)
}

// bench runs a workflow again and again, atOnce of them at a time, and reports tasks a second.
func bench(b *testing.B, text string, tasks, atOnce int) {
	e := open(b, b.TempDir(), engine.Options{})
	define(b, e, text)
	b.ResetTimer()
	var wg sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for range b.N {
		room <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { <-room }()
			id, err := e.Start(context.Background(), engine.StartOptions{Workflow: "w"})
			if err != nil {
				b.Error(err)
				return
			}
			if s, err := e.Wait(context.Background(), id); err != nil || s.State != flow.Success {
				b.Error(s, err)
			}
		}()
	}
	wg.Wait()
	b.ReportMetric(float64(b.N*tasks)/b.Elapsed().Seconds(), "tasks/s")
}

func BenchmarkChain100(b *testing.B)        { bench(b, chain(100), 100, 1) }
func BenchmarkChain100Times50(b *testing.B) { bench(b, chain(100), 100, 50) }
func BenchmarkJoin100(b *testing.B)         { bench(b, join(100), 101, 1) }
func BenchmarkJoin500(b *testing.B)         { bench(b, join(500), 501, 1) }
func BenchmarkItems1000(b *testing.B)       { bench(b, items(1000), 1000, 1) }

// BenchmarkHandOver measures, in a chain, the time from one task's end to the start of the next, both stored.
func BenchmarkHandOver(b *testing.B) {
	e := open(b, b.TempDir(), engine.Options{})
	define(b, e, chain(100))
	var gaps []time.Duration
	for b.Loop() {
		id, err := e.Start(context.Background(), engine.StartOptions{Workflow: "w"})
		if err != nil {
			b.Fatal(err)
		}
		s, err := e.Wait(context.Background(), id)
		if err != nil {
			b.Fatal(err)
		}
		for i := 1; i < len(s.Tasks); i++ {
			gaps = append(gaps, s.Tasks[i].Started.Sub(s.Tasks[i-1].Started))
		}
	}
	sort.Slice(gaps, func(i, j int) bool { return gaps[i] < gaps[j] })
	b.ReportMetric(float64(gaps[len(gaps)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(gaps[len(gaps)*99/100].Microseconds())/1000, "p99-ms")
}
