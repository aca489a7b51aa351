package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

var sarifLevels = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "note"}

// The parts of SARIF 2.1.0 that findings need. A library for all of it costs a command that does not write SARIF a
// millisecond at its start.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string        `json:"id"`
		Short   *sarifMessage `json:"shortDescription,omitempty"`
		HelpURI string        `json:"helpUri,omitempty"`
		Default *sarifDefault `json:"defaultConfiguration,omitempty"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
)

func writeSARIF(w io.Writer, r *lint.Report, o Options) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifReport(r, o))
}

func sarifReport(r *lint.Report, o Options) sarifLog {
	driver := sarifDriver{Name: "hotloom", Version: o.Version, InformationURI: lint.HomeURL, Rules: []sarifRule{}}
	results := []sarifResult{}
	index := map[string]int{}
	for _, d := range r.Diagnostics {
		if _, ok := index[d.Rule]; !ok {
			index[d.Rule] = len(driver.Rules)
			driver.Rules = append(driver.Rules, sarifRuleOf(d.Rule))
		}
		text := d.Message
		if d.Suggestion != "" {
			text += " (" + d.Suggestion + ")"
		}
		result := sarifResult{
			RuleID: d.Rule, RuleIndex: index[d.Rule], Level: sarifLevels[d.Severity],
			Message: sarifMessage{text}, Locations: []sarifLocation{sarifLocationOf(d.Location)},
		}
		for i, s := range d.Trail {
			related := sarifLocationOf(s.Location)
			related.ID, related.Message = i+1, &sarifMessage{s.Message}
			result.Related = append(result.Related, related)
		}
		results = append(results, result)
	}
	run := sarifRun{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: results}
	return sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifRuleOf(id string) sarifRule {
	known := lint.RuleByID(id)
	if known == nil {
		return sarifRule{ID: id}
	}
	return sarifRule{
		ID: id, Short: &sarifMessage{known.Summary}, HelpURI: lint.PageURL(id),
		Default: &sarifDefault{sarifLevels[known.Severity]},
	}
}

func sarifLocationOf(l diag.Location) sarifLocation {
	path := &url.URL{Path: filepath.ToSlash(l.Path)}
	place := sarifPhysical{Artifact: sarifArtifact{path.String()}}
	if l.Start.Line > 0 {
		place.Region = &sarifRegion{StartLine: l.Start.Line, StartColumn: max(l.Start.Column, 1)}
		if l.Start.Before(l.End) {
			place.Region.EndLine, place.Region.EndColumn = l.End.Line, l.End.Column
		}
	}
	return sarifLocation{Physical: place}
}
