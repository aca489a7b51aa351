package lsp

import "sync"

// functionDocs says in a sentence what each function comes to.
var functionDocs = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"get_param":           "The value of a parameter, or of a part of it.",
		"get_resource":        "The id of a resource, which is made first.",
		"get_attr":            "An attribute of a resource, which is made first.",
		"get_file":            "The content of a file beside the template, as text.",
		"list_join":           "The items of lists as one text, with a delimiter between them.",
		"str_replace":         "A text in which placeholders are replaced.",
		"str_replace_strict":  "str_replace that fails where a placeholder is not in the text.",
		"str_replace_vstrict": "str_replace_strict that also fails where a value is empty.",
		"str_split":           "The parts of a text between delimiters, or one of them.",
		"resource_facade":     "What the resource behind which this template is nested says: its metadata or a policy.",
		"digest":              "The digest of a text, in hexadecimal digits.",
		"repeat":              "A list with a copy of the template for each item, or each combination of items.",
		"map_merge":           "Several maps as one; the later ones count more.",
		"map_replace":         "A map in which keys and values are replaced.",
		"yaql":                "What a YAQL expression comes to; its data are at `$.data`.",
		"if":                  "One of two values, by a condition.",
		"filter":              "A list without some values.",
		"make_url":            "A URL made of its parts.",
		"list_concat":         "Several lists as one.",
		"list_concat_unique":  "Several lists as one, each item once.",
		"contains":            "Whether a value is in a list, map or text.",
		"equals":              "True where the two values are equal.",
		"not":                 "True where the condition is false.",
		"and":                 "True where all conditions are.",
		"or":                  "True where one of the conditions is.",
		"Ref":                 "The value of a parameter, or the id of a resource.",
		"Fn::GetAtt":          "An attribute of a resource, which is made first.",
		"Fn::FindInMap":       "A value of the section Mappings.",
		"Fn::Select":          "One item of a list or map.",
		"Fn::Join":            "The items of a list as one text, with a delimiter between them.",
		"Fn::Split":           "The parts of a text between delimiters.",
		"Fn::Replace":         "A text in which placeholders are replaced.",
		"Fn::Base64":          "The text itself: Heat encodes it where that is needed.",
		"Fn::GetAZs":          "The availability zones.",
		"Fn::MemberListToMap": "A map made of a list of names and values.",
		"Fn::ResourceFacade":  "What the resource behind which this template is nested says: its metadata or a policy.",
		"Fn::If":              "One of two values, by a condition.",
		"Fn::Equals":          "True where the two values are equal.",
		"Fn::Not":             "True where the condition is false.",
		"Fn::And":             "True where all conditions are.",
		"Fn::Or":              "True where one of the conditions is.",
	}
})

// argumentSnippets are arguments to fill in; other functions get an empty one.
var argumentSnippets = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"get_attr": "[${1:RESOURCE}, ${2:ATTRIBUTE}]", "list_join": "['${1:,}', ${2:LIST}]", "str_split": "['${1:,}', ${2:TEXT}]",
		"str_replace":         "{template: ${1:TEXT}, params: {${2:PLACEHOLDER}: ${3:VALUE}}}",
		"str_replace_strict":  "{template: ${1:TEXT}, params: {${2:PLACEHOLDER}: ${3:VALUE}}}",
		"str_replace_vstrict": "{template: ${1:TEXT}, params: {${2:PLACEHOLDER}: ${3:VALUE}}}",
		"repeat":              "{template: ${1:TEMPLATE}, for_each: {${2:VARIABLE}: ${3:LIST}}}",
		"digest":              "[${1:sha256}, ${2:TEXT}]", "map_merge": "[${1:MAP}, ${2:MAP}]", "list_concat": "[${1:LIST}, ${2:LIST}]",
		"list_concat_unique": "[${1:LIST}, ${2:LIST}]", "if": "[${1:CONDITION}, ${2:VALUE}, ${3:VALUE}]",
		"yaql": "{expression: ${1:\\$.data}, data: ${2:VALUE}}", "equals": "[${1:VALUE}, ${2:VALUE}]",
		"and": "[${1:CONDITION}, ${2:CONDITION}]", "or": "[${1:CONDITION}, ${2:CONDITION}]", "contains": "[${1:VALUE}, ${2:LIST}]",
		"filter": "[[${1:VALUE}], ${2:LIST}]",
	}
})

