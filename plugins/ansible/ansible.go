// Package ansible is the tool that runs a playbook with ansible-playbook, as heat-config-ansible does: on the host itself, the
// inputs as variables, outputs written to the files {{ heat_outputs_path }}.NAME.
package ansible

import (
	"maps"

	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool. Exit codes are those of ansible-playbook.
var Tool = tool.Tool{
	Tool: resources.Tool{
		Description: "runs the config, a playbook, with ansible-playbook", Config: catalog.String, Program: "ansible-playbook",
		Options: map[string]*catalog.Property{
			"tags":             tool.TextOption("run only plays and tasks with these tags"),
			"skip_tags":        tool.TextOption("leave out those with these tags"),
			"modulepath":       tool.TextOption("folder of modules"),
			"callback_plugins": tool.TextOption("folder of callback plugins"),
			"inventory":        tool.TextOption("inventory, or its hosts with a comma; by default localhost alone"),
		},
		Exits: []resources.Exit{
			{Code: 1, Meaning: "an error"},
			{Code: 2, Meaning: "tasks have failed on hosts"},
			{Code: 3, Meaning: "hosts could not be reached"},
			{Code: 4, Meaning: "the playbook cannot be parsed, or hosts could not be reached"},
			{Code: 5, Meaning: "wrong options"},
			{Code: 250, Meaning: "an unexpected error of ansible"},
		},
	},
	Repeatable: true,
	Plan:       plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	playbook, err := t.Text()
	if err != nil {
		return nil, err
	}
	variables := maps.Clone(t.Inputs)
	if variables == nil {
		variables = resources.Values{}
	}
	variables["heat_config_id"] = t.Component
	s := tool.NewShell("ansible-playbook")
	s.File("playbook.yaml", playbook)
	s.File("variables.json", tool.JSON(variables))
	s.Line(`export ANSIBLE_LOCAL_TEMP="$hotloom_dir/ansible" ANSIBLE_REMOTE_TEMP="$hotloom_dir/ansible" ANSIBLE_NOCOLOR=1`)
	if dir := t.Option("callback_plugins"); dir != "" {
		s.Line(`export ANSIBLE_CALLBACK_PLUGINS=%s`, tool.Quote(dir))
	}
	inventory := t.Option("inventory")
	if inventory == "" {
		inventory = "localhost,"
	}
	args := []string{"-i", inventory, "playbook.yaml", "--extra-vars", "@variables.json"}
	for _, o := range []struct{ option, flag string }{{"modulepath", "--module-path"}, {"tags", "--tags"}, {"skip_tags", "--skip-tags"}} {
		if v := t.Option(o.option); v != "" {
			args = append(args, o.flag, v)
		}
	}
	s.Line(`exec "$hotloom_program" %s --extra-vars "heat_outputs_path='$heat_outputs_path'"`, tool.Words(args...))
	return &tool.Plan{Program: s.String(), Outputs: t.Outputs}, nil
}
