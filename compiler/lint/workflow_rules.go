package lint

import "github.com/hotloom/hotloom/compiler/diag"

// workflowRules are what compiler/workflow reports: as errors what Mistral's validator refuses, as warnings what it
// accepts and what goes wrong when the workflow runs. Like the readers' rules they cannot be kept from running.
var workflowRules = []*Rule{
	{ID: "workflow-shape", Severity: diag.Error, Summary: "A part of a workflow has the wrong form.", Mistral: "Refuses the definition."},
	{ID: "workflow-unknown-key", Severity: diag.Error, Summary: "A workflow, task or action has a key that the language does not know.", Mistral: "Refuses the definition."},
	{ID: "workflow-missing-key", Severity: diag.Error, Summary: "A workflow, task or action lacks a key that the language requires.", Mistral: "Refuses the definition."},
	{ID: "workflow-expression", Severity: diag.Error, Summary: "A YAQL or Jinja expression does not parse.", Mistral: "Refuses the definition."},
	{ID: "workflow-with-items", Severity: diag.Error, Summary: "with-items has the wrong form.", Mistral: "Refuses the definition."},
	{ID: "workflow-command", Severity: diag.Error, Summary: "A short call of an action or workflow cannot be read.", Mistral: "Refuses the definition."},
	{ID: "workflow-name", Severity: diag.Error, Summary: "A name in a workflow document cannot be used.", Mistral: "Refuses the definition."},
	{ID: "workflow-no-start", Severity: diag.Error, Summary: "A direct workflow has no task that can start.", Mistral: "Refuses the definition."},
	{ID: "workflow-unknown-task", Severity: diag.Error, Summary: "A task is named that does not exist.", Mistral: "Refuses the definition."},
	{ID: "workflow-join", Severity: diag.Error, Summary: "A join can never be fulfilled.", Mistral: "Refuses the definition."},
	{ID: "workflow-publish", Severity: diag.Error, Summary: "A publish clause has the wrong form.", Mistral: "Refuses the definition."},
	{ID: "workflow-action-input", Severity: diag.Warning, Summary: "A task gives an action an input that it does not have, or lacks one that it needs.", Mistral: "Accepts the definition; the task fails when it runs, and with it the workflow."},
	{ID: "workflow-unknown-action", Severity: diag.Warning, Summary: "A task calls an action that Mistral does not have, and that no document defines.", Mistral: "Accepts the definition; the task fails when it runs, and with it the workflow."},
	{ID: "workflow-bare-word", Severity: diag.Warning, Summary: "A short call has a value that is neither quoted nor a number, list, map or expression.", Mistral: "Accepts the definition and does not see the parameter, or sees only a part of its value."},
	{ID: "workflow-late-expression", Severity: diag.Warning, Summary: "An expression does not parse where Mistral does not look before it runs.", Mistral: "Accepts the definition; the task fails when the expression is evaluated."},
	{ID: "workflow-unclosed-expression", Severity: diag.Warning, Summary: "A value begins an expression and does not end it.", Mistral: "Accepts the definition and takes the value for a text."},
	{ID: "workflow-function", Severity: diag.Warning, Summary: "An expression uses a function, filter or test that Mistral does not have.", Mistral: "Accepts the definition; the evaluation fails."},
	{ID: "workflow-variable", Severity: diag.Warning, Summary: "An expression reads a variable that nothing publishes before.", Mistral: "Accepts the definition; the evaluation fails, or a condition is taken for false."},
	{ID: "workflow-unused-input", Severity: diag.Warning, Summary: "An input of a workflow is never read.", Mistral: "Accepts the definition; callers have to give a value that means nothing."},
	{ID: "workflow-ignored-key", Severity: diag.Warning, Summary: "A workflow has a key that Mistral does not know.", Mistral: "Accepts the definition and ignores the key."},
	{ID: "workflow-unreachable", Severity: diag.Warning, Summary: "A task can never run.", Mistral: "Accepts the definition; the task never starts."},
	{ID: "workflow-join-again", Severity: diag.Warning, Summary: "A join of a number waits for fewer tasks than lead to it.", Mistral: "Runs the task again for each of the others that ends later."},
	{ID: "workflow-join-never", Severity: diag.Warning, Summary: "A join of all waits for two tasks of which only one can run.", Mistral: "Accepts the definition; the join fails, or never starts."},
	{ID: "workflow-join-guarded", Severity: diag.Warning, Summary: "A join of all waits for a transition that has a condition.", Mistral: "Accepts the definition; where the condition is false the join fails."},
	{ID: "workflow-new", Severity: diag.Warning, Summary: "A key needs a newer Mistral than release 15 (Zed).", Mistral: "Older releases refuse the definition."},
	{ID: "workflow-void-clause", Severity: diag.Warning, Summary: "A mapping stands where transitions are meant, and leads nowhere.", Mistral: "Reads a mapping as publish and next, and finds neither."},
	{ID: "workflow-lost-condition", Severity: diag.Warning, Summary: "A condition of a transition stands in a mapping under next.", Mistral: "Drops the condition: the transition is always taken."},
	{ID: "workflow-atomic", Severity: diag.Warning, Summary: "publish.atomic has no effect.", Mistral: "Reads the section and does nothing with it."},
	{ID: "workflow-lost-publish", Severity: diag.Warning, Summary: "What a task publishes is lost, since another clause publishes too.", Mistral: "Accepts the definition; later tasks do not find the variables."},
	{ID: "workflow-no-effect", Severity: diag.Warning, Summary: "A policy of a task has no effect.", Mistral: "Accepts the definition and does not apply the policy."},
	{ID: "workflow-blank-name", Severity: diag.Warning, Summary: "The name of a workflow has a blank in it.", Mistral: "Its validator accepts the definition; its API stores no such name."},
	{ID: "workflow-command-name", Severity: diag.Warning, Summary: "A task has the name of a command of the engine.", Mistral: "A transition to the name runs the command, never the task."},
}
