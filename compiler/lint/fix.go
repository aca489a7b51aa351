package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Fix is a safe change of the text that removes a finding. What it changes of the meaning that Heat sees, the finding's
// rule says.
type Fix struct {
	Rule string
	At   diag.Location // that of the finding
	Edit source.Edit
}

// reportFix reports a finding that an edit removes.
func (p *Pass) reportFix(d diag.Diagnostic, edit source.Edit) {
	p.report(d)
	if p.fix != nil && edit.Start.Line > 0 {
		p.fix(Fix{Rule: d.Rule, At: d.Location, Edit: edit})
	}
}

// rewrite is the edit that gives a scalar another text in its own style.
func rewrite(n *source.Node, text string) source.Edit {
	switch n.Style {
	case source.SingleQuoted:
		text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case source.DoubleQuoted:
		text = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return source.Edit{Location: n.At(), New: text}
}

// quoted is the edit that puts a plain scalar into quotes.
func quoted(n *source.Node) source.Edit {
	return source.Edit{Location: n.At(), New: "'" + n.Text + "'"}
}

// Edits gives for each file the edits of the report's fixes that can be made together. Where two fixes touch the same text
// the first is among them; the next run finds the other again.
func (r *Report) Edits() map[string][]source.Edit {
	byPath := map[string][]source.Edit{}
	for _, f := range r.Fixes {
		edits := byPath[f.Edit.Path]
		if !slices.ContainsFunc(edits, func(e source.Edit) bool { return overlap(e, f.Edit) }) {
			byPath[f.Edit.Path] = append(edits, f.Edit)
		}
	}
	return byPath
}

// Fixed gives the new text of each file that the report's fixes change.
func (r *Report) Fixed() (map[string][]byte, error) {
	out := map[string][]byte{}
	for path, edits := range r.Edits() {
		text, err := source.Apply(r.Sources[path], edits)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out[path] = text
	}
	return out, nil
}

func overlap(a, b source.Edit) bool {
	return a.Start.Before(b.End) && b.Start.Before(a.End) || a.Start == b.Start
}

// keepFixes drops fixes whose finding is not among those that are left.
func keepFixes(fixes []Fix, left diag.List) []Fix {
	type key struct {
		rule string
		at   diag.Location
	}
	kept := map[key]bool{}
	for _, d := range left {
		kept[key{d.Rule, d.Location}] = true
	}
	fixes = slices.DeleteFunc(fixes, func(f Fix) bool { return !kept[key{f.Rule, f.At}] })
	slices.SortStableFunc(fixes, func(a, b Fix) int {
		switch {
		case a.Edit.Path != b.Edit.Path:
			return strings.Compare(a.Edit.Path, b.Edit.Path)
		case a.Edit.Start.Before(b.Edit.Start):
			return -1
		case b.Edit.Start.Before(a.Edit.Start):
			return 1
		}
		return 0
	})
	return slices.CompactFunc(fixes, func(a, b Fix) bool { return a == b })
}
