// Package salt is the tool that applies a state with salt-call --local, as heat-config-salt does: the inputs are options of the
// minion ({{ opts['NAME'] }} in the state), each declared output is the result of the state's part of that name.
package salt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool.
var Tool = tool.Tool{
	Tool: resources.Tool{
		Description: "applies the config, a state, with salt-call --local", Config: catalog.Anything, Program: "salt-call",
		Exits: []resources.Exit{{Code: 1, Meaning: "the state could not be rendered"}, {Code: 2, Meaning: "parts of the state have failed"}},
	},
	Repeatable: true,
	Plan:       plan,
}

// result is where salt-call writes what has become of the state.
const result = "salt"

func plan(t tool.Task) (*tool.Plan, error) {
	state, isText := t.Config.(string)
	if !isText {
		m, err := t.Map()
		if err != nil {
			return nil, err
		}
		state = tool.JSON(m) // which is YAML too
	} else if strings.TrimSpace(state) == "" {
		return nil, resources.InvalidAt([]string{"config"}, "is empty")
	}
	s := tool.NewShell("salt-call")
	s.Line(`mkdir -p states cache pki || exit 126`)
	s.File("states/component.sls", state)
	minion := maps.Clone(t.Inputs)
	if minion == nil {
		minion = resources.Values{}
	}
	for _, own := range []string{"file_client", "file_roots", "cachedir", "pki_dir", "log_file", "id"} {
		if _, given := minion[own]; given {
			return nil, resources.InvalidAt([]string{"inputs", own}, "input %s is an option that the tool sets: rename it", own)
		}
	}
	minion["file_client"], minion["log_file"] = "local", "/dev/null"
	s.File("minion", tool.JSON(minion))
	s.Line(`exec "$hotloom_program" --local --config-dir "$hotloom_dir" --file-root "$hotloom_dir/states" --cachedir "$hotloom_dir/cache" \`)
	s.Line(`	--out json --out-file "$heat_outputs_path.%s" --retcode-passthrough state.sls component`, result)
	return &tool.Plan{
		Program: s.String(), Outputs: []string{result},
		Finish: func(read map[string]string) (resources.Values, error) { return finish(t.Outputs, read[result]) },
	}, nil
}

// finish finds the outputs in what salt-call says: {"local": {"MODULE_|-ID_|-NAME_|-FUNCTION": {"result": …, "comment": …}}},
// or {"local": ["what is wrong"]}.
func finish(outputs []string, text string) (resources.Values, error) {
	all, err := resources.DecodeValues([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("what salt-call says cannot be read: %w", err)
	}
	parts, ok := all["local"].(map[string]any)
	if !ok {
		if wrong, isList := all["local"].([]any); isList {
			return nil, fmt.Errorf("salt: %s", tool.JSON(wrong))
		}
		return nil, nil // the exit code tells
	}
	out := resources.Values{}
	var failed []string
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		part, _ := parts[key].(map[string]any)
		if ok, isBool := part["result"].(bool); isBool && !ok {
			failed = append(failed, fmt.Sprintf("%s: %s", key, tool.Spelled(part["comment"])))
		}
		names := strings.Split(key, "_|-")
		for _, name := range outputs {
			if key == name || len(names) > 1 && names[1] == name {
				out[name] = parts[key]
			}
		}
	}
	if len(failed) > 0 {
		return out, fmt.Errorf("salt: %s", strings.Join(failed, "; "))
	}
	return out, nil
}
