package lint_test

import (
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
)

// TestReferencesCountAsGiven: Heat knows no value of a reference while it validates, but has one when it creates.
func TestReferencesCountAsGiven(t *testing.T) {
	t.Parallel()
	for network, incomplete := range map[string]bool{
		"{network: {get_resource: net}}": false,
		"{uuid: {get_resource: net}}":    false,
		"{fixed_ip: 192.0.2.1}":          true,
	} {
		text := "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net}\n" +
			"  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [" + network + "]}}\n"
		files := source.NewFiles(source.FilesOptions{Read: func(string) ([]byte, error) { return []byte(text), nil }})
		p, _ := project.Load(files, "template.yaml", project.Options{})
		found := false
		for _, d := range lint.Project(p, nil, lint.Options{}) {
			found = found || d.Rule == "properties-incomplete" && strings.Contains(d.Message, "one of network")
		}
		if found != incomplete {
			t.Errorf("%s: properties-incomplete is %v, want %v", network, found, incomplete)
		}
	}
}
