// Package tool is what a bundled tool is made of: the program that configures software on a host, from a config and inputs,
// as Heat's agents run it by a hook.
//
// A tool runs nothing itself. It plans one action as a shell program with its files inside, which whoever has the host runs
// there: in a folder of this machine, or over SSH. So each tool works wherever a shell does. Inputs, outputs and exit codes
// mean what they mean in heat-agents' hooks; where those pass over a fault in silence, a tool here fails and says why.
package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is one tool.
type Tool struct {
	resources.Tool
	// Repeatable: running it twice is as good as once, so it runs again where nobody knows whether it ended.
	Repeatable bool
	// Plan says what to run. Options are checked against Tool.Options, the config against Tool.Config.
	Plan func(Task) (*Plan, error)
}

// Task is one action of one component.
type Task struct {
	*resources.ToolRun
	Action resources.Action
}

// Plan is what to run on the host.
type Plan struct {
	// Program is a text to execute, beginning with #!. $heat_outputs_path is set for it; what it writes to
	// $heat_outputs_path.NAME for the names in Outputs is read when it has ended.
	Program string
	Env     []string // NAME=VALUE
	Outputs []string
	// Finish makes the outputs of what was read, and finds failures that the exit code does not tell; nil: they are the
	// outputs.
	Finish func(read map[string]string) (resources.Values, error)
}

// Prepare checks a task and plans it.
func (t *Tool) Prepare(task Task) (*Plan, error) {
	options, faults := resources.CheckValues(t.Options, task.Options)
	if len(faults) > 0 {
		for i := range faults {
			faults[i].Path = append([]string{"options"}, faults[i].Path...)
		}
		return nil, &resources.Error{Kind: resources.Invalid, Faults: faults}
	}
	if len(t.Actions) > 0 && !slices.Contains(t.Actions, task.Action) {
		return nil, resources.Errorf(resources.Unsupported, "it has no action %s", task.Action)
	}
	if t.Config == catalog.String || t.Config == "" {
		if _, ok := task.Config.(string); !ok && task.Config != nil {
			return nil, resources.InvalidAt([]string{"config"}, "must be a text, not a %s", value.TypeName(value.From(task.Config)))
		}
	}
	for _, name := range task.Outputs {
		if strings.ContainsAny(name, "/\x00\n") {
			return nil, resources.InvalidAt([]string{"outputs"}, "output %s can not be a file's name: rename it", name)
		}
	}
	run := *task.ToolRun
	run.Options = options
	return t.Plan(Task{&run, task.Action})
}

// Outcome gives an exit code its meaning: 0 is success, anything else failure.
func (t *Tool) Outcome(code int) (status int, meaning string) {
	for _, e := range t.Exits {
		if e.Code == code {
			if e.OK {
				return 0, ""
			}
			return code, e.Meaning
		}
	}
	return code, ""
}

// Text is the config as a text. The error is about an empty one.
func (t Task) Text() (string, error) {
	text, _ := t.Config.(string)
	if strings.TrimSpace(text) == "" {
		return "", resources.InvalidAt([]string{"config"}, "is empty")
	}
	return text, nil
}

// Map is the config as a map: as it is, or text that is JSON.
func (t Task) Map() (map[string]any, error) {
	v := t.Config
	if text, ok := v.(string); ok {
		var err error
		if v, err = resources.Decode([]byte(text)); err != nil {
			return nil, resources.InvalidAt([]string{"config"}, "must be a map or the text of one: %v", err)
		}
	}
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return nil, resources.InvalidAt([]string{"config"}, "must be a map with entries")
	}
	return m, nil
}

// Spelled is an input as an environment variable has it: text as it is, maps and lists as JSON, all else as Python writes it.
func Spelled(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any, map[string]any:
		return JSON(v)
	}
	return value.Str(value.From(v))
}

// JSON is a plain value as one line of JSON.
func JSON(v any) string {
	text, err := value.JSON(value.From(v), value.JSONOptions{})
	if err != nil {
		return value.Str(value.From(v))
	}
	return text
}

// Env is inputs as NAME=VALUE, with a prefix before each name. The error is about one that cannot be a variable.
func (t Task) Env(prefix string) ([]string, error) {
	var out []string
	for _, name := range t.InputNames() {
		text := Spelled(t.Inputs[name])
		switch {
		case !variable(name):
			return nil, resources.InvalidAt([]string{"inputs", name}, "input %s can not be an environment variable: rename it", name)
		case strings.ContainsRune(text, 0):
			return nil, resources.InvalidAt([]string{"inputs", name}, "input %s holds a zero byte, which no environment variable can", name)
		}
		out = append(out, prefix+name+"="+text)
	}
	return out, nil
}

// InputNames are the inputs' names in order.
func (t Task) InputNames() []string {
	names := make([]string, 0, len(t.Inputs))
	for name := range t.Inputs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func variable(name string) bool {
	for i, r := range name {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// Option is an option's text, "" where it is not given.
func (t Task) Option(name string) string {
	if t.Options[name] == nil {
		return ""
	}
	return fmt.Sprint(t.Options[name])
}

// On reports whether an option is true.
func (t Task) On(name string) bool {
	on, _ := t.Options[name].(bool)
	return on
}

// TextOption and Switch are schemas of options.
func TextOption(description string) *catalog.Property {
	return &catalog.Property{Type: catalog.String, Description: description}
}

// Switch is the schema of an option that is true or false.
func Switch(description string, def bool) *catalog.Property {
	return &catalog.Property{Type: catalog.Boolean, Description: description, Default: def}
}

// SortedKeys are a map's keys in order.
func SortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// FileName is a text as a file's name: what is no letter, digit, _, - or dot within becomes an underscore.
func FileName(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, strings.TrimLeft(text, "."))
}
