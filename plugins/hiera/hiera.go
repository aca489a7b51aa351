// Package hiera is the tool that writes Hiera's hierarchy and data, as heat-config-hiera does: the config has `hierarchy`, a
// list, and `datafiles`, a map of names to data.
package hiera

import (
	"strings"

	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool. It writes /etc/puppet/hiera.yaml and /etc/puppet/hieradata/NAME.json, or where $HEAT_HIERA_CONFIG and
// $HEAT_PUPPET_HIERA_DATADIR say.
var Tool = tool.Tool{
	Tool:       resources.Tool{Description: "writes the config's hierarchy and datafiles for Hiera", Config: catalog.Anything},
	Repeatable: true,
	Plan:       plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	m, err := t.Map()
	if err != nil {
		return nil, err
	}
	hierarchy, isList := m["hierarchy"].([]any)
	if _, given := m["hierarchy"]; given && !isList {
		return nil, resources.InvalidAt([]string{"config", "hierarchy"}, "must be a list of names")
	}
	files, isMap := m["datafiles"].(map[string]any)
	if _, given := m["datafiles"]; given && !isMap {
		return nil, resources.InvalidAt([]string{"config", "datafiles"}, "must be a map of names to data")
	}
	s := tool.NewShell()
	s.Line(`hotloom_config=${HEAT_HIERA_CONFIG:-/etc/puppet/hiera.yaml}`)
	s.Line(`hotloom_data=${HEAT_PUPPET_HIERA_DATADIR:-/etc/puppet/hieradata}`)
	s.Line(`umask 022`) // others than root read it
	s.Line(`mkdir -p "$hotloom_data" "$(dirname "$hotloom_config")" || exit 1`)
	if isList {
		names := make([]string, len(hierarchy))
		for i, name := range hierarchy {
			names[i] = "  - " + tool.JSON(tool.Spelled(name))
		}
		s.Line(`cat >"$hotloom_config" <<X || exit 1`)
		s.Line("---\n:backends:\n  - json\n:json:\n  :datadir: $hotloom_data\n:hierarchy:")
		s.Line(`X`)
		s.File("hierarchy", strings.Join(names, "\n"))
		s.Line(`cat hierarchy >>"$hotloom_config" || exit 1`)
	}
	for _, name := range tool.SortedKeys(files) {
		if tool.FileName(name) != name {
			return nil, resources.InvalidAt([]string{"config", "datafiles", name}, "must be a file's name")
		}
		s.Line(`umask 077`)
		s.File(`"$hotloom_data"/`+tool.Quote(name+".json"), tool.JSON(files[name]))
	}
	return &tool.Plan{Program: s.String(), Outputs: t.Outputs}, nil
}
