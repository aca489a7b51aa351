package workflow

import (
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Rules of the error findings. Each stands for what Mistral refuses.
const (
	ruleShape      = "workflow-shape"
	ruleUnknownKey = "workflow-unknown-key"
	ruleMissingKey = "workflow-missing-key"
	ruleExpression = "workflow-expression"
	ruleItems      = "workflow-with-items"
	ruleCommand    = "workflow-command"
	ruleName       = "workflow-name"
	ruleStart      = "workflow-no-start"
	ruleTask       = "workflow-unknown-task"
	ruleJoin       = "workflow-join"
	rulePublish    = "workflow-publish"
)

func noDefinitions(n *source.Node, k Kind) diag.Diagnostic {
	return diag.Errorf(n.At(), ruleShape, "the document has no %s besides version", k)
}

func noDocument(n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), ruleShape, "%s is not a document: a mapping is expected", describe(n))
}

func noMapping(n *source.Node, what, name string) diag.Diagnostic {
	return diag.Errorf(n.At(), ruleShape, "%s %q is %s, not a mapping", what, name, describe(n))
}

func emptyName(at diag.Location, what string) diag.Diagnostic {
	return diag.Errorf(at, ruleName, "the name of %s is empty", what)
}

func nameLikeUUID(w *Workflow) diag.Diagnostic {
	return diag.Errorf(w.At, ruleName, "workflow %q is named like a UUID, which Mistral keeps for identifiers", w.Name).With("choose a name of words")
}

func nameTooLong(t *Task, length, limit int) diag.Diagnostic {
	what := "task"
	if t.Join.Is() {
		what = "join task"
	}
	return diag.Errorf(t.At, ruleName, "a %s name of %d characters is longer than the %d that Mistral stores", what, length, limit)
}

func badCommand(n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), ruleCommand, "%s does not begin with a name", describe(n)).With("write NAME key=value …")
}

func inputIsText(n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), ruleCommand, "inline parameters cannot be merged into an input that is one expression").
		With("move the parameters into a mapping under input")
}

func badItems(n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), ruleItems, "%s is not VAR in LIST, where LIST is [JSON, …] or an expression", describe(n))
}

func badItemList(n *source.Node, list string, err error) diag.Diagnostic {
	return diag.Errorf(n.At(), ruleItems, "the list %s is not JSON: %v", list, err)
}

func noStart(w *Workflow) diag.Diagnostic {
	return diag.Errorf(w.At, ruleStart, "workflow %q has no task to start with: every task is the target of a transition", w.Name).
		With("remove a transition to the first task")
}

func unknownTask(at diag.Location, w *Workflow, name string, commands bool) diag.Diagnostic {
	names := w.taskNames()
	what := "a task"
	if commands {
		names = append(names, Commands...)
		what = "a task or a command (" + strings.Join(Commands, ", ") + ")"
	}
	d := diag.Errorf(at, ruleTask, "%q is not %s of workflow %q", name, what, w.Name)
	if near := diag.Nearest(name, names); near != "" {
		d = d.With("did you mean %q?", near)
	}
	return d
}

func joinWithoutInbound(t *Task) diag.Diagnostic {
	return diag.Errorf(t.At, ruleJoin, "task %q joins all inbound tasks, but no transition leads to it", t.Name)
}

func joinTooFew(t *Task, want string, have int) diag.Diagnostic {
	return diag.Errorf(t.At, ruleJoin, "task %q joins %s inbound tasks, but only %d lead to it", t.Name, want, have)
}

func publishNothing(n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), rulePublish, "a publish section needs branch, global or atomic")
}

func mixedLanguages(at diag.Location) diag.Diagnostic {
	return diag.Errorf(at, ruleExpression, "a text can hold YAQL <%% … %%> or Jinja {{ … }}, not both").
		With("write the whole text in one language")
}

func badExpression(at diag.Location, language, expression, message string) diag.Diagnostic {
	return diag.Errorf(at, ruleExpression, "%s: %s in %s", language, message, fmt.Sprintf("%q", expression))
}
