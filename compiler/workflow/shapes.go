package workflow

import "github.com/hotloom/hotloom/compiler/value/lazyregexp"

// The shapes of the language, as Mistral's schemas state them (mistral/lang/types.py and mistral/lang/v2). What looks
// odd here is so there: a pattern holds only for keys that it matches, so keys of other characters pass unchecked, and
// `$` of Python's regular expressions also stands before a last newline.

var (
	pyWord  = `[\pL\pN_]`
	pySpace = `[\s\x0b\x1c-\x1f\x{85}\p{Z}]`

	wordKey = lazyregexp.New(`^` + pyWord + `+\n?$`)

	yaqlPattern  = `<%.*?%>`
	jinjaPattern = `(?:\{\{(?:.*?)\}\})`

	nextName     = lazyregexp.New(`^[^\s\x0b\x1c-\x1f\x{85}\p{Z}]+\n?$`)
	nextCommand  = lazyregexp.New(`^` + pyWord + `+ ` + pyWord + `+=(?:.*)\n?$`)
	nextBrackets = lazyregexp.New(`^` + pyWord + `+\(` + pyWord + `+=(?:.*)\)\n?$`)
)

var (
	anything        = &shape{}
	nonEmptyText    = &shape{want: "a non-empty text", types: text, minLen: 1}
	uniqueTexts     = &shape{want: "a list of distinct non-empty texts", types: array, items: nonEmptyText, unique: true, minItems: 1}
	naturalNumber   = &shape{want: "a whole number from 0", types: integer, natural: true}
	truth           = &shape{want: "true or false", types: boolean}
	anyType         = &shape{want: "a value", types: array | boolean | integer | number | object | text}
	anyTypeOrNull   = &shape{want: "a value", types: null | array | boolean | integer | number | object | text}
	wordPatterns    = []keyPattern{{wordKey, anyTypeOrNull}}
	nonEmptyMapping = &shape{want: "a non-empty mapping", types: object, minKeys: 1, patterns: wordPatterns}
	oneKeyMapping   = &shape{want: "a mapping of one key", types: object, minKeys: 1, maxKeys: 1, patterns: wordPatterns}

	expressionShape = &shape{want: "one expression: <% … %> or {{ … }}", oneOf: []*shape{
		{types: text, pattern: lazyregexp.New(`^` + jinjaPattern + pySpace + `*$`)},
		{types: text, pattern: lazyregexp.New(`^` + yaqlPattern + pySpace + `*$`)},
	}}
	naturalOrExpression = &shape{want: "a whole number from 0, or one expression", oneOf: []*shape{expressionShape, naturalNumber}}
	truthOrExpression   = &shape{want: "true, false, or one expression", oneOf: []*shape{expressionShape, truth}}

	versionShape = &shape{want: "a version, such as '2.0'", anyOf: []*shape{
		nonEmptyText, naturalNumber, {types: number, natural: true},
	}}
	inputList = &shape{
		want: "a list of distinct names or NAME: DEFAULT", types: array, unique: true, minItems: 1,
		items: &shape{want: "a name or a mapping of one key, NAME: DEFAULT", oneOf: []*shape{nonEmptyText, oneKeyMapping}},
	}
	textOrTexts = &shape{want: "a text or a list of distinct texts", oneOf: []*shape{nonEmptyText, uniqueTexts}}
)

// entity adds what every named part of the language may have; name and version are set by the reader, so what the
// author writes there is not looked at where written is false.
func entity(keys map[string]*shape, written bool) map[string]*shape {
	out := map[string]*shape{
		"name": anything, "version": anything,
		"description": nonEmptyText, "tags": uniqueTexts,
	}
	if written {
		out["name"], out["version"] = nonEmptyText, versionShape
	}
	for k, s := range keys {
		out[k] = s
	}
	return out
}

var retryShape = &shape{
	want: "a retry policy with count and delay",
	keys: entity(nil, true),
	oneOf: []*shape{
		{
			want: "a retry policy", types: object, closed: true, required: []string{"delay", "count"},
			keys: map[string]*shape{
				"count": naturalOrExpression, "delay": naturalOrExpression,
				"break-on": expressionShape, "continue-on": expressionShape,
			},
		},
		nonEmptyText,
	},
}

var publishShape = &shape{
	want: "a publish section (branch, global)", types: object, closed: true,
	keys: entity(map[string]*shape{"branch": nonEmptyMapping, "global": nonEmptyMapping, "atomic": nonEmptyMapping}, true),
}

