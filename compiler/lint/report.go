package lint

import (
	"maps"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Report is the outcome of one run.
type Report struct {
	Files       []File
	Diagnostics diag.List         // sorted, those of the baseline left out
	Sources     map[string][]byte // text of every file that a finding may stand in, by path
	Fixes       []Fix             // of those findings that have a safe one
	Known       int               // findings that the baseline hides
	Skipped     []string          // files of a searched folder whose kind cannot be told

	nested map[string]bool // templates that others of the run nest
}

// Merge gives the findings of several runs as one run over all their files gives them, where none has a baseline.
func Merge(reports ...*Report) diag.List {
	var all diag.List
	nested := map[string]bool{}
	for _, r := range reports {
		all = append(all, r.Diagnostics...)
		maps.Copy(nested, r.nested)
	}
	all = dropNested(all, nested)
	all.Sort()
	return dropWeaker(all)
}

// dropNested leaves out what is wrong with templates as roots that are nested in others.
func dropNested(l diag.List, nested map[string]bool) diag.List {
	return slices.DeleteFunc(l, func(d diag.Diagnostic) bool { return d.Rule == rootFacade.ID && nested[d.Path] })
}

// File is one file that was checked.
type File struct {
	Path  string
	Kind  Kind
	Valid bool // no finding in it is an error
}

// Kind is what a file is.
type Kind string

// The kinds.
const (
	KindTemplate    Kind = "template"
	KindEnvironment Kind = "environment"
	KindWorkflow    Kind = "workflow"
	KindWorkbook    Kind = "workbook"
	KindActions     Kind = "actions" // ad-hoc actions for workflows of other files
)

// ofMistral reports whether a kind is one of OpenStack Mistral's.
func (k Kind) ofMistral() bool { return k == KindWorkflow || k == KindWorkbook || k == KindActions }

// Count gives the number of findings of each severity.
func (r *Report) Count() (errors, warnings, infos int) {
	for _, d := range r.Diagnostics {
		switch d.Severity {
		case diag.Error:
			errors++
		case diag.Warning:
			warnings++
		default:
			infos++
		}
	}
	return errors, warnings, infos
}

// Invalid reports whether a file was found invalid, whatever the baseline hides.
func (r *Report) Invalid() bool {
	for _, f := range r.Files {
		if !f.Valid {
			return true
		}
	}
	return r.Diagnostics.HasErrors()
}
