package lint

import (
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/project"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/resources/catalog"
)

// input checks one file.
func (r *runner) input(in input) result {
	res := result{file: File{Path: in.path, Kind: in.kind}}
	switch in.kind {
	case KindEnvironment, KindWorkflow, KindWorkbook, KindActions:
		file, err := r.files.Open(in.path)
		if err != nil {
			res.found.Add(diag.Errorf(diag.Location{Path: in.path}, "missing-file", "%v", err))
			return res
		}
		if in.kind == KindEnvironment {
			_, res.found = project.LoadEnvironment(r.files, file)
		} else {
			res.found, res.file.Kind = r.checkWorkflow(file, in.kind)
		}
	default:
		p, found := project.Load(r.files, in.path, project.Options{
			Environments: r.opts.Environments, Parameters: r.opts.Parameters, Catalog: r.opts.Catalog,
		})
		c := &templateCheck{Project: p, opts: r.opts, on: r.on, near: &r.near, found: found}
		c.run()
		res.found, res.fixes, res.silent, res.nested = c.found, c.fixes, c.silent, c.nested
	}
	return res
}

// templateCheck is the check of one template with its environments and everything nested in it.
type templateCheck struct {
	*project.Project
	opts  Options
	on    map[string]bool
	near  *sync.Map
	found diag.List
	fixes []Fix
	// silent are the resources of this template and of those nested in it that silence rules.
	silent []silence
	nested []string
}

func (c *templateCheck) add(d diag.Diagnostic) { c.found.Add(d) }

func (c *templateCheck) run() {
	c.template()
	c.components()
}

// template checks what is Heat's.
func (c *templateCheck) template() {
	if c.Broken {
		return
	}
	c.stack(c.Stack, c.Scope, c.add)
	c.softenSketches()
	c.blameRoot()
	c.found.Add(c.Blame(c.found, c.opts.Environments)...)
}

// softenSketches makes a warning of what hosts lack that have components and no properties at all: such a template is a
// drawing of the software, like the proposal of 2013, and its graph is worth having before the servers are filled in.
func (c *templateCheck) softenSketches() {
	sketches := map[diag.Location]bool{}
	for _, r := range c.Template.Resources {
		if r.ComponentsNode != nil && r.Properties == nil {
			sketches[r.Name.At()] = true
		}
	}
	for i, d := range c.found {
		if sketches[d.Location] && (d.Rule == missingRequired.ID || d.Rule == incomplete.ID) {
			c.found[i].Severity = diag.Warning
		}
	}
}

// stack checks a template and those nested in it.
func (c *templateCheck) stack(s *hot.Stack, scope *function.Scope, emit func(diag.Diagnostic)) {
	c.silent = append(c.silent, silences(s.Template)...)
	below := nestedEmit(emit)
	if s.Parent != nil {
		emit = below
		c.nested = append(c.nested, s.Template.Root.At().Path)
	}
	for _, d := range scope.Check() {
		emit(d)
	}
	p := newPass(c, s, scope, emit)
	p.members = func(member *hot.Resource, name *source.Node, emit func(diag.Diagnostic)) {
		child, found := c.Member(s, member, name)
		for _, d := range found {
			emit(d)
		}
		if child != nil {
			c.stack(child, scope.Child(child), emit)
		}
	}
	p.run()
	for _, child := range s.Children {
		c.stack(child, scope.Child(child), below)
	}
}

// nestedEmit takes findings of a nested template. Heat checks those without looking at values before it creates
// anything, so what only values show is a warning there.
func nestedEmit(emit func(diag.Diagnostic)) func(diag.Diagnostic) {
	return func(d diag.Diagnostic) {
		if d.Severity == diag.Error && valueRules[d.Rule] {
			d.Severity = diag.Warning
		}
		emit(d)
	}
}

// valueRules are the rules whose findings depend on the values of properties.
var valueRules = map[string]bool{
	"property-type": true, "constraint-violated": true, "missing-required-property": true, "parameter-value": true,
	"function-value": true, "function-argument": true, "unknown-parameter": true,
}

// components checks what hotloom adds to a template and to those nested in it: components, their types, handles and
// workflows.
func (c *templateCheck) components() {
	if c.Broken {
		return
	}
	if opts := weave.ForProject(c.Project); weave.Uses(c.Template, opts) {
		_, found := weave.Weave(c.Template, opts)
		c.found.Add(found...)
	}
}

// isOwn reports whether a resource is one of hotloom's, which the compiler replaces before Heat sees it.
func isOwn(r *hot.Resource) bool { return r.IsWorkflowHandle() || r.IsOwnWorkflow() }

// schemaRules are the faults of a nested template that keep Heat from making a resource type of it.
var schemaRules = map[string]bool{
	"not-a-mapping": true, "missing-version": true, "ambiguous-version": true, "unknown-version": true, "parameter-definition": true,
	"parameter-type-missing": true, "parameter-type": true, "unknown-parameter-key": true, "parameter-tags": true,
	"constraint-definition": true, "constraint-type": true, "invalid-default": true,
}

// blameRoot says at a resource's type that Heat cannot make a type of the nested template; the faults themselves stand
// at the lines of that file.
func (c *templateCheck) blameRoot() {
	for _, child := range c.Stack.Children {
		file := child.Template.Root.File
		if file == nil {
			continue
		}
		for _, d := range c.found {
			if d.Path == file.Path && d.Severity == diag.Error && schemaRules[d.Rule] {
				c.add(diag.Errorf(child.Resource.Type.At(), "broken-template", "Heat cannot make a resource type of %s", file.Path).
					Via(d.Location, "%s", d.Message))
				break
			}
		}
	}
}

// fileText is the content of a file that a node names, as a node; nil where it cannot be read.
func (c *templateCheck) fileText(name *source.Node) *source.Node {
	if !name.Is(source.String) {
		return nil
	}
	file, err := c.Named(name)
	if err != nil {
		return nil
	}
	return &source.Node{Kind: source.String, File: file, Text: string(file.Text)}
}

func (c *templateCheck) types() *catalog.Catalog { return c.Catalog }
