package workflow

import (
	"maps"
	"slices"
)

// The keys of the language's parts, as its schemas have them, sorted.

// WorkbookKeys lists the keys of a workbook.
func WorkbookKeys() []string { return keysOf(workbookShape) }

// WorkflowKeys lists the keys of a workflow.
func WorkflowKeys() []string { return keysOf(workflowShape) }

// DefaultsKeys lists the keys of task-defaults.
func DefaultsKeys() []string { return keysOf(defaultsShape, "name", "version", "description", "tags") }

// TaskKeys lists the keys of a task of a direct or reverse workflow.
func TaskKeys(reverse bool) []string {
	if reverse {
		return keysOf(reverseTask, "name", "version", "type")
	}
	return keysOf(directTask, "name", "version", "type")
}

// ActionKeys lists the keys of an ad-hoc action.
func ActionKeys() []string { return keysOf(actionShape, "name", "version") }

// RetryKeys lists the keys of a retry policy.
func RetryKeys() []string { return keysOf(retryShape.oneOf[0]) }

// PublishKeys lists the keys of a publish section within a clause.
func PublishKeys() []string {
	return keysOf(publishShape, "name", "version", "description", "tags")
}

// StdActions lists the names of Mistral's own actions, sorted.
func StdActions() []string { return actionsOf("std") }

func keysOf(s *shape, without ...string) []string {
	keys := slices.Sorted(maps.Keys(s.keys))
	return slices.DeleteFunc(keys, func(k string) bool { return slices.Contains(without, k) })
}
