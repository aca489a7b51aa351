package bundle

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
)

// Formats are the forms that Write knows: the body of Heat's API in one file; a folder for Terraform's resource
// openstack_orchestration_stack_v1; a folder for Ansible's module openstack.cloud.stack.
var Formats = []string{"heat", "terraform", "ansible"}

// File is one file to write, its name relative to a folder.
type File struct {
	Name string
	Text []byte
}

// The names of the files of the folder forms.
const (
	stackName       = "stack.json"
	environmentName = "environment.json"
	filesFolder     = "files"
)

// Write gives the files of a form. The form heat has one, whose name is that of the stack.
//
// Terraform's provider and Ansible's module read the files themselves, so the folder forms have them as files with short
// names that no machine's paths are in.
func Write(format, name string, b *Bundle, parameters *source.Node) []File {
	if format == "heat" {
		fields := append([]source.Pair{source.P(nil, "stack_name", source.NewString(nil, name))}, b.Fields()...)
		if parameters != nil {
			fields = append(fields, source.P(nil, "parameters", parameters))
		}
		return []File{{name + ".json", source.EncodeJSON(source.NewMap(nil, fields...))}}
	}
	r := relocation{names: map[string]string{}}
	merged := map[string]string{}
	maps.Copy(merged, b.Files)
	for _, url := range b.EnvironmentFiles { // merged into one
		delete(merged, url)
	}
	taken := map[string]bool{}
	for _, url := range slices.Sorted(maps.Keys(merged)) {
		r.names[url] = free(taken, path.Base(cut(url).path))
	}
	prefix := filesFolder + "/"
	if format == "terraform" {
		prefix = terraformFiles + "/"
	}
	files := []File{{stackName, source.EncodeJSON(r.rewrite(b.Template, prefix))}}
	hasEnvironment := len(b.Environment.Pairs) > 0
	if hasEnvironment {
		files = append(files, File{environmentName, source.EncodeJSON(r.rewrite(b.Environment, prefix))})
	}
	for url, name := range r.names {
		text := merged[url]
		if root, found := source.Parse(url, []byte(text)); strings.HasPrefix(text, "{") && !found.HasErrors() && source.IsTemplate(root) {
			text = string(source.EncodeJSON(r.rewrite(root, "")))
		}
		files = append(files, File{filesFolder + "/" + name, []byte(text)})
	}
	if format == "terraform" {
		files = append(files, terraform(name, hasEnvironment, parameters))
	} else {
		files = append(files, ansible(name, hasEnvironment, parameters))
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// relocation replaces URLs with names in one folder.
type relocation struct{ names map[string]string }

func (r relocation) rewrite(n *source.Node, prefix string) *source.Node {
	return n.Rewrite(func(n *source.Node) *source.Node {
		if n.Is(source.String) {
			if name, ok := r.names[n.Text]; ok {
				return source.NewString(n, prefix+name)
			}
		}
		return n
	})
}

// free makes a name of the folder that is not taken.
func free(taken map[string]bool, name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("%/\\:?*\"<>| ", r) {
			return '_'
		}
		return r
	}, name)
	base, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s-%d%s", base, i, ext)
	}
	taken[name] = true
	return name
}

// terraformFiles stands in the template for the folder's place, which Terraform puts in: the provider takes relative names
// as relative to where Terraform was started.
const terraformFiles = "@hotloom-files@"

func terraform(name string, environment bool, parameters *source.Node) File {
	read := func(file string) *source.Node {
		return source.NewString(nil, fmt.Sprintf(`${replace(file("${path.module}/%s"), "%s", "file://${abspath(path.module)}/%s")}`, file, terraformFiles, filesFolder))
	}
	stack := []source.Pair{
		source.P(nil, "name", source.NewString(nil, literal(name))),
		source.P(nil, "template_opts", source.NewMap(nil, source.P(nil, "Bin", read(stackName)))),
	}
	if environment {
		stack = append(stack, source.P(nil, "environment_opts", source.NewMap(nil, source.P(nil, "Bin", read(environmentName)))))
	}
	if parameters != nil {
		var values []source.Pair
		for _, p := range parameters.Pairs {
			values = append(values, source.Pair{Key: p.Key, Value: source.NewString(nil, literal(p.Value.Str()))})
		}
		stack = append(stack, source.P(nil, "parameters", source.NewMap(nil, values...)))
	}
	label := regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(name, "_")
	root := source.NewMap(nil, source.P(nil, "resource", source.NewMap(nil, source.P(nil, "openstack_orchestration_stack_v1",
		source.NewMap(nil, source.P(nil, label, source.NewMap(nil, stack...)))))))
	return File{"main.tf.json", source.EncodeJSON(root)}
}

// literal keeps Terraform from reading a text as a template.
func literal(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text)
}

func ansible(name string, environment bool, parameters *source.Node) File {
	here := func(file string) *source.Node { return source.NewString(nil, "{{ playbook_dir }}/"+file) }
	module := []source.Pair{
		source.P(nil, "name", source.NewString(nil, name)),
		source.P(nil, "state", source.NewString(nil, "present")),
		source.P(nil, "template", here(stackName)),
	}
	if environment {
		module = append(module, source.P(nil, "environment", source.NewList(nil, here(environmentName))))
	}
	if parameters != nil {
		var values []source.Pair
		for _, p := range parameters.Pairs {
			text := p.Value.Str()
			if strings.Contains(text, "{{") || strings.Contains(text, "{%") { // Ansible would take it for a template
				text = "{% raw %}" + text + "{% endraw %}"
			}
			values = append(values, source.Pair{Key: p.Key, Value: source.NewString(nil, text)})
		}
		module = append(module, source.P(nil, "parameters", source.NewMap(nil, values...)))
	}
	play := source.NewMap(nil,
		source.P(nil, "hosts", source.NewString(nil, "localhost")),
		source.P(nil, "gather_facts", source.NewBool(nil, false)),
		source.P(nil, "tasks", source.NewList(nil, source.NewMap(nil,
			source.P(nil, "name", source.NewString(nil, "Stack "+name)),
			source.P(nil, "openstack.cloud.stack", source.NewMap(nil, module...)),
		))),
	)
	return File{"playbook.yaml", source.Encode(source.NewList(nil, play))}
}
