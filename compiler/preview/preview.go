// Package preview says what Heat would do with a stack's resources if it were updated: keep, update, replace, create or
// delete them, through which property it comes to that, and what of the author's led there.
//
// It mirrors the decision that Heat makes while it updates, resource by resource, with the values that it will have then:
// an id of a resource that stays is the same as before. (Heat's own preview knows no ids yet, and so tells of changes that
// it will not make.) What depends on values that only the cloud can give is marked as possible.
package preview

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Action is what happens to a resource. Later ones weigh more.
type Action uint8

// The actions.
const (
	Keep Action = iota
	Update
	Create
	Delete
	Replace
)

var actionNames = [...]string{"keep", "update", "create", "delete", "replace"}

func (a Action) String() string { return actionNames[a] }

// MarshalText gives the action's name.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// Place is a path in Heat's form, resources.NAME.properties.X.0, in the template of a URL; "" is the root's. At is where
// that is in the text that was read.
type Place struct {
	Template string
	Path     string
	Before   bool // in the stack as it is: what is deleted
	At       diag.Location
}

// Change is what happens to one resource.
type Change struct {
	Path     string // from the root's resource inwards: outer.inner
	Name     string
	Type     string // as it is or will be
	OldType  string // where another
	Action   Action
	Possible bool // it depends on what is known only later whether the action is this one, or a lesser one
	Recorded bool // Heat only writes down the new definition: nothing is done to the resource
	Causes   []Cause
	Place    Place
}

// Cause is one thing that makes Heat act on a resource.
type Cause struct {
	What     string // property, metadata, type, depends_on, deletion_policy, update_policy, condition, state, policy
	Property string // its path, where What is property
	Replaces bool   // Heat replaces for it, rather than updates
	Possible bool
	Before   any // the values, nil where they are not there; *Later within them is known later
	After    any
	Secret   bool // the values must not be shown
	Sources  []Source
	Advice   string // how to avoid it, "" where there is nothing to say
	Place    Place
}

// Source is what of the author's led to a difference.
type Source struct {
	Kind   string // parameter, file, resource, attribute, condition
	Name   string
	Before any // of parameters
	After  any
	Secret bool
	Action Action   // of resources
	From   []Source // of a nested template's parameter: what led to its value
}

// Refusal is something for which Heat would end the update.
type Refusal struct {
	Message string
	Place   Place
}

// Plan is what an update would do.
type Plan struct {
	Changes  []Change // in the order of the templates; the deleted ones last
	Refusals []Refusal
}

// Changed reports whether anything is done or may be done.
func (p *Plan) Changed() bool {
	for _, c := range p.Changes {
		if c.Action != Keep && !c.Recorded {
			return true
		}
	}
	return false
}

// Options of Compare.
type Options struct {
	Catalog *catalog.Catalog // nil: catalog.Default()
	// States are ACTION_STATUS by resource path, of a stack that exists. Nil: all is complete.
	States map[string]string
}

// Compare finds what an update from one state of a stack to another does.
func Compare(before, after *Side, o Options) *Plan {
	if o.Catalog == nil {
		o.Catalog = catalog.Default()
	}
	c := &comparer{Options: o, plan: &Plan{}, rules: rules()}
	root := newLevel(c, "", "", rootHalf(before), rootHalf(after))
	c.immutable(root)
	c.plan.Changes = root.run()
	return c.plan
}

// comparer is one Compare.
type comparer struct {
	Options
	plan  *Plan
	rules map[string]rule // by type

	secrets []string // texts that must not be shown
}

// hide takes in the values of a stack's hidden parameters.
func (c *comparer) hide(h *half) {
	for _, p := range h.stack.Template.Parameters {
		if s, ok := h.scope.Params[p.Name.Text].(string); ok && p.Hidden && s != "" && !slices.Contains(c.secrets, s) {
			c.secrets = append(c.secrets, s)
		}
	}
}

// secret reports whether a value holds what must not be shown.
func (c *comparer) secret(v any) bool {
	text := Show(v)
	return slices.ContainsFunc(c.secrets, func(s string) bool { return strings.Contains(text, s) })
}

func (c *comparer) refuse(at Place, message string) {
	c.plan.Refusals = append(c.plan.Refusals, Refusal{Message: message, Place: at})
}

// immutable finds parameters that may not change.
func (c *comparer) immutable(root *level) {
	for _, p := range root.new.stack.Template.Parameters {
		name := p.Name.Text
		if old := root.old.stack.Template.Parameter(name); old == nil || !p.Immutable {
			continue
		}
		if d := root.diff(root.old.parameter(name), root.new.parameter(name)); d.verdict == differs {
			c.refuse(Place{Path: "parameters." + name, At: p.Name.At()}, "parameter "+name+" is immutable: Heat refuses another value")
		}
	}
}
