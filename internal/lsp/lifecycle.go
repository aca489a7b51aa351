package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/hotloom/hotloom/compiler/lint"
)

// request answers one kind of request from a snapshot.
type request func(ctx context.Context, s *server, snap *snapshot, params json.RawMessage) (any, error)

// requests is every request that is served between initialize and shutdown.
var requests = map[string]request{
	"textDocument/hover":             asked(hoverAt),
	"textDocument/completion":        asked(completionAt),
	"completionItem/resolve":         asked(resolveItem),
	"textDocument/definition":        asked(definitionAt),
	"textDocument/references":        asked(referencesAt),
	"textDocument/documentHighlight": asked(highlightsAt),
	"textDocument/documentSymbol":    asked(symbolsOf),
	"textDocument/codeAction":        asked(actionsAt),
	"textDocument/prepareRename":     asked(prepareRename),
	"textDocument/rename":            asked(renameAt),
}

// asked reads the parameters of a request.
func asked[P, R any](answer func(*server, *snapshot, P) (R, error)) request {
	return func(_ context.Context, s *server, snap *snapshot, params json.RawMessage) (any, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the parameters are not those of the protocol"}
		}
		return answer(s, snap, p)
	}
}

// notifications is every notification that means something.
var notifications = map[string]func(*server, json.RawMessage) error{
	"textDocument/didOpen":             told((*server).didOpen),
	"textDocument/didChange":           told((*server).didChange),
	"textDocument/didClose":            told((*server).didClose),
	"textDocument/didSave":             told((*server).didSave),
	"workspace/didChangeWatchedFiles":  told((*server).didChangeFiles),
	"workspace/didChangeConfiguration": told(func(s *server, _ struct{}) { s.checkAll() }),
	"$/cancelRequest":                  told((*server).cancel),
}

func told[P any](take func(*server, P)) func(*server, json.RawMessage) error {
	return func(s *server, params json.RawMessage) error {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		take(s, p)
		return nil
	}
}

func (s *server) notified(ctx context.Context, method string, params json.RawMessage) {
	var fault error
	defer s.recovered(method, &fault)
	s.mu.Lock()
	now := s.phase
	s.mu.Unlock()
	switch take := notifications[method]; {
	case method == "exit":
		select {
		case <-s.exit:
		default:
			close(s.exit)
		}
	case now != serving:
	case method == "initialized":
		s.work.Go(func() { s.watchFiles(ctx) })
	case take != nil:
		if take(s, params) != nil { // the error may show a document
			s.log.Printf("%s: the parameters are not those of the protocol", method)
		}
	}
}

func (s *server) initialize(conn *jsonrpc2.Conn, params json.RawMessage) (any, error) {
	var p initializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the parameters are not those of the protocol"}
	}
	unit := pickEncoding(p.Capabilities.General.PositionEncodings)
	s.mu.Lock()
	s.phase, s.conn, s.client = serving, conn, p.Capabilities
	s.snap = newSnapshot(s.snap.docs, s.snap.settings, s.snap.last, unit)
	s.mu.Unlock()
	r := initializeResult{ServerInfo: serverInfo{Name: "hotloom", Version: s.opts.Version}}
	c := &r.Capabilities
	c.PositionEncoding = unit
	c.TextDocumentSync.OpenClose, c.TextDocumentSync.Change, c.TextDocumentSync.Save = true, syncIncremental, true
	c.Hover, c.Definition, c.References, c.DocumentHighlight, c.DocumentSymbol = true, true, true, true, true
	c.Completion = completionOptions{TriggerCharacters: []string{":", " ", "[", "{", ",", "-", "."}, Resolve: true}
	c.CodeAction.Kinds = []string{quickFix, fixAll}
	c.Rename.Prepare = true
	return r, nil
}

// watched are the names of files whose changes on the disk matter.
var watched = []string{"**/*.{yaml,yml,template,hot,env,json}"}

// watchFiles asks the client to tell of changes on the disk, if it can.
func (s *server) watchFiles(ctx context.Context) {
	s.mu.Lock()
	conn, can := s.conn, s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.mu.Unlock()
	if !can {
		return
	}
	type watcher struct {
		Glob string `json:"globPattern"`
	}
	var options struct {
		Watchers []watcher `json:"watchers"`
	}
	for _, glob := range watched {
		options.Watchers = append(options.Watchers, watcher{glob})
	}
	err := conn.Call(ctx, "client/registerCapability", registrationParams{Registrations: []registration{
		{ID: "files", Method: "workspace/didChangeWatchedFiles", Options: options},
	}}, nil)
	if err != nil && ctx.Err() == nil {
		s.log.Printf("the client does not watch files: %v", err)
	}
}

func (s *server) cancel(p cancelParams) {
	var id jsonrpc2.ID
	if json.Unmarshal(p.ID, &id) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.cancels[id]; cancel != nil {
		cancel()
	}
}

func (s *server) didOpen(p didOpenParams) {
	path, ok := pathOf(p.Document.URI)
	if !ok {
		return
	}
	s.put(path, newDocument(p.Document.URI, path, p.Document.Version, newText([]byte(p.Document.Text)), s.kindByName(path)))
}

// kindByName is the kind of a file that something else than its content tells: one that the settings name.
func (s *server) kindByName(path string) lint.Kind {
	if slices.Contains(s.current().settings.of(path).Environments, path) {
		return lint.KindEnvironment
	}
	return ""
}

func (s *server) didChange(p didChangeParams) {
	path, _ := pathOf(p.Document.URI)
	snap := s.current()
	d := snap.docs[path]
	if d == nil {
		s.log.Print("a change of a document that is not open")
		return
	}
	s.put(path, d.edited(p.Document.Version, p.Changes, snap.unit))
}

func (s *server) didClose(p documentParams) {
	path, ok := pathOf(p.Document.URI)
	if !ok {
		return
	}
	s.put(path, nil)
	s.current().last.forget(path)
}

// didSave: whoever does not watch files learns of other changes on the disk now.
func (s *server) didSave(p documentParams) {
	path, _ := pathOf(p.Document.URI)
	if filepath.Base(path) == lint.ConfigName {
		s.checkAll()
		return
	}
	s.renew()
	s.checker.changed(path)
}

func (s *server) didChangeFiles(p watchedFilesParams) {
	s.renew()
	for _, c := range p.Changes {
		path, ok := pathOf(c.URI)
		switch {
		case !ok:
		case filepath.Base(path) == lint.ConfigName:
			s.checkAll()
			return
		default:
			s.checker.changed(path)
		}
	}
}

// checkAll reads the settings anew and checks all documents.
func (s *server) checkAll() {
	s.current().settings.forget()
	s.renew()
	for path := range s.current().docs {
		s.checker.changed(path)
	}
}

func (s *server) current() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snap
}

// put opens, changes or, with nil, closes a document. Only the reader of messages calls it.
func (s *server) put(path string, d *document) {
	s.mu.Lock()
	s.snap = s.snap.with(path, d)
	s.mu.Unlock()
	s.checker.changed(path)
}

// renew forgets what was read from the disk.
func (s *server) renew() {
	s.mu.Lock()
	s.snap = newSnapshot(s.snap.docs, s.snap.settings, s.snap.last, s.snap.unit)
	s.mu.Unlock()
}
