package lsp

import (
	"fmt"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

// writer writes findings and places as the protocol has them.
type writer struct {
	snap   *snapshot
	client clientCapabilities
	files  map[string][]byte // texts of files that are not open
	texts  map[string]*text  // with their lines, as far as they were needed
}

func newWriter(snap *snapshot, client clientCapabilities, files map[string][]byte) *writer {
	return &writer{snap: snap, client: client, files: files, texts: map[string]*text{}}
}

// uri is the name of a file as its client knows it; ok is false for what is not on the disk.
func (w *writer) uri(path string) (string, bool) {
	if d := w.snap.docs[path]; d != nil {
		return d.uri, true
	}
	return uriOf(path)
}

func (w *writer) text(path string) *text {
	if d := w.snap.docs[path]; d != nil {
		return d.text
	}
	t := w.texts[path]
	if t == nil {
		t = newText(w.files[path])
		w.texts[path] = t
	}
	return t
}

// location is a place; ok is false for what is not on the disk.
func (w *writer) location(l diag.Location) (location, bool) {
	uri, ok := w.uri(l.Path)
	return location{URI: uri, Range: w.text(l.Path).span(l, w.snap.unit)}, ok
}

var lspSeverities = map[diag.Severity]int{diag.Error: severityError, diag.Warning: severityWarning, diag.Info: severityInfo}

var tags = map[lint.Tag]int{lint.Unnecessary: tagUnnecessary, lint.Deprecated: tagDeprecated}

func (w *writer) diagnostics(l diag.List) []diagnostic {
	out := make([]diagnostic, 0, len(l))
	for _, d := range l {
		out = append(out, w.diagnostic(d))
	}
	return out
}

func (w *writer) diagnostic(d diag.Diagnostic) diagnostic {
	can := w.client.TextDocument.PublishDiagnostics
	out := diagnostic{
		Range: w.text(d.Path).span(d.Location, w.snap.unit), Severity: lspSeverities[d.Severity],
		Code: d.Rule, Source: "hotloom", Message: d.Message,
	}
	if d.Suggestion != "" {
		out.Message += "\n" + d.Suggestion
	}
	if rule := lint.RuleByID(d.Rule); rule != nil {
		if can.CodeDescription {
			out.Description = &codeDescription{Href: lint.PageURL(d.Rule)}
		}
		if tag, ok := tags[rule.Tag]; ok && slices.Contains(can.TagSupport.ValueSet, tag) {
			out.Tags = []int{tag}
		}
	}
	for _, step := range d.Trail {
		at, ok := w.location(step.Location)
		switch {
		case ok && can.RelatedInformation:
			out.Related = append(out.Related, relatedInformation{Location: at, Message: step.Message})
		default:
			out.Message += fmt.Sprintf("\n%s: %s", step.Location, step.Message)
		}
	}
	return out
}
