// Package project reads one template with everything that belongs to it: its environments, the files that it names, the
// templates nested in it, the values of its parameters. Checks, weaving and targets all begin with a Project.
//
// It finds what keeps heatclient from sending the request at all (a file that is missing), and what loading the
// documents finds; whether their contents make sense is for others to say.
package project

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Options of Load. The zero value has no environments and Heat's standard types.
type Options struct {
	Environments []string          // paths, later ones on top
	Parameters   map[string]string // values as text, on top of those of environments
	Catalog      *catalog.Catalog  // nil: catalog.Default()
}

// Project is one template with everything that belongs to it. Of a faulty one it holds what could be read; only Broken
// ones lack a template.
type Project struct {
	Path        string
	Files       *source.Files
	Catalog     *catalog.Catalog
	Template    *hot.Template
	Environment *hot.Environment // merged; nil where none was given
	Stack       *hot.Stack
	Values      hot.Values
	Scope       *function.Scope
	Broken      bool // the text is no document
	Faulty      bool // the document has errors of structure

	nesting *hot.Nesting
	named   map[*source.Node]*source.File // what names of files lead to, base_url considered
	found   diag.List
}

// Load reads a project. It is never nil.
func Load(files *source.Files, path string, o Options) (*Project, diag.List) {
	p := &Project{Path: path, Files: files, Catalog: o.Catalog, named: map[*source.Node]*source.File{}}
	if p.Catalog == nil {
		p.Catalog = catalog.Default()
	}
	p.load(o)
	return p, p.found
}

func (p *Project) load(o Options) {
	file, err := p.Files.Open(p.Path)
	if err != nil {
		p.Broken = true
		p.found.Add(unreadable(diag.Location{Path: p.Path}, "template", err))
		file = &source.File{Path: p.Path}
	}
	root, found := p.Files.Document(file, source.Template)
	p.found.Add(found...)
	if p.Broken = p.Broken || found.HasErrors(); p.Broken {
		p.Template = &hot.Template{Root: root}
		return
	}
	p.nesting = &hot.Nesting{Open: p.open, Known: p.Catalog.Knows}
	p.gather(source.References(root), true)
	p.Template, found = hot.LoadTemplate(root)
	p.found.Add(found...)
	p.Faulty = found.HasErrors()
	p.environments(o.Environments)
	p.parameters(o.Parameters)
	p.Stack, found = p.nesting.Load(p.Template, p.Environment)
	p.found.Add(found...)
	p.Values, found = p.Template.Resolve(p.Environment)
	p.found.Add(found...)
	p.Scope = function.ForStack(p.Stack, p.Values, p.Catalog)
	p.found.Add(p.Blame(p.found, o.Environments)...)
}

// gather follows the names of files as heatclient does, which reads all of them before it sends anything. A file that is
// missing deep down keeps the root from being sent too.
func (p *Project) gather(refs []source.Reference, blame bool) {
	links, circles := p.Files.Gather(refs)
	p.found.Add(circles...)
	for _, l := range links {
		p.named[l.Node] = l.File
		var fault *source.FileError
		if l.Err == nil || errors.As(l.Err, &fault) && fault.Fault == source.Remote {
			continue
		}
		d := unreadable(l.Node.At(), quote(l.Node.Text), l.Err)
		p.found.Add(d)
		if blame && l.Origin != l.Node {
			p.found.Add(missingBelow(l.Origin).Via(d.Location, "%s", d.Message))
		}
	}
}

// environments reads and merges the environment files.
func (p *Project) environments(paths []string) {
	var envs []*hot.Environment
	for _, path := range paths {
		file, err := p.Files.Open(path)
		if err != nil {
			p.found.Add(unreadable(diag.Location{Path: path}, "environment", err))
			continue
		}
		env, found := LoadEnvironment(p.Files, file)
		p.found.Add(found...)
		envs = append(envs, env)
		p.gather(source.RegistryReferences(env.Registry.Node), false)
	}
	if len(envs) == 0 {
		return
	}
	var found diag.List
	p.Environment, found = hot.MergeEnvironments(envs, p.schema(envs))
	p.found.Add(found...)
	for _, d := range emptyParameters(p.Template, p.Environment) {
		p.found.Add(d)
	}
}

