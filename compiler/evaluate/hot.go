package evaluate

import (
	"fmt"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Param is a parameter's value as the command line gives it: text, which Heat converts by the parameter's type.
type Param struct{ Name, Value string }

// Context is what HOT expressions are computed in: a template, environments and parameters. The zero Context is an empty
// template of the newest version.
type Context struct {
	Template     string // a path; "" for none
	Version      string // "" for the template's own, or the newest
	Environments []string
	Params       []Param
	Condition    bool // the expression is a condition's definition

	files *source.Files
	root  *source.Node // the document without what stands for nothing here; nil for no template
	base  *source.File // names of files count from its folder
	key   string       // of the version
	env   *hot.Environment
}

// UnknownVersion says that no template version has the name; Known lists those that there are.
type UnknownVersion struct {
	Name  string
	Known []string
}

func (e *UnknownVersion) Error() string {
	return fmt.Sprintf("there is no template version %q", e.Name)
}

// Load reads the template and the environments from files. The error is an *UnknownVersion, or a *Failure.
func (c *Context) Load(files *source.Files) error {
	c.files, c.key, c.base = files, hot.HOTKey, &source.File{Path: "expression"}
	version := c.Version
	if c.Template != "" {
		file, err := files.Open(c.Template)
		if err != nil {
			return failure(wrong(diag.Location{Path: c.Template}, "the template cannot be read: %v", err), "")
		}
		root, found := files.Document(file, source.Template)
		if d := firstError(found); d != nil {
			return failure(*d, string(file.Text))
		}
		c.root, c.base = root, file
		if version == "" {
			version = c.ownVersion()
		}
	}
	if version == "" {
		version = hot.Newest.Name
	}
	if v := versionNamed(version); v != nil {
		c.key, c.Version = v.Key, version
	} else if c.Version != "" {
		return &UnknownVersion{Name: version, Known: versionNames()}
	} else {
		c.Version = version // what is wrong with it, loading says
	}
	return c.environments()
}

// ownVersion is the template's version, "" where it is not said as Heat wants it; loading tells that.
func (c *Context) ownVersion() string {
	for _, key := range []string{hot.HOTKey, hot.AWSKey, hot.HeatKey} {
		if n := c.root.Get(key); n != nil {
			c.key = key
			return n.Text
		}
	}
	return ""
}

func versionNamed(name string) *hot.Version {
	for _, key := range []string{hot.HOTKey, hot.AWSKey, hot.HeatKey} {
		if v := hot.LookupVersion(key, name); v != nil {
			return v
		}
	}
	return nil
}

func versionNames() []string {
	var out []string
	for _, v := range hot.Versions {
		out = append(append(out, v.Name), v.Aliases...)
	}
	return out
}

// environments reads and merges the environments, with the parameters of the command line on top.
func (c *Context) environments() error {
	var envs []*hot.Environment
	for _, path := range c.Environments {
		file, err := c.files.Open(path)
		if err != nil {
			return failure(wrong(diag.Location{Path: path}, "the environment cannot be read: %v", err), "")
		}
		root, found := c.files.Document(file, source.YAML)
		env, more := hot.LoadEnvironment(root)
		if d := firstError(append(found, more...)); d != nil {
			return failure(*d, string(file.Text))
		}
		envs = append(envs, env)
	}
	c.env = &hot.Environment{Registry: &hot.Registry{}}
	if len(envs) > 0 {
		t, _ := hot.LoadTemplate(c.document(nil))
		merged, found := hot.MergeEnvironments(envs, t.Parameter)
		if d := firstError(found); d != nil {
			return failure(*d, "")
		}
		c.env = merged
	}
	for _, p := range c.Params {
		c.env.Parameters = slices.DeleteFunc(c.env.Parameters, func(q source.Pair) bool { return q.Key.Text == p.Name })
		c.env.Parameters = append(c.env.Parameters, source.Pair{
			Key: named("--param", p.Name), Value: named("--param "+p.Name, p.Value),
		})
	}
	return nil
}

func named(path, text string) *source.Node {
	n := source.NewString(nil, text)
	n.File = &source.File{Path: path}
	return n
}

// words are the names of a format's sections.
type words struct{ parameters, conditions, resources, outputs, value, mappings, typ string }

var sectionWords = map[hot.Format]words{
	hot.HOT: {"parameters", "conditions", "resources", "outputs", "value", "", "type"},
	hot.CFN: {"Parameters", "Conditions", "Resources", "Outputs", "Value", "Mappings", "Type"},
}

func (c *Context) words() words {
	if c.key == hot.HOTKey {
		return sectionWords[hot.HOT]
	}
	return sectionWords[hot.CFN]
}

// document is the template with the expression in it: as the definition of a condition, or the value of an output.
func (c *Context) document(expr *source.Node) *source.Node {
	w := c.words()
	var origin *source.Node
	if c.root != nil {
		origin = c.root
	}
	version := source.NewString(origin, c.Version)
	pairs := []source.Pair{{Key: source.NewString(origin, c.key), Value: version}}
	conditions := c.root.Get(w.conditions)
	if c.root == nil {
		pairs = append(pairs, source.Pair{Key: source.NewString(nil, w.parameters), Value: c.declared()})
	} else {
		for _, section := range []string{w.parameters, w.mappings, w.resources} {
			if p := c.root.Pair(section); p != nil && section != "" {
				pairs = append(pairs, *p)
			}
		}
	}
	switch {
	case expr == nil:
	case c.Condition:
		var all []source.Pair
		if conditions.Is(source.Map) {
			all = slices.Clone(conditions.Pairs)
		}
		all = append(all, source.Pair{Key: source.NewString(expr, c.conditionName()), Value: expr})
		conditions = source.NewMap(expr, all...)
	default:
		output := source.NewMap(expr, source.Pair{Key: source.NewString(expr, w.value), Value: expr})
		pairs = append(pairs, source.Pair{
			Key: source.NewString(expr, w.outputs), Value: source.NewMap(expr, source.Pair{Key: source.NewString(expr, "expression"), Value: output}),
		})
	}
	if conditions != nil {
		key := source.NewString(conditions, w.conditions)
		if p := c.root.Pair(w.conditions); p != nil {
			key = p.Key
		}
		pairs = append(pairs, source.Pair{Key: key, Value: conditions})
	}
	return source.NewMap(origin, pairs...)
}

// conditionName is what the expression is called among the conditions.
func (c *Context) conditionName() string {
	name := "expression"
	for c.root.Get(c.words().conditions).Get(name) != nil {
		name += "_"
	}
	return name
}

// declared are the parameters of an expression without a template: those that are given, of the type of their values.
func (c *Context) declared() *source.Node {
	var pairs []source.Pair
	if c.env != nil {
		for _, given := range [][]source.Pair{c.env.Parameters, c.env.Defaults} {
			for _, p := range given {
				typ := map[source.Kind]string{source.Int: "number", source.Float: "number", source.Bool: "boolean", source.List: "json", source.Map: "json"}[p.Value.Kind]
				if typ == "" {
					typ = "string"
				}
				if slices.Contains(hot.Newest.PseudoParameters(), p.Key.Text) {
					continue
				}
				pairs = append(pairs, source.Pair{
					Key:   p.Key,
					Value: source.NewMap(p.Key, source.Pair{Key: source.NewString(p.Key, c.words().typ), Value: source.NewString(p.Key, typ)}),
				})
			}
		}
	}
	return source.NewMap(nil, pairs...)
}

// Eval computes an expression, which is YAML; name is what its text is called in messages, "" for none. What is known
// only when a stack exists is {"__unknown__": what it waits for} in the value.
func (c *Context) Eval(name, text string) (any, *Failure) {
	expr, fault := parse(name, text)
	if fault != nil {
		return nil, fault
	}
	t, found := hot.LoadTemplate(c.document(expr))
	scope, more := c.scope(t)
	found = append(found, more...)
	if fault := c.first(found, expr.File); fault != nil {
		return nil, fault
	}
	if fault := c.first(scope.Check(), expr.File); fault != nil {
		return nil, fault
	}
	v, err := c.compute(scope, t, expr)
	if err != nil {
		return nil, c.fault(err, expr)
	}
	if why := function.Refused(v); why != "" {
		return nil, failure(wrong(expr.At(), "%s", why), text)
	}
	return marked(v), nil
}

// scope is where functions are computed, with what loading the values finds.
func (c *Context) scope(t *hot.Template) (*function.Scope, diag.List) {
	version := t.VersionOf()
	env := *c.env
	pseudo := hot.Values{}
	env.Parameters = slices.DeleteFunc(slices.Clone(env.Parameters), func(p source.Pair) bool {
		if !slices.Contains(version.PseudoParameters(), p.Key.Text) {
			return false
		}
		pseudo[p.Key.Text] = hot.ValueOf(p.Value)
		return true
	})
	values, found := t.Resolve(&env)
	for name, v := range pseudo {
		values[name] = v
	}
	scope := function.ForStack(&hot.Stack{Template: t, Environment: &env}, values, catalog.Default())
	scope.ReadFile = func(name *source.Node) (string, error) {
		file, err := c.files.Resolve(c.base, name.Text)
		if err != nil {
			return "", err
		}
		return string(file.Text), nil
	}
	return scope, found
}

func (c *Context) compute(scope *function.Scope, t *hot.Template, expr *source.Node) (any, error) {
	if !c.Condition {
		return scope.Eval(expr)
	}
	truth, err := scope.Condition(c.conditionName())
	if err != nil {
		return nil, err
	}
	if truth == function.Maybe {
		return scope.EvalCondition(expr)
	}
	return truth == function.True, nil
}

// first is the first error that concerns the expression: those in the template's resources do not.
func (c *Context) first(found diag.List, expr *source.File) *Failure {
	resources := c.root.Pair(c.words().resources)
	for _, d := range found {
		if d.Severity != diag.Error {
			continue
		}
		if resources != nil && d.Path == c.base.Path && !d.Start.Before(resources.Key.Start) && !resources.Value.End.Before(d.Start) {
			continue
		}
		text := ""
		switch {
		case d.Path == expr.Path && (c.root == nil || d.Path != c.base.Path):
			text = string(expr.Text)
		case c.root != nil && d.Path == c.base.Path:
			text = string(c.base.Text)
		}
		return failure(d, text)
	}
	return nil
}

func (c *Context) fault(err error, expr *source.Node) *Failure {
	d := wrong(expr.At(), "%v", err)
	if f, ok := err.(*function.Fault); ok {
		d = f.Diagnostic
	}
	if fault := c.first(diag.List{d}, expr.File); fault != nil {
		return fault
	}
	return failure(d, "")
}

func valueOf(n *source.Node) any { return value.From(hot.ValueOf(n)) }
