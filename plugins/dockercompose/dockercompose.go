// Package dockercompose is the tool that brings a project up with Docker Compose, as heat-config-docker-compose does, and takes
// it down on DELETE.
package dockercompose

import (
	"strings"

	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Tool is the tool. The project is called as the component.
var Tool = tool.Tool{
	Tool: resources.Tool{
		Description: "brings the config, a file for Docker Compose, up; DELETE takes it down", Config: catalog.Anything, Program: "docker",
	},
	Repeatable: true,
	Plan:       plan,
}

func plan(t tool.Task) (*tool.Plan, error) {
	text, isText := t.Config.(string)
	if !isText {
		m, err := t.Map()
		if err != nil {
			return nil, err
		}
		text = tool.JSON(m)
	} else if strings.TrimSpace(text) == "" {
		return nil, resources.InvalidAt([]string{"config"}, "is empty")
	}
	s := tool.NewShell("docker-compose", "docker")
	s.Line(`case $hotloom_program in */docker) hotloom_program="$hotloom_program compose" ;; esac`)
	s.File("docker-compose.yml", text)
	if err := envFiles(s, t.Inputs["env_files"]); err != nil {
		return nil, err
	}
	do := "up -d --no-build --remove-orphans"
	if t.Action == resources.Delete {
		do = "down --remove-orphans"
	}
	// Two words where it is docker's own compose.
	s.Line(`exec $hotloom_program -p %s -f docker-compose.yml %s`, tool.Quote(projectName(t.Component)), do)
	return &tool.Plan{Program: s.String(), Outputs: t.Outputs}, nil
}

// projectName is a name that Compose takes: lower-case letters, digits, - and _, beginning with one of the first two.
func projectName(component string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(component))
	return "heat-" + name
}

// envFiles writes the files of the input env_files: [{file_name, content}], the content a map or a text.
func envFiles(s *tool.Shell, v any) error {
	if text, ok := v.(string); ok && text != "" {
		var err error
		if v, err = resources.Decode([]byte(text)); err != nil {
			return resources.InvalidAt([]string{"inputs", "env_files"}, "must be a list, or the JSON text of one: %v", err)
		}
	}
	list, _ := v.([]any)
	for _, item := range list {
		file, _ := item.(map[string]any)
		name, _ := file["file_name"].(string)
		if name == "" || strings.HasPrefix(name, "/") || strings.Contains(name, "..") {
			return resources.InvalidAt([]string{"inputs", "env_files"}, "file_name %q: must be a path below the project's folder", name)
		}
		content, isText := file["content"].(string)
		if m, ok := file["content"].(map[string]any); ok && !isText {
			for _, key := range tool.SortedKeys(m) {
				content += key + "=" + tool.Spelled(m[key]) + "\n"
			}
		}
		s.Line(`mkdir -p "$(dirname %s)" || exit 126`, tool.Quote("./"+name))
		s.File(tool.Quote("./"+name), content)
	}
	return nil
}
