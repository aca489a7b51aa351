package report

import (
	"encoding/json"
	"io"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

// The JSON contract of `lint --format json`: fields may be added, never changed.
type jsonReport struct {
	Version     int           `json:"version"`
	Files       []jsonFile    `json:"files"`
	Diagnostics []jsonFinding `json:"diagnostics"`
}

type jsonFile struct {
	Path  string    `json:"path"`
	Kind  lint.Kind `json:"kind"`
	Valid bool      `json:"valid"`
}

type jsonFinding struct {
	Path       string        `json:"path"`
	Line       int           `json:"line"`
	Column     int           `json:"column"`
	EndLine    int           `json:"end_line"`
	EndColumn  int           `json:"end_column"`
	Severity   diag.Severity `json:"severity"`
	Rule       string        `json:"rule"`
	Message    string        `json:"message"`
	Suggestion string        `json:"suggestion,omitempty"`
	Trail      []jsonStep    `json:"trail,omitempty"`
}

type jsonStep struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func writeJSON(w io.Writer, r *lint.Report, _ Options) error {
	out := jsonReport{Version: 1, Files: make([]jsonFile, 0, len(r.Files)), Diagnostics: make([]jsonFinding, 0, len(r.Diagnostics))}
	for _, f := range r.Files {
		out.Files = append(out.Files, jsonFile{f.Path, f.Kind, f.Valid})
	}
	for _, d := range r.Diagnostics {
		f := jsonFinding{
			Path: d.Path, Line: d.Start.Line, Column: d.Start.Column, EndLine: d.End.Line, EndColumn: d.End.Column,
			Severity: d.Severity, Rule: d.Rule, Message: d.Message, Suggestion: d.Suggestion,
		}
		for _, s := range d.Trail {
			f.Trail = append(f.Trail, jsonStep{s.Path, s.Start.Line, s.Start.Column, s.Message})
		}
		out.Diagnostics = append(out.Diagnostics, f)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
