// Package script is heat-config's tool of that name: the config is executed, inputs are environment variables, outputs are
// what it writes to the files $heat_outputs_path.NAME.
package script

import (
	"strings"

	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool.
var Tool = tool.Tool{
	Tool: resources.Tool{Description: "executes the config, a text that begins with #!", Config: catalog.String},
	Plan: plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	text, _ := t.Config.(string)
	switch {
	case text == "":
		return nil, resources.InvalidAt([]string{"config"}, "the script is empty")
	case !strings.HasPrefix(text, "#!"):
		return nil, resources.InvalidAt([]string{"config"}, "the script does not begin with #! and the program that runs it")
	}
	env, err := t.Env("")
	return &tool.Plan{Program: text, Env: env, Outputs: t.Outputs}, err
}
