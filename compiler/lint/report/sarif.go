package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

const (
	toolURI = "https://github.com/hotloom/hotloom"
	pageURI = toolURI + "/blob/main/docs/rules/"
)

var sarifLevels = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "note"}

func writeSARIF(w io.Writer, r *lint.Report, o Options) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifReport(r, o))
}

func sarifReport(r *lint.Report, o Options) *sarif.Report {
	run := sarif.NewRunWithInformationURI("hotloom", toolURI)
	if o.Version != "" {
		run.Tool.Driver.WithVersion(o.Version)
	}
	run.WithColumnKind("unicodeCodePoints")
	for _, d := range r.Diagnostics {
		rule := run.AddRule(d.Rule)
		if known := lint.RuleByID(d.Rule); known != nil && rule.ShortDescription == nil {
			rule.WithShortDescription(sarif.NewMultiformatMessageString().WithText(known.Summary)).
				WithHelpURI(pageURI + d.Rule + ".md").
				WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevels[known.Severity]))
		}
		text := d.Message
		if d.Suggestion != "" {
			text += " (" + d.Suggestion + ")"
		}
		result := run.CreateResultForRule(d.Rule).
			WithLevel(sarifLevels[d.Severity]).
			WithMessage(sarif.NewTextMessage(text)).
			WithLocations([]*sarif.Location{sarifLocation(d.Location)})
		for i, s := range d.Trail {
			result.AddRelatedLocation(sarifLocation(s.Location).WithID(i + 1).WithMessage(sarif.NewTextMessage(s.Message)))
		}
	}
	out := sarif.NewReport()
	out.AddRun(run)
	return out
}

func sarifLocation(l diag.Location) *sarif.Location {
	path := &url.URL{Path: filepath.ToSlash(l.Path)}
	place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(path.String()))
	if l.Start.Line > 0 {
		region := sarif.NewRegion().WithStartLine(l.Start.Line).WithStartColumn(max(l.Start.Column, 1))
		if l.Start.Before(l.End) {
			region.WithEndLine(l.End.Line).WithEndColumn(l.End.Column)
		}
		place.WithRegion(region)
	}
	return sarif.NewLocationWithPhysicalLocation(place)
}
