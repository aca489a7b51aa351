package weave

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
)

// ForProject gives the options under which a project's template is woven: component types from the files that its
// environment's resource_registry names, then from the library; resource types as the registry maps them.
func ForProject(p *project.Project) Options {
	var registry *hot.Registry
	if p.Stack != nil {
		registry = p.Stack.Environment.Registry
	}
	return under(p, []Types{registryTypes(p), Library()}, registry)
}

// under gives the options that hold under a registry: the project's, or what of it goes down to a nested template.
func under(p *project.Project, types []Types, registry *hot.Registry) Options {
	return Options{
		Types: types,
		ResolveType: func(resource string, typ *source.Node) (string, *hot.Template) {
			if p.Stack == nil {
				return typ.Str(), nil
			}
			r := registry.Resolve(typ, resource, p.Catalog.Knows)
			if r.Template == nil {
				return r.Type, nil
			}
			t, _ := p.Nested(r.Template) // its faults are found where it is loaded
			return r.Template.Text, t
		},
		Below: func(resource string) Options { return under(p, types, registry.Below(resource)) },
	}
}

// registryTypes are the component types that an environment names: an entry whose value is a file, not a resource type.
func registryTypes(p *project.Project) Types {
	if p.Environment == nil {
		return Types{Find: func(string) (*hot.ComponentType, diag.List) { return nil, nil }, Names: func() []string { return nil }}
	}
	files := map[string]*source.Node{}
	var names []string
	for _, m := range p.Environment.Registry.Mappings() {
		if name := m.Key.Str(); m.Value.Is(source.String) && source.IsTemplateName(m.Value.Text) && files[name] == nil {
			files[name] = m.Value
			names = append(names, name)
		}
	}
	return Types{
		Names: func() []string { return names },
		Find: func(name string) (*hot.ComponentType, diag.List) {
			node := files[name]
			if node == nil {
				return nil, nil
			}
			file, err := p.Named(node)
			if err != nil {
				return nil, nil // found where the project was read
			}
			root, found := p.Files.Document(file, source.Template)
			types, faults := hot.LoadComponentTypes(root, source.NewString(root, name))
			return named(types, name), append(found, faults...)
		},
	}
}
