// Package cfninit is the tool that applies the metadata AWS::CloudFormation::Init with heat-cfntools' cfn-init, as
// heat-config-cfn-init does: packages, groups, users, sources, files, commands and services.
package cfninit

import (
	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool. It needs root, and writes where cfn-init reads: /var/cache/heat-cfntools.
var Tool = tool.Tool{
	Tool: resources.Tool{
		Description: "applies the config, a map of AWS::CloudFormation::Init, with cfn-init", Config: catalog.Anything, Program: "cfn-init",
	},
	Repeatable: true,
	Plan:       plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	m, err := t.Map()
	if err != nil {
		return nil, err
	}
	s := tool.NewShell("cfn-init")
	s.Line(`mkdir -p /var/cache/heat-cfntools || exit 126`)
	s.File("/var/cache/heat-cfntools/last_metadata", tool.JSON(map[string]any{"AWS::CloudFormation::Init": m}))
	s.Line(`exec "$hotloom_program"`)
	return &tool.Plan{Program: s.String(), Outputs: t.Outputs}, nil
}
