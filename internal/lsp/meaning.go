package lsp

import (
	"slices"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/resources/catalog"
)

// meaning is what a document says: names and what they stand for. Of the fields for each kind of document those of
// other kinds are empty, never nil.
type meaning struct {
	kind   lint.Kind
	broken bool // the text is no YAML
	root   *source.Node

	*project.Project // its Template, Stack and Catalog
	environment      *hot.Environment
	workflow         *workflow.Document
	rules            lint.Options

	mu    sync.Mutex // guards what the project reads when it is asked
	types []weave.Types
}

func newMeaning(d *document, files *source.Files, rules lint.Options) *meaning {
	m := &meaning{kind: d.Kind(), rules: rules, environment: &hot.Environment{Registry: &hot.Registry{}}, workflow: &workflow.Document{}}
	types := rules.Catalog
	if types == nil {
		types = catalog.Default()
	}
	m.Project = &project.Project{Path: d.path, Files: files, Catalog: types, Template: &hot.Template{}}
	if d.refused != nil {
		m.broken = true
		return m
	}
	file, err := files.Open(d.path)
	if err != nil {
		m.broken = true
		return m
	}
	var found diag.List
	switch m.kind {
	case lint.KindTemplate:
		m.Project, _ = project.Load(files, d.path, project.Options{Environments: rules.Environments, Parameters: rules.Parameters, Catalog: rules.Catalog})
		m.broken, m.root = m.Project.Broken, m.Template.Root
		m.types = append(weave.ForProject(m.Project).Types, weave.Builtins())
	case lint.KindEnvironment:
		m.root, found = files.Document(file, source.YAML)
		m.broken = found.HasErrors()
		m.environment, _ = hot.LoadEnvironment(m.root)
	case lint.KindWorkflow, lint.KindWorkbook, lint.KindActions:
		m.root, found = files.Document(file, source.YAML)
		m.broken = found.HasErrors()
		m.workflow, _ = workflow.Parse(file, workflow.Auto)
	}
	return m
}

// version is the template's, or the newest.
func (m *meaning) version() *hot.Version { return m.Template.VersionOf() }

// stackOf is the stack of the template nested behind a resource, or nil.
func (m *meaning) nested(r *hot.Resource) *hot.Template {
	if m.Stack == nil || r == nil {
		return nil
	}
	if child := m.Stack.Child(r.Name.Text); child != nil {
		return child.Template
	}
	return nil
}

// typeOf is the definition of a resource's type under the environment's registry; nil where it is not known or is a
// nested template.
func (m *meaning) typeOf(r *hot.Resource) *catalog.Type {
	if r == nil || !r.Type.Is(source.String) || m.nested(r) != nil {
		return nil
	}
	name := r.Type.Text
	if m.Stack != nil {
		name = m.Stack.Environment.Registry.Resolve(r.Type, r.Name.Text, m.Catalog.Knows).Type
	}
	return m.Catalog.Type(name)
}

// componentType finds a component type by its name; nil where there is none.
func (m *meaning) componentType(name string) *hot.ComponentType {
	if t := m.Template.ComponentType(name); t != nil {
		return t
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, place := range m.types {
		if t, _ := place.Find(name); t != nil {
			return t
		}
	}
	return nil
}

// componentTypeNames are the names of all component types.
func (m *meaning) componentTypeNames() []string {
	var names []string
	for _, t := range m.Template.ComponentTypes {
		names = append(names, t.Name.Str())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, place := range m.types {
		names = append(names, place.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// named is the file that a node names, or nil.
func (m *meaning) named(n *source.Node) *source.File {
	m.mu.Lock()
	defer m.mu.Unlock()
	file, err := m.Named(n)
	if err != nil {
		return nil
	}
	return file
}
