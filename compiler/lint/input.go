package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// input checks one file.
func (r *runner) input(in input) result {
	res := result{file: File{Path: in.path, Kind: in.kind}}
	file, err := r.files.open(in.path)
	if err != nil {
		res.found.Add(diag.Errorf(diag.Location{Path: in.path}, "missing-file", "the file cannot be read: %s", reason(err)))
		return res
	}
	switch in.kind {
	case KindEnvironment:
		_, res.found = r.environment(file)
	case KindWorkflow, KindWorkbook:
		res.found = checkWorkflow(file)
	default:
		c := &templateCheck{runner: r, root: file}
		c.run()
		res.found = c.found
	}
	return res
}

func (r *runner) environment(file *source.File) (*hot.Environment, diag.List) {
	root, found := source.ParseFile(file, source.Options{Reader: source.YAML})
	env, more := hot.LoadEnvironment(root)
	return env, append(found, more...)
}

// templateCheck is the check of one template with its environments and everything nested in it.
type templateCheck struct {
	*runner
	root    *source.File
	found   diag.List
	nesting *hot.Nesting
	opened  map[string]bool // files that the client's walk has visited
	broken  map[string]bool // paths of nested templates that cannot be used
}

func (c *templateCheck) add(d diag.Diagnostic) { c.found.Add(d) }

func (c *templateCheck) types() *catalog.Catalog {
	if c.opts.Catalog != nil {
		return c.opts.Catalog
	}
	return catalog.Default()
}

func (c *templateCheck) run() {
	node, found := source.ParseFile(c.root, source.Options{})
	c.found.Add(found...)
	if found.HasErrors() {
		return
	}
	c.opened, c.broken = map[string]bool{}, map[string]bool{}
	c.nesting = &hot.Nesting{Open: c.open, Known: c.types().Knows}
	c.clientFiles(node, nil)
	tmpl, found := hot.LoadTemplate(node)
	c.found.Add(found...)
	env := c.environments(tmpl)
	stack, found := c.nesting.Load(tmpl, env)
	c.nestedFaults(found)
	values, found := tmpl.Resolve(env)
	c.found.Add(found...)
	c.emptyParameters(tmpl, env)
	scope := function.ForStack(stack, values, c.types())
	c.stack(stack, scope)
	c.blameRoot()
}

// emptyParameters finds parameters that an environment gives no value: null counts as not given, yet keeps everything
// else from giving one.
func (c *templateCheck) emptyParameters(tmpl *hot.Template, env *hot.Environment) {
	if env == nil {
		return
	}
	for _, p := range env.Parameters {
		def := tmpl.Parameter(p.Key.Text)
		if p.Value.IsNull() && def != nil && def.Default.IsNull() && env.Default(p.Key.Text).IsNull() {
			c.add(diag.Errorf(p.Key.At(), "parameter-value", "parameter %q is given nothing, and has no default", p.Key.Text).
				With("write a value"))
		}
	}
}

// blameRoot says at the template that Heat refuses it because of an environment; the faults themselves stand at the
// environment's lines.
func (c *templateCheck) blameRoot() {
	for _, path := range c.opts.Environments {
		for _, d := range c.found {
			if d.Path == path && d.Severity == diag.Error {
				c.add(diag.Errorf(fileStart(c.root), "broken-environment", "Heat refuses the template together with %s", path).
					Via(d.Location, "%s", d.Message))
				break
			}
		}
	}
}

// environments reads and merges the environment files.
func (c *templateCheck) environments(tmpl *hot.Template) *hot.Environment {
	if len(c.opts.Environments) == 0 {
		return nil
	}
	var envs []*hot.Environment
	for _, path := range c.opts.Environments {
		file, err := c.files.open(path)
		if err != nil {
			c.add(diag.Errorf(diag.Location{Path: path}, "missing-file", "the environment cannot be read: %s", reason(err)))
			continue
		}
		env, found := c.environment(file)
		c.found.Add(found...)
		envs = append(envs, env)
		c.registryFiles(env)
	}
	if len(envs) == 0 {
		return nil
	}
	env, found := hot.MergeEnvironments(envs, c.schema(tmpl, envs))
	c.found.Add(found...)
	return env
}

// schema finds a parameter of the template or of those nested in it.
func (c *templateCheck) schema(tmpl *hot.Template, envs []*hot.Environment) func(string) *hot.Parameter {
	if len(envs) == 1 {
		return tmpl.Parameter
	}
	nested := map[string]*hot.Parameter{}
	stack, _ := c.nesting.Load(tmpl, envs[len(envs)-1])
	stack.Walk(func(s *hot.Stack) {
		for _, p := range s.Template.Parameters {
			if nested[p.Name.Text] == nil {
				nested[p.Name.Text] = p
			}
		}
	})
	return func(name string) *hot.Parameter { return nested[name] }
}

