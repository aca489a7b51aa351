package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

var gitlabLevels = map[diag.Severity]string{diag.Error: "major", diag.Warning: "minor", diag.Info: "info"}

// gitlabIssue is an entry of GitLab's code quality report.
type gitlabIssue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// writeGitLab writes a code quality report. A fingerprint does not contain the line, so that a finding stays the same
// when lines above it change; equal findings of a file are counted.
func writeGitLab(w io.Writer, r *lint.Report, _ Options) error {
	seen := map[string]int{}
	out := make([]gitlabIssue, 0, len(r.Diagnostics))
	for _, d := range r.Diagnostics {
		key := d.Path + "\x00" + d.Rule + "\x00" + d.Message
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		seen[key]++
		issue := gitlabIssue{
			Description: d.Message, CheckName: d.Rule, Fingerprint: hex.EncodeToString(sum[:16]), Severity: gitlabLevels[d.Severity],
		}
		if d.Suggestion != "" {
			issue.Description += " (" + d.Suggestion + ")"
		}
		issue.Location.Path = filepath.ToSlash(d.Path)
		issue.Location.Lines.Begin = max(d.Start.Line, 1)
		out = append(out, issue)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
