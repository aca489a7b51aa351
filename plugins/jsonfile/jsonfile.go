// Package jsonfile is the tool that writes JSON files, as heat-config-json-file does: the config is a map of paths to data.
package jsonfile

import (
	"path"

	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool. DELETE removes the files.
var Tool = tool.Tool{
	Tool:       resources.Tool{Description: "writes each entry of the config, a map, to the file that it is called", Config: catalog.Anything},
	Repeatable: true,
	Plan:       plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	m, err := t.Map()
	if err != nil {
		return nil, err
	}
	s := tool.NewShell()
	for _, file := range tool.SortedKeys(m) {
		if !path.IsAbs(file) || path.Clean(file) != file {
			return nil, resources.InvalidAt([]string{"config", file}, "must be the absolute path of a file")
		}
		if t.Action == resources.Delete {
			s.Line(`rm -f -- %s || exit 1`, tool.Quote(file))
			continue
		}
		s.Line(`mkdir -p -- %s || exit 1`, tool.Quote(path.Dir(file)))
		s.File(tool.Quote(file), tool.JSON(m[file]))
		s.Line(`echo %s`, tool.Quote("wrote "+file))
	}
	return &tool.Plan{Program: s.String(), Outputs: t.Outputs}, nil
}
