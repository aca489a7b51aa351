package main

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/templates"
)

// fromLibrary puts the file of a workbook of the library for its name, or for that of a workflow in it, which then is the
// one to run. Other arguments stay as they are.
func fromLibrary(args []string) []string {
	if len(args) == 0 || templates.Workbook(args[0]) == "" {
		return args
	}
	out := append([]string{weave.LibraryPath + templates.Workbook(args[0])}, args[1:]...)
	for _, book := range templates.Workbooks() {
		if args[0] == book {
			return out
		}
	}
	if len(args) == 1 {
		out = append(out, args[0])
	}
	return out
}

// libraryOf lists the files of the library's workbooks whose workflows the tasks of a document run.
func libraryOf(doc *workflow.Document) []string {
	var out []string
	for _, w := range doc.Workflows {
		for _, t := range w.Tasks {
			file := templates.Workbook(t.Workflow)
			if file != "" && !slices.Contains(out, weave.LibraryPath+file) && templates.Workbook(w.Workbook) != file {
				out = append(out, weave.LibraryPath+file)
			}
		}
	}
	return out
}
