// Package lsp is a language server for templates, environments and workflows: what the linter finds while somebody types,
// what may stand at a place, and where names lead to. It speaks the Language Server Protocol 3.17 over one pair of
// streams, and finds what `hotloom lint` finds, because it asks the same package.
//
// Documents and all that was read around them are values that are never changed (document, snapshot). The reader of
// messages alone makes new ones, in the order in which the client sends edits; requests work on the snapshot that was
// there when they came, beside each other. One goroutine checks and publishes.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// Options of a server.
type Options struct {
	// Settings gives those that hold for documents in a folder. It is asked again when the configuration may have
	// changed. Nil: the default ones.
	Settings func(folder string) (lint.Options, error)
	// Log takes a line for what goes wrong in the server itself, never contents of documents. Nil: nobody.
	Log     io.Writer
	Version string
	// Delay is how long the client must be quiet after an edit before documents are checked. 0: 100 ms.
	Delay time.Duration
}

// Exit codes that the protocol asks for.
const (
	exitOK       = 0
	exitUnasked  = 1 // exit without shutdown, or the client went away
	defaultDelay = 100 * time.Millisecond
	// maxRequests is how many requests may wait for their answers, and maxWorking how many are worked on.
	maxRequests = 1000
	maxWorking  = 4
	// patience is how long the end waits for answers that nobody may be reading.
	patience = 2 * time.Second
)

// Serve serves one client until it says exit, goes away, or the context ends. It gives the exit code of the process.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newServer(o)
	stream := jsonrpc2.NewBufferedStream(pipe{in, out}, codec{tooLong: s.tooLong, broken: s.brokenMessage})
	conn := jsonrpc2.NewConn(ctx, stream, s, jsonrpc2.SetLogger(s.log))
	s.work.Go(func() { s.checker.run(ctx) })
	select {
	case <-conn.DisconnectNotify():
	case <-s.exit:
	case <-ctx.Done():
	}
	cancel()
	_ = conn.Close() // says only that it was closed before
	ended := make(chan struct{})
	go func() { s.work.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience):
		s.log.Print("the client does not read what it was sent")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == shutDown {
		return exitOK
	}
	return exitUnasked
}

// pipe is the pair of streams to the client.
type pipe struct {
	io.Reader
	io.Writer
}

func (p pipe) Close() error {
	var errs []error
	for _, stream := range []any{p.Reader, p.Writer} {
		if c, ok := stream.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// phase is where in the protocol's life the server is.
type phase uint8

const (
	fresh phase = iota
	serving
	shutDown
)

type server struct {
	opts    Options
	log     *log.Logger
	exit    chan struct{} // closed by the client's exit
	slots   chan struct{}
	work    sync.WaitGroup
	checker *checker

	mu      sync.Mutex
	phase   phase
	conn    *jsonrpc2.Conn // from initialize on
	client  clientCapabilities
	snap    *snapshot
	cancels map[jsonrpc2.ID]context.CancelFunc
	said    map[string]bool // messages that were shown
}

func newServer(o Options) *server {
	if o.Settings == nil {
		o.Settings = func(string) (lint.Options, error) { return lint.Options{}, nil }
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Delay == 0 {
		o.Delay = defaultDelay
	}
	s := &server{
		opts: o, log: log.New(o.Log, "hotloom lsp: ", 0), exit: make(chan struct{}), slots: make(chan struct{}, maxWorking),
		cancels: map[jsonrpc2.ID]context.CancelFunc{}, said: map[string]bool{},
	}
	set := &settings{load: o.Settings, by: map[string]lint.Options{}, failed: func(err error) { s.show(messageError, err.Error()) }}
	s.snap = newSnapshot(map[string]*document{}, set, &lastGood{by: map[string]*meaning{}}, utf16Units)
	s.checker = newChecker(s)
	return s
}

// Handle implements jsonrpc2.Handler. The connection calls it for one message after the other.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	if req.Notif {
		s.notified(ctx, req.Method, params)
		return
	}
	s.mu.Lock()
	now, snap := s.phase, s.snap
	s.mu.Unlock()
	handle := requests[req.Method]
	switch {
	case req.Method == "initialize" && now == fresh:
		s.answer(ctx, conn, req, func(context.Context) (any, error) { return s.initialize(conn, params) })
	case now == fresh:
		s.refuse(ctx, conn, req, codeServerNotInitialized, "the first request is initialize")
	case now == shutDown || req.Method == "initialize":
		s.refuse(ctx, conn, req, jsonrpc2.CodeInvalidRequest, "no such request now")
	case req.Method == "shutdown":
		s.mu.Lock()
		s.phase = shutDown
		s.mu.Unlock()
		s.answer(ctx, conn, req, func(context.Context) (any, error) { return nil, nil })
	case handle == nil:
		s.refuse(ctx, conn, req, jsonrpc2.CodeMethodNotFound, "no method "+req.Method)
	default:
		s.begin(ctx, conn, req, func(ctx context.Context) (any, error) { return handle(ctx, s, snap, params) })
	}
}

// begin works on a request beside others.
func (s *server) begin(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request, work func(context.Context) (any, error)) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	full := len(s.cancels) >= maxRequests
	if !full {
		s.cancels[req.ID] = cancel
	}
	s.mu.Unlock()
	if full {
		cancel()
		s.refuse(ctx, conn, req, codeRequestFailed, "too many requests wait for their answers")
		return
	}
	s.work.Go(func() {
		defer func() {
			s.mu.Lock()
			delete(s.cancels, req.ID)
			s.mu.Unlock()
			cancel()
		}()
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
		}
		s.answer(ctx, conn, req, work)
	})
}

