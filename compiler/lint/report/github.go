package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

var githubLevels = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}

var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes workflow commands, which GitHub shows as annotations at the lines.
func writeGitHub(w io.Writer, r *lint.Report, _ Options) error {
	b := bufio.NewWriter(w)
	for _, d := range r.Diagnostics {
		fmt.Fprintf(b, "::%s file=%s,line=%d,col=%d", githubLevels[d.Severity], githubProperty.Replace(d.Path),
			max(d.Start.Line, 1), max(d.Start.Column, 1))
		if d.End.Line == d.Start.Line && d.Start.Column < d.End.Column {
			fmt.Fprintf(b, ",endLine=%d,endColumn=%d", d.End.Line, d.End.Column)
		}
		text := d.Message
		if d.Suggestion != "" {
			text += " (" + d.Suggestion + ")"
		}
		fmt.Fprintf(b, ",title=%s::%s\n", githubProperty.Replace(d.Rule), githubData.Replace(text))
	}
	return b.Flush()
}
