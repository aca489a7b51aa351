// Package compiler is the pipeline from an author's template to plain stock HOT: Load → Check → Weave → Emit.
//
// It knows nothing of clouds, engines or plugins. Every stage gives what it could make of its input together with its
// findings; a later stage runs only where it has something to work on.
package compiler

import (
	"io/fs"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/templates"
)

// Unit is one template on its way through the pipeline.
type Unit struct {
	*project.Project
	rules  lint.Options
	loaded diag.List
}

// NewFiles makes the set of files that units read from: the disk, and the library that hotloom brings.
func NewFiles() *source.Files { return NewFilesOver(nil) }

// NewFilesOver is NewFiles with texts that stand in the place of the files at their absolute paths.
func NewFilesOver(texts map[string][]byte) *source.Files {
	return source.NewFiles(source.FilesOptions{Mounts: map[string]fs.FS{weave.LibraryPath: templates.FS()}, Over: texts})
}

// Load reads a template with all files that it names, and with the environments and under the types and settings of
// the rules. What is wrong is found by Check.
func Load(files *source.Files, path string, rules lint.Options) *Unit {
	p, found := project.Load(files, path, project.Options{
		Environments: rules.Environments, Parameters: rules.Parameters, Catalog: rules.Catalog,
	})
	return &Unit{Project: p, rules: rules, loaded: found}
}

// Check finds everything that Heat would refuse in what was loaded, now or under other values. What the author would
// merely regret is for lint to say.
func (u *Unit) Check() diag.List {
	return slices.DeleteFunc(lint.Project(u.Project, u.loaded, u.rules), func(d diag.Diagnostic) bool {
		r := lint.RuleByID(d.Rule)
		return d.Severity != diag.Error && (r == nil || r.Severity != diag.Error)
	})
}

// Weave makes hosts, steps and the graph. The findings are about hotloom's additions only.
func (u *Unit) Weave() (*weave.Program, diag.List) {
	return weave.Weave(u.Template, weave.ForProject(u.Project))
}

// Emit makes the output of a target. Where a finding is an error the output is not to be used.
func (u *Unit) Emit(program *weave.Program, target emit.Target, o plain.Options) (*plain.Output, diag.List) {
	o.Open = func(from, name string) (*source.File, error) {
		return u.Files.Resolve(&source.File{Path: from}, name)
	}
	return target.Emit(program, o)
}

// Compile is the whole pipeline. The output is nil where a finding is an error. Plain HOT passes as it is as long as its
// structure is right: what Heat would refuse in it is told, as warnings, and left to its author.
func (u *Unit) Compile(target emit.Target, o plain.Options) (*plain.Output, diag.List) {
	found := u.Check()
	program, more := u.Weave()
	found = append(found, more...)
	if program.Plain() && !u.Broken && !u.Faulty {
		for i := range found {
			found[i].Severity = max(found[i].Severity, diag.Warning)
		}
	}
	var out *plain.Output
	if !found.HasErrors() {
		out, more = u.Emit(program, target, o)
		if found = append(found, more...); found.HasErrors() {
			out = nil
		}
	}
	found.Sort()
	return out, found
}