// answer does the work and sends what it comes to. A panic is an error of this request alone.
func (s *server) answer(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request, work func(context.Context) (any, error)) {
	result, err := func() (result any, err error) {
		defer s.recovered(req.Method, &err)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return work(ctx)
	}()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	var known *jsonrpc2.Error
	switch {
	case err == nil:
		err = conn.Reply(ctx, req.ID, result)
	case errors.As(err, &known):
		err = conn.ReplyWithError(ctx, req.ID, known)
	case errors.Is(err, context.Canceled):
		err = conn.ReplyWithError(ctx, req.ID, &jsonrpc2.Error{Code: codeRequestCancelled, Message: "cancelled"})
	default:
		err = conn.ReplyWithError(ctx, req.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()})
	}
	if err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		s.log.Printf("answer to %s: %v", req.Method, err)
	}
}

func (s *server) refuse(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request, code int64, message string) {
	s.answer(ctx, conn, req, func(context.Context) (any, error) { return nil, &jsonrpc2.Error{Code: code, Message: message} })
}

// recovered makes an error of a panic. What the panic says may be of a document, so that only errors of Go itself are
// logged in full.
func (s *server) recovered(what string, err *error) {
	fault := recover()
	if fault == nil {
		return
	}
	said := fmt.Sprintf("%T", fault)
	if own, ok := fault.(runtime.Error); ok {
		said = own.Error()
	}
	s.log.Printf("%s: a fault of hotloom's: %s\n%s", what, said, debug.Stack())
	*err = fmt.Errorf("a fault of hotloom's in %s: please report what its log says", what)
}

// show tells the user something, once.
func (s *server) show(kind int, message string) {
	s.mu.Lock()
	conn, said := s.conn, s.said[message]
	if len(s.said) < maxRequests {
		s.said[message] = true
	}
	s.mu.Unlock()
	if !said {
		s.log.Print(message)
	}
	if !said && conn != nil {
		s.notify("window/showMessage", showMessageParams{Type: kind, Message: "hotloom: " + message})
	}
}

// capabilities are the client's.
func (s *server) capabilities() clientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// notify sends a notification.
func (s *server) notify(method string, params any) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn == nil {
		return
	}
	if err := conn.Notify(context.Background(), method, params); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		s.log.Printf("%s: %v", method, err)
	}
}

func (s *server) tooLong(size int64) {
	s.log.Printf("a message of %d bytes was passed over", size)
	s.show(messageWarning, fmt.Sprintf("a document is too large to be checked: at most %d bytes are read", source.MaxBytes))
}

func (s *server) brokenMessage(error) { // what it says may be of a document
	s.log.Print("a message was passed over: it is no JSON-RPC 2.0")
}