func argumentSnippet(function string) string {
	if s := argumentSnippets()[function]; s != "" {
		return s
	}
	return "$1"
}

// nestedKeys are those whose value takes lines of its own.
var nestedKeys = []string{
	"parameters", "parameter_groups", "conditions", "resources", "outputs", "component_types", "properties", "metadata",
	"update_policy", "components", "constraints", "params", "inputs", "configs", "options", "parameter_defaults",
	"resource_registry", "workflows", "tasks", "input", "vars", "output-on-error", "task-defaults", "publish",
	"publish-on-error", "publish-on-skip", "on-success", "on-error", "on-complete", "on-skip", "retry", "requires", "base-input",
	"Parameters", "Conditions", "Resources", "Outputs", "Mappings", "Properties", "Metadata", "UpdatePolicy",
}

// keyDocs says what keys mean whose name does not.
var keyDocs = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"heat_template_version": "The version of the language: which sections and functions there are.",
		"parameter_groups":      "The order in which dashboards show parameters.",
		"conditions":            "Named conditions, by which resources and outputs are made or not.",
		"component_types":       "Software that components of servers can be: hotloom's own section.",
		"depends_on":            "What has to be made before, besides what its properties read.",
		"deletion_policy":       "What becomes of the resource when it is deleted: `delete`, `retain` or `snapshot`.",
		"update_policy":         "How the resource is updated, for types that have a choice.",
		"external_id":           "The id of something that exists already, which the resource stands for; it is not made.",
		"condition":             "Made only where the condition is true.",
		"metadata":              "Data that the resource carries.",
		"components":            "Software that runs on the server, in the order that its dependencies ask for.",
		"component_type":        "What the component is: a type of this template, of the environment's registry, or of the library.",
		"params":                "Values for the inputs of the type.",
		"timeout":               "How long it may take, in seconds.",
		"actions":               "The lifecycle actions in which it runs.",
		"on_failure":            "What a failing step does to its stack: `fail`, or `continue`.",
		"tool":                  "What runs the configs, such as `script` or `ansible`.",
		"configs":               "What runs, by lifecycle action.",
		"config":                "What runs in CREATE and UPDATE.",
		"hidden":                "The value is a secret and not shown.",
		"immutable":             "The value cannot be changed by an update.",
		"constraints":           "What values are allowed.",
		"allowed_pattern":       "A regular expression that the whole value matches.",
		"custom_constraint":     "Something of the cloud that the value names.",
		"resource_registry":     "What resource types stand for.",
		"parameter_defaults":    "Values of parameters wherever in the stack they are defined.",
		"event_sinks":           "Where events of the stack are sent.",
		"encrypted_param_names": "Parameters that Heat keeps encrypted.",
		"join":                  "Waits for `all` tasks that lead here, for `one`, or for a number of them.",
		"with-items":            "Runs once for each item: `VAR in LIST`.",
		"requires":              "Tasks that have to succeed before.",
		"keep-result":           "false: the result is not kept.",
		"safe-rerun":            "true: running it twice is as good as once.",
		"fail-on":               "A condition that makes an error of a success.",
		"pause-before":          "Pauses the workflow before the task.",
		"wait-before":           "Seconds to wait before the task.",
		"wait-after":            "Seconds to wait after the task.",
		"concurrency":           "How many items run at once.",
		"retry":                 "How often the task is tried, and when no more.",
		"publish":               "Variables for the tasks that follow.",
		"on-success":            "What follows where the task succeeds.",
		"on-error":              "What follows where the task fails.",
		"on-complete":           "What follows however the task ends.",
		"on-skip":               "What follows where the task is skipped.",
		"task-defaults":         "What holds for all tasks that say nothing else.",
		"base":                  "The action that runs.",
		"base-input":            "Its inputs.",
	}
})
