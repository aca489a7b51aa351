package lsp

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"sync"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// snapshot is all open documents at one moment. What is read for it, it reads once.
type snapshot struct {
	docs     map[string]*document // by path
	over     map[string][]byte    // their texts, which count more than those on the disk
	settings *settings
	last     *lastGood
	unit     encoding

	mu    sync.Mutex
	views map[string]*view
}

func newSnapshot(docs map[string]*document, s *settings, last *lastGood, unit encoding) *snapshot {
	over := make(map[string][]byte, len(docs))
	for path, d := range docs {
		if d.refused == nil {
			over[path] = d.text.bytes
		}
	}
	return &snapshot{docs: docs, over: over, settings: s, last: last, unit: unit, views: map[string]*view{}}
}

// with is the snapshot after one document has changed; nil closes it.
func (s *snapshot) with(path string, d *document) *snapshot {
	docs := maps.Clone(s.docs)
	if d == nil {
		delete(docs, path)
	} else {
		docs[path] = d
	}
	return newSnapshot(docs, s.settings, s.last, s.unit)
}

// view is an open document as the root of a check, or nil where it is not open.
func (s *snapshot) view(path string) *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[path]
	if v := s.views[path]; v != nil || d == nil {
		return v
	}
	v := &view{document: d, snap: s, files: compiler.NewFilesOver(s.over)}
	s.views[path] = v
	return v
}

// view is one open document with the files around it as they are in a snapshot.
type view struct {
	*document
	snap  *snapshot
	files *source.Files

	once    sync.Once
	meaning *meaning

	checking sync.Mutex
	checked  *outcome
}

// check finds what is wrong with the document, once. It is bounded in time by the limits of what is read, and what it
// finds is for whoever asks next, so that it does not end with the one who asked.
func (v *view) check() (*outcome, error) {
	v.checking.Lock()
	defer v.checking.Unlock()
	if v.checked != nil {
		return v.checked, nil
	}
	if v.refused != nil {
		v.checked = &outcome{report: &lint.Report{Diagnostics: v.refused}}
		return v.checked, nil
	}
	opts := v.snap.settings.of(v.path)
	opts.Files, opts.Given, opts.Jobs = v.files, true, 1
	opts.Kinds = map[string]lint.Kind{v.path: v.Kind()}
	opts.Beside = v.actionFiles()
	report, err := lint.Run(context.Background(), []string{v.path}, opts)
	if err != nil {
		return nil, err
	}
	v.checked = &outcome{report: report, asked: map[string]bool{}}
	for _, path := range v.files.Asked() {
		v.checked.asked[path] = true
	}
	return v.checked, nil
}

// actionFiles are the other open documents that define ad-hoc actions, for a workflow that may call them.
func (v *view) actionFiles() []string {
	var out []string
	if k := v.Kind(); k != lint.KindWorkflow && k != lint.KindWorkbook {
		return nil
	}
	for _, path := range sortedKeys(v.snap.docs) {
		if k := v.snap.docs[path].Kind(); path != v.path && (k == lint.KindActions || k == lint.KindWorkbook) {
			out = append(out, path)
		}
	}
	return out
}

// Meaning is what the document says, as far as it can be read.
func (v *view) Meaning() *meaning {
	v.once.Do(func() {
		v.meaning = newMeaning(v.document, v.files, v.snap.settings.of(v.path))
		if !v.meaning.broken {
			v.snap.last.keep(v.path, v.meaning)
		}
	})
	return v.meaning
}

// Near is what the document says where somebody is typing in a line, whose text need not make sense: then what it says
// without that line, or said before, stands for it.
func (v *view) Near(line int) *meaning {
	m := v.Meaning()
	if !m.broken {
		return m
	}
	from := v.text.starts[min(line, len(v.text.starts)-1)]
	over := maps.Clone(v.snap.over)
	over[v.path] = bytes.Join([][]byte{v.text.bytes[:from], v.text.bytes[from+len(v.text.line(line)):]}, nil)
	if m := newMeaning(v.document, compiler.NewFilesOver(over), v.snap.settings.of(v.path)); !m.broken {
		return m
	}
	if last := v.snap.last.of(v.path); last != nil {
		return last
	}
	return m
}

// lastGood is for each document what it said when it could last be read.
type lastGood struct {
	mu sync.Mutex
	by map[string]*meaning
}

func (l *lastGood) keep(path string, m *meaning) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.by[path] = m
}

func (l *lastGood) of(path string) *meaning {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by[path]
}

func (l *lastGood) forget(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by, path)
}

// settings are those of the folders that documents are in, each read once until they are forgotten.
type settings struct {
	load   func(folder string) (lint.Options, error)
	failed func(error)

	mu sync.Mutex
	by map[string]lint.Options
}

// of are the settings for a document. Where they cannot be read, that is told and the default ones hold.
func (s *settings) of(path string) lint.Options {
	folder := filepath.Dir(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	o, known := s.by[folder]
	if known {
		return o
	}
	o, err := s.load(folder)
	if err != nil {
		s.failed(err)
		o = lint.Options{}
	}
	o.Baseline = nil // an editor shows what is there
	s.by[folder] = o
	return o
}

func (s *settings) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.by)
}
