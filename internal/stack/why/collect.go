package why

import (
	"context"
	"fmt"
	"time"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/mistral"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Sources is where a Report comes from. Only Heat has to be there.
type Sources struct {
	Heat    *stack.Client
	Compute *Compute         // nil: servers and their consoles are not looked at
	Mistral *mistral.Client  // nil: workflows are not looked at
	Now     func() time.Time // nil: time.Now
	// Missing say why a source is nil.
	Missing map[string]error
}

// doctor is one look at a stack.
type doctor struct {
	Sources
	root      stack.Ref
	stack     *stack.Stack
	all       []*resource
	children  map[string][]*resource // by path of the resource that is the stack
	templates map[string]*half       // by stack id
	events    []stack.Event
	read      bool // the events
	notSeen   []string
}

// resource is one of the stack's, or of a stack nested in it.
type resource struct {
	stack.Resource
	path   string
	parent *resource // that is the stack it is in; nil at the top
}

// half is a stack's template with its parameters as they are.
type half struct {
	template *hot.Template
	scope    *function.Scope
}

func (d *doctor) load(ctx context.Context) error {
	list, err := d.Heat.Resources(ctx, d.root, stack.MaxDepth)
	if err != nil {
		return err
	}
	prefix := map[string]string{d.root.ID: ""}
	d.children = map[string][]*resource{}
	for range stack.MaxDepth + 1 {
		for _, r := range list {
			if base, known := prefix[r.Stack().ID]; known && r.Nested().ID != "" {
				prefix[r.Nested().ID] = base + r.Name + "."
			}
		}
	}
	for _, r := range list {
		base, known := prefix[r.Stack().ID]
		if !known {
			base = r.Parent + "."
		}
		n := &resource{Resource: r, path: base + r.Name}
		d.all = append(d.all, n)
		d.children[trimDot(base)] = append(d.children[trimDot(base)], n)
	}
	for _, n := range d.all {
		for _, c := range d.children[n.path] {
			c.parent = n
		}
	}
	return nil
}

func trimDot(s string) string {
	if s == "" {
		return ""
	}
	return s[:len(s)-1]
}

// leaves are the resources in a state in whose stacks nothing else is in it.
func (d *doctor) leaves(state string) []*resource {
	var out []*resource
	for _, r := range d.all {
		if half := stateOf(r.Status); half == state && !d.anyBelow(r.path, state) {
			out = append(out, r)
		}
	}
	return out
}

func (d *doctor) anyBelow(path, state string) bool {
	for _, c := range d.children[path] {
		if stateOf(c.Status) == state || d.anyBelow(c.path, state) {
			return true
		}
	}
	return false
}

func stateOf(status string) string {
	for i := range status {
		if status[i] == '_' {
			return status[i+1:]
		}
	}
	return ""
}

// sibling finds a resource of the same stack.
func (d *doctor) sibling(of *resource, name string) *resource {
	for _, r := range d.all {
		if r.Name == name && r.Stack().ID == of.Stack().ID {
			return r
		}
	}
	return nil
}

// templateOf reads the template of the stack that a resource is in, or nil.
func (d *doctor) templateOf(ctx context.Context, r *resource) *half {
	ref := r.Stack()
	if h, done := d.templates[ref.ID]; done {
		return h
	}
	d.templates[ref.ID] = nil
	text, err := d.Heat.TemplateOf(ctx, ref)
	if err != nil {
		d.unseen("the template of stack "+ref.Name, err)
		return nil
	}
	root, found := source.Parse("stack "+ref.Name, text)
	if found.HasErrors() {
		d.unseen("the template of stack "+ref.Name, fmt.Errorf("%v", found[0]))
		return nil
	}
	h := &half{}
	h.template, _ = hot.LoadTemplate(root)
	env := &hot.Environment{Registry: &hot.Registry{}}
	if s, err := d.Heat.Show(ctx, ref, false); err == nil {
		for _, p := range h.template.Parameters {
			if v, ok := s.Parameters[p.Name.Text]; ok && !p.Hidden {
				env.Parameters = append(env.Parameters, source.P(nil, p.Name.Text, source.NewString(nil, v)))
			}
		}
	}
	values, _ := h.template.Resolve(env)
	h.scope = function.ForStack(&hot.Stack{Template: h.template, Environment: env}, values, catalog.Default())
	h.scope.Before = func(c function.Call) (function.Value, bool) {
		if c.Function.Name != "get_resource" {
			return nil, false
		}
		if to := d.sibling(r, c.Arg.Str()); to != nil && to.PhysicalID != "" {
			return to.PhysicalID, true // what get_resource gives for most types
		}
		return nil, false
	}
	d.templates[ref.ID] = h
	return h
}

// property computes a property of a resource; nil where it is not there or not known.
func (h *half) property(name, property string) any {
	if h == nil {
		return nil
	}
	r := h.template.Resource(name)
	if r == nil {
		return nil
	}
	n := r.Properties.Get(property)
	if n == nil {
		return nil
	}
	v, err := h.scope.Eval(n)
	if err != nil || function.HasUnknown(v) {
		return nil
	}
	return v
}

// refers lists the resources that a part of the template names.
func (h *half) refers(n *source.Node) []string {
	var out []string
	for _, r := range function.References(h.template.VersionOf(), n) {
		switch r.Kind {
		case function.Resource, function.Attribute, function.ParameterOrResource:
			if h.template.Resource(r.Target.Text) != nil {
				out = append(out, r.Target.Text)
			}
		}
	}
	return out
}

// reaching lists the resources of some types whose properties lead to the named one, over others in between.
func (h *half) reaching(target string, wanted func(kind string) bool) []string {
	if h == nil {
		return nil
	}
	reaches := map[string]bool{target: true}
	for range h.template.Resources {
		for _, r := range h.template.Resources {
			if reaches[r.Name.Text] || wanted(r.Type.Str()) && reaches[r.Name.Text] {
				continue
			}
			for _, name := range h.refers(r.Properties) {
				// a wait condition reads its handle, but is no way from a server to it
				if reaches[name] && !waits[r.Type.Str()] {
					reaches[r.Name.Text] = true
				}
			}
		}
	}
	var out []string
	for _, r := range h.template.Resources {
		if reaches[r.Name.Text] && wanted(r.Type.Str()) {
			out = append(out, r.Name.Text)
		}
	}
	return out
}

// history are the events, oldest first; empty where they cannot be seen.
func (d *doctor) history(ctx context.Context) []stack.Event {
	if !d.read {
		d.read = true
		var err error
		if d.events, err = d.Heat.Events(d.root).Next(ctx); err != nil {
			d.unseen("the stack's events", err)
		}
	}
	return d.events
}

// began is when the action that a resource is in began.
func (d *doctor) began(ctx context.Context, r *resource) time.Time {
	at := r.Updated.Time
	for _, e := range d.history(ctx) {
		if e.Name == r.Name && e.Stack().ID == r.Stack().ID && e.State() == "IN_PROGRESS" {
			at = e.Time.Time
		}
	}
	return at
}