// parameters puts values that were given by themselves in the place of those of the environments.
func (p *Project) parameters(given map[string]string) {
	if len(given) == 0 {
		return
	}
	if p.Environment == nil {
		p.Environment = &hot.Environment{Registry: &hot.Registry{}}
	}
	origin := &source.Node{File: &source.File{Path: "--param"}}
	env := *p.Environment
	env.Parameters = slices.DeleteFunc(slices.Clone(env.Parameters), func(q source.Pair) bool {
		_, replaced := given[q.Key.Text]
		return replaced
	})
	for _, name := range slices.Sorted(maps.Keys(given)) {
		env.Parameters = append(env.Parameters, source.P(origin, name, source.NewString(origin, given[name])))
	}
	p.Environment = &env
}

// LoadEnvironment reads one environment file by itself.
func LoadEnvironment(files *source.Files, file *source.File) (*hot.Environment, diag.List) {
	root, found := files.Document(file, source.YAML)
	env, more := hot.LoadEnvironment(root)
	return env, append(found, more...)
}

// schema finds a parameter of the template or of those nested in it, whose types decide how values of several
// environments merge.
func (p *Project) schema(envs []*hot.Environment) func(string) *hot.Parameter {
	if len(envs) == 1 {
		return p.Template.Parameter
	}
	all := map[string]*hot.Parameter{}
	stack, _ := p.nesting.Load(p.Template, envs[len(envs)-1])
	stack.Walk(func(s *hot.Stack) {
		for _, param := range s.Template.Parameters {
			if all[param.Name.Text] == nil {
				all[param.Name.Text] = param
			}
		}
	})
	return func(name string) *hot.Parameter { return all[name] }
}

// Named reads the file that a node names with get_file, as type, or in a resource_registry. The error is a
// *source.FileError.
func (p *Project) Named(name *source.Node) (*source.File, error) {
	if file := p.named[name]; file != nil {
		return file, nil
	}
	return p.Files.Resolve(name.File, name.Text)
}

// Nested reads the template that a type or a registry's entry names; nil where it cannot be read.
func (p *Project) Nested(name *source.Node) (*hot.Template, diag.List) {
	if p.nesting == nil {
		return nil, nil
	}
	return p.nesting.Template(name)
}

// Member builds the stack of one member of a group in s, which is of the template that name leads to.
func (p *Project) Member(s *hot.Stack, member *hot.Resource, name *source.Node) (*hot.Stack, diag.List) {
	return p.nesting.Member(s, member, name)
}

// open reads a nested template for hot.Nesting.
func (p *Project) open(name *source.Node) (*source.Node, diag.List) {
	file, err := p.Named(name)
	var fault *source.FileError
	switch {
	case errors.As(err, &fault) && fault.Fault == source.Remote:
		return nil, diag.List{remote(name)}
	case err != nil:
		return nil, diag.List{unreadable(name.At(), quote(name.Text), err)}
	}
	// heatclient sends what it made of a template by its own reading; what it takes for a plain file the engine reads.
	if root := p.Files.Template(file); root != nil {
		_, found := p.Files.Document(file, source.Template)
		return root, found
	}
	root, found := p.Files.Document(file, source.Engine)
	if found.HasErrors() || !source.IsTemplate(root) {
		return nil, append(found, noTemplate(name))
	}
	return root, found
}

// Blame says at the template that Heat refuses it because of an environment that found has an error in; the faults
// themselves stand at the environment's lines. What found says already is not said again.
func (p *Project) Blame(found diag.List, environments []string) diag.List {
	var out diag.List
	for _, path := range environments {
		at := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Path == path && d.Severity == diag.Error })
		said := slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return d.Rule == ruleBrokenEnvironment && len(d.Trail) > 0 && d.Trail[0].Path == path
		})
		if at >= 0 && !said {
			out.Add(refusedWith(p.Path, path).Via(found[at].Location, "%s", found[at].Message))
		}
	}
	return out
}

func quote(s string) string { return fmt.Sprintf("%q", s) }