// stack checks a template and those nested in it. What is wrong in a nested template refuses the root as well, and is
// shown at the type that names it.
func (c *templateCheck) stack(s *hot.Stack, scope *function.Scope) {
	emit := c.add
	if s.Parent != nil {
		emit = c.nestedEmit(s)
	}
	for _, d := range scope.Check() {
		emit(d)
	}
	newPass(c, s, scope, emit).run()
	for _, child := range s.Children {
		c.stack(child, scope.Child(child))
	}
}

// nestedEmit takes findings of a nested template. Heat checks those without looking at values before it creates
// anything, so what only values show is a warning there.
func (c *templateCheck) nestedEmit(s *hot.Stack) func(diag.Diagnostic) {
	return func(d diag.Diagnostic) {
		if d.Severity == diag.Error && valueRules[d.Rule] {
			d.Severity = diag.Warning
		}
		c.add(d)
	}
}

// valueRules are the rules whose findings depend on the values of properties.
var valueRules = map[string]bool{
	"property-type": true, "constraint-violated": true, "missing-required-property": true, "parameter-value": true,
	"function-value": true, "unknown-parameter": true,
}

// nestedFaults takes the findings about files that are nested. A nested template that Heat cannot read at all makes it
// refuse the root.
func (c *templateCheck) nestedFaults(found diag.List) {
	c.found.Add(found...)
}

// open reads a nested template for hot.Nesting.
func (c *templateCheck) open(name *source.Node) (*source.Node, diag.List) {
	path, remote := beside(name)
	if remote {
		return nil, diag.List{diag.Infof(name.At(), "remote-file", "%s is not fetched, so what it says is not checked", name.Text)}
	}
	file, err := c.files.open(path)
	if err != nil {
		return nil, diag.List{missingFile(name, path, err)}
	}
	root, found := source.ParseFile(file, source.Options{Reader: source.Engine})
	if found.HasErrors() || !looksLikeTemplate(root) {
		found.Add(diag.Errorf(name.At(), "broken-template", "%s is no template that Heat can read", name.Text))
		return nil, found
	}
	return root, found
}

// clientFiles follows the names of files in a document as heatclient does: get_file and type, in any map.
//
// origin is the name in the root document that led to n's file, nil in the root itself: a file that is missing deep down
// refuses the root too.
func (c *templateCheck) clientFiles(n, origin *source.Node) {
	n.Walk(func(n *source.Node) bool {
		if n.Kind != source.Map {
			return true
		}
		for _, p := range n.Pairs {
			if !p.Value.Is(source.String) {
				continue
			}
			switch p.Key.Str() {
			case "get_file":
				c.clientFile(p.Value, origin)
			case "type":
				if hot.IsTemplateName(p.Value.Text) {
					c.clientFile(p.Value, origin)
				}
			}
		}
		return true
	})
}

// clientFile reads a named file, and what a template in it names in turn.
func (c *templateCheck) clientFile(name, origin *source.Node) {
	path, remote := beside(name)
	if remote {
		return
	}
	file, err := c.files.open(path)
	if err != nil {
		d := missingFile(name, path, err)
		c.add(d)
		if origin != nil {
			c.add(diag.Errorf(origin.At(), "missing-file", "%s needs a file that cannot be read", quote(origin.Text)).Via(d.Location, "%s", d.Message))
		}
		return
	}
	if origin == nil {
		origin = name
	}
	if c.opened[path] {
		return
	}
	c.opened[path] = true
	if !mayBeTemplate(file.Text) {
		return
	}
	root, found := source.ParseFile(file, source.Options{})
	if found.HasErrors() || !looksLikeTemplate(root) {
		return
	}
	c.clientFiles(root, origin)
}

// registryFiles reads the files that a registry names: every value that is no type's name.
func (c *templateCheck) registryFiles(env *hot.Environment) {
	for _, m := range env.Registry.Mappings() {
		if !strings.Contains(m.Value.Text, "::") {
			c.clientFile(m.Value, nil)
		}
	}
}

func missingFile(name *source.Node, path string, err error) diag.Diagnostic {
	return diag.Errorf(name.At(), "missing-file", "%s cannot be read: %s", quote(path), reason(err))
}

func fileStart(f *source.File) diag.Location {
	return diag.Location{Path: f.Path, Start: diag.Pos{Line: 1, Column: 1}, End: diag.Pos{Line: 1, Column: 1}}
}
