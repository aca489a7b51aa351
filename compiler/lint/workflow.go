package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// workflowKind tells documents of OpenStack Mistral: version 2 and workflows or a workbook.
func workflowKind(root *source.Node) (Kind, bool) {
	version := root.Get("version")
	if !root.Is(source.Map) || version == nil || version.Text != "2.0" && version.Text != "2" {
		return "", false
	}
	if root.Get("workflows") != nil || root.Get("actions") != nil {
		return KindWorkbook, true
	}
	for _, p := range root.Pairs {
		if p.Value.Get("tasks") != nil {
			return KindWorkflow, true
		}
	}
	return "", false
}

func checkWorkflow(file *source.File) diag.List { return nil }
