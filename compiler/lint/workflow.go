package lint

import (
	"maps"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// workflowKind tells documents of OpenStack Mistral: workflows, a workbook, or ad-hoc actions.
func workflowKind(root *source.Node, text []byte) (Kind, bool) {
	if !root.Is(source.Map) {
		return "", false
	}
	version := root.Get("version")
	sure := version != nil && (version.Text == "2.0" || version.Text == "2")
	switch kind := workflow.Guess(root, text); {
	case sure && kind == workflow.Workbook:
		return KindWorkbook, true
	case sure && kind == workflow.Actions && actionsOnly(root):
		return KindActions, true
	}
	for _, p := range root.Pairs {
		if tasks := p.Value.Get("tasks"); tasks != nil && (sure || callsSomething(tasks)) {
			return KindWorkflow, true
		}
	}
	return "", false
}

// actionsOnly reports whether every member of a document is an ad-hoc action.
func actionsOnly(root *source.Node) bool {
	for _, p := range root.Pairs {
		if p.Key.Text != "version" && p.Value.Get("base") == nil {
			return false
		}
	}
	return true
}

// callsSomething reports whether a map looks like tasks of Mistral in a document that does not say so by
// its version.
func callsSomething(tasks *source.Node) bool {
	for _, p := range tasks.Pairs {
		if p.Value.Get("action") != nil || p.Value.Get("workflow") != nil {
			return true
		}
	}
	return false
}

// checkWorkflow checks a document of OpenStack Mistral, and tells of one that was named whether it is a workbook.
func (r *runner) checkWorkflow(file *source.File, kind Kind) (diag.List, Kind) {
	doc, found := workflow.Parse(file, workflow.Auto)
	found.Add(workflow.Lint(doc, workflow.LintOptions{Provided: r.opts.Actions, Actions: func(name string) (workflow.ActionInputs, bool) {
		in, ok := r.actions()[name]
		return in, ok
	}})...)
	if kind == KindWorkflow && doc.Kind == workflow.Workbook {
		kind = KindWorkbook
	}
	return found, kind
}

// beside are files that may define ad-hoc actions.
func beside(paths []string, files *source.Files) []input {
	var out []input
	for _, p := range paths {
		if kind, ok := KindOf(p, files); ok {
			out = append(out, input{p, kind})
		}
	}
	return out
}

// adHocActions gives the inputs of the ad-hoc actions that the files of a run define, by the name that workflows of
// other files call them. A name with two different definitions is left out: which one Mistral has is not known.
func adHocActions(inputs []input, files *source.Files) map[string]workflow.ActionInputs {
	out, disputed := map[string]workflow.ActionInputs{}, map[string]bool{}
	for _, in := range inputs {
		if in.kind != KindActions && in.kind != KindWorkbook {
			continue
		}
		file, err := files.Open(in.path)
		if err != nil {
			continue
		}
		doc, _ := workflow.Parse(file, workflow.Auto)
		for _, a := range doc.Actions {
			name, takes := a.FullName(), a.Takes()
			if earlier, ok := out[name]; ok && !maps.Equal(earlier, takes) {
				disputed[name] = true
			}
			out[name] = takes
		}
	}
	maps.DeleteFunc(out, func(name string, _ workflow.ActionInputs) bool { return disputed[name] })
	return out
}
