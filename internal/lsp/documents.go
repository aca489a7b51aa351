package lsp

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// document is one open document at one version. It is never changed: an edit makes another one.
type document struct {
	uri, path string
	version   int
	text      *text     // empty where it was refused
	refused   diag.List // what is said of a text that is too long to keep

	was  lint.Kind // what it was before its last edit
	once sync.Once
	kind lint.Kind
}

func newDocument(uri, path string, version int, t *text, was lint.Kind) *document {
	d := &document{uri: uri, path: path, version: version, text: t, was: was}
	if len(t.bytes) > source.MaxBytes {
		_, d.refused = source.ParseFile(&source.File{Path: path, Text: t.bytes}, source.Options{})
		d.text = newText(nil)
	}
	return d
}

// edited is the document after edits of its client. One that was refused has no text to edit: it waits for a whole one.
func (d *document) edited(version int, changes []contentChange, e encoding) *document {
	t, refused := d.text, d.refused
	for _, c := range changes {
		if refused != nil && c.Range != nil {
			continue
		}
		t, refused = t.change(c, e), nil
		if len(t.bytes) > maxMessage {
			t = newText(t.bytes[:source.MaxBytes+1])
		}
	}
	if refused != nil {
		return &document{uri: d.uri, path: d.path, version: version, text: d.text, refused: d.refused, was: d.Kind()}
	}
	return newDocument(d.uri, d.path, version, t, d.Kind())
}

// Kind is what the document is by its content; "" where hotloom has nothing to say of it. While an edit makes it
// unreadable, it stays what it was.
func (d *document) Kind() lint.Kind {
	d.once.Do(func() {
		if d.refused != nil || len(d.text.bytes) == 0 {
			return
		}
		kind, ok := lint.KindOf(d.path, compiler.NewFilesOver(map[string][]byte{d.path: d.text.bytes}))
		if !ok {
			kind = cmp.Or(d.was, looksLike(d.text.bytes))
		}
		d.kind = kind
	})
	return d.kind
}

// looksLike tells the kind of a text that cannot be read, as of a workflow that somebody opens to mend.
func looksLike(text []byte) lint.Kind {
	version, tasks, workflows := false, false, false
	for line := range bytes.Lines(text) {
		key, value, _ := bytes.Cut(bytes.TrimRight(line, " \t\r\n"), []byte(":"))
		switch {
		case string(key) == "version":
			version = strings.Trim(string(value), " \t'\"") == "2.0"
		case string(key) == "workflows":
			workflows = true
		case string(bytes.TrimLeft(key, " ")) == "tasks":
			tasks = true
		}
	}
	switch {
	case !version:
		return ""
	case workflows:
		return lint.KindWorkbook
	case tasks:
		return lint.KindWorkflow
	}
	return ""
}

func (d *document) String() string { return fmt.Sprintf("%s, version %d", d.path, d.version) }
