package preview

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Redacted is what Heat gives for the value of a hidden parameter.
const Redacted = "******"

// Input is a stack as Heat has it: names of files in it are their URLs.
type Input struct {
	Template     *source.Node
	Files        map[string]string // by URL
	Environments []*source.Node    // later ones on top
	Parameters   []source.Pair     // on top of those of the environments
}

// Side is a stack as it is, or as it would be.
type Side struct {
	stack   *hot.Stack
	values  hot.Values
	hidden  map[string]bool // parameters with a value that Heat does not tell
	files   map[string]string
	types   *catalog.Catalog
	nesting *hot.Nesting
}

// Load reads a stack. The side is never nil; what is wrong with it is among the findings.
func Load(in Input, types *catalog.Catalog) (*Side, diag.List) {
	if types == nil {
		types = catalog.Default()
	}
	s := &Side{files: in.Files, types: types, hidden: map[string]bool{}, values: hot.Values{}}
	s.nesting = &hot.Nesting{Known: types.Knows, Open: s.open}
	template, found := hot.LoadTemplate(in.Template)
	env := s.environment(in, template, &found)
	var more diag.List
	s.stack, more = s.nesting.Load(template, env)
	found.Add(more...)
	known := *env
	known.Parameters = nil
	for _, given := range env.Parameters {
		if p := template.Parameter(given.Key.Text); p != nil && p.Hidden && given.Value.Str() == Redacted {
			s.hidden[given.Key.Text] = true
		} else {
			known.Parameters = append(known.Parameters, given)
		}
	}
	s.values, more = template.Resolve(&known)
	found.Add(more...)
	return s, found
}

func (s *Side) environment(in Input, t *hot.Template, found *diag.List) *hot.Environment {
	env := &hot.Environment{Registry: &hot.Registry{}}
	var all []*hot.Environment
	for _, n := range in.Environments {
		e, more := hot.LoadEnvironment(n)
		found.Add(more...)
		all = append(all, e)
	}
	if len(all) == 1 {
		env = all[0]
	} else if len(all) > 1 {
		schema := map[string]*hot.Parameter{}
		whole, _ := s.nesting.Load(t, all[len(all)-1])
		whole.Walk(func(below *hot.Stack) {
			for _, p := range below.Template.Parameters {
				if schema[p.Name.Text] == nil {
					schema[p.Name.Text] = p
				}
			}
		})
		env, _ = hot.MergeEnvironments(all, func(name string) *hot.Parameter { return schema[name] })
	}
	merged := *env
	merged.Parameters = nil
	given := source.NewMap(nil, in.Parameters...)
	for _, p := range env.Parameters {
		if given.Pair(p.Key.Text) == nil {
			merged.Parameters = append(merged.Parameters, p)
		}
	}
	merged.Parameters = append(merged.Parameters, in.Parameters...)
	return &merged
}

// open reads a nested template among the stack's files.
func (s *Side) open(name *source.Node) (*source.Node, diag.List) {
	text, ok := s.files[name.Text]
	if !ok {
		return nil, diag.List{diag.Errorf(name.At(), "missing-file", "%q is not among the stack's files", name.Text)}
	}
	root, found := source.Parse(name.Text, []byte(text))
	if found.HasErrors() {
		return nil, found
	}
	return root, found
}

// half is one side at one level of nesting.
type half struct {
	side  *Side
	level *level
	stack *hot.Stack
	scope *function.Scope
	later map[string]any // values of parameters that are known later, whole or in part
}

func rootHalf(s *Side) *half {
	h := newHalf(s, s.stack, s.values)
	for name := range s.hidden {
		delete(h.scope.Params, name)
		h.later[name] = &Later{Function: "hidden parameter", Arg: name, half: h}
	}
	return h
}

func newHalf(s *Side, stack *hot.Stack, given hot.Values) *half {
	values := hot.Values{}
	for name, v := range given {
		values[name] = v
	}
	for _, name := range stack.Template.VersionOf().PseudoParameters() {
		if values[name] == nil {
			values[name] = name // the same before and after, and as good as any text
		}
	}
	h := &half{side: s, stack: stack, later: map[string]any{}}
	h.scope = function.ForStack(stack, values, s.types)
	h.scope.ReadFile = func(name *source.Node) (string, error) { return s.files[name.Text], nil }
	return h
}

// below is the half of a nested stack whose parameters the resource's properties give.
func (h *half) below(child *hot.Stack, properties *value.Map) *half {
	env := &hot.Environment{Registry: &hot.Registry{}, Defaults: child.Environment.Defaults}
	later := map[string]any{}
	for _, p := range child.Template.Parameters {
		v, given := properties.GetStr(p.Name.Text)
		switch {
		case !given || v == nil: // null is as if not given
		case hasLater(v):
			later[p.Name.Text] = v
		default:
			env.Parameters = append(env.Parameters, source.Pair{Key: p.Name, Value: hot.NodeOf(p.Name, argument(p, v))})
		}
	}
	values, _ := child.Template.Resolve(env)
	out := newHalf(h.side, child, values)
	for name, v := range later {
		delete(out.scope.Params, name)
		out.later[name] = v
	}
	return out
}

// argument is a property's value as a nested template's parameter gets it: lists travel as text.
func argument(p *hot.Parameter, v any) any {
	list, isList := v.([]any)
	if !isList || p.Type != hot.CommaDelimitedList {
		return v
	}
	parts := make([]string, len(list))
	for i, item := range list {
		if item != nil {
			parts[i] = value.Str(item)
		}
	}
	return strings.Join(parts, ",")
}

// parameter is a parameter's value, or nil where it has none.
func (h *half) parameter(name string) any {
	if v, ok := h.later[name]; ok {
		return v
	}
	return h.scope.Params[name]
}

// secret reports whether a parameter's value must not be shown.
func (h *half) secret(name string) bool {
	p := h.stack.Template.Parameter(name)
	return p != nil && p.Hidden
}