var (
	nextTask = &shape{want: "a task name, or a command such as fail msg=\"…\"", oneOf: []*shape{
		{types: text, pattern: nextName}, {types: text, pattern: nextCommand}, {types: text, pattern: nextBrackets},
	}}
	nextIf = &shape{
		want: "TASK: <% condition %>", types: object, minKeys: 1, maxKeys: 1,
		patterns: []keyPattern{{nextName, expressionShape}, {nextCommand, expressionShape}, {nextBrackets, expressionShape}},
	}
	nextList = &shape{
		want: "a list of distinct transitions", types: array, unique: true, minItems: 1,
		items: &shape{want: "a task name or TASK: <% condition %>", oneOf: []*shape{nextTask, nextIf}},
	}
	clauseShape = &shape{
		want: "a task name, a list of transitions, or a mapping with publish and next",
		keys: entity(nil, true),
		oneOf: []*shape{nextTask, nextIf, nextList, {
			want: "a transition clause", types: object, minKeys: 1, closed: true,
			keys: map[string]*shape{
				"publish": publishShape,
				"next":    {want: "a task name or a list of transitions", oneOf: []*shape{nextTask, nextIf, nextList}},
			},
		}},
	}
)

func policyKeys(more map[string]*shape) map[string]*shape {
	keys := map[string]*shape{
		"retry": retryShape, "wait-before": naturalOrExpression, "wait-after": naturalOrExpression,
		"timeout": naturalOrExpression, "pause-before": truthOrExpression, "concurrency": naturalOrExpression,
		"fail-on": truthOrExpression,
	}
	for k, s := range more {
		keys[k] = s
	}
	return keys
}

var defaultsShape = &shape{
	want: "task-defaults", types: object, closed: true,
	keys: entity(policyKeys(map[string]*shape{
		"on-complete": clauseShape, "on-success": clauseShape, "on-error": clauseShape, "on-skip": clauseShape,
		"safe-rerun": truthOrExpression, "requires": textOrTexts,
	}), true),
}

func taskShape(own map[string]*shape) *shape {
	keys := policyKeys(map[string]*shape{
		"type": anything, "action": nonEmptyText, "workflow": nonEmptyText,
		"input":      {want: "a non-empty mapping, or an expression that gives one", oneOf: []*shape{nonEmptyMapping, nonEmptyText}},
		"with-items": {want: "VAR in LIST, or a list of such texts", oneOf: []*shape{nonEmptyText, uniqueTexts}},
		"publish":    nonEmptyMapping, "publish-on-error": nonEmptyMapping, "publish-on-skip": nonEmptyMapping,
		"target": nonEmptyText, "keep-result": truthOrExpression, "safe-rerun": truthOrExpression,
	})
	for k, s := range own {
		keys[k] = s
	}
	return &shape{
		want: "a task", types: object, closed: true, keys: entity(keys, false),
		not: &shape{types: object, required: []string{"action", "workflow"}},
	}
}

var (
	directTask = taskShape(map[string]*shape{
		"join": {want: "all, one, or a whole number", oneOf: []*shape{
			{want: "all, one, or a whole number", oneWord: []string{"all", "one"}}, naturalNumber,
		}},
		"on-complete": clauseShape, "on-success": clauseShape, "on-error": clauseShape, "on-skip": clauseShape,
	})
	reverseTask = taskShape(map[string]*shape{"requires": textOrTexts})

	workflowShape = &shape{
		want: "a workflow", types: object, required: []string{"tasks"},
		keys: map[string]*shape{
			"type":          {want: "direct or reverse", oneWord: []string{"reverse", "direct"}},
			"task-defaults": nonEmptyMapping, "input": inputList, "output": nonEmptyMapping, "output-on-error": nonEmptyMapping,
			"vars": nonEmptyMapping, "tags": uniqueTexts,
			"tasks": {want: "a non-empty mapping of tasks", types: object, minKeys: 1, patterns: []keyPattern{{wordKey, nonEmptyMapping}}},
		},
	}
	actionShape = &shape{
		want: "an ad-hoc action", types: object, required: []string{"base"}, closed: true,
		keys: entity(map[string]*shape{"base": nonEmptyText, "base-input": nonEmptyMapping, "input": inputList, "output": anyTypeOrNull}, false),
	}
	listShape = &shape{
		want: "a list of definitions with the key version", types: object, required: []string{"version"},
		keys: map[string]*shape{"version": versionShape}, rest: nonEmptyMapping,
	}

	memberKey    = lazyregexp.New(`^(?:[\pL\pN_-]+)\n?$`)
	membersShape = &shape{
		want: "a non-empty mapping", types: object, minKeys: 1, closed: true,
		keys: map[string]*shape{"version": {want: "the version '2.0'", anyOf: []*shape{
			{oneWord: []string{"2.0"}}, {types: number, isTwo: true},
		}}},
		patterns: []keyPattern{{memberKey, anyType}},
	}
	workbookShape = &shape{
		want: "a workbook", types: object, closed: true, required: []string{"name", "version"},
		keys: entity(map[string]*shape{"version": {want: "the text '2.0'", oneWord: []string{"2.0"}}, "actions": membersShape, "workflows": membersShape}, true),
	}
)
