// Package chef is the tool that runs a run list with chef-client in local mode, or with Cinc's, as heat-config-chef does: the
// inputs are attributes of the node (but `environment`, which is the node's), outputs are written to the files
// $heat_outputs_path.NAME.
package chef

import (
	"strings"

	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool. Exit codes are those of Chef's RFC 062.
var Tool = tool.Tool{
	Tool: resources.Tool{
		Description: "runs the config, a run list, with chef-client in local mode", Config: catalog.Anything, Program: "chef-client",
		Options: map[string]*catalog.Property{
			"kitchen":      tool.TextOption("URL of a Git repository with cookbooks, roles and environments"),
			"kitchen_path": {Type: catalog.String, Default: "/var/lib/heat-config/heat-config-chef/kitchen", Description: "folder of the kitchen"},
		},
		Exits: []resources.Exit{
			{Code: 1, Meaning: "the run has failed"},
			{Code: 2, Meaning: "a fatal error or wrong options"},
			{Code: 35, OK: true, Meaning: "a restart of the machine is due"},
			{Code: 37, OK: true, Meaning: "the machine restarts"},
			{Code: 41, Meaning: "a restart of the machine is needed and has failed"},
			{Code: 42, Meaning: "the audit has failed"},
			{Code: 43, Meaning: "the configuration cannot be used"},
		},
	},
	Repeatable: true,
	Plan:       plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	list := t.Config
	if text, ok := list.(string); ok {
		var err error
		if list, err = resources.Decode([]byte(text)); err != nil {
			return nil, resources.InvalidAt([]string{"config"}, "a run list is a list, or the JSON text of one: %v", err)
		}
	}
	if _, ok := list.([]any); !ok {
		return nil, resources.InvalidAt([]string{"config"}, "a run list is a list, or the JSON text of one")
	}
	node := resources.Values{}
	environment := "_default"
	for name, v := range t.Inputs {
		switch {
		case name == "environment":
			environment = tool.Spelled(v)
		case !strings.HasPrefix(name, "deploy_"):
			node[name] = v
		}
	}
	node["run_list"] = list
	s := tool.NewShell("chef-client", "cinc-client")
	s.Line(`hotloom_kitchen=%s`, tool.Quote(t.Option("kitchen_path")))
	if url := t.Option("kitchen"); url != "" {
		s.Line(`if [ -d "$hotloom_kitchen/.git" ]; then git -C "$hotloom_kitchen" pull -q --ff-only; else git clone -q -- %s "$hotloom_kitchen"; fi || exit 126`, tool.Quote(url))
	}
	s.File("node.json", tool.JSON(node))
	s.Line(`cat >client.rb <<X || exit 126`)
	for _, folder := range []string{"cookbook", "role", "environment", "node"} {
		where := "$hotloom_kitchen"
		if folder == "node" {
			where = "$hotloom_dir"
		}
		s.Line(`%s_path "%s/%ss"`, folder, where, folder)
	}
	s.Line(`X`)
	s.Line(`exec "$hotloom_program" --local-mode --config client.rb --json-attributes node.json --environment %s --no-color --no-fork`, tool.Quote(environment))
	return &tool.Plan{Program: s.String(), Outputs: t.Outputs}, nil
}
