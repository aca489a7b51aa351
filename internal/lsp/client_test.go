package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// client is a client of a server that runs in the test.
type client struct {
	t     testing.TB
	conn  *jsonrpc2.Conn
	dir   string
	exit  chan int
	log   *logged
	shown chan showMessageParams
	found chan publishDiagnosticsParams
	init  initializeResult
}

// modern are the capabilities of an editor that can do what the server can.
const modern = `{"general": {"positionEncodings": ["utf-16"]}, "workspace": {"workspaceEdit": {"documentChanges": true}}, "textDocument": {
 "completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"], "insertTextModeSupport": {"valueSet": [1, 2]}, "tagSupport": {"valueSet": [1]}}},
 "hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
 "publishDiagnostics": {"relatedInformation": true, "codeDescriptionSupport": true, "tagSupport": {"valueSet": [1, 2]}}}}`

// logged keeps what the server logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// connect starts a server that was not initialised.
func connect(t testing.TB, o Options) *client {
	t.Helper()
	c := &client{t: t, dir: t.TempDir(), exit: make(chan int, 1), log: &logged{}, shown: make(chan showMessageParams, 100), found: make(chan publishDiagnosticsParams, 10_000)}
	if o.Delay == 0 {
		o.Delay = time.Millisecond
	}
	o.Log = c.log
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx := t.Context()
	go func() { c.exit <- Serve(ctx, in, out, o) }()
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipe{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}), c)
	t.Cleanup(func() { _ = c.conn.Close() }) // closed by the server where the test has ended it
	return c
}

// start starts a server whose client has these capabilities, in a folder with these files.
func start(t testing.TB, capabilities string, files map[string]string) *client {
	t.Helper()
	c := connect(t, Options{})
	for name, text := range files {
		c.write(name, text)
	}
	c.initialize(capabilities)
	return c
}

func (c *client) initialize(capabilities string) {
	c.t.Helper()
	c.call("initialize", json.RawMessage(`{"processId": null, "rootUri": null, "capabilities": `+capabilities+`}`), &c.init)
	c.notify("initialized", struct{}{})
}

// Handle implements jsonrpc2.Handler.
func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p publishDiagnosticsParams
		c.read(*req.Params, &p)
		c.found <- p
	case "window/showMessage":
		var p showMessageParams
		c.read(*req.Params, &p)
		c.shown <- p
	case "client/registerCapability":
		_ = conn.Reply(ctx, req.ID, nil) // fails where the test is over
	default:
		c.t.Errorf("the server sent %s", req.Method)
	}
}

func (c *client) read(text json.RawMessage, v any) {
	if err := json.Unmarshal(text, v); err != nil {
		c.t.Errorf("%v in %s", err, text)
	}
}

// tooLong is how long a test waits for what has to come at once.
const tooLong = 30 * time.Second

func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), tooLong)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v\n%s", method, err, c.log)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v\n%s", method, err, c.log)
	}
}

func (c *client) path(name string) string { return filepath.Join(c.dir, name) }

func (c *client) uri(name string) string {
	uri, _ := uriOf(c.path(name))
	return uri
}

func (c *client) write(name, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) open(name, text string) {
	c.t.Helper()
	var p didOpenParams
	p.Document.URI, p.Document.Version, p.Document.Text = c.uri(name), 1, text
	c.notify("textDocument/didOpen", p)
}

// change gives a document a new text.
func (c *client) change(name string, version int, changes ...contentChange) {
	c.t.Helper()
	var p didChangeParams
	p.Document.URI, p.Document.Version, p.Changes = c.uri(name), version, changes
	c.notify("textDocument/didChange", p)
}

func (c *client) close(name string) {
	c.t.Helper()
	c.notify("textDocument/didClose", documentParams{textDocument{c.uri(name)}})
}

// await gives the findings of a file at a version; 0 is one that is not open.
func (c *client) await(name string, version int) []diagnostic {
	c.t.Helper()
	timer := time.NewTimer(tooLong)
	defer timer.Stop()
	for {
		select {
		case p := <-c.found:
			if p.URI == c.uri(name) && (version == 0 && p.Version == nil || p.Version != nil && *p.Version == version) {
				return p.Diagnostics
			}
		case <-timer.C:
			c.t.Fatalf("no findings of %s at version %d\n%s", name, version, c.log)
		}
	}
}

// at opens a document whose text has a | where the cursor is.
func (c *client) at(name, text string) positionParams {
	c.t.Helper()
	text, at := marked(c.t, text)
	c.open(name, text)
	return positionParams{textDocument{c.uri(name)}, newText([]byte(text)).position(at, utf16Units)}
}

// rules are the rules of findings with their lines, from 1.
func rules(found []diagnostic) string {
	var out []string
	for _, d := range found {
		out = append(out, d.Code+":"+itoa(d.Range.Start.Line+1))
	}
	return strings.Join(out, " ")
}

func itoa(n int) string {
	text, _ := json.Marshal(n) // numbers can be marshalled
	return string(text)
}
