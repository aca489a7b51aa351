package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// handOver runs a chain of calls to a server of its own, and gives, sorted, the times from one answer to the next call.
// They hold the end of one task, the choice of the next, and the start of its action.
func handOver(ctx context.Context, t target, hops int) ([]time.Duration, error) {
	var mu sync.Mutex
	var answered time.Time
	var gaps []time.Duration
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if !answered.IsZero() {
			gaps = append(gaps, time.Since(answered))
		}
		answered = time.Now()
	})}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = server.Serve(l) }()
	defer func() { _ = server.Close(); <-ended }()
	name := fmt.Sprintf("hotloom_bench_%d_hops", os.Getpid())
	if _, err := t.run(ctx, name, chain(hops, fmt.Sprintf("std.http url='http://%s/'", l.Addr()))(name)); err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	if len(gaps) != hops-1 {
		return nil, fmt.Errorf("%d calls came, want %d", len(gaps)+1, hops)
	}
	slices.Sort(gaps)
	return gaps, nil
}
