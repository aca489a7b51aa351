package lsp

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// The kinds of code actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll.hotloom"
)

func actionsAt(s *server, snap *snapshot, p codeActionParams) ([]codeAction, error) {
	out := []codeAction{}
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil || v.Kind() == "" || v.refused != nil {
		return out, nil
	}
	checked, err := v.check()
	if err != nil {
		return nil, err
	}
	w := &actionWriter{writer: newWriter(snap, s.capabilities(), checked.report.Sources), view: v, report: checked.report}
	if wants(p.Context.Only, quickFix) {
		from, to := v.text.offset(p.Range.Start, snap.unit), v.text.offset(p.Range.End, snap.unit)
		for _, d := range checked.report.Diagnostics {
			if d.Path == path && v.text.place(d.Start) <= to && from <= max(v.text.place(d.End), v.text.place(d.Start)) {
				out = append(out, w.quick(d)...)
			}
		}
	}
	if edits := checked.report.Edits()[path]; len(edits) > 0 && wants(p.Context.Only, fixAll) {
		out = append(out, codeAction{Title: "hotloom: make all safe changes", Kind: fixAll, Edit: w.edit(edits)})
	}
	return out, nil
}

// wants reports whether a client asks for actions of a kind. Kinds are nested by dots.
func wants(only []string, kind string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k string) bool { return k == "" || k == kind || strings.HasPrefix(kind, k+".") })
}

type actionWriter struct {
	*writer
	view   *view
	report *lint.Report
}

// edit makes the edits in the document.
func (w *actionWriter) edit(edits []source.Edit) *workspaceEdit {
	out := make([]textEdit, len(edits))
	for i, e := range edits {
		start, end := w.view.text.place(e.Start), w.view.text.place(e.End)
		out[i] = textEdit{Range: span{w.view.text.position(start, w.snap.unit), w.view.text.position(max(end, start), w.snap.unit)}, NewText: e.New}
	}
	return w.edits(w.view.document, out)
}

// edits are the edits of one document, with its version where the client checks it.
func (w *writer) edits(d *document, edits []textEdit) *workspaceEdit {
	if !w.client.Workspace.WorkspaceEdit.DocumentChanges {
		return &workspaceEdit{Changes: map[string][]textEdit{d.uri: edits}}
	}
	var out documentEdit
	out.Document.URI, out.Document.Version, out.Edits = d.uri, &d.version, edits
	return &workspaceEdit{DocumentChanges: []documentEdit{out}}
}

// quick are the ways out of one finding.
func (w *actionWriter) quick(d diag.Diagnostic) []codeAction {
	var out []codeAction
	shown := []diagnostic{w.diagnostic(d)}
	for _, f := range w.report.Fixes {
		if f.Rule == d.Rule && f.At == d.Location && f.Edit.Path == d.Path {
			title := d.Suggestion
			if title == "" {
				title = "Fix: " + d.Message
			}
			out = append(out, codeAction{Title: title, Kind: quickFix, Diagnostics: shown, Preferred: true, Edit: w.edit([]source.Edit{f.Edit})})
		}
	}
	if edit, word, ok := w.replacement(d); ok && len(out) == 0 {
		out = append(out, codeAction{Title: "Change to " + word, Kind: quickFix, Diagnostics: shown, Preferred: true, Edit: w.edit([]source.Edit{edit})})
	}
	if edit, ok := w.ignore(d); ok {
		out = append(out, codeAction{Title: fmt.Sprintf("Ignore %s here", d.Rule), Kind: quickFix, Diagnostics: shown, Edit: w.edit([]source.Edit{edit})})
	}
	return out
}

// replacement is the edit that puts the suggested word in the place of one that was probably misspelt.
func (w *actionWriter) replacement(d diag.Diagnostic) (edit source.Edit, word string, ok bool) {
	word, ok = d.Replacement()
	if !ok {
		return edit, "", false
	}
	from, to := w.view.text.place(d.Start), w.view.text.place(d.End)
	if to <= from {
		return edit, "", false
	}
	old := w.view.text.bytes[from:to]
	quote := ""
	if old[0] == '"' || old[0] == '\'' {
		quote = string(old[:1])
	}
	name := unquote(old)
	if strings.ContainsAny(name, " \n{}[],\"'") || name == "" || diag.Nearest(name, []string{word}) != word {
		return edit, "", false
	}
	return source.Edit{Location: d.Location, New: quote + word + quote}, word, true
}

// ignore is the edit that silences a rule on the finding's line, by a comment above it or by one more rule in the comment
// that is there. Within a text over several lines, and in JSON, there are no comments.
func (w *actionWriter) ignore(d diag.Diagnostic) (source.Edit, bool) {
	t := w.view.text
	n := d.Start.Line - 1
	if lint.RuleByID(d.Rule) == nil || n < 0 || n >= len(t.starts) || bytes.HasPrefix(bytes.TrimSpace(t.bytes), []byte("{")) || w.view.Meaning().broken {
		return source.Edit{}, false
	}
	at := func(line, column int) diag.Location {
		p := diag.Pos{Line: line + 1, Column: column}
		return diag.Location{Path: d.Path, Start: p, End: p}
	}
	for _, line := range []int{n, n - 1} {
		text := string(t.line(line))
		i := strings.Index(text, lint.Marker)
		if i < 0 || line < n && strings.TrimSpace(text[:i]) != "" {
			continue
		}
		list := text[i+len(lint.Marker):]
		if stop := strings.IndexAny(list, " \t"); stop >= 0 {
			list = list[:stop]
		}
		column := len([]rune(strings.TrimPrefix(text[:i+len(lint.Marker)+len(list)], string(byteOrderMark)))) + 1
		return source.Edit{Location: at(line, column), New: "," + d.Rule}, true
	}
	if inText(w.view.Meaning().root, n+1) {
		return source.Edit{}, false
	}
	line := t.line(n)
	indent := line[:len(line)-len(bytes.TrimLeft(line, " "))]
	return source.Edit{Location: at(n, 1), New: string(indent) + lint.Marker + d.Rule + t.lineBreak()}, true
}

// lineBreak is what ends the document's lines.
func (t *text) lineBreak() string {
	if len(t.starts) > 1 && bytes.HasSuffix(t.bytes[:t.starts[1]], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// inText reports whether a line stands within a text that began on an earlier one.
func inText(root *source.Node, line int) bool {
	found := false
	root.Walk(func(n *source.Node) bool {
		if n.Start.Line > line || n.End.Line < line && n.End.Line > 0 {
			return false
		}
		found = found || n.Kind == source.String && n.Start.Line < line && line <= n.End.Line
		return !found
	})
	return found
}
