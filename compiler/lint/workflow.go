package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// workflowKind tells documents of OpenStack Mistral: version 2 and workflows or a workbook.
func workflowKind(root *source.Node, text []byte) (Kind, bool) {
	version := root.Get("version")
	if !root.Is(source.Map) || version == nil || version.Text != "2.0" && version.Text != "2" {
		return "", false
	}
	if workflow.Guess(root, text) == workflow.Workbook {
		return KindWorkbook, true
	}
	for _, p := range root.Pairs {
		if p.Value.Get("tasks") != nil {
			return KindWorkflow, true
		}
	}
	return "", false
}

// checkWorkflow checks a document of OpenStack Mistral.
func checkWorkflow(file *source.File) diag.List {
	_, found := workflow.Parse(file, workflow.Auto)
	return found
}
