package workflow

import (
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/value"
)

const ruleInput = "workflow-input"

// CheckInput compares the input that a workflow is to be started with, nil being none, with the inputs that it
// declares. Mistral refuses such a start too ("Invalid input"), but does not say what would fit.
func (w *Workflow) CheckInput(given *value.Map) diag.List {
	var out diag.List
	declared := map[string]bool{}
	names := make([]string, len(w.Input))
	for i, p := range w.Input {
		declared[p.Name], names[i] = true, p.Name
		if p.HasDefault {
			continue
		}
		if given == nil || !has(given, p.Name) {
			out.Add(diag.Errorf(p.At, ruleInput, "workflow %q needs the input %q, which is not given", w.FullName(), p.Name))
		}
	}
	if given == nil {
		return out
	}
	for k := range given.All() {
		name := value.Str(k)
		if declared[name] {
			continue
		}
		d := diag.Errorf(w.At, ruleInput, "workflow %q has no input %q", w.FullName(), name)
		switch near := diag.Nearest(name, names); {
		case near != "":
			d.Suggestion = fmt.Sprintf("did you mean %q?", near)
		case len(names) > 0:
			d.Suggestion = "it has " + strings.Join(names, ", ")
		}
		out.Add(d)
	}
	return out
}

func has(m *value.Map, name string) bool {
	_, ok := m.GetStr(name)
	return ok
}
