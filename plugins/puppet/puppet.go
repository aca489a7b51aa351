// Package puppet is the tool that applies a manifest with puppet apply, as heat-config-puppet does: the inputs as facts, or as
// data of Hiera, outputs written to the files $heat_outputs_path.NAME (in the manifest: the fact heat_outputs_path).
package puppet

import (
	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool. With --detailed-exitcodes, puppet's 2 is success with changes.
var Tool = tool.Tool{
	Tool: resources.Tool{
		Description: "applies the config, a manifest, with puppet apply", Config: catalog.String, Program: "puppet",
		Options: map[string]*catalog.Property{
			"enable_facter":  tool.Switch("inputs are facts", true),
			"enable_hiera":   tool.Switch("inputs are Hiera's data heat_config_COMPONENT, in $HEAT_PUPPET_HIERA_DATADIR or /etc/puppet/hieradata", false),
			"modulepath":     tool.TextOption("folders of modules, separated by colons"),
			"tags":           tool.TextOption("apply only resources with these tags"),
			"enable_debug":   tool.Switch("log debugging messages", false),
			"enable_verbose": tool.Switch("log more", false),
		},
		Exits: []resources.Exit{
			{Code: 0, OK: true, Meaning: "nothing had to change"},
			{Code: 1, Meaning: "the manifest could not be compiled or applied"},
			{Code: 2, OK: true, Meaning: "changes were made"},
			{Code: 4, Meaning: "resources have failed"},
			{Code: 6, Meaning: "changes were made, and resources have failed"},
		},
	},
	Repeatable: true,
	Plan:       plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	manifest, err := t.Text()
	if err != nil {
		return nil, err
	}
	p := &tool.Plan{Outputs: t.Outputs}
	s := tool.NewShell("puppet")
	s.File("manifest.pp", manifest)
	s.Line(`export FACTER_heat_outputs_path="$heat_outputs_path"`)
	if t.On("enable_facter") {
		if p.Env, err = t.Env("FACTER_"); err != nil {
			return nil, err
		}
	}
	if t.On("enable_hiera") {
		s.Line(`hotloom_hiera=${HEAT_PUPPET_HIERA_DATADIR:-/etc/puppet/hieradata}`)
		s.Line(`mkdir -p "$hotloom_hiera" || exit 126`)
		s.File(`"$hotloom_hiera"/`+tool.Quote("heat_config_"+tool.FileName(t.Component)+".json"), tool.JSON(t.Inputs))
	}
	args := []string{"apply", "--detailed-exitcodes", "--color=false"}
	for _, o := range []struct{ option, flag string }{{"modulepath", "--modulepath"}, {"tags", "--tags"}} {
		if v := t.Option(o.option); v != "" {
			args = append(args, o.flag, v)
		}
	}
	for _, o := range []struct{ option, flag string }{{"enable_debug", "--debug"}, {"enable_verbose", "--verbose"}} {
		if t.On(o.option) {
			args = append(args, o.flag)
		}
	}
	s.Line(`exec "$hotloom_program" %s manifest.pp`, tool.Words(args...))
	p.Program = s.String()
	return p, nil
}
